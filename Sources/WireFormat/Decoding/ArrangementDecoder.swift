import CollectionLayout

/// Reads the member `arrange` of a view.
enum ArrangementDecoder {
  private enum Member: String, CaseIterable, BodyMember {
    case `where`, groupBy, sortBy, ids, sections
  }

  private enum ConditionMember: String, CaseIterable, BodyMember {
    case key, from, to, `in`, all, any, text, name, exact, not
  }

  private enum OrderMember: String, CaseIterable, BodyMember {
    case key, order
  }

  private enum SectionMember: String, CaseIterable, BodyMember {
    case id, ids
  }

  /// - Parameter maxItems: The most ids, of all sections together.
  /// - Returns: `nil` for one that leaves everything as it is, and where a fault is added.
  static func decode(
    _ reader: inout JSONReader, maxItems: Int
  ) throws(BodyError) -> Arrangement? {
    var (conditions, orders): ([Arrangement.Condition], [Arrangement.Order]) = ([], [])
    var group: Arrangement.Order?
    var listed: [Arrangement.Content] = []
    var usesKeys = false
    try reader.readObject(known: Member.allCases) { (member, reader) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      switch member {
      case .where:
        usesKeys = true
        conditions = try list(&reader, upTo: 1000) { (reader) throws(BodyError) in
          try condition(&reader)
        }
        if conditions.reduce(0, { $0 + $1.count }) > Arrangement.maxConditions {
          reader.refuse("must have at most \(Arrangement.maxConditions) conditions in all")
        }
      case .groupBy:
        usesKeys = true
        group = try order(&reader)
      case .sortBy:
        usesKeys = true
        orders = try list(&reader, upTo: Arrangement.maxOrders, order)
      case .ids:
        var ids = IDColumnBuilder(capacity: 0, bytes: 0)
        try read(&reader, into: &ids, upTo: maxItems)
        listed.append(.ids(ids.column))
      case .sections: listed.append(try sections(&reader, maxItems: maxItems))
      }
    }
    if listed.count + (usesKeys ? 1 : 0) > 1 {
      reader.refuse("must have ids, or sections, or some of where, groupBy and sortBy")
    }
    return Arrangement(listed.first ?? .keys(where: conditions, groupBy: group, sortBy: orders))
  }

  private static func list<Element>(
    _ reader: inout JSONReader, upTo limit: Int,
    _ read: (inout JSONReader) throws(BodyError) -> Element?
  ) throws(BodyError) -> [Element] {
    try reader.readList(of: "elements", upTo: limit, read) ?? []
  }

  // MARK: Keys

  private static func condition(
    _ reader: inout JSONReader, isInAny: Bool = false
  ) throws(BodyError) -> Arrangement.Condition? {
    var key: ValueName?
    var condition = Arrangement.Condition(.data)
    let faultCount = reader.faults.members.count
    let members = ConditionMember.allCases.filter { !isInAny || $0 != .any }
    var others: [ConditionMember] = []
    var question = TextQuestion("")
    try reader.readObject(known: members) { (member, reader) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      if member != .not { others.append(member) }
      switch member {
      case .key: key = try name(&reader)
      case .from: condition.from = try value(&reader)
      case .to: condition.to = try value(&reader)
      case .in:
        condition.values = try list(&reader, upTo: Arrangement.Condition.maxValues, value)
      case .all:
        condition.all = try list(&reader, upTo: Arrangement.Condition.maxValues, value)
      case .any:
        condition.any = try list(&reader, upTo: 1000) { (reader) throws(BodyError) in
          try Self.condition(&reader, isInAny: true)
        }
      case .text:
        let text = try reader.readValue(.string, "1 to 256 characters") {
          (reader) throws(BodyError) -> String? in
          var bytes: [UInt8] = []
          try reader.readString(appendingTo: &bytes)
          let text = String(decoding: bytes, as: UTF8.self)
          return 1...256 ~= text.unicodeScalars.count ? text : nil
        }
        question.text = text ?? " "
      case .name:
        question.name = try reader.readValue(.string, ValueKind.text.nameRequirement) {
          (reader) throws(BodyError) in
          var bytes: [UInt8] = []
          try reader.readString(appendingTo: &bytes)
          return ValueName(.text, String(decoding: bytes, as: UTF8.self))
        }
      case .exact: question.isExact = try reader.readFlag() ?? false
      case .not: condition.isNot = try reader.readFlag() ?? false
      }
    }
    switch (condition.from, condition.to) {
    case (.number, .string), (.string, .number):
      reader.refuse(at: ["to"], "must be of the type of from")
    default: break
    }
    if condition.all != nil, condition.values != nil {
      reader.refuse(at: ["all"], "must not be given together with in")
    }
    let ofText: [ConditionMember] = [.text, .name, .exact]
    let isOfText = others.contains(.text)
    if isOfText || condition.any != nil {
      let own = condition.any != nil ? [.any] : ofText
      for other in others where !own.contains(other) {
        reader.refuse(at: [other.rawValue], "must not be given together with \(own[0].rawValue)")
      }
      if isOfText { condition.text = question }
      return condition
    }
    for other in others where ofText.contains(other) {
      reader.refuse(at: [other.rawValue], "must not be given without text")
    }
    guard let key else {
      if reader.faults.members.count == faultCount { reader.refuse(at: ["key"], "must be given") }
      return nil
    }
    condition.key = key
    return condition
  }

  private static func order(_ reader: inout JSONReader) throws(BodyError) -> Arrangement.Order? {
    var key: ValueName?
    var isDescending = false
    let faultCount = reader.faults.members.count
    try reader.readObject(known: OrderMember.allCases) { (member, reader) throws(BodyError) in
      if try reader.readNullIfPresent() { return }
      switch member {
      case .key: key = try name(&reader)
      case .order:
        isDescending =
          try reader.readWord("\"ascending\" or \"descending\"") {
            ["ascending": false, "descending": true][$0]
          } ?? false
      }
    }
    if key == nil, reader.faults.members.count == faultCount {
      reader.refuse(at: ["key"], "must be given")
    }
    return key.map { Arrangement.Order($0, isDescending: isDescending) }
  }

  private static func name(_ reader: inout JSONReader) throws(BodyError) -> ValueName? {
    let most = ValueKind.key.nameLengths.upperBound
    return try reader.readValue(.string, "the name of a key of 1 to \(most) bytes") {
      (reader) throws(BodyError) in
      var bytes: [UInt8] = []
      try reader.readString(appendingTo: &bytes)
      return ValueName(.key, String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func value(_ reader: inout JSONReader) throws(BodyError) -> ItemKey? {
    let start = reader.position
    var bytes: [UInt8] = []
    if try reader.readValue(.key, takingList: false, appendingTo: &bytes) { return ItemKey(bytes) }
    reader.refuse(
      from: start,
      "a number, true, false, or a string of at most \(ItemKey.maxBytes) bytes of UTF-8")
    return nil
  }

  // MARK: Lists

  private static func read(
    _ reader: inout JSONReader, into ids: inout IDColumnBuilder, upTo maxItems: Int
  ) throws(BodyError) {
    guard try reader.openList() else { return }
    while try reader.nextInList() {
      guard ids.count < maxItems else { throw .tooManyItems(limit: maxItems) }
      if let bytes = try reader.readIDBytes() { ids.append(bytes[...]) }
    }
  }

  private static func sections(
    _ reader: inout JSONReader, maxItems: Int
  ) throws(BodyError) -> Arrangement.Content {
    let maxSections = PrepareRequest.maxSections(forItems: maxItems)
    var ids = IDColumnBuilder(capacity: 0, bytes: 0)
    // Those of the sections, which share one column, too.
    var names = IDColumnBuilder(capacity: 0, bytes: 0)
    // The sections whose id is the empty one.
    var emptyNames: Set<Int> = []
    var ends: [Int] = []
    guard try reader.openList() else { return .sections([], ids.column) }
    while try reader.nextInList() {
      guard ends.count < maxSections else { throw .tooManySections(limit: maxSections) }
      var name: [UInt8]?
      try reader.readObject(known: SectionMember.allCases) { (member, reader) throws(BodyError) in
        if try reader.readNullIfPresent() { return }
        switch member {
        case .id: name = try reader.readIDBytes(of: ItemID.lengthsOfSections)
        case .ids: try read(&reader, into: &ids, upTo: maxItems)
        }
      }
      names.append(name?[...] ?? [])
      if name?.isEmpty ?? false { emptyNames.insert(ends.count) }
      ends.append(ids.count)
    }
    let column = names.column
    let sections = ends.indices.map {
      Arrangement.ListedSection(
        id: column[$0] ?? (emptyNames.contains($0) ? ItemID("") : nil),
        items: ($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0])
    }
    return .sections(sections, ids.column)
  }
}
