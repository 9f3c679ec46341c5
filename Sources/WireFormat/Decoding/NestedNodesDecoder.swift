import CollectionLayout

/// Reads a nested object `{"id": …, "children": [{…}, …]}` of any depth, without recursion.
struct NestedNodesDecoder {
  /// For each node, in the order of the text, the index of its parent; −1 for the root.
  private var parents: [Int32] = []
  private let room: Int
  private let limit: Int
  /// The bytes of all ids in the order of the text, and the range of each node's id. An id may come
  /// after the node's children, so the ranges need not be in order.
  private var idBytes: [UInt8] = []
  private var idRanges: [Range<Int>] = []
  private var open: [OpenNode] = []
  /// What the nodes have beside it. It may come after the children of its node.
  private var patch = ItemsPatch()

  private enum Member: String, CaseIterable {
    case id, width, height, text, data, children
  }

  private struct OpenNode {
    let node: Int32
    var isInChildren = false
    var given: Set<Member> = []
  }

  /// - Parameters:
  ///   - stored: The number of items that were read before.
  ///   - limit: The largest number of items.
  init(stored: Int, limit: Int) {
    self.limit = min(limit, Forest.maximumCount)
    room = self.limit - stored
  }

  /// The number of nodes that have been read.
  var nodeCount: Int { parents.count }

  /// The ids of the nodes, in the order of ``parents``; `nil` if no node has one.
  private var idColumn: IDColumn? {
    guard !idBytes.isEmpty else { return nil }
    var names = IDColumnBuilder(capacity: idRanges.count, bytes: idBytes.count)
    for range in idRanges { names.append(idBytes[range]) }
    return names.column
  }

  /// Reads the object; `nil` if the body has faults.
  mutating func decode(_ reader: inout JSONReader) throws(BodyError) -> Forest? {
    try beginNode(&reader)
    while let current = open.last {
      if !current.isInChildren {
        try readMember(of: open.count - 1, &reader)
      } else if try reader.nextInList() {
        try beginNode(&reader)
      } else {
        open[open.count - 1].isInChildren = false
        reader.path.removeLast()
      }
    }
    guard reader.faults.isEmpty else { return nil }
    let storage = ItemStorage(count: parents.count, columns: [:], ids: idColumn)
    var items = Items(storage)
    if !patch.isEmpty {
      patch.count = parents.count
      items = patch.applied(to: items)
    }
    do {
      return try Forest(parents: parents, items: items)
    } catch {
      throw BodyError(error, madeAt: reader.pointer)
    }
  }

  private mutating func beginNode(_ reader: inout JSONReader) throws(BodyError) {
    guard try reader.isNext(.object, "an object") else { return }
    guard parents.count < room else { throw BodyError.tooManyItems(limit: limit) }
    try reader.openObject()
    open.append(OpenNode(node: Int32(parents.count)))
    parents.append(open.dropLast().last?.node ?? -1)
    idRanges.append(0..<0)
  }

  /// Reads a member of the innermost node. The path keeps its name while the children are read.
  private mutating func readMember(
    of depth: Int, _ reader: inout JSONReader
  ) throws(BodyError) {
    guard let name = try reader.nextField() else {
      open.removeLast()
      return
    }
    guard let member = Member(rawValue: name) else {
      reader.refuse(at: [name], BodyError.unknown(Member.allCases.map(\.rawValue)))
      return try reader.skipValue()
    }
    guard open[depth].given.insert(member).inserted else {
      reader.refuse(at: [name], "must be given once only")
      return try reader.skipValue()
    }
    reader.path.append(JSONReader.Step(member: name))
    let node = Int(open[depth].node)
    if try !reader.readNullIfPresent() {
      switch member {
      case .id: try readID(of: node, &reader)
      case .children: open[depth].isInChildren = try reader.openList()
      case .width: try read(.field(.width), of: node, &reader)
      case .height: try read(.field(.height), of: node, &reader)
      case .text: try read(.values(.text), of: node, &reader)
      case .data: try read(.values(.data), of: node, &reader)
      }
    }
    if !open[depth].isInChildren { reader.path.removeLast() }
  }

  private mutating func read(
    _ member: ItemMember, of node: Int, _ reader: inout JSONReader
  ) throws(BodyError) {
    try ItemsDecoder.readChange(of: member, node, ofNode: true, &reader, into: &patch)
  }

  private mutating func readID(of node: Int, _ reader: inout JSONReader) throws(BodyError) {
    let position = reader.position
    let start = idBytes.count
    if try reader.nextType() == .string {
      try reader.readString(appendingTo: &idBytes)
    } else {
      try reader.skipValue()
    }
    idRanges[node] = start..<idBytes.count
    if !IDColumn.lengths.contains(idBytes.count - start) {
      reader.refuse(from: position, IDColumn.requirement())
    }
  }
}
