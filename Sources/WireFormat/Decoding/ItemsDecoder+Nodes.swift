import CollectionLayout

// Hierarchies: lists of nodes, which are items with a parent, and nested objects.
extension ItemsDecoder {
  private static let nodeFields = [
    Field("id", .string), Field("parent", .index), Field("width", .number, .positive),
    Field("height", .number, .positive),
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
  mutating func decodeNodes(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> Forest? {
    guard let nodes = try decodeNodeList(&reader, faults: &faults), faults.isEmpty else {
      return nil
    }
    do {
      return try Forest(
        parents: nodes.parents, ids: nodes.ids.idColumn, sizes: nodes.sizes)
    } catch {
      guard case .invalidParent(let node, let requirement) = error else {
        throw BodyError(error, madeAt: "/nodes")
      }
      faults.add(forms.pointer(toParentOf: node), "must be \(requirement)")
      return nil
    }
  }

  private mutating func decodeNodeList(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> NodeColumns? {
    switch try reader.nextType() {
    case .number:
      let count = try reader.readInteger(
        in: 0...Forest.maximumCount, at: "/nodes", faults: &faults)
      guard let count else { return nil }
      try countStored(count)
      return NodeColumns(roots: count)
    case .array: return try decodeNodeRows(&reader, faults: &faults)
    case .object: return try decodeNodeColumns(&reader, faults: &faults)
    case .null, .boolean, .string:
      try reader.refuseList(of: "nodes", at: "/nodes", faults: &faults)
      return nil
    }
  }

  private mutating func decodeNodeRows(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> NodeColumns {
    try reader.openArray()
    var nodes = NodeColumns()
    var rowFaults = JSONFaults(capacity: faults.remainingCapacity)
    var nodeFaults = ItemFaults(capacity: faults.remainingCapacity)
    let jsonFields = Self.nodeFields.map(\.json)
    while let block = try reader.readRows(fields: jsonFields, faults: &rowFaults) {
      try countStored(block.rowCount)
      let first = nodes.parents.count
      nodes.ids.append(block.strings)
      nodes.parents += block.columns[1].indexes
      nodes.widths.append(block.columns[2])
      nodes.heights.append(block.columns[3])
      for column in 2...3 where !nodeFaults.isFull {
        let name = Self.nodeFields[column].name
        check(block.columns[column].numbers, .positive, from: first, &nodeFaults) {
          "/nodes/\($0)/\(name)"
        }
      }
    }
    add(rowFaults, fields: Self.nodeFields, at: { "/nodes" }, to: &nodeFaults)
    nodeFaults.add(to: &faults)
    return nodes
  }

  private mutating func decodeNodeColumns(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> NodeColumns? {
    forms.columns.insert(0)
    var nodes = NodeColumns()
    var lengths: [(name: String, count: Int)] = []
    let known = Self.nodeFields.map(\.name)
    let faultCount = faults.members.count
    try reader.readObject(at: "/nodes", known: known, faults: &faults) { name, reader, faults in
      let field = Self.nodeFields[known.firstIndex(of: name)!]
      guard
        let column = try readColumn(&reader, field, at: "/nodes/\(name)", faults: &faults)
      else { return }
      lengths.append((name, column.count))
      switch name {
      case "id": nodes.ids = column
      case "parent": nodes.parents = column.indexes
      case "width": nodes.widths = column
      default: nodes.heights = column
      }
    }
    guard faults.members.count == faultCount,
      let count = try commonLength(lengths, at: { "/nodes" }, faults: &faults)
    else { return nil }
    try countStored(count)
    if !lengths.contains(where: { $0.name == "parent" }) {
      nodes.parents = NodeColumns(roots: count).parents
    }
    return nodes
  }

  /// Reads `root`: one nested object of any depth.
  mutating func decodeRoot(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> Forest? {
    var nested = NestedNodesDecoder(pointer: "/root", stored: storedCount, limit: maxItems)
    return try nested.decode(&reader, faults: &faults)
  }
}
