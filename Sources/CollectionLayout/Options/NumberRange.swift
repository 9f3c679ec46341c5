/// The values that an option or an item's field may have.
public enum NumberRange: Equatable, Sendable {
  /// Any number but NaN and the infinities.
  case finite
  case nonNegative
  case positive
  /// From 0 to 1.
  case fraction
  /// Integers; and infinity, if `orAll` is true. On the wire that is the word "all".
  case integers(from: Int, to: Int, orAll: Bool)

  /// Whether a value is in the range. NaN and the infinities are in none, except the
  /// infinity that stands for "all".
  public func contains(_ value: Double) -> Bool {
    switch self {
    case .finite: value.isFinite
    case .nonNegative: value >= 0 && value.isFinite
    case .positive: value > 0 && value.isFinite
    case .fraction: value >= 0 && value <= 1
    case .integers(let first, let last, let orAll):
      value >= Double(first) && value <= Double(last) && value == value.rounded(.down)
        || orAll && value == .infinity
    }
  }

  /// Whether the word "all" stands for a value of the range.
  public var takesAll: Bool {
    if case .integers(_, _, let orAll) = self { orAll } else { false }
  }

  /// Whether all values are in the range. NaN is ignored.
  ///
  /// The loop has no branch, so it is vectorized: millions of values are checked with it.
  public func containsAll(_ values: [Double]) -> Bool {
    let (least, most) =
      switch self {
      case .finite: (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
      case .nonNegative: (0.0, Double.greatestFiniteMagnitude)
      case .positive: (Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude)
      case .fraction: (0.0, 1.0)
      case .integers: (0.0, 0.0)
      }
    if case .integers = self { return values.allSatisfy { $0.isNaN || contains($0) } }
    return values.withUnsafeBufferPointer { values in
      var outside = 0
      for value in values {
        outside &+= value < least ? 1 : 0
        outside &+= value > most ? 1 : 0
      }
      return outside == 0
    }
  }

  /// What a value must be, as the end of a sentence.
  public var requirement: String {
    switch self {
    case .finite: "a finite number"
    case .nonNegative: "a finite number ≥ 0"
    case .positive: "a finite number > 0"
    case .fraction: "a number from 0 to 1"
    case .integers(let first, let last, let orAll):
      "an integer from \(first) to \(last)" + (orAll ? " or \"all\"" : "")
    }
  }

  /// The value, if it is a number in the range; −0 becomes 0.
  @Sendable func number(_ value: OptionValue) -> Double? {
    guard case .number(let value) = value, contains(value) else { return nil }
    return value + 0
  }
}
