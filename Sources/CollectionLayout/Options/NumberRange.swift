/// The numbers that an option or an item's field may be.
public enum NumberRange: Sendable {
  /// Any number but NaN and the infinities.
  case finite
  case nonNegative
  case positive
  /// From 0 to 1.
  case fraction

  /// False for what is no number, or infinite.
  public func contains(_ value: Double) -> Bool {
    switch self {
    case .finite: value.isFinite
    case .nonNegative: value >= 0 && value.isFinite
    case .positive: value > 0 && value.isFinite
    case .fraction: value >= 0 && value <= 1
    }
  }

  /// Whether all values are of the range that are numbers at all.
  ///
  /// Without a branch, and so some values at a time: millions of them are checked in this way.
  public func containsAll(_ values: [Double]) -> Bool {
    let (least, most) =
      switch self {
      case .finite: (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
      case .nonNegative: (0.0, Double.greatestFiniteMagnitude)
      case .positive: (Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude)
      case .fraction: (0.0, 1.0)
      }
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
    }
  }

  /// The value, if it is a number of the range; −0 becomes 0.
  @Sendable func number(_ value: OptionValue) -> Double? {
    guard case .number(let value) = value, contains(value) else { return nil }
    return value + 0
  }
}
