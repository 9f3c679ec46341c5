/// A run of elements in a ``PieceRope``. It never changes.
protocol RopePiece: Sendable {
  /// How many elements it has, > 0.
  var count: Int { get }
  /// How long they are together, ≥ 0. Sums of lengths must be exact.
  var length: Double { get }
  var memoryBytes: Int { get }

  /// Whether both certainly are one.
  func isSame(as other: Self) -> Bool
  /// Some of the elements.
  func slice(_ range: Range<Int>) -> Self
  /// This piece and the one behind it as one; `nil` if they are better kept apart.
  func joined(with next: Self) -> Self?
}

/// Elements in pieces, and the pieces in groups.
///
///     groups   [ piece piece … piece ] [ piece piece … ] …
///
/// A place counts from the start of what it is in: an element from its piece, a piece from its
/// group. So pieces and groups stay the same wherever they stand, and versions share them. A change
/// of one piece makes a new piece, its group, and the list of the groups.
struct PieceRope<Piece: RopePiece>: Sendable {
  /// A piece, and where it stands in its group.
  struct Place {
    var first: Int
    var top: Double
    var piece: Piece
  }

  /// `@unchecked Sendable`: the places are written once, before the group is shared.
  final class Group: @unchecked Sendable {
    let places: UnsafePointer<Place>
    let placeCount: Int
    let count: Int
    let length: Double
    let memoryBytes: Int

    init(_ pieces: ArraySlice<Piece>) {
      let places = UnsafeMutablePointer<Place>.allocate(capacity: pieces.count)
      var (count, length) = (0, 0.0)
      var bytes = 80 + pieces.count * MemoryLayout<Place>.stride
      for (index, piece) in pieces.enumerated() {
        (places + index).initialize(to: Place(first: count, top: length, piece: piece))
        count += piece.count
        length += piece.length
        bytes += piece.memoryBytes
      }
      self.places = UnsafePointer(places)
      placeCount = pieces.count
      (self.count, self.length, memoryBytes) = (count, length, bytes)
    }

    deinit {
      let places = UnsafeMutablePointer(mutating: places)
      places.deinitialize(count: placeCount)
      places.deallocate()
    }
  }

  /// A group, read without counting references.
  ///
  /// `@unchecked Sendable`: as the group, which is held beside.
  struct Node: @unchecked Sendable {
    var first: Int
    var top: Double
    let places: UnsafePointer<Place>
    let placeCount: Int
  }

  var groups: [Group] = []
  var nodes: [Node] = []
  /// The number of elements.
  var count = 0
  /// The length of all elements together.
  var length = 0.0
  var memoryBytes = 64

  init() {}

  /// A rope of one piece.
  init(_ piece: Piece) {
    var builder = PieceRopeBuilder<Piece>()
    builder.append(piece)
    self = builder.finish()
  }

  var isEmpty: Bool { count == 0 }

  /// Whether both certainly are one. It is quick, and may be false for equal ones.
  func isSame(as other: PieceRope) -> Bool {
    count == other.count
      && groups.withUnsafeBufferPointer { own in
        other.groups.withUnsafeBufferPointer {
          $0.count == own.count && (own.isEmpty || $0.baseAddress == own.baseAddress)
        }
      }
  }

  /// The index of a node, and of the piece in it.
  struct Position: Equatable {
    var node: Int
    var place: Int
  }

  /// The position of the piece that has an element.
  ///
  /// - Parameter element: From 0 to `count` − 1.
  /// - Complexity: O(log *p*) for *p* pieces; O(1) if they are of equal size.
  @inline(__always)
  func position(of element: Int) -> Position {
    let guess = Int(Double(element) / Double(count) * Double(nodes.count))
    let node =
      partitionPoint(in: 1..<nodes.count, near: guess) { nodes[$0].first <= element } - 1
    let places = nodes[node].places
    let placeCount = nodes[node].placeCount
    let rest = element - nodes[node].first
    let size = (node + 1 < nodes.count ? nodes[node + 1].first : count) - nodes[node].first
    let near = Int(Double(rest) / Double(size) * Double(placeCount))
    let place = partitionPoint(in: 1..<placeCount, near: near) { places[$0].first <= rest } - 1
    return Position(node: node, place: place)
  }

  /// The position of the last piece whose top is above `y`; the first if there is none.
  ///
  /// - Precondition: There are elements.
  @inline(__always)
  func position(above y: Double) -> Position {
    let guess = Int(clamping: y / length * Double(nodes.count))
    let node = partitionPoint(in: 1..<nodes.count, near: guess) { nodes[$0].top < y } - 1
    let places = nodes[node].places
    let rest = y - nodes[node].top
    let size = (node + 1 < nodes.count ? nodes[node + 1].top : length) - nodes[node].top
    let near = Int(clamping: rest / size * Double(nodes[node].placeCount))
    let place =
      partitionPoint(in: 1..<nodes[node].placeCount, near: near) { places[$0].top < rest } - 1
    return Position(node: node, place: place)
  }

  /// The first element of a piece.
  @inline(__always)
  func first(of position: Position) -> Int {
    nodes[position.node].first + nodes[position.node].places[position.place].first
  }

  /// The length of all that is before a piece.
  @inline(__always)
  func top(of position: Position) -> Double {
    nodes[position.node].top + nodes[position.node].places[position.place].top
  }

  func piece(at position: Position) -> Piece {
    nodes[position.node].places[position.place].piece
  }

  /// Calls `body` with a piece, without counting a reference.
  @inline(__always)
  func withPiece<R>(at position: Position, _ body: (borrowing Piece) -> R) -> R {
    body(nodes[position.node].places[position.place].piece)
  }

  /// The piece that has an element, and its elements.
  func piece(of element: Int) -> (piece: Piece, elements: Range<Int>) {
    let position = position(of: element)
    let (piece, first) = (piece(at: position), first(of: position))
    return (piece, first..<first + piece.count)
  }

  /// The position of the piece behind another one, if there is one.
  @inline(__always)
  func position(after position: Position) -> Position? {
    if position.place + 1 < nodes[position.node].placeCount {
      return Position(node: position.node, place: position.place + 1)
    }
    return position.node + 1 < nodes.count ? Position(node: position.node + 1, place: 0) : nil
  }

  /// Calls `body` with ranges that together have all elements in which two ropes may differ, in
  /// ascending order. Elements that only one of them has differ.
  ///
  /// - Complexity: O(*g* + *d*) for *g* groups, and *d* pieces in groups that differ.
  func forEachDifference(from other: PieceRope, _ body: (Range<Int>) -> Void) {
    guard !isSame(as: other) else { return }
    let start = Position(node: 0, place: 0)
    var mine = isEmpty ? nil : start
    var theirs = other.isEmpty ? nil : start
    var element = 0
    while let own = mine, let its = theirs {
      let (first, otherFirst) = (first(of: own), other.first(of: its))
      let isAligned = first == element && otherFirst == element
      if isAligned, own.place == 0, its.place == 0, groups[own.node] === other.groups[its.node] {
        element += groups[own.node].count
        mine = own.node + 1 < nodes.count ? Position(node: own.node + 1, place: 0) : nil
        theirs = its.node + 1 < other.nodes.count ? Position(node: its.node + 1, place: 0) : nil
        continue
      }
      let end = first + withPiece(at: own) { $0.count }
      let otherEnd = otherFirst + other.withPiece(at: its) { $0.count }
      let common = min(end, otherEnd)
      if !isAligned || !piece(at: own).isSame(as: other.piece(at: its)) { body(element..<common) }
      element = common
      if end == common { mine = position(after: own) }
      if otherEnd == common { theirs = other.position(after: its) }
    }
    if element < max(count, other.count) { body(element..<max(count, other.count)) }
  }

  /// Bytes held that another rope does not hold. It may be more than that, but not less.
  ///
  /// - Complexity: O(*g* + *d*) for *g* groups, and *d* pieces in groups that differ.
  func memoryBytes(besides other: PieceRope) -> Int {
    var (start, end) = (0, 0)
    let common = min(groups.count, other.groups.count)
    while start < common, groups[start] === other.groups[start] { start += 1 }
    while end < common - start,
      groups[groups.count - 1 - end] === other.groups[other.groups.count - 1 - end]
    { end += 1 }
    var bytes = 64 + groups.count * (MemoryLayout<Node>.stride + 8)
    let others = other.nodes[start..<other.nodes.count - end]
    for (offset, node) in nodes[start..<nodes.count - end].enumerated() {
      let index = start + offset
      guard offset < others.count else {
        bytes += groups[index].memoryBytes
        continue
      }
      let twin = others[others.startIndex + offset]
      guard node.places != twin.places else { continue }
      bytes += 80 + node.placeCount * MemoryLayout<Place>.stride
      // Most pieces are where they were: at the start of the group, or at its end.
      let shift = twin.placeCount - node.placeCount
      for place in 0..<node.placeCount {
        let isShared = [place, place + shift].contains {
          (0..<twin.placeCount).contains($0)
            && node.places[place].piece.isSame(as: twin.places[$0].piece)
        }
        if !isShared { bytes += node.places[place].piece.memoryBytes }
      }
    }
    return bytes
  }
}
