import CollectionLayout

extension ItemsDecoder {
  private static let patchMembers =
    [ItemMember.id] + ItemField.stored.map { .field($0) } + ValueKind.allCases.map { .values($0) }

  /// Reads changes of items in any of the three forms of a list. Null removes a field.
  mutating func decodePatch(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> ItemsPatch? {
    switch try reader.nextType() {
    case .number:
      let count = try reader.readInteger(
        in: 0...JSONInteger.maximum, at: pointer, faults: &faults)
      guard let count else { return nil }
      try countStored(min(count, maxItems + 1))
      return ItemsPatch(count: count)
    case .array: return try decodePatchRows(&reader, at: pointer, faults: &faults)
    case .object: return try decodePatchColumns(&reader, at: pointer, faults: &faults)
    case .null, .boolean, .string:
      try reader.refuseList(of: "items", at: pointer, faults: &faults)
      return nil
    }
  }

  private mutating func decodePatchRows(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> ItemsPatch {
    try reader.openArray()
    var patch = ItemsPatch()
    while try reader.nextElement() {
      let item = patch.count
      try countStored(1)
      patch.count += 1
      try reader.readObject(
        at: "\(pointer)/\(item)", known: Self.patchMembers, faults: &faults
      ) { (member, reader, faults) throws(BodyError) in
        try Self.readChange(
          of: member, item, &reader, into: &patch, at: "\(pointer)/\(item)/\(member.name)",
          faults: &faults)
      }
    }
    return patch
  }

  private mutating func decodePatchColumns(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> ItemsPatch? {
    var patch = ItemsPatch()
    var lengths: [(name: String, count: Int)] = []
    try reader.readObject(at: pointer, known: Self.patchMembers, faults: &faults) {
      (member, reader, faults) throws(BodyError) in
      let place = "\(pointer)/\(member.name)"
      if case .values(let kind) = member, kind != .data {
        return try readValueColumns(
          kind, &reader, into: &patch, at: place, lengths: &lengths, faults: &faults)
      }
      try readValues(
        of: member.name, &reader, at: place, isCounted: true, lengths: &lengths, faults: &faults
      ) { (item, reader, faults) throws(BodyError) in
        try Self.readChange(
          of: member, item, &reader, into: &patch, at: "\(place)/\(item)", faults: &faults)
      }
    }
    guard faults.isEmpty, let count = commonLength(lengths, at: { pointer }, faults: &faults)
    else { return nil }
    patch.count = count
    return patch
  }

  /// Reads columns of changes of texts or keys, by their names.
  private mutating func readValueColumns(
    _ kind: ValueKind, _ reader: inout JSONReader, into patch: inout ItemsPatch, at pointer: String,
    lengths: inout [(name: String, count: Int)], faults: inout InvalidMembers
  ) throws(BodyError) {
    try reader.readMembers(at: pointer, faults: &faults) {
      (name, reader, faults) throws(BodyError) in
      let place = JSONPointer.appending([name], to: pointer)
      try readValues(
        of: "\(kind.field).\(name)", &reader, at: place, isCounted: true, lengths: &lengths,
        faults: &faults
      ) { (item, reader, faults) throws(BodyError) in
        try Self.readChange(
          kind, ValueName(kind, name), of: item, &reader, into: &patch, at: "\(place)/\(item)",
          faults: &faults)
      }
    }
  }

  private static func readChange(
    of member: ItemMember, _ item: Int, _ reader: inout JSONReader, into patch: inout ItemsPatch,
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws(BodyError) {
    switch member {
    case .id:
      if try reader.readNullIfPresent() {
        patch.setID(of: item, to: nil)
      } else if let id = try reader.readID(at: pointer(), faults: &faults) {
        patch.setID(of: item, to: id)
      }
    case .field(let field):
      if try reader.readNullIfPresent() {
        patch.set(field, of: item, to: nil)
      } else if let value = try reader.readNumber(in: field.range, at: pointer(), faults: &faults) {
        patch.set(field, of: item, to: value)
      }
    case .values(.data):
      try readChange(
        .data, .data, of: item, &reader, into: &patch, at: pointer(), faults: &faults)
    case .values(let kind):
      try readChanges(kind, of: item, &reader, into: &patch, at: pointer(), faults: &faults)
    }
  }
}
