import CollectionLayout

// Hierarchies: lists of nodes, which are items with a parent, and nested objects.
extension ItemsDecoder {
  private enum NodeMember: String, BodyMember {
    case id, parent, width, height
  }

  private static let nodeFields = [
    Field(NodeMember.id, .string), Field(.parent, .index), Field(.width, .number, .positive),
    Field(.height, .number, .positive),
  ]

  /// The columns of nodes: the index of each node's parent, −1 for a root; ids and sizes.
  private struct NodeColumns {
    var parents: [Int32]
    var ids = JSONColumn(type: .string)
    var widths = JSONColumn(type: .number)
    var heights = JSONColumn(type: .number)

    var sizes: NodeSizes? { NodeSizes(widths: widths.numbers, heights: heights.numbers) }

    init(parents: [Int32] = []) {
      self.parents = parents
    }

    init(roots count: Int) {
      parents = Array(repeating: -1, count: count)
    }
  }

  /// Reads `nodes`, in any of the three forms.
  mutating func decodeNodes(_ reader: inout JSONReader) throws(BodyError) -> Forest? {
    guard let nodes = try decodeNodeList(&reader), reader.faults.isEmpty else { return nil }
    do {
      return try Forest(
        parents: nodes.parents, ids: nodes.ids.idColumn, sizes: nodes.sizes)
    } catch {
      guard case .invalidParent(let node, let requirement) = error else {
        throw BodyError(error, madeAt: "/nodes")
      }
      reader.faults.add(forms.pointer(toParentOf: node), "must be \(requirement)")
      return nil
    }
  }

  private mutating func decodeNodeList(
    _ reader: inout JSONReader
  ) throws(BodyError) -> NodeColumns? {
    switch try reader.readListForm(of: "nodes", upTo: Forest.maximumCount) {
    case .count(let count):
      try countStored(count)
      return NodeColumns(roots: count)
    case .rows: return try decodeNodeRows(&reader)
    case .columns: return try decodeNodeColumns(&reader)
    case nil: return nil
    }
  }

  private mutating func decodeNodeRows(
    _ reader: inout JSONReader
  ) throws(BodyError) -> NodeColumns {
    try reader.openArray()
    var nodes = NodeColumns()
    var rowFaults = JSONFaults(capacity: reader.faults.remainingCapacity)
    var nodeFaults = ItemFaults(capacity: reader.faults.remainingCapacity)
    let jsonFields = Self.nodeFields.map(\.json)
    while let block = try reader.readRows(fields: jsonFields, faults: &rowFaults) {
      try countStored(block.rowCount)
      let first = nodes.parents.count
      for (field, column) in zip(Self.nodeFields, block.columns) {
        switch field.member {
        case .id: nodes.ids.append(block.strings)
        case .parent: nodes.parents += column.indexes
        case .width: nodes.widths.append(column)
        case .height: nodes.heights.append(column)
        }
        if let range = field.range, !nodeFaults.isFull {
          check(column.numbers, range, from: first, &nodeFaults) { ["\($0)", field.name] }
        }
      }
    }
    add(rowFaults, fields: Self.nodeFields, to: &nodeFaults)
    nodeFaults.add(to: &reader)
    return nodes
  }

  private mutating func decodeNodeColumns(
    _ reader: inout JSONReader
  ) throws(BodyError) -> NodeColumns? {
    forms.columns.insert(0)
    var nodes = NodeColumns()
    lengths = []
    let faultCount = reader.faults.members.count
    try reader.readObject(known: Self.nodeFields) { (field, reader) throws(BodyError) in
      guard let column = try readColumn(&reader, field) else { return }
      switch field.member {
      case .id: nodes.ids = column
      case .parent: nodes.parents = column.indexes
      case .width: nodes.widths = column
      case .height: nodes.heights = column
      }
    }
    guard reader.faults.members.count == faultCount, let count = commonLength(&reader) else {
      return nil
    }
    try countStored(count)
    if !lengths.contains(where: { $0.name == NodeMember.parent.name }) {
      nodes.parents = NodeColumns(roots: count).parents
    }
    return nodes
  }

  /// Reads `root`: one nested object of any depth.
  mutating func decodeRoot(_ reader: inout JSONReader) throws(BodyError) -> Forest? {
    var nested = NestedNodesDecoder(stored: storedCount, limit: maxItems)
    return try nested.decode(&reader)
  }
}
