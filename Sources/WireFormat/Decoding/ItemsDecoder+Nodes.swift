import CollectionLayout

// Hierarchies: lists of nodes, which are items with a parent, and nested objects.
extension ItemsDecoder {
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
        ids.append(block.strings)
        parents += block.columns[1].indexes
      }
      var nodeFaults = ItemFaults(capacity: faults.remainingCapacity)
      add(rowFaults, fields: Self.nodeFields, at: { "/nodes" }, to: &nodeFaults)
      nodeFaults.add(to: &faults)
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
      let start = reader.position
      try reader.skipValue()
      faults.add(
        "/nodes",
        "must be a count, an array of nodes or an object of columns, was "
          + reader.text(from: start))
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
    return try nested.decode(&reader, faults: &faults)
  }
}
