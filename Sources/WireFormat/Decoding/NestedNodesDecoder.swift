import CollectionLayout

/// Reads a nested object `{"id": …, "children": [{…}, …]}` of any depth, without recursion.
struct NestedNodesDecoder {
  /// For each node, in the order of the text, the index of its parent; −1 for the outermost.
  private var parents: [Int32] = []
  private let pointer: String
  private let room: Int
  private let limit: Int
  /// The names in the order of the text, and which of them each node has: a name may come after
  /// its node's children.
  private var idBytes: [UInt8] = []
  private var idRanges: [Range<Int>] = []
  private var open: [OpenNode] = []

  private struct OpenNode {
    let node: Int32
    /// The index of the child that is being read; −1 before the first.
    var child = -1
    var isInChildren = false
    var hasID = false
    var hasChildren = false
  }

  /// - Parameters:
  ///   - stored: How many items the layout has already.
  ///   - limit: How many it may have.
  init(pointer: String, stored: Int, limit: Int) {
    self.pointer = pointer
    self.limit = min(limit, Forest.maximumCount)
    room = self.limit - stored
  }

  /// How many nodes have been read.
  var nodeCount: Int { parents.count }

  /// The nodes' names, in the order of ``parents``; `nil` when none has one.
  private var idColumn: IDColumn? {
    guard !idBytes.isEmpty else { return nil }
    var names = IDColumnBuilder(capacity: idRanges.count, bytes: idBytes.count)
    for range in idRanges { names.append(idBytes[range]) }
    return names.column
  }

  /// Reads the object; `nil` when the body has faults.
  mutating func decode(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws -> Forest? {
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
      return try Forest(parents: parents, ids: idColumn)
    } catch {
      preconditionFailure("a nested object is a tree: \(error)")
    }
  }

  /// Where the innermost node that is open is.
  private var path: String {
    open.dropLast().reduce(into: pointer) { $0 += "/children/\($1.child)" }
  }

  private mutating func beginNode(
    _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws {
    guard try reader.nextType() == .object else {
      let start = reader.position
      try reader.skipValue()
      faults.add(
        open.last.map { "\(path)/children/\($0.child)" } ?? pointer,
        "must be an object, was \(reader.text(from: start))")
      return
    }
    guard parents.count < room else { throw BodyError.tooManyItems(limit: limit) }
    try reader.openObject()
    open.append(OpenNode(node: Int32(parents.count)))
    parents.append(open.dropLast().last?.node ?? -1)
    idRanges.append(0..<0)
  }

  private mutating func readMember(
    of depth: Int, _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws {
    guard let name = try reader.nextField() else {
      open.removeLast()
      return
    }
    switch name {
    case "id" where !open[depth].hasID:
      open[depth].hasID = true
      try readID(of: Int(open[depth].node), &reader, faults: &faults)
    case "children" where !open[depth].hasChildren:
      open[depth].hasChildren = true
      switch try reader.nextType() {
      case .null: try reader.skipValue()
      case .array:
        try reader.openArray()
        open[depth].isInChildren = true
      case .boolean, .number, .string, .object:
        let start = reader.position
        try reader.skipValue()
        faults.add(
          path + "/children", "must be an array, was \(reader.text(from: start))")
      }
    case "id", "children":
      faults.add("\(path)/\(name)", "must be given once only")
      try reader.skipValue()
    default:
      faults.add(
        path + "/" + JSONPointer.escape(name), BodyError.unknown(["id", "children"]))
      try reader.skipValue()
    }
  }

  private mutating func readID(
    of node: Int, _ reader: inout JSONReader, faults: inout InvalidMembers
  ) throws {
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
