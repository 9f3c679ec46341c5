/// The value of an option, as a client gave it.
public enum OptionValue: Hashable, Sendable {
  case number(Double)
  case string(String)
  case boolean(Bool)
  /// Not given. In a change it resets the option to its default.
  case null
  case object(GivenOptions)
  case array([OptionValue])
}

/// Options as a client gave them: names and values in their order.
///
/// They are interpreted only when a layout is prepared. So a merge, a change of kind and an export
/// need not know what an option means.
public struct GivenOptions: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public let name: String
    public var value: OptionValue

    public init(name: String, value: OptionValue) {
      self.name = name
      self.value = value
    }
  }

  /// Each name occurs once, and no value is null.
  public private(set) var members: [Member] = []

  public init() {}

  /// - Parameter members: Each name once. Members whose value is null are left out.
  public init(_ members: [Member]) {
    self.members = members.filter { $0.value != .null }
  }

  public var isEmpty: Bool { members.isEmpty }

  public subscript(name: String) -> OptionValue? {
    get { members.first { $0.name == name }?.value }
    set {
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?) where value != .null: members[index].value = value
      case (let index?, _): members.remove(at: index)
      case (nil, let value?) where value != .null:
        members.append(Member(name: name, value: value))
      case (nil, _): break
      }
    }
  }

  /// These options, overridden by `others`. Objects are merged member by member, except
  /// those that are replaced as a whole.
  private func merging(_ others: GivenOptions) -> GivenOptions {
    var merged = self
    for member in others.members {
      if case .object(let new) = member.value, !OptionPatch.atomicNames.contains(member.name),
        case .object(let old) = merged[member.name]
      {
        merged[member.name] = .object(old.merging(new))
      } else {
        merged[member.name] = member.value
      }
    }
    return merged
  }

  /// The options for which `isIncluded` is true.
  func filter(_ isIncluded: (String, OptionValue) -> Bool) -> GivenOptions {
    var kept = GivenOptions()
    kept.members = members.filter { isIncluded($0.name, $0.value) }
    return kept
  }

  /// Pairs of options that exclude each other. A section's option of a pair replaces the layout's
  /// option of the same pair, and a later one the earlier one.
  static let exclusivePairs = [("columns", "minimumColumnWidth"), ("rowHeight", "itemAspectRatio")]

  /// The option that excludes an option, if there is one.
  public static func rival(of name: String) -> String? {
    for (one, other) in exclusivePairs {
      if name == one { return other }
      if name == other { return one }
    }
    return nil
  }

  /// The effective options of a section: its own options over these, which are the layout's.
  func merging(ofSection own: GivenOptions) -> GivenOptions {
    guard !own.isEmpty else { return self }
    var merged = self
    for (one, other) in Self.exclusivePairs {
      if own[one] != nil { merged[other] = nil }
      if own[other] != nil { merged[one] = nil }
    }
    return merged.merging(own)
  }

  /// The first pair of options that exclude each other, if both are given.
  var conflict: (String, String)? {
    Self.exclusivePairs.first { self[$0.0] != nil && self[$0.1] != nil }
  }

  /// The memory of the options, in bytes: that of their arrays and of texts that need some.
  ///
  /// - Complexity: O(*n*) for *n* values at any depth.
  var memoryBytes: Int {
    members.reduce(ArrayMemory.bytes(of: members)) {
      $0 + ArrayMemory.bytes(ofText: $1.name) + $1.value.innerBytes
    }
  }
}

extension OptionValue {
  /// The memory of what the value refers to, in bytes.
  fileprivate var innerBytes: Int {
    switch self {
    case .number, .boolean, .null: 0
    case .string(let text): ArrayMemory.bytes(ofText: text)
    case .object(let options): options.memoryBytes
    case .array(let values):
      values.reduce(ArrayMemory.bytes(of: values)) { $0 + $1.innerBytes }
    }
  }
}

/// What arrays and texts take of the memory.
enum ArrayMemory {
  /// What comes before the elements, and what `malloc` adds.
  private static let header = 48

  static func bytes<Element>(of array: [Element]) -> Int {
    array.capacity == 0 ? 0 : header + array.capacity * MemoryLayout<Element>.stride
  }

  /// A text of up to 15 bytes is where it is used.
  static func bytes(ofText text: String) -> Int {
    text.utf8.count > 15 ? header + text.utf8.count : 0
  }
}
