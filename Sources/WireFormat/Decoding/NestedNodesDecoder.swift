import CollectionLayout

/// Reads a nested object `{"id": …, "children": [{…}, …]}` of any depth, without recursion.
struct NestedNodesDecoder {
  /// For each node, in the order of the text, the index of its parent; −1 for the root.
  private var parents: [Int32] = []
  private let pointer: String
  private let room: Int
  private let limit: Int
  /// The bytes of all ids in the order of the text, and the range of each node's id. An id may come
  /// after the node's children, so the ranges need not be in order.
  private var idBytes: [UInt8] = []
  private var idRanges: [Range<Int>] = []
  private var open: [OpenNode] = []
  /// The widths of the nodes, NaN if a node has none. The array ends with the last node that has
  /// one.
  private var widths: [Double] = []
  private var heights: [Double] = []

  private enum Member: String, CaseIterable {
    case id, width, height, children
  }

  private struct OpenNode {
    let node: Int32
    /// The index of the child that is being read; −1 before the first.
    var child = -1
    var isInChildren = false
    var given: Set<Member> = []
  }

  /// - Parameters:
  ///   - stored: The number of items that were read before.
  ///   - limit: The largest number of items.
  init(pointer: String, stored: Int, limit: Int) {
    self.pointer = pointer
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
  mutating func decode(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws(BodyError) -> Forest? {
    try beginNode(&reader, faults: &faults)
    while let current = open.last {
      if !current.isInChildren {
        try readMember(of: open.count - 1, &reader, faults: &faults)
      } else if try reader.nextElement() {
        open[open.count - 1].child += 1
        try beginNode(&reader, faults: &faults)
      } else {
        open[open.count - 1].isInChildren = false
      }
    }
    guard faults.isEmpty else { return nil }
    do {
      return try Forest(parents: parents, ids: idColumn, sizes: sizes)
    } catch {
      throw BodyError(error, madeAt: pointer)
    }
  }

  /// The pointer to the innermost open node.
  private var path: String {
    open.dropLast().reduce(into: pointer) { $0 += "/children/\($1.child)" }
  }

  private mutating func beginNode(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws(BodyError) {
    guard
      try reader.isNext(
        .object, "an object", at: open.last.map { "\(path)/children/\($0.child)" } ?? pointer,
        faults: &faults)
    else { return }
    guard parents.count < room else { throw BodyError.tooManyItems(limit: limit) }
    try reader.openObject()
    open.append(OpenNode(node: Int32(parents.count)))
    parents.append(open.dropLast().last?.node ?? -1)
    idRanges.append(0..<0)
  }

  private mutating func readMember(
    of depth: Int, _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws(BodyError) {
    guard let name = try reader.nextField() else {
      open.removeLast()
      return
    }
    guard let member = Member(rawValue: name) else {
      faults.add(
        path + "/" + JSONPointer.escape(name), BodyError.unknown(Member.allCases.map(\.rawValue)))
      return try reader.skipValue()
    }
    guard open[depth].given.insert(member).inserted else {
      faults.add("\(path)/\(name)", "must be given once only")
      return try reader.skipValue()
    }
    switch member {
    case .id: try readID(of: Int(open[depth].node), &reader, faults: &faults)
    case .children:
      if try reader.readNullIfPresent() { return }
      open[depth].isInChildren = try reader.openArray(at: path + "/children", faults: &faults)
    case .width: try readLength(of: Int(open[depth].node), name, into: \.widths, &reader, &faults)
    case .height: try readLength(of: Int(open[depth].node), name, into: \.heights, &reader, &faults)
    }
  }

  private var sizes: NodeSizes? {
    func filled(_ values: [Double]) -> [Double]? {
      values.isEmpty ? nil : values + repeatElement(.nan, count: parents.count - values.count)
    }
    return NodeSizes(widths: filled(widths), heights: filled(heights))
  }

  private mutating func readLength(
    of node: Int, _ name: String, into column: WritableKeyPath<Self, [Double]>,
    _ reader: inout JSONReader, _ faults: inout InvalidMembers
  ) throws(BodyError) {
    if try reader.readNullIfPresent() { return }
    let path = path
    guard
      let length = try reader.readNumber(in: .positive, at: "\(path)/\(name)", faults: &faults)
    else { return }
    // Nodes are in the order of the text, but a length may come after the children of its node.
    let missing = node + 1 - self[keyPath: column].count
    if missing > 0 { self[keyPath: column] += repeatElement(.nan, count: missing) }
    self[keyPath: column][node] = length
  }

  private mutating func readID(
    of node: Int, _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws(BodyError) {
    if try reader.readNullIfPresent() { return }
    let position = reader.position
    let start = idBytes.count
    if try reader.nextType() == .string {
      try reader.readString(appendingTo: &idBytes)
    } else {
      try reader.skipValue()
    }
    idRanges[node] = start..<idBytes.count
    if !IDColumn.lengths.contains(idBytes.count - start) {
      faults.add(
        path + "/id", "must be \(IDColumn.requirement), was \(reader.text(from: position))")
    }
  }
}
