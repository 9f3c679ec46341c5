import CollectionLayout

extension ItemsDecoder {
  private static let patchMembers =
    [ItemMember.id] + ItemField.stored.map { .field($0) } + ValueKind.allCases.map { .values($0) }

  /// Reads changes of items in any of the three forms of a list. Null removes a field.
  mutating func decodePatch(_ reader: inout JSONReader) throws(BodyError) -> ItemsPatch? {
    switch try reader.readListForm(of: "items") {
    case .count(let count):
      try countStored(min(count, maxItems + 1))
      return ItemsPatch(count: count)
    case .rows: return try decodePatchRows(&reader)
    case .columns: return try decodePatchColumns(&reader)
    case nil: return nil
    }
  }

  private mutating func decodePatchRows(
    _ reader: inout JSONReader
  ) throws(BodyError) -> ItemsPatch {
    try reader.openList()
    var patch = ItemsPatch()
    while try reader.nextInList() {
      let item = patch.count
      try countStored(1)
      patch.count += 1
      try reader.readObject(known: Self.patchMembers) { (member, reader) throws(BodyError) in
        try Self.readChange(of: member, item, &reader, into: &patch)
      }
    }
    return patch
  }

  private mutating func decodePatchColumns(
    _ reader: inout JSONReader
  ) throws(BodyError) -> ItemsPatch? {
    var patch = ItemsPatch()
    lengths = []
    try reader.readObject(known: Self.patchMembers) { (member, reader) throws(BodyError) in
      if case .values(let kind) = member, kind != .data {
        return try readValueColumns(kind, &reader, into: &patch)
      }
      try readValues(of: member.name, &reader, isCounted: true) {
        (item, reader) throws(BodyError) in
        try Self.readChange(of: member, item, &reader, into: &patch)
      }
    }
    guard reader.faults.isEmpty, let count = commonLength(&reader) else { return nil }
    patch.count = count
    return patch
  }

  /// Reads columns of changes of texts or keys, by their names.
  private mutating func readValueColumns(
    _ kind: ValueKind, _ reader: inout JSONReader, into patch: inout ItemsPatch
  ) throws(BodyError) {
    try reader.readMembers { (name, reader) throws(BodyError) in
      try readValues(of: "\(kind.field).\(name)", &reader, isCounted: true) {
        (item, reader) throws(BodyError) in
        try Self.readChange(kind, ValueName(kind, name), of: item, &reader, into: &patch)
      }
    }
  }

  /// About how many bytes a change of a field takes.
  private static let bytesPerChange = 64

  /// Reads the change of a field.
  ///
  /// - Parameter isNode: Whether a length must be > 0.
  static func readChange(
    of member: ItemMember, _ item: Int, ofNode isNode: Bool = false, _ reader: inout JSONReader,
    into patch: inout ItemsPatch
  ) throws(BodyError) {
    try BodyError.reserve(Self.bytesPerChange)
    switch member {
    case .id:
      if try reader.readNullIfPresent() {
        patch.setID(of: item, to: nil)
      } else if let id = try reader.readID() {
        patch.setID(of: item, to: id)
      }
    case .field(let field):
      if try reader.readNullIfPresent() {
        patch.set(field, of: item, to: nil)
      } else if let value = try reader.readNumber(in: isNode ? .positive : field.range) {
        patch.set(field, of: item, to: value)
      }
    case .values(.data): try readChange(.data, .data, of: item, &reader, into: &patch)
    case .values(let kind): try readChanges(kind, of: item, &reader, into: &patch)
    }
  }
}
