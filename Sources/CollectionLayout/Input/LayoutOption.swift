/// An option's value as a client gave it.
public enum OptionValue: Equatable, Sendable {
  case number(Double)
  case string(String)
  case boolean(Bool)
  /// Asks for the default.
  case null
}

/// One option of a layout kind: its name on the wire, what it must be, and where it is kept.
///
/// A kind lists its options once, as data; reading, checking and resetting them all go by this
/// list. An option inside an object has a dotted name (`insets.top`).
public struct LayoutOption<Layout: CollectionViewLayout>: Sendable {
  public let name: String
  /// What the value must be, as the end of a sentence: "a number ≥ 0".
  public let requirement: String
  /// Stores a value other than null; returns whether it is allowed.
  let assign: @Sendable (inout Layout, OptionValue) -> Bool
  let reset: @Sendable (inout Layout) -> Void

  private init<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Value> & Sendable,
    requirement: String, parse: @escaping @Sendable (OptionValue) -> Value?
  ) {
    self.name = name
    self.requirement = requirement
    assign = { layout, value in
      guard let value = parse(value) else { return false }
      layout[keyPath: keyPath] = value
      return true
    }
    reset = { $0[keyPath: keyPath] = Layout()[keyPath: keyPath] }
  }

  static func number(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Double> & Sendable, _ range: NumberRange
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: range.requirement, parse: range.number)
  }

  /// A number whose default depends on other options, and which is `nil` until it is given.
  static func number(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Double?> & Sendable,
    _ range: NumberRange
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: range.requirement) {
      range.number($0).map { Optional($0) }
    }
  }

  static func integer(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Int> & Sendable,
    from minimum: Int
  ) -> LayoutOption {
    LayoutOption(
      name, keyPath, requirement: "an integer from \(minimum) to \(JSONInteger.maximum)"
    ) {
      guard case .number(let value) = $0, let integer = JSONInteger.exactly(value),
        integer >= minimum
      else { return nil }
      return integer
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Choice> & Sendable
  ) -> LayoutOption {
    let names = Choice.allCases.map { "\"\($0.rawValue)\"" }
    return LayoutOption(name, keyPath, requirement: "one of " + names.joined(separator: ", ")) {
      guard case .string(let value) = $0 else { return nil }
      return Choice(rawValue: value)
    }
  }

  static func boolean(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Bool> & Sendable
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: "true or false") {
      guard case .boolean(let value) = $0 else { return nil }
      return value
    }
  }
}

/// The integers that a JSON number holds without loss.
public enum JSONInteger {
  public static let maximum = 1 << 53 - 1

  /// The value as an integer, unless it has a fraction or is beyond ±``maximum``.
  public static func exactly(_ value: Double) -> Int? {
    guard abs(value) <= Double(maximum), value == value.rounded(.towardZero) else { return nil }
    return Int(value)
  }
}

/// The numbers that an option or item field may be.
public enum NumberRange: Sendable {
  case nonNegative
  case positive

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
