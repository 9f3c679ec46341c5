import CollectionLayout

/// Reads lists of items in their three forms into flat columns. Rows are read in blocks.
struct ItemsDecoder {
  /// A field of items or nodes on the wire.
  struct Field {
    let json: JSONField
    /// The range of a number.
    let range: NumberRange?

    init(_ name: String, _ type: JSONColumnType, _ range: NumberRange? = nil) {
      json = JSONField(name: name, type: type)
      self.range = range
    }

    var name: String { json.name }

    /// The rule for a value, as the end of a sentence.
    fileprivate var requirement: String {
      switch json.type {
      case .number, .numberOrAll: (range ?? .finite).requirement
      case .string: IDColumn.requirement
      case .index: "the index of a node, or null"
      case .texts: "an object of texts by their names"
      }
    }
  }

  private static let itemFields =
    [Field("id", .string)]
    + ItemField.allCases.map {
      Field($0.name, $0.range.takesAll ? .numberOrAll : .number, $0.range)
    } + [Field(ItemTexts.field, .texts)]

  /// The place of a field in ``itemFields``, where the id is first.
  private static func column(of field: ItemField) -> Int { 1 + field.rawValue }

  let maxItems: Int
  private(set) var storedCount = 0
  /// The names of all texts.
  private var textNames: Set<String> = []
  /// The form of each list.
  var forms = ItemForms()

  init(maxItems: Int) {
    self.maxItems = maxItems
  }

  mutating func countStored(_ count: Int) throws(BodyError) {
    storedCount += count
    guard storedCount <= maxItems else { throw .tooManyItems(limit: maxItems) }
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
      return Items(uniform: count)
    case .array:
      return try decodeRows(&reader, at: pointer, faults: &faults)
    case .object:
      forms.columns.insert(section)
      return try decodeColumns(&reader, at: pointer, faults: &faults)
    case .null, .boolean, .string:
      try reader.refuseList(of: "items", at: pointer(), faults: &faults)
      return nil
    }
  }

  private mutating func decodeRows(
    _ reader: inout JSONReader, at pointer: () -> String, faults: inout InvalidMembers
  ) throws -> Items {
    try reader.openArray()
    var items = Items()
    let jsonFields = Self.itemFields.map(\.json)
    var rowFaults = JSONFaults(capacity: faults.remainingCapacity)
    var itemFaults = ItemFaults(capacity: faults.remainingCapacity)
    while let block = try reader.readRows(fields: jsonFields, faults: &rowFaults) {
      var columns: [ItemField: [Double]] = [:]
      for field in ItemField.allCases {
        columns[field] = block.columns[Self.column(of: field)].numbers
      }
      if !itemFaults.isFull { check(columns, from: items.count, at: pointer, &itemFaults) }
      let storage = ItemStorage(
        count: block.rowCount, columns: columns, ids: block.columns[0].idColumn, texts: block.texts)
      checkNames(of: storage, at: pointer, &faults)
      if !itemFaults.isFull {
        checkConflicts(storage, from: items.count, &itemFaults) {
          "\(pointer())/\($0)/\(ItemField.aspectRatio.name)"
        }
      }
      if storage.hasContent { try countStored(storage.count) }
      items.append(storage)
    }
    add(rowFaults, fields: Self.itemFields, at: pointer, to: &itemFaults)
    itemFaults.add(to: &faults)
    return items
  }

  private mutating func decodeColumns(
    _ reader: inout JSONReader, at pointer: () -> String, faults: inout InvalidMembers
  ) throws -> Items? {
    var columns: [ItemField: [Double]] = [:]
    var ids: IDColumn?
    var texts = ItemTextsBuilder()
    var lengths: [(name: String, count: Int)] = []
    let known = Self.itemFields.map(\.name)
    let faultCount = faults.members.count
    try reader.readObject(at: pointer(), known: known, faults: &faults) {
      name, reader, faults in
      if name == ItemTexts.field {
        texts = try decodeTextColumns(
          &reader, at: pointer() + "/" + name, lengths: &lengths, faults: &faults)
        return
      }
      let field = known.firstIndex(of: name)!
      let column = try readColumn(
        &reader, Self.itemFields[field], at: pointer() + "/" + name, faults: &faults)
      guard let column else { return }
      lengths.append((name, column.count))
      if field == 0 {
        ids = column.idColumn
      } else {
        columns[ItemField.allCases[field - 1]] = column.numbers
      }
    }
    // A fault was already added for a column that is no array.
    if lengths.isEmpty && faults.members.count > faultCount { return nil }
    guard let count = try commonLength(lengths, at: pointer, faults: &faults) else { return nil }
    let storage = ItemStorage(
      count: count, columns: columns, ids: ids, texts: texts.texts(count: count))
    checkNames(of: storage, at: pointer, &faults)
    if storage.hasContent { try countStored(count) }
    var itemFaults = ItemFaults(capacity: faults.remainingCapacity)
    checkConflicts(storage, from: 0, &itemFaults) {
      "\(pointer())/\(ItemField.aspectRatio.name)/\($0)"
    }
    itemFaults.add(to: &faults)
    return Items(storage)
  }

  /// Refuses more names of texts than a layout may have.
  private mutating func checkNames(
    of storage: ItemStorage, at pointer: () -> String, _ faults: inout InvalidMembers
  ) {
    guard let names = storage.texts?.names, !textNames.isSuperset(of: names) else { return }
    textNames.formUnion(names)
    guard textNames.count > ItemTexts.maxNames else { return }
    faults.add(
      pointer(), "must have texts of at most \(ItemTexts.maxNames) names in a layout")
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

  /// Reads one column; `nil` if it is no array.
  func readColumn(
    _ reader: inout JSONReader, _ field: Field, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws -> JSONColumn? {
    guard try reader.openArray(at: pointer(), faults: &faults) else { return nil }
    var whole = JSONColumn(type: field.json.type)
    var columnFaults = JSONFaults(capacity: faults.remainingCapacity)
    let limit = maxItems - storedCount
    while try reader.readColumn(&whole, limit: limit, faults: &columnFaults) {
      // Nulls alone need no memory. Whether they count is only known at the end.
      guard whole.count <= limit || !whole.isPresent else {
        throw BodyError.tooManyItems(limit: maxItems)
      }
    }
    var itemFaults = ItemFaults(capacity: faults.remainingCapacity)
    for fault in columnFaults.items {
      itemFaults.add(
        item: fault.row, "\(pointer())/\(fault.row)",
        fault.detail(requirement: field.requirement))
    }
    if let range = field.range {
      check(whole.numbers, range, from: 0, &itemFaults) { "\(pointer())/\($0)" }
    }
    itemFaults.add(to: &faults)
    return whole
  }

  /// Checks the values of a block of rows.
  private func check(
    _ columns: [ItemField: [Double]], from firstItem: Int, at pointer: () -> String,
    _ faults: inout ItemFaults
  ) {
    for field in ItemField.allCases {
      check(columns[field], field.range, from: firstItem, &faults) {
        "\(pointer())/\($0)/\(field.name)"
      }
    }
  }

  func check(
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

  /// Adds faults for items whose fields exclude each other.
  private func checkConflicts(
    _ storage: ItemStorage, from firstItem: Int, _ faults: inout ItemFaults,
    at pointer: (Int) -> String
  ) {
    guard storage.mayHaveConflicts else { return }
    faults.add(
      in: firstItem..<firstItem + storage.count,
      where: { storage.hasConflict(at: $0 - firstItem) },
      fault: { (pointer($0), "must be \(ItemStorage.conflictRequirement)") })
  }

  func add(
    _ rowFaults: JSONFaults, fields: [Field], at pointer: () -> String,
    to faults: inout ItemFaults
  ) {
    for fault in rowFaults.items {
      let row = "\(pointer())/\(fault.row)"
      if fault.code == .unknownField {
        faults.add(
          item: fault.row, "\(row)/\(JSONPointer.escape(fault.name))",
          BodyError.unknown(fields.map(\.name)))
      } else if let index = fault.field {
        let member = fault.name.isEmpty ? "" : "/" + JSONPointer.escape(fault.name)
        faults.add(
          item: fault.row, "\(row)/\(fields[index].name)\(member)",
          fault.detail(requirement: fields[index].requirement))
      } else {
        faults.add(item: fault.row, row, fault.detail(requirement: "an object"))
      }
    }
  }
}
