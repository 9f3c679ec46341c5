import CollectionLayout

// Hierarchies: lists of nodes, which are items with a parent, and nested objects.
extension ItemsDecoder {
  enum NodeMember: BodyMember {
    case id, parent, parentId
    case field(ItemField)
    case values(ValueKind)

    var name: String {
      switch self {
      case .id: "id"
      case .parent: "parent"
      case .parentId: "parentId"
      case .field(let field): field.name
      case .values(let kind): kind.field
      }
    }
  }

  private static let nodeFields = [
    Field(NodeMember.id, .string), Field(.parent, .index), Field(.parentId, .string),
    Field(.field(.width), .number, .positive), Field(.field(.height), .number, .positive),
    Field(.values(.text), .values(.text)), Field(.values(.data), .values(.data)),
  ]

  /// Nodes as they are listed: what they have, and how they name their parents.
  struct NodeList {
    /// The index of each node's parent, −1 for a root.
    fileprivate var parents: [Int32] = []
    /// The id of each node's parent; `nil` if no node names it so.
    fileprivate var parentIDs: IDColumn?
    fileprivate var items = Items()
  }

  /// Reads `nodes`, in any of the three forms. Its parents are only looked up by
  /// ``forest(of:orphansAreRoots:_:)``.
  ///
  /// - Returns: `nil` if anything is wrong with them, or before them.
  mutating func decodeNodes(_ reader: inout JSONReader) throws(BodyError) -> NodeList? {
    let list = try decodeNodeList(&reader)
    return reader.faults.isEmpty ? list : nil
  }

  private mutating func decodeNodeList(
    _ reader: inout JSONReader
  ) throws(BodyError) -> NodeList? {
    switch try reader.readListForm(of: "nodes", upTo: Forest.maximumCount) {
    case .count(let count):
      try countStored(count)
      return NodeList(parents: Array(repeating: -1, count: count), items: Items(uniform: count))
    case .rows: return try decodeNodeRows(&reader)
    case .columns: return try decodeNodeColumns(&reader)
    case nil: return nil
    }
  }

  /// Finds the parents of nodes.
  ///
  /// - Parameter orphansAreRoots: Whether a node is a root whose parent is not there.
  func forest(
    of nodes: NodeList, orphansAreRoots: Bool, _ reader: inout JSONReader
  ) throws(BodyError) -> Forest? {
    let faultCount = reader.faults.members.count
    var parents = nodes.parents
    if let ids = nodes.parentIDs {
      try BodyError.reserve(nodes.items.count * Self.bytesPerID)
      // −1 for an id that several nodes have.
      var nodesByID: [ItemID: Int32] = [:]
      var node: Int32 = 0
      nodes.items.forEachID { id in
        if let id { nodesByID[id] = nodesByID[id] == nil ? node : -1 }
        node += 1
      }
      for node in 0..<ids.count {
        guard let id = ids[node] else { continue }
        guard parents[node] < 0 else {
          reader.faults.add(
            forms.pointer(toNode: node, NodeMember.parentId.name),
            "must be left out beside parent")
          continue
        }
        let parent = nodesByID[id]
        if let parent, parent >= 0 {
          parents[node] = parent
        } else if parent != nil || !orphansAreRoots {
          reader.faults.add(
            forms.pointer(toNode: node, NodeMember.parentId.name),
            "must be the id of one node, was \"\(id.string)\", which "
              + (parent == nil ? "no node has" : "several nodes have"))
        }
      }
      guard reader.faults.members.count == faultCount else { return nil }
    }
    do {
      return try Forest(parents: parents, items: nodes.items)
    } catch {
      guard case .invalidParent(let node, let requirement) = error else {
        throw BodyError(error, madeAt: "/nodes")
      }
      let isNamed = nodes.parents[node] < 0 && nodes.parentIDs?[node] != nil
      let member: NodeMember = isNamed ? .parentId : .parent
      reader.faults.add(forms.pointer(toNode: node, member.name), "must be \(requirement)")
      return nil
    }
  }

  /// About how many bytes it takes to look an id up.
  private static let bytesPerID = 64

  private mutating func decodeNodeRows(
    _ reader: inout JSONReader
  ) throws(BodyError) -> NodeList {
    try reader.openArray()
    var nodes = NodeList()
    var parentIDs = IDColumnBuilder(capacity: 0, bytes: 0)
    var hasParentIDs = false
    var rowFaults = JSONFaults(capacity: reader.faults.remainingCapacity)
    var nodeFaults = ItemFaults(capacity: reader.faults.remainingCapacity)
    let jsonFields = Self.nodeFields.map(\.json)
    while let block = try reader.readRows(fields: jsonFields, faults: &rowFaults) {
      try countStored(block.rowCount)
      let first = nodes.parents.count
      var columns: [ItemField: [Double]] = [:]
      var ids: IDColumn?
      for (field, column) in zip(Self.nodeFields, block.columns) {
        switch field.member {
        case .id: ids = column.idColumn
        case .parent: nodes.parents += column.indexes
        case .parentId:
          hasParentIDs = hasParentIDs || column.idColumn != nil
          for row in 0..<block.rowCount { parentIDs.append(column.idColumn?[row]) }
        case .field(let field): columns[field] = column.numbers
        case .values: break
        }
        if let range = field.range, !nodeFaults.isFull {
          check(column.numbers, range, from: first, &nodeFaults) { ["\($0)", field.name] }
        }
      }
      let storage = ItemStorage(
        count: block.rowCount, columns: columns, ids: ids, texts: block.texts)
      checkNames(of: storage, &reader)
      nodes.items.append(storage)
    }
    add(rowFaults, fields: Self.nodeFields, to: &nodeFaults)
    nodeFaults.add(to: &reader)
    if hasParentIDs { nodes.parentIDs = parentIDs.column }
    return nodes
  }

  private mutating func decodeNodeColumns(
    _ reader: inout JSONReader
  ) throws(BodyError) -> NodeList? {
    forms.columns.insert(0)
    var nodes = NodeList()
    var columns: [ItemField: [Double]] = [:]
    var ids: IDColumn?
    var texts = ItemTextsBuilder()
    lengths = []
    let faultCount = reader.faults.members.count
    try reader.readObject(known: Self.nodeFields) { (field, reader) throws(BodyError) in
      switch field.member {
      case .id: ids = try readColumn(&reader, field)?.idColumn
      case .parent:
        if let column = try readColumn(&reader, field) { nodes.parents = column.indexes }
      case .parentId: nodes.parentIDs = try readColumn(&reader, field)?.idColumn
      case .field(let member): columns[member] = try readColumn(&reader, field)?.numbers
      case .values(.data): try decodeColumn(.data, field.name, &reader, into: &texts)
      case .values(let kind): try decodeValueColumns(kind, &reader, into: &texts)
      }
    }
    guard reader.faults.members.count == faultCount, let count = commonLength(&reader) else {
      return nil
    }
    try countStored(count)
    if !lengths.contains(where: { $0.name == NodeMember.parent.name }) {
      nodes.parents = Array(repeating: -1, count: count)
    }
    let storage = ItemStorage(
      count: count, columns: columns, ids: ids, texts: texts.texts(count: count))
    checkNames(of: storage, &reader)
    nodes.items.append(storage)
    return nodes
  }

  /// Reads `root`: one nested object of any depth.
  mutating func decodeRoot(_ reader: inout JSONReader) throws(BodyError) -> Forest? {
    var nested = NestedNodesDecoder(stored: storedCount, limit: maxItems)
    return try nested.decode(&reader)
  }
}
