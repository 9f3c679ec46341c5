/// The unit of lengths along the scroll direction.
///
/// A length along the scroll direction is rounded to whole steps once, where it comes into being:
/// an option when it is read, a height when it is given, measured or computed. Sums and differences
/// of whole steps are exact up to ``limit``. So the order of additions does not matter, a position
/// is the same as a sum and as a product, and a change moves what it moves by exactly as much.
///
/// Lengths across the scroll direction are not rounded.
public enum LengthStep: Equatable, BitwiseCopyable, Sendable {
  /// 1/1024 point.
  case fine
  /// A whole point, for sections with the option `integral`.
  case point

  /// The largest coordinate up to which sums of steps are exact, in points. Content that reaches
  /// further is refused.
  public static let limit = 0x1p43

  /// From here on, every double is a whole number of fine steps.
  private static let coarse = 0x1p42

  /// A coordinate, which may be negative, rounded to the nearest step. Halves are rounded up.
  @inline(__always)
  public func nearest(to value: Double) -> Double {
    switch self {
    case .fine:
      value.magnitude < Self.coarse ? (value * 1024 + 0.5).rounded(.down) / 1024 : value
    case .point:
      value.magnitude < 0x1p52 ? (value + 0.5).rounded(.down) : value
    }
  }

  /// The nearest multiple of a fine step; halves are rounded away from 0.
  fileprivate static func multiple(nearestTo value: Double) -> Double {
    let magnitude = Self.fine.nearest(to: value.magnitude)
    return value < 0 ? 0 - magnitude : magnitude
  }

  /// A length, ≥ 0, rounded to the nearest step; at least one step if it is > 0. NaN stays NaN.
  @inline(__always)
  public func length(_ value: Double) -> Double { lengths(SIMD2(repeating: value)).x }

  /// Two lengths, without a branch.
  @inline(__always)
  private func lengths(_ values: SIMD2<Double>) -> SIMD2<Double> {
    switch self {
    case .fine: Self.lengths(values, stepsPerPoint: 1024, below: Self.coarse)
    case .point: Self.lengths(values, stepsPerPoint: 1, below: 0x1p51)
    }
  }

  @inline(__always)
  private static func lengths(
    _ values: SIMD2<Double>, stepsPerPoint: Double, below limit: Double
  ) -> SIMD2<Double> {
    let halves = values * stepsPerPoint + 0.5
    // From 2⁵² on, doubles are whole numbers. This rounds to the nearest, so one may be too much.
    let near = (halves + 0x1p52) - 0x1p52
    let floor = near.replacing(with: near - 1, where: near .> halves)
    let least = SIMD2<Double>.zero.replacing(with: 1, where: values .> 0)
    let steps = floor.replacing(with: least, where: floor .< least)
    return values.replacing(with: steps * (1 / stepsPerPoint), where: values .< limit)
  }

  /// Reads lengths, each rounded like ``length(_:)``. One that is NaN becomes `standard`.
  ///
  /// Two are rounded at a time: one by one, a list would take 10 % longer to prepare.
  func readLengths(
    _ given: UnsafePointer<Double>, count: Int, else standard: Double,
    into target: UnsafeMutablePointer<Double>
  ) {
    for index in stride(from: 0, to: count - 1, by: 2) {
      let values = UnsafeRawPointer(given + index).loadUnaligned(as: SIMD2<Double>.self)
      let lengths = lengths(values).replacing(with: standard, where: values .!= values)
      UnsafeMutableRawPointer(target + index).storeBytes(of: lengths, as: SIMD2<Double>.self)
    }
    if count & 1 == 1 {
      let value = given[count - 1]
      target[count - 1] = value.isNaN ? standard : length(value)
    }
  }

  /// The smallest whole number of steps that is not less than a coordinate.
  public func roundedUp(_ value: Double) -> Double {
    switch self {
    case .fine:
      value.magnitude < Self.coarse ? (value * 1024).rounded(.up) / 1024 : value
    case .point: value.rounded(.up)
    }
  }
}

extension Rect {
  /// The rect that a query searches: x, y, width and height are rounded to multiples of 1/1024,
  /// halves away from 0. So the frame of an element, as text tells it, meets what the element
  /// meets.
  public var inSteps: Rect {
    Rect(
      x: LengthStep.multiple(nearestTo: origin.x), y: LengthStep.multiple(nearestTo: origin.y),
      width: LengthStep.multiple(nearestTo: size.width),
      height: LengthStep.multiple(nearestTo: size.height))
  }
}
