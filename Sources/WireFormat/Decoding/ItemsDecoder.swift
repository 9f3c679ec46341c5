import CollectionLayout

/// Reads lists of items in their three forms, blocks of rows at a time, into flat columns.
struct ItemsDecoder {
  private let fields: [ItemField]
  private let isExclusive: Bool
  private let maxItems: Int
  private var storedCount = 0
  private(set) var forms = ItemForms()

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

  private mutating func countStored(_ count: Int) throws(DecodingError) {
    storedCount += count
    guard storedCount <= maxItems else { throw .tooManyItems(limit: maxItems) }
  }

  // MARK: Sections

  mutating func decodeSections(
    _ reader: inout JSONReader, faults: inout InvalidMembers, at pointer: String = "/sections"
  ) throws -> [Items]? {
    guard try reader.nextType() == .array else {
      faults.add(pointer, "must be an array, was \(reader.valueText())")
      try reader.skipValue()
      return nil
    }
    try reader.openArray()
    var sections: [Items] = []
    let maxSections = PrepareRequest.maxSections(forItems: maxItems)
    while try reader.nextElement() {
      let index = sections.count
      guard index < maxSections else {
        throw DecodingError.tooManySections(limit: maxSections)
      }
      var items: Items?
      let isObject = try reader.readObject(
        at: "\(pointer)/\(index)", known: ["items"], faults: &faults
      ) { _, reader, faults in
        items = try decodeItems(
          &reader, section: index, at: "\(pointer)/\(index)/items", faults: &faults)
      }
      if isObject && items == nil && faults.isEmpty {
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
      faults.add(
        pointer(),
        "must be a count, an array of items or an object of columns, was "
          + reader.valueText())
      try reader.skipValue()
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
    while let block = try reader.readRows(
      fields: jsonFields, faults: &rowFaults)
    {
      let storage = ItemStorage(
        count: block.rowCount,
        columns: block.columns.dropFirst().map { $0.numbers },
        ids: block.columns[0].idColumn)
      check(storage, from: items.count, form: .rows, at: pointer, faults: &faults)
      let isStored = !fields.isEmpty || storage.ids != nil
      if isStored { try countStored(storage.count) }
      items.append(storage)
    }
    add(rowFaults, fields: jsonFields, at: pointer, form: .rows, to: &faults)
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
    check(storage, from: 0, form: .columns, at: pointer, faults: &faults)
    return Items(storage)
  }

  private func commonLength(
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
  private func readColumn(
    _ reader: inout JSONReader, _ field: JSONField, at pointer: @autoclosure () -> String,
    faults: inout InvalidMembers
  ) throws -> JSONColumn? {
    guard try reader.nextType() == .array else {
      faults.add(pointer(), "must be an array, was \(reader.valueText())")
      try reader.skipValue()
      return nil
    }
    try reader.openArray()
    var whole = JSONColumn(type: field.type)
    var columnFaults = JSONFaults(capacity: faults.remainingCapacity)
    while try reader.readColumn(&whole, faults: &columnFaults) {
      guard storedCount + whole.count <= maxItems else {
        throw DecodingError.tooManyItems(limit: maxItems)
      }
    }
    for fault in columnFaults.items {
      faults.add("\(pointer())/\(fault.row)", fault.detail(requirement: requirement(of: field)))
    }
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

  /// Checks what the kind says of its fields' values.
  private func check(
    _ storage: ItemStorage, from firstItem: Int, form: ItemForms.Form, at pointer: () -> String,
    faults: inout InvalidMembers
  ) {
    for (field, column) in zip(fields, storage.columns) {
      guard let column else { continue }
      let range = field.range
      if range.containsAll(column) { continue }
      for (index, value) in column.enumerated() where !value.isNaN && !range.contains(value) {
        faults.add(
          ItemForms.pointer(
            list: pointer(), item: firstItem + index, field: field.name, form: form),
          "must be \(range.requirement), was \(value.messageText)")
        if faults.isFull { break }
      }
    }
    guard isExclusive else { return }
    let given = storage.columns.compactMap { $0 }
    guard given.count > 1 else { return }
    for index in 0..<storage.count where given.count(where: { !$0[index].isNaN }) > 1 {
      faults.add(
        ItemForms.pointer(list: pointer(), item: firstItem + index, field: nil, form: form),
        "must have at most one of \(fields.map(\.name).joined(separator: ", "))"
          + (form == .columns ? " (item \(firstItem + index) has more)" : ""))
      if faults.isFull { break }
    }
  }

  private func add(
    _ rowFaults: JSONFaults, fields: [JSONField], at pointer: () -> String, form: ItemForms.Form,
    to faults: inout InvalidMembers
  ) {
    for fault in rowFaults.items {
      let row = "\(pointer())/\(fault.row)"
      if fault.code == .unknownField {
        faults.add(
          "\(row)/\(JSONPointer.escape(fault.name))",
          DecodingError.unknown(fields.map(\.name)))
      } else if let index = fault.field {
        faults.add(
          "\(row)/\(fields[index].name)",
          fault.detail(requirement: requirement(of: fields[index])))
      } else {
        faults.add(row, fault.detail(requirement: "an object"))
      }
    }
  }

  // MARK: Hierarchies

  private static let nodeFields = [
    JSONField(name: "id", type: .string), JSONField(name: "parent", type: .index),
  ]

  /// Reads `nodes`, in any of the three forms.
  mutating func decodeNodes(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> Forest? {
    var ids = JSONColumn(type: .string)
    var parents: [Int32] = []
    switch try reader.nextType() {
    case .number:
      let count = try reader.readInteger(
        in: 0...Forest.maximumCount, at: "/nodes", faults: &faults)
      guard let count else { return nil }
      try countStored(count)
      parents = Array(repeating: -1, count: count)
    case .array:
      try reader.openArray()
      var rowFaults = JSONFaults(capacity: faults.remainingCapacity)
      while let block = try reader.readRows(
        fields: Self.nodeFields, faults: &rowFaults)
      {
        try countStored(block.rowCount)
        try ids.append(block.strings)
        parents += block.columns[1].indexes
      }
      add(rowFaults, fields: Self.nodeFields, at: { "/nodes" }, form: .rows, to: &faults)
    case .object:
      forms.columns.insert(0)
      var lengths: [(name: String, count: Int)] = []
      let known = Self.nodeFields.map(\.name)
      let faultCount = faults.members.count
      try reader.readObject(at: "/nodes", known: known, faults: &faults) {
        name, reader, faults in
        let field = Self.nodeFields[known.firstIndex(of: name)!]
        guard
          let column = try readColumn(
            &reader, field, at: "/nodes/\(name)", faults: &faults)
        else { return }
        lengths.append((name, column.count))
        if field.type == .string { ids = column } else { parents = column.indexes }
      }
      guard faults.members.count == faultCount,
        let count = try commonLength(lengths, at: { "/nodes" }, faults: &faults)
      else { return nil }
      try countStored(count)
      if parents.isEmpty { parents = Array(repeating: -1, count: count) }
    case .null, .boolean, .string:
      faults.add(
        "/nodes",
        "must be a count, an array of nodes or an object of columns, was "
          + reader.valueText())
      try reader.skipValue()
      return nil
    }
    guard faults.isEmpty else { return nil }
    do {
      return try Forest(parents: parents, ids: ids.idColumn)
    } catch {
      let forms = forms
      let error = DecodingError(
        error, items: { forms.pointer(to: $0, field: $1) },
        parent: { forms.pointer(toParentOf: $0) })
      guard case .invalid(let members) = error else { throw error }
      for member in members { faults.add(member.pointer, member.detail) }
      return nil
    }
  }

  /// Reads `root`: one nested object, as deep as it likes.
  mutating func decodeRoot(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> Forest? {
    var nested = NestedNodesDecoder(pointer: "/root", stored: storedCount, limit: maxItems)
    try nested.decode(&reader, faults: &faults)
    guard faults.isEmpty else { return nil }
    do {
      return try Forest(parents: nested.parents, ids: nested.idColumn)
    } catch {
      preconditionFailure("a nested object is a tree: \(error)")
    }
  }
}
