/// What an item may have under names, in bytes, beside numbers and an id.
public enum ValueKind: Int, CaseIterable, Comparable, Sendable {
  /// What a card shows, and what is found: UTF-8.
  case text
  /// What an arrangement filters, groups and sorts by: see ``ItemKey``.
  case key
  /// What a page shows: a JSON value, without a name.
  case data

  /// The most names in a layout.
  public static let maxNames = 8

  /// The name of the field on the wire.
  public var field: String {
    switch self {
    case .text: "text"
    case .key: "keys"
    case .data: "data"
    }
  }

  /// The lengths of names, in bytes of UTF-8.
  public var nameLengths: ClosedRange<Int> { self == .key ? 1...128 : 1...64 }

  /// The rule for a name, as the end of a sentence.
  public var nameRequirement: String {
    "a name of 1 to \(nameLengths.upperBound) bytes, one of at most \(Self.maxNames) in a layout"
  }

  /// The rule for a value, as the end of a sentence; that of data depends on the server.
  public var valueRequirement: String {
    self == .key
      ? "a number, true, false, a string of at most \(ItemKey.maxBytes) bytes of UTF-8, or a list "
        + "of at most \(ItemKey.maxValues) of these"
      : "a string of at most \(TextColumn.maxBytes) bytes of UTF-8"
  }

  /// The rule for the number of names, as the end of a sentence.
  public var countRequirement: String {
    "\(self == .key ? "keys" : "texts") of at most \(Self.maxNames) names in a layout"
  }

  public static func < (a: ValueKind, b: ValueKind) -> Bool { a.rawValue < b.rawValue }
}

/// The name of a text or a key, or that of data. Names are equal if their bytes are.
public struct ValueName: Hashable, Comparable, Sendable {
  public let kind: ValueKind
  public let name: String

  public static let data = ValueName(kind: .data, name: "")
  public static func text(_ name: String) -> ValueName { ValueName(kind: .text, name: name) }
  public static func key(_ name: String) -> ValueName { ValueName(kind: .key, name: name) }

  /// `nil` for a name that is too short or too long.
  public init?(_ kind: ValueKind, _ name: String) {
    guard kind.nameLengths ~= name.utf8.count else { return nil }
    self.init(kind: kind, name: name)
  }

  private init(kind: ValueKind, name: String) {
    self.kind = kind
    self.name = name
  }

  public static func == (a: ValueName, b: ValueName) -> Bool {
    a.kind == b.kind && a.name.utf8.elementsEqual(b.name.utf8)
  }

  public static func < (a: ValueName, b: ValueName) -> Bool {
    a.kind == b.kind ? a.name.utf8.lexicographicallyPrecedes(b.name.utf8) : a.kind < b.kind
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for byte in name.utf8 { hasher.combine(byte) }
  }
}

extension Set<ValueName> {
  /// The first kind of which there are more names than a layout may have.
  public var kindOfTooMany: ValueKind? {
    guard count > ValueKind.maxNames else { return nil }
    return ValueKind.allCases.first { kind in count { $0.kind == kind } > ValueKind.maxNames }
  }
}
