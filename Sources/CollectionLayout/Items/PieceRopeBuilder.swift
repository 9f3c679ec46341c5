/// Makes a rope from the front to the back, and takes pieces of others.
struct PieceRopeBuilder<Piece: RopePiece> {
  typealias Rope = PieceRope<Piece>

  private var rope = Rope()
  /// The pieces that are in no group yet.
  private var pending: [Piece] = []
  private var pendingCount = 0
  private var pendingLength = 0.0

  /// A change copies a group, and the list of the groups.
  private static var mostPieces: Int { 64 }
  private static var leastPieces: Int { 16 }

  init() {}

  /// The number of elements so far.
  var count: Int { rope.count + pendingCount }
  /// Their length.
  var length: Double { rope.length + pendingLength }

  /// The last piece, if there is one.
  var last: Piece? {
    pending.last ?? rope.groups.last.map { $0.places[$0.placeCount - 1].piece }
  }

  mutating func append(_ piece: Piece) {
    if let joined = pending.last?.joined(with: piece) {
      pending[pending.count - 1] = joined
    } else {
      if pending.count == 2 * Self.mostPieces { flush() }
      pending.append(piece)
    }
    pendingCount += piece.count
    pendingLength += piece.length
  }

  mutating func removeLast() {
    if pending.isEmpty { unpackLast() }
    let piece = pending.removeLast()
    pendingCount -= piece.count
    pendingLength -= piece.length
  }

  /// Adds elements of another rope. Both share the pieces then that lie within the range.
  ///
  /// - Complexity: O(*g* + log *p*) for *g* groups of *p* pieces.
  mutating func append(_ range: Range<Int>, of other: Rope) {
    guard !range.isEmpty else { return }
    var position = other.position(of: range.lowerBound)
    var element = range.lowerBound
    while element < range.upperBound {
      let group = other.groups[position.node]
      let first = other.nodes[position.node].first
      if element == first, first + group.count <= range.upperBound,
        pending.isEmpty || pending.count >= Self.leastPieces
      {
        flush()
        add(group)
        element += group.count
      } else {
        for place in position.place..<group.placeCount where element < range.upperBound {
          let piece = group.places[place].piece
          let start = first + group.places[place].first
          let part = element - start..<min(piece.count, range.upperBound - start)
          append(part.count == piece.count ? piece : piece.slice(part))
          element = start + part.upperBound
        }
      }
      position = Rope.Position(node: position.node + 1, place: 0)
    }
  }

  consuming func finish() -> Rope {
    flush()
    return rope
  }

  /// Puts the pieces into groups.
  private mutating func flush() {
    guard !pending.isEmpty else { return }
    if pending.count < Self.leastPieces, let last = rope.groups.last,
      last.placeCount + pending.count <= Self.mostPieces
    {
      unpackLast()
    }
    let groupCount = (pending.count - 1) / Self.mostPieces + 1
    let pieces = pending
    (pending, pendingCount, pendingLength) = ([], 0, 0)
    for index in 0..<groupCount {
      let range = pieces.count * index / groupCount..<pieces.count * (index + 1) / groupCount
      add(Rope.Group(pieces[range]))
    }
  }

  private mutating func add(_ group: Rope.Group) {
    rope.groups.append(group)
    rope.nodes.append(
      Rope.Node(
        first: rope.count, top: rope.length, places: group.places, placeCount: group.placeCount))
    rope.count += group.count
    rope.length += group.length
    rope.memoryBytes += group.memoryBytes + MemoryLayout<Rope.Node>.stride + 8
  }

  /// Takes the pieces of the last group out again.
  private mutating func unpackLast() {
    let group = rope.groups.removeLast()
    rope.nodes.removeLast()
    rope.count -= group.count
    rope.length -= group.length
    rope.memoryBytes -= group.memoryBytes + MemoryLayout<Rope.Node>.stride + 8
    pending.insert(
      contentsOf: UnsafeBufferPointer(start: group.places, count: group.placeCount).map(\.piece),
      at: 0)
    pendingCount += group.count
    pendingLength += group.length
  }
}
