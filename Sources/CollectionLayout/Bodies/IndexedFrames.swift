/// Frames by item number and by place, of which a few may change cheaply.
///
/// A tree over a base of frames is shared by all values that came from one another by changes; what
/// has changed since lies in a list beside it. Pieces say which item is where; the base's pieces
/// stay in order, so that the item of a base frame can be searched, too.
///
///     base     a b c d e f g
///     added    X Y Z
///     pieces   base 0…2, added 0…2, base 5…6        items   a b c X Y Z f g
///
/// Thus neither a change nor the shift of the numbers behind it touches the tree. It is built anew
/// when added frames and pieces are more than 1,024 together: every query looks through them all,
/// which must not take much longer than the tree does, and a share of a million frames would; yet
/// many changes pay together for one new tree. Added frames that have gone take no place, so that
/// one item may be moved as often as one likes. A base of which more than half has gone is given
/// up, too.
struct IndexedFrames: Sendable {
  private struct Piece {
    /// The number of its first item.
    var firstItem: Int
    /// Where its frames lie, in the base or among those added.
    var frames: Range<Int>
    var isAdded: Bool
  }

  private let base: [Rect]
  private let tree: PackedRTree
  private var added: [Rect] = []
  private var pieces: [Piece] = []
  private(set) var count = 0
  /// The largest y + height of all frames; nil without frames.
  private(set) var maxY: Double?

  private static let mostUnsorted = 1_024

  /// - Complexity: O(*n*).
  init(_ frames: [Rect]) {
    base = frames
    tree = frames.withUnsafeBufferPointer { frames in
      PackedRTree(count: frames.count) { frames[$0] }
    }
    append(frames.indices, isAdded: false)
    maxY = greatestMaxY()
  }

  private init(sharing other: IndexedFrames) {
    base = other.base
    tree = other.tree
  }

  var memoryBytes: Int {
    (base.count + added.count) * 32 + tree.memoryBytes + pieces.count * 32 + 128
  }

  /// Holds all frames, and perhaps some that have gone; nil without frames.
  ///
  /// - Complexity: O(*k*) for *k* frames that were added.
  var bounds: Rect? {
    added.reduce(tree.bounds) { bounds, frame in
      guard let bounds else { return frame }
      let x = min(bounds.origin.x, frame.origin.x)
      let y = min(bounds.origin.y, frame.origin.y)
      return Rect(
        x: x, y: y, width: (max(bounds.maxX, frame.maxX) - x).nextUp,
        height: (max(bounds.maxY, frame.maxY) - y).nextUp)
    }
  }

  /// The frame of an item.
  ///
  /// - Complexity: O(log *p*) for *p* pieces.
  subscript(item: Int) -> Rect {
    let piece = pieces[partitionPoint(in: 0..<pieces.count) { pieces[$0].firstItem <= item } - 1]
    let index = piece.frames.lowerBound + item - piece.firstItem
    return piece.isAdded ? added[index] : base[index]
  }

  /// Calls `body` with every item whose frame touches a rectangle, and with some that only nearly
  /// do; edges count as touching, and the items come in no order. It ends when `body` returns
  /// false.
  ///
  /// - Returns: Whether `body` always returned true.
  @inline(__always)
  func visitCandidates(in rect: Rect, _ body: (Int) -> Bool) -> Bool {
    if added.isEmpty, pieces.count == 1, base.count == count {
      return tree.visitCandidates(in: rect, body)
    }
    let basePieces = pieces.filter { !$0.isAdded }
    let isWhole = tree.visitCandidates(in: rect) { index in
      let next = partitionPoint(in: 0..<basePieces.count) {
        basePieces[$0].frames.lowerBound <= index
      }
      guard next > 0, case let piece = basePieces[next - 1], piece.frames.contains(index) else {
        return true
      }
      return body(piece.firstItem + index - piece.frames.lowerBound)
    }
    guard isWhole else { return false }
    let reach = Reach(of: rect)
    for piece in pieces where piece.isAdded {
      for index in piece.frames where Reach(of: added[index]).touches(reach) {
        guard body(piece.firstItem + index - piece.frames.lowerBound) else { return false }
      }
    }
    return true
  }

  /// These frames with those of some items replaced by others; the items behind keep their frames
  /// and get other numbers if there are more or fewer.
  ///
  /// - Complexity: O(*k* + 1,024) for *k* frames that go or come; O(*n*) when the tree is built
  ///   anew, about once in 1,024 frames that come, and when a frame that reached lowest goes.
  func replacing(_ items: Range<Int>, with frames: [Rect]) -> IndexedFrames {
    precondition(
      items.lowerBound >= 0 && items.upperBound <= count, "items \(items) are not all of \(count)")
    var changed = IndexedFrames(sharing: self)
    changed.append(0..<items.lowerBound, of: self)
    let start = changed.added.count
    changed.added += frames
    changed.append(start..<changed.added.count, isAdded: true)
    changed.append(items.upperBound..<count, of: self)
    guard changed.added.count + changed.pieces.count <= Self.mostUnsorted,
      base.count <= 2 * changed.count + Self.mostUnsorted
    else {
      return IndexedFrames(changed.allFrames())
    }
    let isFarthestGone = items.contains { self[$0].maxY == maxY }
    changed.maxY =
      isFarthestGone
      ? changed.greatestMaxY() : frames.reduce(maxY) { max($0 ?? $1.maxY, $1.maxY) }
    return changed
  }

  private mutating func append(_ frames: Range<Int>, isAdded: Bool) {
    guard !frames.isEmpty else { return }
    if let last = pieces.last, last.isAdded == isAdded,
      last.frames.upperBound == frames.lowerBound
    {
      pieces[pieces.count - 1].frames = last.frames.lowerBound..<frames.upperBound
    } else {
      pieces.append(Piece(firstItem: count, frames: frames, isAdded: isAdded))
    }
    count += frames.count
  }

  /// Appends some items of another value that has the same base.
  private mutating func append(_ items: Range<Int>, of other: IndexedFrames) {
    for piece in other.pieces {
      let offset = piece.frames.lowerBound - piece.firstItem
      let wanted = items.lowerBound + offset..<items.upperBound + offset
      let frames = wanted.clamped(to: piece.frames)
      if piece.isAdded {
        let start = added.count
        added += other.added[frames]
        append(start..<added.count, isAdded: true)
      } else {
        append(frames, isAdded: false)
      }
    }
  }

  private func allFrames() -> [Rect] {
    var frames: [Rect] = []
    frames.reserveCapacity(count)
    for piece in pieces { frames += (piece.isAdded ? added : base)[piece.frames] }
    return frames
  }

  private func greatestMaxY() -> Double? {
    var greatest: Double?
    for piece in pieces {
      for frame in (piece.isAdded ? added : base)[piece.frames] {
        greatest = max(greatest ?? frame.maxY, frame.maxY)
      }
    }
    return greatest
  }
}
