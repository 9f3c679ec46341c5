/// One option of a layout: its name on the wire, what its value must be, and where the value is
/// stored.
///
/// A kind lists its options once, as data. This list is used to read, check and show them. An
/// option inside an object has a dotted name (`insets.top`).
public struct LayoutOption<Target>: Sendable {
  public let name: String
  /// What the value must be, as the end of a sentence: "a number ≥ 0".
  public let requirement: String
  private let assign: @Sendable (inout Target, OptionValue) throws(OptionFault) -> Void

  private init<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Value> & Sendable,
    requirement: String, parse: @escaping @Sendable (OptionValue) -> Value?
  ) {
    self.init(name, keyPath, requirement: requirement) { value throws(OptionFault) in
      guard let value = parse(value) else { throw OptionFault(requirement: requirement) }
      return value
    }
  }

  /// An option with a parser of its own, which says what is wrong and where.
  init<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Value> & Sendable,
    requirement: String,
    reading parse: @escaping @Sendable (OptionValue) throws(OptionFault) -> Value
  ) {
    self.init(name: name, requirement: requirement) { (target, value) throws(OptionFault) in
      target[keyPath: keyPath] = try parse(value)
    }
  }

  private init(
    name: String, requirement: String,
    assign: @escaping @Sendable (inout Target, OptionValue) throws(OptionFault) -> Void
  ) {
    self.name = name
    self.requirement = requirement
    self.assign = assign
  }

  /// Stores a value, which must not be null.
  public func set(_ value: OptionValue, in target: inout Target) throws(OptionFault) {
    try assign(&target, value)
  }

  /// A number in a range.
  ///
  /// - Parameters:
  ///   - name: The name on the wire.
  ///   - keyPath: Where the value is stored. A new layout has the default there.
  public static func number(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Double> & Sendable, _ range: NumberRange
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: range.requirement, parse: range.number)
  }

  /// A number in a range; `nil` if it is not given.
  public static func number(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Double?> & Sendable,
    _ range: NumberRange
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: range.requirement) {
      range.number($0).map { Optional($0) }
    }
  }

  /// An integer from a minimum to 2⁵³ − 1.
  public static func integer(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Int> & Sendable,
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

  /// One of several words: the raw values of a type.
  public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Choice> & Sendable
  ) -> LayoutOption {
    word(name, keyPath, Choice.allCases.map(\.rawValue)) { Choice(rawValue: $0) }
  }

  /// One of several words.
  static func word<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Value> & Sendable, _ words: [String],
    _ value: @escaping @Sendable (String) -> Value?
  ) -> LayoutOption {
    let names = words.map { "\"\($0)\"" }.joined(separator: ", ")
    return LayoutOption(name, keyPath, requirement: "one of " + names) {
      guard case .string(let word) = $0, words.contains(word) else { return nil }
      return value(word)
    }
  }

  /// True or false.
  public static func boolean(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Bool> & Sendable
  ) -> LayoutOption {
    LayoutOption(name, keyPath, requirement: "true or false") {
      guard case .boolean(let value) = $0 else { return nil }
      return value
    }
  }

  /// An object with four insets, each ≥ 0.
  static func insets(
    _ name: String, _ keyPath: any WritableKeyPath<Target, EdgeInsets> & Sendable
  ) -> [LayoutOption] {
    [
      .part("\(name).top", .nonNegative) { $0[keyPath: keyPath].top = $1 },
      .part("\(name).left", .nonNegative) { $0[keyPath: keyPath].left = $1 },
      .part("\(name).bottom", .nonNegative) { $0[keyPath: keyPath].bottom = $1 },
      .part("\(name).right", .nonNegative) { $0[keyPath: keyPath].right = $1 },
    ]
  }

  /// An object with a width and a height, each > 0.
  static func size(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Size> & Sendable
  ) -> [LayoutOption] {
    [
      .part("\(name).width", .positive) { $0[keyPath: keyPath].width = $1 },
      .part("\(name).height", .positive) { $0[keyPath: keyPath].height = $1 },
    ]
  }

  private static func part(
    _ name: String, _ range: NumberRange,
    _ store: @escaping @Sendable (inout Target, Double) -> Void
  ) -> LayoutOption {
    LayoutOption(name: name, requirement: range.requirement) {
      (target, value) throws(OptionFault) in
      guard let number = range.number(value) else {
        throw OptionFault(requirement: range.requirement)
      }
      store(&target, number)
    }
  }
}

/// An error in an option's value.
public struct OptionFault: Error, Equatable, Sendable {
  /// The place in the value, as reference tokens; empty for the value itself.
  public var path: [String] = []
  /// What must be there, as the end of a sentence.
  public let requirement: String
}

/// The options that an object may have, without the type that stores their values.
public struct OptionTable: Sendable {
  /// One option, and how its value is checked.
  public struct Entry: Sendable {
    /// The name; it is dotted for an option inside an object.
    public let name: String
    public let requirement: String
    /// Checks a value other than null.
    public let check: @Sendable (OptionValue) throws(OptionFault) -> Void
  }

  public let entries: [Entry]

  init<Target>(_ options: [LayoutOption<Target>], of make: @escaping @Sendable () -> Target) {
    entries = options.map { option in
      Entry(name: option.name, requirement: option.requirement) { (value) throws(OptionFault) in
        var target = make()
        try option.set(value, in: &target)
      }
    }
  }

  private init(entries: [Entry]) {
    self.entries = entries
  }

  static func + (a: OptionTable, b: OptionTable) -> OptionTable {
    OptionTable(entries: a.entries + b.entries)
  }

  /// The option with a dotted name, if there is one.
  public func option(named name: String) -> Entry? { entries.first { $0.name == name } }

  /// Whether a name is an object of options: whether dotted names begin with it.
  public func hasOptions(inside name: String) -> Bool {
    entries.contains { $0.name.hasPrefix(name + ".") }
  }

  /// The members that an object of options may have, each once.
  ///
  /// - Parameter prefix: The beginning of their dotted names.
  public func members(inside prefix: String = "") -> [String] {
    var members: [String] = []
    for entry in entries where entry.name.hasPrefix(prefix) {
      let member = String(entry.name.dropFirst(prefix.count).prefix { $0 != "." })
      if members.last != member { members.append(member) }
    }
    return members
  }

  /// Whether the table has an option and accepts a value for it.
  func takes(_ name: String, _ value: OptionValue) -> Bool {
    if case .object(let inner) = value, hasOptions(inside: name) {
      return inner.members.allSatisfy { takes(name + "." + $0.name, $0.value) }
    }
    guard let option = option(named: name) else { return false }
    do {
      try option.check(value)
      return true
    } catch {
      return false
    }
  }
}

extension Array {
  /// Stores the values of these options. Options that are not in this list are ignored.
  ///
  /// - Throws: ``LayoutError/invalidOption(_:section:requirement:)``.
  func assign<Target>(
    _ given: GivenOptions, prefix: String = "", to target: inout Target, section: Int?
  ) throws(LayoutError) where Element == LayoutOption<Target> {
    for member in given.members {
      let name = prefix + member.name
      if let option = first(where: { $0.name == name }) {
        do {
          try option.set(member.value, in: &target)
        } catch {
          throw .invalidOption(
            ([name] + error.path).joined(separator: "."), section: section,
            requirement: error.requirement)
        }
      } else if case .object(let inner) = member.value {
        try assign(inner, prefix: name + ".", to: &target, section: section)
      }
    }
  }
}
