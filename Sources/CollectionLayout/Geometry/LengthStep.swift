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

  /// A length, ≥ 0, rounded to the nearest step; at least one step if it is > 0. NaN stays NaN.
  @inline(__always)
  public func length(_ value: Double) -> Double {
    switch self {
    case .fine: Self.length(value, stepsPerPoint: 1024, below: Self.coarse)
    case .point: Self.length(value, stepsPerPoint: 1, below: 0x1p51)
    }
  }

  /// This has no branch, so lists of lengths are rounded several at a time.
  @inline(__always)
  private static func length(
    _ value: Double, stepsPerPoint: Double, below limit: Double
  ) -> Double {
    let half = value * stepsPerPoint + 0.5
    // From 2⁵² on, doubles are whole numbers. This rounds to the nearest, so one may be too much.
    let near = (half + 0x1p52) - 0x1p52
    let floor = near > half ? near - 1 : near
    let steps = floor < 1 && value > 0 ? 1 : floor
    return value < limit ? steps * (1 / stepsPerPoint) : value
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
