/// The numbers that an option or item field may be.
public enum NumberRange: Sendable {
  case nonNegative
  case positive

  /// False for what is no number, or infinite.
  public func contains(_ value: Double) -> Bool {
    switch self {
    case .nonNegative: value >= 0 && value.isFinite
    case .positive: value > 0 && value.isFinite
    }
  }

  /// Whether all values are of the range that are numbers at all.
  ///
  /// Without a branch, and so some values at a time: millions of them are checked in this way.
  public func containsAll(_ values: [Double]) -> Bool {
    let least =
      switch self {
      case .nonNegative: 0.0
      case .positive: Double.leastNonzeroMagnitude
      }
    return values.withUnsafeBufferPointer { values in
      var outside = 0
      for value in values {
        outside &+= value < least ? 1 : 0
        outside &+= value > .greatestFiniteMagnitude ? 1 : 0
      }
      return outside == 0
    }
  }

  /// What a value must be, as the end of a sentence.
  public var requirement: String {
    switch self {
    case .nonNegative: "a finite number ≥ 0"
    case .positive: "a finite number > 0"
    }
  }

  /// The value, if it is a number of the range; −0 becomes 0.
  @Sendable func number(_ value: OptionValue) -> Double? {
    guard case .number(let value) = value, contains(value) else { return nil }
    return value + 0
  }
}
