import CollectionLayout

extension ItemsDecoder {
  private static let patchNames =
    ["id"] + ItemField.stored.map(\.name) + [ItemTexts.field]

  /// Reads changes of items in any of the three forms of a list. Null removes a field.
  mutating func decodePatch(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws -> ItemsPatch? {
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
  ) throws -> ItemsPatch {
    try reader.openArray()
    var patch = ItemsPatch()
    while try reader.nextElement() {
      let item = patch.count
      try countStored(1)
      patch.count += 1
      try reader.readObject(
        at: "\(pointer)/\(item)", known: Self.patchNames, faults: &faults
      ) { name, reader, faults in
        try Self.readChange(
          of: name, item, &reader, into: &patch, at: "\(pointer)/\(item)/\(name)",
          faults: &faults)
      }
    }
    return patch
  }

  private mutating func decodePatchColumns(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws -> ItemsPatch? {
    var patch = ItemsPatch()
    var lengths: [(name: String, count: Int)] = []
    try reader.readObject(at: pointer, known: Self.patchNames, faults: &faults) {
      name, reader, faults in
      guard name != ItemTexts.field else {
        try readTextColumns(
          &reader, into: &patch, at: "\(pointer)/\(name)", lengths: &lengths, faults: &faults)
        return
      }
      guard try reader.openArray(at: "\(pointer)/\(name)", faults: &faults) else { return }
      var count = 0
      while try reader.nextElement() {
        if lengths.isEmpty { try countStored(1) }
        guard count < maxItems else { throw BodyError.tooManyItems(limit: maxItems) }
        try Self.readChange(
          of: name, count, &reader, into: &patch, at: "\(pointer)/\(name)/\(count)",
          faults: &faults)
        count += 1
      }
      lengths.append((name, count))
    }
    guard faults.isEmpty, let count = try commonLength(lengths, at: { pointer }, faults: &faults)
    else { return nil }
    patch.count = count
    return patch
  }

  /// Reads columns of changes of texts, by their names.
  private mutating func readTextColumns(
    _ reader: inout JSONReader, into patch: inout ItemsPatch, at pointer: String,
    lengths: inout [(name: String, count: Int)], faults: inout InvalidMembers
  ) throws {
    try reader.readObject(at: pointer, known: nil, faults: &faults) { name, reader, faults in
      let place = JSONPointer.appending([name], to: pointer)
      guard try reader.openArray(at: place, faults: &faults) else { return }
      var count = 0
      while try reader.nextElement() {
        if lengths.isEmpty { try countStored(1) }
        guard count < maxItems else { throw BodyError.tooManyItems(limit: maxItems) }
        try Self.readTextChange(
          name, of: count, &reader, into: &patch, at: "\(place)/\(count)", faults: &faults)
        count += 1
      }
      lengths.append(("\(ItemTexts.field).\(name)", count))
    }
  }

  private static func readChange(
    of name: String, _ item: Int, _ reader: inout JSONReader, into patch: inout ItemsPatch,
    at pointer: @autoclosure () -> String, faults: inout InvalidMembers
  ) throws {
    if name == ItemTexts.field {
      return try readTextChanges(
        of: item, &reader, into: &patch, at: pointer(), faults: &faults)
    }
    let isTaken = try reader.readNullIfPresent()
    guard let field = ItemField.stored.first(where: { $0.name == name }) else {
      if isTaken {
        patch.setID(of: item, to: nil)
      } else if let id = try reader.readID(at: pointer(), faults: &faults) {
        patch.setID(of: item, to: id)
      }
      return
    }
    if isTaken {
      patch.set(field, of: item, to: nil)
    } else if let value = try reader.readNumber(in: field.range, at: pointer(), faults: &faults) {
      patch.set(field, of: item, to: value)
    }
  }
}
