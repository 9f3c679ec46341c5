import CollectionLayout

/// A member of an item on the wire.
enum ItemMember: BodyMember {
  case id
  case field(ItemField)
  case values(ValueKind)

  var name: String {
    switch self {
    case .id: "id"
    case .field(let field): field.name
    case .values(let kind): kind.field
    }
  }
}

/// Reads lists of items in their three forms into flat columns. Rows are read in blocks.
struct ItemsDecoder {
  /// A field of items or nodes on the wire.
  struct Field<Member: BodyMember & Sendable>: BodyMember, Sendable {
    let member: Member
    let json: JSONField
    /// The range of a number.
    let range: NumberRange?

    init(_ member: Member, _ type: JSONColumnType, _ range: NumberRange? = nil) {
      self.member = member
      json = JSONField(name: member.name, type: type)
      self.range = range
    }

    var name: String { member.name }

    /// The rule for a value, as the end of a sentence.
    fileprivate var requirement: String {
      switch json.type {
      case .number, .numberOrAll: (range ?? .finite).requirement
      case .string: IDColumn.requirement()
      case .index: "the index of a node, or null"
      case .values(.data): "a JSON value"
      case .values(let kind): "an object of \(kind == .key ? "keys" : "texts") by their names"
      }
    }
  }

  private static let itemFields =
    [Field(ItemMember.id, .string)]
    + ItemField.allCases.map {
      Field(.field($0), $0.range.takesAll ? .numberOrAll : .number, $0.range)
    } + ValueKind.allCases.map { Field(.values($0), .values($0)) }

  let maxItems: Int
  private(set) var storedCount = 0
  /// The names of all texts and keys.
  private var names: Set<ValueName> = []
  /// The names and lengths of the columns of the list that is being read.
  var lengths: [(name: String, count: Int)] = []
  /// The form of each list.
  var forms = ItemForms()

  init(maxItems: Int) {
    self.maxItems = maxItems
  }

  /// What a measured size takes.
  private static let measuredBytes = 24

  mutating func countStored(_ count: Int) throws(BodyError) {
    storedCount += count
    guard storedCount <= maxItems else { throw .tooManyItems(limit: maxItems) }
  }

  /// Reads a count, rows or columns.
  mutating func decodeItems(
    _ reader: inout JSONReader, section: Int
  ) throws(BodyError) -> Items? {
    switch try reader.readListForm(of: "items") {
    case .count(let count): return Items(uniform: count)
    case .rows: return try decodeRows(&reader)
    case .columns:
      forms.columns.insert(section)
      return try decodeColumns(&reader)
    case nil: return nil
    }
  }

  private mutating func decodeRows(_ reader: inout JSONReader) throws(BodyError) -> Items {
    try reader.openArray()
    var items = Items()
    let jsonFields = Self.itemFields.map(\.json)
    var rowFaults = JSONFaults(capacity: reader.faults.remainingCapacity)
    var itemFaults = ItemFaults(capacity: reader.faults.remainingCapacity)
    while let block = try reader.readRows(fields: jsonFields, faults: &rowFaults) {
      var columns: [ItemField: [Double]] = [:]
      var ids: IDColumn?
      for (field, column) in zip(Self.itemFields, block.columns) {
        switch field.member {
        case .id: ids = column.idColumn
        case .field(let field): columns[field] = column.numbers
        case .values: break
        }
      }
      if !itemFaults.isFull { check(columns, from: items.count, &itemFaults) }
      let storage = ItemStorage(
        count: block.rowCount, columns: columns, ids: ids, texts: block.texts)
      checkNames(of: storage, &reader)
      if !itemFaults.isFull {
        checkConflicts(storage, from: items.count, &itemFaults) {
          ["\($0)", ItemField.aspectRatio.name]
        }
      }
      if storage.hasContent { try countStored(storage.count) }
      items.append(storage)
    }
    add(rowFaults, fields: Self.itemFields, to: &itemFaults)
    itemFaults.add(to: &reader)
    return items
  }

  private mutating func decodeColumns(_ reader: inout JSONReader) throws(BodyError) -> Items? {
    var columns: [ItemField: [Double]] = [:]
    var ids: IDColumn?
    var texts = ItemTextsBuilder()
    lengths = []
    let faultCount = reader.faults.members.count
    try reader.readObject(known: Self.itemFields) { (field, reader) throws(BodyError) in
      switch field.member {
      case .id: ids = try readColumn(&reader, field)?.idColumn
      case .field(let member): columns[member] = try readColumn(&reader, field)?.numbers
      case .values(.data): try decodeColumn(.data, field.name, &reader, into: &texts)
      case .values(let kind): try decodeValueColumns(kind, &reader, into: &texts)
      }
    }
    // A fault was already added for a column that is no array.
    if lengths.isEmpty && reader.faults.members.count > faultCount { return nil }
    guard let count = commonLength(&reader) else { return nil }
    if columns[.measured] != nil {
      try BodyError.reserve(2 * count * Self.measuredBytes, keeping: count * Self.measuredBytes)
    }
    let storage = ItemStorage(
      count: count, columns: columns, ids: ids, texts: texts.texts(count: count))
    checkNames(of: storage, &reader)
    if storage.hasContent { try countStored(count) }
    var itemFaults = ItemFaults(capacity: reader.faults.remainingCapacity)
    checkConflicts(storage, from: 0, &itemFaults) { [ItemField.aspectRatio.name, "\($0)"] }
    itemFaults.add(to: &reader)
    return Items(storage)
  }

  /// Refuses more names of texts or keys than a layout may have.
  mutating func checkNames(of storage: ItemStorage, _ reader: inout JSONReader) {
    guard let new = storage.texts?.names, !names.isSuperset(of: new) else { return }
    names.formUnion(new)
    if let kind = names.kindOfTooMany { reader.refuse("must have \(kind.countRequirement)") }
  }

  /// The length of all columns of a list. If they differ, or there are none, a fault is added.
  func commonLength(_ reader: inout JSONReader) -> Int? {
    guard let first = lengths.first else {
      reader.refuse("must have at least one column")
      return nil
    }
    guard lengths.allSatisfy({ $0.count == first.count }) else {
      let all = lengths.map { "\($0.name) has \($0.count)" }.joined(separator: ", ")
      reader.refuse("must have columns of the same length: \(all)")
      return nil
    }
    return first.count
  }

  /// Reads one column; `nil` if it is no array.
  mutating func readColumn<Member>(
    _ reader: inout JSONReader, _ field: Field<Member>
  ) throws(BodyError) -> JSONColumn? {
    guard try reader.isNext(.array, "an array") else { return nil }
    try reader.openArray()
    var whole = JSONColumn(type: field.json.type)
    var columnFaults = JSONFaults(capacity: reader.faults.remainingCapacity)
    let limit = maxItems - storedCount
    while try reader.readColumn(&whole, faults: &columnFaults) {
      // Nulls alone need no memory. Whether they count is only known at the end.
      guard whole.count <= limit || !whole.isPresent else {
        throw BodyError.tooManyItems(limit: maxItems)
      }
    }
    var itemFaults = ItemFaults(capacity: reader.faults.remainingCapacity)
    for fault in columnFaults.items {
      itemFaults.add(
        item: fault.row, at: ["\(fault.row)"], fault.detail(requirement: field.requirement))
    }
    if let range = field.range {
      check(whole.numbers, range, from: 0, &itemFaults) { ["\($0)"] }
    }
    itemFaults.add(to: &reader)
    lengths.append((field.name, whole.count))
    return whole
  }

  /// Checks the values of a block of rows.
  private func check(
    _ columns: [ItemField: [Double]], from firstItem: Int, _ faults: inout ItemFaults
  ) {
    for field in ItemField.allCases {
      check(columns[field], field.range, from: firstItem, &faults) { ["\($0)", field.name] }
    }
  }

  func check(
    _ column: [Double]?, _ range: NumberRange, from firstItem: Int, _ faults: inout ItemFaults,
    at path: (Int) -> [String]
  ) {
    guard let column, !range.containsAll(column) else { return }
    faults.add(
      in: firstItem..<firstItem + column.count,
      where: { !column[$0 - firstItem].isNaN && !range.contains(column[$0 - firstItem]) },
      fault: {
        let value = column[$0 - firstItem].messageText
        return (path($0), "must be \(range.requirement), was \(value)")
      })
  }

  /// Adds faults for items whose fields exclude each other.
  private func checkConflicts(
    _ storage: ItemStorage, from firstItem: Int, _ faults: inout ItemFaults,
    at path: (Int) -> [String]
  ) {
    guard storage.mayHaveConflicts else { return }
    faults.add(
      in: firstItem..<firstItem + storage.count,
      where: { storage.hasConflict(at: $0 - firstItem) },
      fault: { (path($0), "must be \(ItemStorage.conflictRequirement)") })
  }

  func add<Member>(
    _ rowFaults: JSONFaults, fields: [Field<Member>], to faults: inout ItemFaults
  ) {
    for fault in rowFaults.items {
      let row = "\(fault.row)"
      if fault.code == .unknownField {
        faults.add(
          item: fault.row, at: [row, fault.name], BodyError.unknown(fields.map(\.name)))
      } else if let index = fault.field {
        // An element of a value follows a zero.
        let member = fault.name.split(separator: "\0").map(String.init)
        faults.add(
          item: fault.row, at: [row, fields[index].name] + member,
          fault.detail(requirement: fields[index].requirement))
      } else {
        faults.add(item: fault.row, at: [row], fault.detail(requirement: "an object"))
      }
    }
  }
}
