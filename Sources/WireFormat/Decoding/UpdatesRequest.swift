public import CollectionLayout

/// The body of an updates request.
public struct UpdatesRequest: Sendable {
  public var updates: [CollectionUpdate]

  /// The most updates of one request.
  static let maxUpdates = 10_000

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - body: The text, followed by ``PrepareRequest/padding`` bytes that are overwritten.
  ///   - form: That of the collection's kind, which decides what updates and fields there are.
  ///   - maxItems: How many items the updates may bring.
  public init(
    _ body: UnsafeMutableRawBufferPointer, form: DataForm, maxItems: Int
  ) throws(DecodingError) {
    var decoder = UpdatesDecoder(form: form, maxItems: maxItems)
    updates = try decoder.decode(body)
  }

  /// The collection with the updates applied.
  public func applied(
    to collection: PreparedCollection, limits: UpdateLimits = .none
  ) throws(DecodingError) -> CollectionChange {
    do {
      return try collection.applying(updates, limits: limits)
    } catch {
      // A complaint about an item names its place after all updates, not the update.
      throw DecodingError(error, items: { _, _ in "/updates" }, parent: { _ in "/updates" })
    }
  }
}

/// Reads updates one by one, each an object with one member that names it.
struct UpdatesDecoder {
  private let form: DataForm
  private var items: ItemsDecoder
  private let maxItems: Int
  private var nodeCount = 0

  init(form: DataForm, maxItems: Int) {
    self.form = form
    self.maxItems = maxItems
    items = ItemsDecoder(form: form, maxItems: maxItems)
  }

  /// The members of each update and whether they must be given.
  private static let members: [String: [(name: String, isRequired: Bool)]] = [
    "insert": [("at", true), ("items", true)],
    "delete": [("at", true), ("count", false)],
    "move": [("from", true), ("to", true)],
    "replace": [("at", true), ("items", true)],
    "insertSections": [("at", true), ("sections", true)],
    "deleteSections": [("at", true), ("count", false)],
    "moveSection": [("from", true), ("to", true)],
    "insertNode": [("parent", false), ("at", true), ("node", true)],
    "deleteNode": [("at", true)],
    "moveNode": [("from", true), ("parent", false), ("at", true)],
  ]

  private var names: [String] {
    switch form {
    case .sections:
      [
        "insert", "delete", "move", "replace", "insertSections", "deleteSections", "moveSection",
      ]
    case .forest: ["insertNode", "deleteNode", "moveNode"]
    }
  }

  mutating func decode(
    _ body: UnsafeMutableRawBufferPointer
  ) throws(DecodingError) -> [CollectionUpdate] {
    try DecodingError.reading(body) { reader in
      var faults = InvalidMembers()
      var updates: [CollectionUpdate]?
      try reader.readObject(at: "", known: ["updates"], faults: &faults) { _, reader, faults in
        updates = try decodeUpdates(&reader, faults: &faults)
      }
      try reader.finish()
      try faults.throwIfAny()
      guard let updates else {
        throw DecodingError.invalid([
          InvalidMember(pointer: "/updates", detail: "must be given")
        ])
      }
      return updates
    }
  }

  private mutating func decodeUpdates(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> [CollectionUpdate]? {
    guard try reader.nextType() == .array else {
      faults.add("/updates", "must be an array, was \(reader.valueText())")
      try reader.skipValue()
      return nil
    }
    try reader.openArray()
    var updates: [CollectionUpdate] = []
    var index = 0
    while try reader.nextElement() {
      let pointer = "/updates/\(index)"
      var count = 0
      let known = names
      let isObject = try reader.readObject(at: pointer, known: known, faults: &faults) {
        name, reader, faults in
        count += 1
        let update = try decodeUpdate(
          name, &reader, at: "\(pointer)/\(name)", faults: &faults)
        if let update { updates.append(update) }
      }
      if isObject && count != 1 && faults.isEmpty {
        faults.add(
          pointer, "must have exactly one member, one of " + known.joined(separator: ", "))
      }
      index += 1
      if index > UpdatesRequest.maxUpdates {
        faults.add("/updates", "must have at most \(UpdatesRequest.maxUpdates) updates")
        try faults.throwIfAny()
      }
    }
    return updates
  }

  /// What an update's members say.
  private struct Members {
    var at: IndexPath?
    var from: IndexPath?
    var to: IndexPath?
    var parent: IndexPath?
    var index: Int?
    var fromIndex: Int?
    var toIndex: Int?
    var count = 1
    var items: Items?
    var sections: [Items]?
    var node: Forest?
  }

  private mutating func decodeUpdate(
    _ name: String, _ reader: inout JSONReader, at pointer: String,
    faults: inout InvalidMembers
  ) throws -> CollectionUpdate? {
    let known = Self.members[name] ?? []
    var members = Members()
    var seen: Set<String> = []
    let isObject = try reader.readObject(
      at: pointer, known: known.map(\.name), faults: &faults
    ) { member, reader, faults in
      seen.insert(member)
      try decodeMember(
        member, of: name, &reader, into: &members, at: "\(pointer)/\(member)", faults: &faults)
    }
    guard isObject else { return nil }
    for member in known where member.isRequired && !seen.contains(member.name) {
      faults.add("\(pointer)/\(member.name)", "must be given")
    }
    return update(name, members)
  }

  private mutating func decodeMember(
    _ member: String, of update: String, _ reader: inout JSONReader, into members: inout Members,
    at pointer: String, faults: inout InvalidMembers
  ) throws {
    let hasIndex = ["insertSections", "deleteSections", "moveSection"].contains(update)
    let hasChildIndex = ["insertNode", "moveNode"].contains(update)
    switch member {
    case "at" where hasIndex || hasChildIndex:
      members.index = try index(&reader, at: pointer, faults: &faults)
    case "at": members.at = try indexPath(&reader, at: pointer, faults: &faults)
    case "from" where hasIndex:
      members.fromIndex = try index(&reader, at: pointer, faults: &faults)
    case "from": members.from = try indexPath(&reader, at: pointer, faults: &faults)
    case "to" where hasIndex: members.toIndex = try index(&reader, at: pointer, faults: &faults)
    case "to": members.to = try indexPath(&reader, at: pointer, faults: &faults)
    case "parent":
      if try reader.readNullIfPresent() { return }
      members.parent = try indexPath(&reader, at: pointer, faults: &faults)
    case "count":
      let count = try reader.readInteger(
        in: 1...JSONInteger.maximum, at: pointer, faults: &faults)
      if let count { members.count = count }
    case "items":
      members.items = try items.decodeItems(
        &reader, section: 0, at: pointer, faults: &faults)
    case "sections":
      members.sections = try items.decodeSections(&reader, faults: &faults, at: pointer)
    case "node":
      var nested = NestedNodesDecoder(pointer: pointer, stored: nodeCount, limit: maxItems)
      try nested.decode(&reader, faults: &faults)
      nodeCount += nested.parents.count
      guard faults.isEmpty else { return }
      do {
        members.node = try Forest(parents: nested.parents, ids: nested.idColumn)
      } catch {
        preconditionFailure("a nested object is a tree: \(error)")
      }
    default: preconditionFailure("\(member) is known but not read")
    }
  }

  /// The update; `nil` when a member that it needs is missing or wrong.
  private func update(_ name: String, _ members: Members) -> CollectionUpdate? {
    switch name {
    case "insert":
      if let at = members.at, let items = members.items { return .insertItems(items, at: at) }
    case "delete":
      if let at = members.at { return .deleteItems(at: at, count: members.count) }
    case "move":
      if let from = members.from, let to = members.to { return .moveItem(from: from, to: to) }
    case "replace":
      if let at = members.at, let items = members.items { return .replaceItems(items, at: at) }
    case "insertSections":
      if let at = members.index, let sections = members.sections {
        return .insertSections(sections, at: at)
      }
    case "deleteSections":
      if let at = members.index { return .deleteSections(at: at, count: members.count) }
    case "moveSection":
      if let from = members.fromIndex, let to = members.toIndex {
        return .moveSection(from: from, to: to)
      }
    case "insertNode":
      if let at = members.index, let node = members.node {
        return .insertNode(node, parent: members.parent, index: at)
      }
    case "deleteNode": if let at = members.at { return .deleteNode(at: at) }
    case "moveNode":
      if let from = members.from, let at = members.index {
        return .moveNode(from: from, parent: members.parent, index: at)
      }
    default: preconditionFailure("\(name) is known but not made")
    }
    return nil
  }

  private func index(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws -> Int? {
    try reader.readInteger(in: 0...JSONInteger.maximum, at: pointer, faults: &faults)
  }

  /// Reads `[section, item]`.
  private func indexPath(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws -> IndexPath? {
    let text = reader.valueText()
    var parts: [Int] = []
    var count = 0
    if try reader.nextType() == .array {
      try reader.openArray()
      while try reader.nextElement() {
        count += 1
        guard count <= 2, try reader.nextType() == .number else {
          try reader.skipValue()
          continue
        }
        if let part = JSONInteger.exactly(try reader.readNumber()), part >= 0 {
          parts.append(part)
        }
      }
    } else {
      try reader.skipValue()
    }
    guard count == 2, parts.count == 2 else {
      faults.add(pointer, "must be an index path [section, item], was \(text)")
      return nil
    }
    return IndexPath(section: parts[0], item: parts[1])
  }
}
