import CollectionLayout

/// A member of an update, and the function that reads its value.
struct UpdateMember<Value: Sendable>: Sendable {
  let name: String
  /// The default value; `nil` if the member is required.
  var standard: Value?
  /// Reads the value. If it is wrong, faults are added, and the result is `nil`.
  let read: @Sendable (inout UpdateValues, inout JSONReader) throws(BodyError) -> Value?
}

extension UpdateMember<Int> {
  /// - Parameter orEnd: Whether `"end"` may be given, for ``CollectionUpdate/end``.
  static func index(_ name: String, orEnd: Bool = false) -> Self {
    UpdateMember(name: name) { (_, reader) throws(BodyError) in
      guard orEnd, try reader.nextType() == .string else {
        return try reader.readInteger(in: 0...JSONInteger.maximum)
      }
      return try reader.readValue(.string, "an integer or \"end\"") { (reader) throws(BodyError) in
        try reader.readEnd()
      }
    }
  }

  static func count() -> Self {
    UpdateMember(name: "count", standard: 1) { (_, reader) throws(BodyError) in
      try reader.readNullIfPresent() ? 1 : try reader.readInteger(in: 1...JSONInteger.maximum)
    }
  }
}

extension UpdateMember<ItemReference> {
  static func item(_ name: String) -> Self {
    UpdateMember(name: name) { (_, reader) throws(BodyError) in try reader.readItemReference() }
  }

  /// Where items are inserted or moved to: an item, or `[section, "end"]`.
  static func place(_ name: String) -> Self {
    UpdateMember(name: name) { (_, reader) throws(BodyError) in
      try reader.readItemReference(orEnd: true)
    }
  }
}

extension UpdateMember<ItemReference?> {
  /// The parent of a node. It is null or not given for a root.
  static func parent() -> Self {
    UpdateMember(name: "parent", standard: .some(nil)) { (_, reader) throws(BodyError) in
      if try reader.readNullIfPresent() { return .some(nil) }
      return try reader.readItemReference().map { .some($0) }
    }
  }
}

extension UpdateMember<Items> {
  static func items() -> Self {
    UpdateMember(name: "items") { (values, reader) throws(BodyError) in
      try values.items.decodeItems(&reader, section: 0)
    }
  }
}

extension UpdateMember where Value == (Items, Bool) {
  /// Items that all have ids, and whether they are columns.
  static func itemsWithIDs() -> Self {
    UpdateMember(name: "items") { (values, reader) throws(BodyError) in
      let type = try reader.nextType()
      let known = reader.faults.members.count
      guard let items = try values.items.decodeItems(&reader, section: 0) else { return nil }
      let hasColumn = type == .object && values.items.lengths.contains { $0.name == "id" }
      if items.count > 0, type != .array, !hasColumn { reader.refuse("must have ids") }
      guard type == .array || hasColumn else { return (items, true) }
      let wrong = Set(reader.faults.members[known...].map(\.pointer))
      var item = 0
      items.forEachID { id in
        let row = JSONPointer.appending(["\(item)"], to: reader.pointer)
        let path = hasColumn ? ["id", "\(item)"] : ["\(item)", "id"]
        item += 1
        if id == nil, !reader.faults.isFull,
          wrong.isDisjoint(with: [row, JSONPointer.appending(path, to: reader.pointer)])
        {
          reader.refuse(at: path, "must be given")
        }
      }
      return (items, hasColumn)
    }
  }
}

extension UpdateMember<Bool> {
  /// Whether an update does nothing where an id is not there.
  static func missing() -> Self {
    UpdateMember(name: "missing", standard: false) { (_, reader) throws(BodyError) in
      if try reader.readNullIfPresent() { return false }
      return try reader.readWord("\"ignore\"") { $0 == "ignore" ? true : nil }
    }
  }
}

extension UpdateMember<ItemsPatch> {
  static func itemsPatch() -> Self {
    UpdateMember(name: "items") { (values, reader) throws(BodyError) in
      try values.items.decodePatch(&reader)
    }
  }
}

extension UpdateMember<ItemsPatch> {
  /// A field of a node. Null takes it away.
  static func change(_ member: ItemMember) -> Self {
    UpdateMember(name: member.name, standard: ItemsPatch(count: 1)) {
      (_, reader) throws(BodyError) in
      let count = reader.faults.members.count
      var patch = ItemsPatch(count: 1)
      try ItemsDecoder.readChange(of: member, 0, ofNode: true, &reader, into: &patch)
      return reader.faults.members.count == count ? patch : nil
    }
  }
}

extension UpdateMember<[CollectionSection]> {
  static func sections() -> Self {
    UpdateMember(name: "sections") { (values, reader) throws(BodyError) in
      try values.items.decodeSections(&reader, of: values.kind)
    }
  }
}

extension UpdateMember<Forest> {
  static func node() -> Self {
    UpdateMember(name: "node") { (values, reader) throws(BodyError) in
      try values.decodeNode(&reader)
    }
  }
}

/// Reads the values of updates, and counts their items and nodes.
struct UpdateValues {
  fileprivate let kind: LayoutKind
  fileprivate var items: ItemsDecoder
  private let maxItems: Int
  private var nodeCount = 0

  init(kind: LayoutKind, maxItems: Int) {
    self.kind = kind
    self.maxItems = maxItems
    items = ItemsDecoder(maxItems: maxItems)
  }

  /// Reads a change of a section's settings.
  func decodeSectionPatch(_ reader: inout JSONReader) throws(BodyError) -> CollectionUpdate? {
    var patch = SectionPatch()
    var place: Int?
    var hasPlace = false
    let members = [SectionMember.at] + SectionMember.ofSettings(of: kind)
    let isObject = try reader.readObject(known: members) { (member, reader) throws(BodyError) in
      guard member == .at else { return try patch.read(member, &reader) }
      hasPlace = true
      place = try reader.readInteger(in: 0...JSONInteger.maximum)
    }
    if isObject, !hasPlace { reader.refuse(at: ["at"], "must be given") }
    return place.map { .setSection(patch, at: $0) }
  }

  fileprivate mutating func decodeNode(
    _ reader: inout JSONReader
  ) throws(BodyError) -> Forest? {
    var nested = NestedNodesDecoder(stored: nodeCount, limit: maxItems)
    let forest = try nested.decode(&reader)
    nodeCount += nested.nodeCount
    return forest
  }
}

extension JSONReader {
  /// Reads `[section, item]` or `{"id": …}`. For anything else a fault is added, and the result is
  /// `nil`.
  ///
  /// - Parameter orEnd: Whether the item may be `"end"`, for ``CollectionUpdate/end``.
  fileprivate mutating func readItemReference(
    orEnd: Bool = false
  ) throws(BodyError) -> ItemReference? {
    guard try nextType() == .object else {
      return try readIndexPath(
        or: orEnd ? ", or [section, \"end\"], or {\"id\": …}" : ", or {\"id\": …}", orEnd: orEnd
      ).map { .path($0) }
    }
    var id: ItemID?
    var isGiven = false
    try readObject(known: ["id"]) { (_, reader) throws(BodyError) in
      isGiven = true
      id = try reader.readID()
    }
    if !isGiven { refuse(at: ["id"], "must be given") }
    return id.map { .id($0) }
  }

  /// Reads a string, which should be `"end"`.
  ///
  /// - Returns: ``CollectionUpdate/end``; `nil` if it is another one.
  fileprivate mutating func readEnd() throws(BodyError) -> Int? {
    var bytes: [UInt8] = []
    try readString(appendingTo: &bytes)
    return bytes == Array("end".utf8) ? CollectionUpdate.end : nil
  }

  /// Reads `[section, item]`. For anything else a fault is added, and the result is `nil`.
  ///
  /// - Parameters:
  ///   - other: What may be given instead, as the end of a sentence.
  ///   - orEnd: Whether the item may be `"end"`, for ``CollectionUpdate/end``.
  mutating func readIndexPath(
    or other: String = "", orEnd: Bool = false
  ) throws(BodyError) -> IndexPath? {
    let start = position
    var parts: [Int] = []
    var count = 0
    if try nextType() == .array {
      try openArray()
      while try nextElement() {
        count += 1
        if orEnd, count == 2, try nextType() == .string {
          if let end = try readEnd() { parts.append(end) }
          continue
        }
        guard count <= 2, try nextType() == .number else {
          try skipValue()
          continue
        }
        if let part = JSONInteger.exactly(try readNumber()), part >= 0 {
          parts.append(part)
        }
      }
    } else {
      try skipValue()
    }
    guard count == 2, parts.count == 2 else {
      refuse(from: start, "an index path [section, item], two integers ≥ 0\(other)")
      return nil
    }
    return IndexPath(section: parts[0], item: parts[1])
  }
}
