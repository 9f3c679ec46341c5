import CollectionLayout

/// Reads the member `arrange` of a view.
enum ArrangementDecoder {
  private enum Member: String, CaseIterable, BodyMember {
    case `where`, groupBy, sortBy, ids, sections
  }

  private enum ConditionMember: String, CaseIterable, BodyMember {
    case key, from, to, `in`, not
  }

  private enum OrderMember: String, CaseIterable, BodyMember {
    case key, order
  }

  private enum SectionMember: String, CaseIterable, BodyMember {
    case id, ids
  }

  private static let pointer = "/arrange"

  /// - Returns: `nil` for one that leaves everything as it is, and where a fault is added.
  static func decode(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws(BodyError) -> Arrangement? {
    var (conditions, orders): ([Arrangement.Condition], [Arrangement.Order]) = ([], [])
    var group: Arrangement.Order?
    var listed: [Arrangement.Content] = []
    var usesKeys = false
    try reader.readObject(at: pointer, known: Member.allCases, faults: &faults) {
      (member, reader, faults) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      let place = "\(pointer)/\(member.name)"
      switch member {
      case .where:
        usesKeys = true
        conditions = try list(
          &reader, at: place, upTo: Arrangement.maxConditions, faults: &faults, condition)
      case .groupBy:
        usesKeys = true
        group = try order(&reader, at: place, faults: &faults)
      case .sortBy:
        usesKeys = true
        orders = try list(
          &reader, at: place, upTo: Arrangement.maxOrders, faults: &faults, order)
      case .ids: listed.append(.ids(try ids(&reader, at: place, faults: &faults)))
      case .sections:
        listed.append(
          .sections(try list(&reader, at: place, upTo: .max, faults: &faults, section)))
      }
    }
    if listed.count + (usesKeys ? 1 : 0) > 1 {
      faults.add(pointer, "must have ids, or sections, or some of where, groupBy and sortBy")
    }
    return Arrangement(listed.first ?? .keys(where: conditions, groupBy: group, sortBy: orders))
  }

  private static func list<Element>(
    _ reader: inout JSONReader, at place: String, upTo limit: Int, faults: inout InvalidMembers,
    _ read: (inout JSONReader, String, inout InvalidMembers) throws(BodyError) -> Element?
  ) throws(BodyError) -> [Element] {
    try reader.readList(of: "elements", at: place, upTo: limit, faults: &faults, read) ?? []
  }

  // MARK: Keys

  private static func condition(
    _ reader: inout JSONReader, at place: String, faults: inout InvalidMembers
  ) throws(BodyError) -> Arrangement.Condition? {
    var key: ValueName?
    var condition = Arrangement.Condition(.data)
    let faultCount = faults.members.count
    try reader.readObject(at: place, known: ConditionMember.allCases, faults: &faults) {
      (member, reader, faults) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      let pointer = "\(place)/\(member.name)"
      switch member {
      case .key: key = try name(&reader, at: pointer, faults: &faults)
      case .from: condition.from = try value(&reader, at: pointer, faults: &faults)
      case .to: condition.to = try value(&reader, at: pointer, faults: &faults)
      case .in:
        condition.values = try list(
          &reader, at: pointer, upTo: Arrangement.Condition.maxValues, faults: &faults, value)
      case .not: condition.isNot = try reader.readBoolean(at: pointer, faults: &faults) ?? false
      }
    }
    switch (condition.from, condition.to) {
    case (.number, .string), (.string, .number):
      faults.add("\(place)/to", "must be of the type of from")
    default: break
    }
    guard let key else {
      if faults.members.count == faultCount { faults.add("\(place)/key", "must be given") }
      return nil
    }
    condition.key = key
    return condition
  }

  private static func order(
    _ reader: inout JSONReader, at place: String, faults: inout InvalidMembers
  ) throws(BodyError) -> Arrangement.Order? {
    var key: ValueName?
    var isDescending = false
    let faultCount = faults.members.count
    try reader.readObject(at: place, known: OrderMember.allCases, faults: &faults) {
      (member, reader, faults) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      let pointer = "\(place)/\(member.name)"
      switch member {
      case .key: key = try name(&reader, at: pointer, faults: &faults)
      case .order:
        isDescending =
          try reader.readWord(
            at: pointer, "\"ascending\" or \"descending\"", faults: &faults
          ) { ["ascending": false, "descending": true][$0] } ?? false
      }
    }
    if key == nil, faults.members.count == faultCount {
      faults.add("\(place)/key", "must be given")
    }
    return key.map { Arrangement.Order($0, isDescending: isDescending) }
  }

  private static func name(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> ValueName? {
    let most = ValueKind.key.nameLengths.upperBound
    return try reader.readValue(
      .string, at: pointer, "the name of a key of 1 to \(most) bytes", faults: &faults
    ) { (reader) throws(BodyError) in
      var bytes: [UInt8] = []
      try reader.readString(appendingTo: &bytes)
      return ValueName(.key, String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func value(
    _ reader: inout JSONReader, at pointer: String, faults: inout InvalidMembers
  ) throws(BodyError) -> ItemKey? {
    let start = reader.position
    var bytes: [UInt8] = []
    if try reader.readValue(.key, appendingTo: &bytes) { return ItemKey(bytes) }
    faults.add(
      pointer, "must be \(ValueKind.key.valueRequirement), was \(reader.text(from: start))")
    return nil
  }

  // MARK: Lists

  private static func ids(
    _ reader: inout JSONReader, at place: String, faults: inout InvalidMembers
  ) throws(BodyError) -> IDColumn {
    var ids = IDColumnBuilder(capacity: 0, bytes: 0)
    guard try reader.openArray(at: place, faults: &faults) else { return ids.column }
    var index = 0
    while try reader.nextElement() {
      let bytes = try reader.readIDBytes(at: "\(place)/\(index)", faults: &faults)
      if let bytes { ids.append(bytes[...]) }
      index += 1
    }
    return ids.column
  }

  private static func section(
    _ reader: inout JSONReader, at place: String, faults: inout InvalidMembers
  ) throws(BodyError) -> Arrangement.ListedSection? {
    var id: ItemID?
    var items = IDColumnBuilder(capacity: 0, bytes: 0).column
    try reader.readObject(at: place, known: SectionMember.allCases, faults: &faults) {
      (member, reader, faults) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      switch member {
      case .id: id = try reader.readID(at: "\(place)/id", faults: &faults)
      case .ids: items = try ids(&reader, at: "\(place)/ids", faults: &faults)
      }
    }
    return Arrangement.ListedSection(id: id, ids: items)
  }
}
