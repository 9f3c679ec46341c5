import CollectionLayout

/// Reads lists of items in their three forms, blocks of rows at a time, into flat columns.
struct ItemsDecoder {
  private let fields: [ItemField]
  private let isExclusive: Bool
  let maxItems: Int
  private(set) var storedCount = 0
  /// In which form each list came.
  var forms = ItemForms()

  init(form: DataForm, maxItems: Int) {
    self.maxItems = maxItems
    switch form {
    case .sections(let fields, let isExclusive):
      self.fields = fields
      self.isExclusive = isExclusive
    case .forest:
      fields = []
      isExclusive = false
    }
  }

  mutating func countStored(_ count: Int) throws(BodyError) {
    storedCount += count
    guard storedCount <= maxItems else { throw .tooManyItems(limit: maxItems) }
  }

  // MARK: Sections

  mutating func decodeSections(
    _ reader: inout JSONReader, faults: inout InvalidMembers, at pointer: String = "/sections"
  ) throws -> [Items]? {
    guard try reader.openArray(at: pointer, faults: &faults) else { return nil }
    var sections: [Items] = []
    let maxSections = PrepareRequest.maxSections(forItems: maxItems)
    while try reader.nextElement() {
      let index = sections.count
      guard index < maxSections else {
        throw BodyError.tooManySections(limit: maxSections)
      }
      var items: Items?
      var isGiven = false
      let isObject = try reader.readObject(
        at: "\(pointer)/\(index)", known: ["items"], faults: &faults
      ) { _, reader, faults in
        isGiven = true
        items = try decodeItems(
          &reader, section: index, at: "\(pointer)/\(index)/items", faults: &faults)
      }
      if isObject && !isGiven {
        faults.add("\(pointer)/\(index)/items", "must be given")
      }
      sections.append(items ?? Items())
    }
    return sections
  }

  /// Reads a count, rows or columns.
  mutating func decodeItems(
    _ reader: inout JSONReader, section: Int, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws -> Items? {
    switch try reader.nextType() {
    case .number:
      guard
        let count = try reader.readInteger(
          in: 0...JSONInteger.maximum, at: pointer(), faults: &faults)
      else { return nil }
      if !fields.isEmpty { try countStored(count) }
      return Items(uniform: count)
    case .array:
      return try decodeRows(&reader, at: pointer, faults: &faults)
    case .object:
      forms.columns.insert(section)
      return try decodeColumns(&reader, at: pointer, faults: &faults)
    case .null, .boolean, .string:
      let start = reader.position
      try reader.skipValue()
      faults.add(
        pointer(),
        "must be a count, an array of items or an object of columns, was "
          + reader.text(from: start))
      return nil
    }
  }

  private var jsonFields: [JSONField] {
    [JSONField(name: "id", type: .string)]
      + fields.map { JSONField(name: $0.name, type: .number) }
  }

  private mutating func decodeRows(
    _ reader: inout JSONReader, at pointer: () -> String, faults: inout InvalidMembers
  ) throws -> Items {
    try reader.openArray()
    var items = Items()
    let jsonFields = jsonFields
    var rowFaults = JSONFaults(capacity: faults.remainingCapacity)
    var itemFaults = ItemFaults(capacity: faults.remainingCapacity)
    while let block = try reader.readRows(
      fields: jsonFields, faults: &rowFaults)
    {
      let storage = ItemStorage(
        count: block.rowCount,
        columns: block.columns.dropFirst().map { $0.numbers },
        ids: block.columns[0].idColumn)
      if !itemFaults.isFull { check(storage, from: items.count, at: pointer, &itemFaults) }
      let isStored = !fields.isEmpty || storage.ids != nil
      if isStored { try countStored(storage.count) }
      items.append(storage)
    }
    add(rowFaults, fields: jsonFields, at: pointer, to: &itemFaults)
    itemFaults.add(to: &faults)
    return items
  }

  private mutating func decodeColumns(
    _ reader: inout JSONReader, at pointer: () -> String, faults: inout InvalidMembers
  ) throws -> Items? {
    var columns = [[Double]?](repeating: nil, count: fields.count)
    var ids: IDColumn?
    var lengths: [(name: String, count: Int)] = []
    let known = jsonFields.map(\.name)
    let faultCount = faults.members.count
    try reader.readObject(at: pointer(), known: known, faults: &faults) {
      name, reader, faults in
      let field = known.firstIndex(of: name)!
      let column = try readColumn(
        &reader, jsonFields[field], at: pointer() + "/" + name, faults: &faults)
      guard let column else { return }
      lengths.append((name, column.count))
      if field == 0 { ids = column.idColumn } else { columns[field - 1] = column.numbers }
    }
    // A column that is no array has been told of already.
    if lengths.isEmpty && faults.members.count > faultCount { return nil }
    guard let count = try commonLength(lengths, at: pointer, faults: &faults) else { return nil }
    if !fields.isEmpty || ids != nil { try countStored(count) }
    let storage = ItemStorage(count: count, columns: columns, ids: ids)
    var itemFaults = ItemFaults(capacity: faults.remainingCapacity)
    checkExclusive(storage, from: 0, &itemFaults) { item in
      (pointer(), " (item \(item) has more)")
    }
    itemFaults.add(to: &faults)
    return Items(storage)
  }

  func commonLength(
    _ lengths: [(name: String, count: Int)], at pointer: () -> String,
    faults: inout InvalidMembers
  ) throws -> Int? {
    guard let first = lengths.first else {
      faults.add(pointer(), "must have at least one column")
      return nil
    }
    guard lengths.allSatisfy({ $0.count == first.count }) else {
      let all = lengths.map { "\($0.name) has \($0.count)" }.joined(separator: ", ")
      faults.add(pointer(), "must have columns of the same length: \(all)")
      return nil
    }
    return first.count
  }

  /// Reads one column; `nil` when it is no array.
  func readColumn(
    _ reader: inout JSONReader, _ field: JSONField, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws -> JSONColumn? {
    guard try reader.openArray(at: pointer(), faults: &faults) else { return nil }
    var whole = JSONColumn(type: field.type)
    var columnFaults = JSONFaults(capacity: faults.remainingCapacity)
    let limit = maxItems - storedCount
    while try reader.readColumn(&whole, limit: limit, faults: &columnFaults) {
      // Nulls alone take no memory; whether they count is known when all is read.
      guard whole.count <= limit || !whole.isPresent else {
        throw BodyError.tooManyItems(limit: maxItems)
      }
    }
    var itemFaults = ItemFaults(capacity: faults.remainingCapacity)
    for fault in columnFaults.items {
      itemFaults.add(
        item: fault.row, "\(pointer())/\(fault.row)",
        fault.detail(requirement: requirement(of: field)))
    }
    if let range = fields.first(where: { $0.name == field.name })?.range {
      check(whole.numbers, range, from: 0, &itemFaults) { "\(pointer())/\($0)" }
    }
    itemFaults.add(to: &faults)
    return whole
  }

  private func requirement(of field: JSONField) -> String {
    switch field.type {
    case .number:
      fields.first { $0.name == field.name }?.range.requirement ?? "a finite number"
    case .string: IDColumn.requirement
    case .index: "the index of a node, or null"
    }
  }

  /// Checks what the kind says of the values of a block of rows.
  private func check(
    _ storage: ItemStorage, from firstItem: Int, at pointer: () -> String,
    _ faults: inout ItemFaults
  ) {
    for (field, column) in zip(fields, storage.columns) {
      check(column, field.range, from: firstItem, &faults) { "\(pointer())/\($0)/\(field.name)" }
    }
    checkExclusive(storage, from: firstItem, &faults) { ("\(pointer())/\($0)", "") }
  }

  private func check(
    _ column: [Double]?, _ range: NumberRange, from firstItem: Int, _ faults: inout ItemFaults,
    at pointer: (Int) -> String
  ) {
    guard let column, !range.containsAll(column) else { return }
    faults.add(
      in: firstItem..<firstItem + column.count,
      where: { !column[$0 - firstItem].isNaN && !range.contains(column[$0 - firstItem]) },
      fault: {
        let value = column[$0 - firstItem].messageText
        return (pointer($0), "must be \(range.requirement), was \(value)")
      })
  }

  private func checkExclusive(
    _ storage: ItemStorage, from firstItem: Int, _ faults: inout ItemFaults,
    at pointer: (Int) -> (pointer: String, addition: String)
  ) {
    let given = storage.columns.compactMap { $0 }
    guard isExclusive, given.count > 1 else { return }
    let names = fields.map(\.name).joined(separator: ", ")
    faults.add(
      in: firstItem..<firstItem + storage.count,
      where: { item in given.count(where: { !$0[item - firstItem].isNaN }) > 1 },
      fault: {
        let (pointer, addition) = pointer($0)
        return (pointer, "must have at most one of \(names)\(addition)")
      })
  }

  func add(
    _ rowFaults: JSONFaults, fields: [JSONField], at pointer: () -> String,
    to faults: inout ItemFaults
  ) {
    for fault in rowFaults.items {
      let row = "\(pointer())/\(fault.row)"
      if fault.code == .unknownField {
        faults.add(
          item: fault.row, "\(row)/\(JSONPointer.escape(fault.name))",
          BodyError.unknown(fields.map(\.name)))
      } else if let index = fault.field {
        faults.add(
          item: fault.row, "\(row)/\(fields[index].name)",
          fault.detail(requirement: requirement(of: fields[index])))
      } else {
        faults.add(item: fault.row, row, fault.detail(requirement: "an object"))
      }
    }
  }
}
