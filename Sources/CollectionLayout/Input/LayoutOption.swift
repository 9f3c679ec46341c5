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
  private let assign: @Sendable (inout Layout, OptionValue) -> Bool
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

  /// Stores a value, or the default for null; returns whether the value is allowed.
  public func set(_ value: OptionValue, in layout: inout Layout) -> Bool {
    guard value != .null else {
      reset(&layout)
      return true
    }
    return assign(&layout, value)
  }

  /// A number of a range.
  ///
  /// - Parameters:
  ///   - name: On the wire.
  ///   - keyPath: Where it is kept; a new layout has the default there.
  public static func number(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Double> & Sendable, _ range: NumberRange
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: range.requirement, parse: range.number)
  }

  /// A number whose default depends on other options, and which is `nil` until it is given.
  public static func number(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Double?> & Sendable,
    _ range: NumberRange
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: range.requirement) {
      range.number($0).map { Optional($0) }
    }
  }

  /// An integer from a minimum to 2⁵³ − 1.
  public static func integer(
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

  /// One of some words: the raw values of a type.
  public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Choice> & Sendable
  ) -> LayoutOption {
    let names = Choice.allCases.map { "\"\($0.rawValue)\"" }
    return LayoutOption(name, keyPath, requirement: "one of " + names.joined(separator: ", ")) {
      guard case .string(let value) = $0 else { return nil }
      return Choice(rawValue: value)
    }
  }

  /// True or false.
  public static func boolean(
    _ name: String, _ keyPath: any WritableKeyPath<Layout, Bool> & Sendable
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: "true or false") {
      guard case .boolean(let value) = $0 else { return nil }
      return value
    }
  }
}
