/// One option of a layout: its name on the wire, what its value must be, and where the value is
/// stored.
///
/// A kind lists its options once, as data. This list is used to read, check and show them. An
/// option inside an object has a dotted name (`insets.top`).
public struct LayoutOption<Target>: Sendable {
  public let name: String
  public let form: OptionForm
  /// The value of the option in a layout.
  let value: @Sendable (Target) -> OptionValue
  /// Stores a value, which must not be null.
  private let assign: @Sendable (inout Target, OptionValue) throws(OptionFault) -> Void

  /// An option with a parser of its own, which says what is wrong and where.
  init(
    _ name: String, _ form: OptionForm, value: @escaping @Sendable (Target) -> OptionValue,
    assign: @escaping @Sendable (inout Target, OptionValue) throws(OptionFault) -> Void
  ) {
    self.name = name
    self.form = form
    self.value = value
    self.assign = assign
  }

  private init<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Value> & Sendable, _ form: OptionForm,
    parse: @escaping @Sendable (OptionValue) -> Value?,
    show: @escaping @Sendable (Value) -> OptionValue
  ) {
    self.init(name, form) {
      show($0[keyPath: keyPath])
    } assign: { (target, value) throws(OptionFault) in
      guard let value = parse(value) else { throw OptionFault(requirement: form.requirement) }
      target[keyPath: keyPath] = value
    }
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
    LayoutOption(name, keyPath, .number(range), parse: range.number, show: { .number($0) })
  }

  /// A number in a range; `nil` if it is not given.
  ///
  /// - Parameter standard: What is shown as the default, if there is one.
  public static func number(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Double?> & Sendable,
    _ range: NumberRange, shownAs standard: Double? = nil
  ) -> LayoutOption {
    LayoutOption(name, keyPath, .number(range)) {
      range.number($0).map { Optional($0) }
    } show: {
      ($0 ?? standard).map { .number($0) } ?? .null
    }
  }

  /// An integer from a minimum to 2⁵³ − 1; `nil` if it is not given.
  public static func integer(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Int?> & Sendable, from minimum: Int
  ) -> LayoutOption {
    LayoutOption(name, keyPath, .integer(from: minimum)) {
      integer($0, from: minimum).map { Optional($0) }
    } show: {
      $0.map { .number(Double($0)) } ?? .null
    }
  }

  private static func integer(_ value: OptionValue, from minimum: Int) -> Int? {
    guard case .number(let value) = value, let integer = JSONInteger.exactly(value),
      integer >= minimum
    else { return nil }
    return integer
  }

  /// An integer from a minimum to 2⁵³ − 1.
  public static func integer(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Int> & Sendable,
    from minimum: Int
  ) -> LayoutOption {
    LayoutOption(name, keyPath, .integer(from: minimum)) {
      integer($0, from: minimum)
    } show: {
      .number(Double($0))
    }
  }

  /// One of several words: the raw values of a type.
  public static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Choice> & Sendable
  ) -> LayoutOption {
    LayoutOption(name, keyPath, .choice(Choice.allCases.map(\.rawValue))) {
      guard case .string(let word) = $0 else { return nil }
      return Choice(rawValue: word)
    } show: {
      .string($0.rawValue)
    }
  }

  /// One of several words.
  static func word(
    _ name: String, _ keyPath: any WritableKeyPath<Target, String> & Sendable, _ words: [String]
  ) -> LayoutOption {
    LayoutOption(name, keyPath, .choice(words)) {
      guard case .string(let word) = $0, words.contains(word) else { return nil }
      return word
    } show: {
      .string($0)
    }
  }

  /// True or false.
  public static func boolean(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Bool> & Sendable
  ) -> LayoutOption {
    LayoutOption(name, keyPath, .boolean) {
      guard case .boolean(let value) = $0 else { return nil }
      return value
    } show: {
      .boolean($0)
    }
  }

  /// An object with four insets, each ≥ 0.
  static func insets(
    _ name: String, _ keyPath: any WritableKeyPath<Target, EdgeInsets> & Sendable
  ) -> [LayoutOption] {
    [
      .part("\(name).top", keyPath, \.top, .nonNegative),
      .part("\(name).left", keyPath, \.left, .nonNegative),
      .part("\(name).bottom", keyPath, \.bottom, .nonNegative),
      .part("\(name).right", keyPath, \.right, .nonNegative),
    ]
  }

  /// An object with a width and a height, each > 0.
  static func size(
    _ name: String, _ keyPath: any WritableKeyPath<Target, Size> & Sendable
  ) -> [LayoutOption] {
    [
      .part("\(name).width", keyPath, \.width, .positive),
      .part("\(name).height", keyPath, \.height, .positive),
    ]
  }

  private static func part<Whole>(
    _ name: String, _ whole: any WritableKeyPath<Target, Whole> & Sendable,
    _ part: any WritableKeyPath<Whole, Double> & Sendable, _ range: NumberRange
  ) -> LayoutOption {
    LayoutOption(name, .number(range)) {
      .number($0[keyPath: whole][keyPath: part])
    } assign: { (target, value) throws(OptionFault) in
      guard let number = range.number(value) else {
        throw OptionFault(requirement: range.requirement)
      }
      target[keyPath: whole][keyPath: part] = number
    }
  }
}

/// The form of an option's value.
public enum OptionForm: Equatable, Sendable {
  case number(NumberRange)
  /// An integer from a minimum to 2⁵³ − 1.
  case integer(from: Int)
  case boolean
  /// One of several words.
  case choice([String])
  /// A pattern of items.
  case group
  /// What cells are made of.
  case card

  /// Whether the value is an object that is replaced as a whole, not member by member.
  var isAtomic: Bool {
    switch self {
    case .group, .card: true
    case .number, .integer, .boolean, .choice: false
    }
  }

  /// The rule for the value, as the end of a sentence: "a number ≥ 0".
  public var requirement: String {
    switch self {
    case .number(let range): range.requirement
    case .integer(let minimum): "an integer from \(minimum) to \(JSONInteger.maximum)"
    case .boolean: "true or false"
    case .choice(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .group: "a group {\"direction\", \"width\", …}"
    case .card: "a card {\"parts\", …}"
    }
  }
}

/// Where an option may be given.
public enum OptionScope: String, Sendable {
  /// Only in the options of the layout. It holds for the whole layout.
  case layout
  /// In the options of the layout, for all sections, or in those of a section. All kinds with
  /// sections have it.
  case section
  /// Like ``section``, but only this kind has it. A hierarchy has no sections, so there it is only
  /// in the options of the layout.
  case kind
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
    public let form: OptionForm
    public let scope: OptionScope
    /// The value if the option is not given; null if it has none.
    public let defaultValue: OptionValue
    /// Checks a value other than null.
    public let check: @Sendable (OptionValue) throws(OptionFault) -> Void
  }

  public let entries: [Entry]

  init<Target: Sendable>(
    _ options: [LayoutOption<Target>], _ scope: OptionScope, of defaults: Target
  ) {
    entries = options.map { option in
      Entry(
        name: option.name, form: option.form, scope: scope,
        defaultValue: option.value(defaults)
      ) { (value) throws(OptionFault) in
        var target = defaults
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
