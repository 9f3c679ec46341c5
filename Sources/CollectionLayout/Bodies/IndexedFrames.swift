/// Frames that are found by item number and by place. A change of a few frames is cheap.
///
/// Many values share one base: an array of frames with a tree over it. Each value adds a list of
/// the frames that were added since. Its pieces say which item has which frame. The pieces of the
/// base stay in order, so the item of a base frame can be found by binary search.
///
///     base     a b c d e f g
///     added    X Y Z
///     pieces   base 0…2, added 0…2, base 5…6        items   a b c X Y Z f g
///
/// So a change never touches the tree, even if it shifts the numbers of all later items. The tree
/// is built anew in two cases. The first is that there are more than 1,024 added frames and pieces
/// together: every query goes through all of them, so there must be few. But there must be enough
/// that many changes share the cost of one new tree. Added frames that were replaced do not count,
/// so one item can be moved any number of times. The second case is that more than half of the base
/// is gone.
struct IndexedFrames: Sendable {
  private struct Piece {
    /// The number of the piece's first item.
    var firstItem: Int
    /// The range of the piece's frames, in the base or in the list of added frames.
    var frames: Range<Int>
    var isAdded: Bool
  }

  private let base: [Rect]
  private let tree: PackedRTree
  private var added: [Rect] = []
  private var pieces: [Piece] = []
  private(set) var count = 0
  private var right = Farthest()
  private var bottom = Farthest()

  private static let mostUnsorted = 1_024

  /// - Complexity: O(*n*).
  init(_ frames: [Rect]) {
    base = frames
    tree = frames.withUnsafeBufferPointer { frames in
      PackedRTree(count: frames.count) { frames[$0] }
    }
    append(frames.indices, isAdded: false)
    findFarthest()
  }

  private init(sharing other: IndexedFrames) {
    base = other.base
    tree = other.tree
  }

  var memoryBytes: Int {
    (base.count + added.count) * 32 + tree.memoryBytes + pieces.count * 32 + 128
  }

  /// A rect that holds all frames, and perhaps frames that are gone; `nil` without frames.
  ///
  /// - Complexity: O(*k*) for *k* frames that were added.
  var bounds: Rect? {
    var extent = Extent()
    for frame in added { extent.include(frame) }
    if let bounds = tree.bounds { extent.include(bounds) }
    return extent.isEmpty ? nil : extent.rect
  }

  /// The frame of an item.
  ///
  /// - Complexity: O(log *p*) for *p* pieces.
  subscript(item: Int) -> Rect {
    let piece = pieces[partitionPoint(in: 0..<pieces.count) { pieces[$0].firstItem <= item } - 1]
    let index = piece.frames.lowerBound + item - piece.firstItem
    return piece.isAdded ? added[index] : base[index]
  }

  /// Calls `body` with every item whose frame touches a rectangle, and with some that nearly touch
  /// it, until `body` returns false. A common edge counts as touching. The items come in no order.
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

  /// These frames after a replacement. The items behind the range keep their frames. They get other
  /// numbers if there are more or fewer frames than before.
  ///
  /// - Complexity: O(*k* + 1,024) for *k* frames that go or come. It is O(*n*) if the tree is built
  ///   anew, about once in 1,024 added frames, and if the last frame goes that reached
  ///   lowest or furthest to the right.
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
    (changed.right, changed.bottom) = (right, bottom)
    for item in items {
      changed.right.remove(self[item].maxX)
      changed.bottom.remove(self[item].maxY)
    }
    for frame in frames {
      changed.right.add(frame.maxX)
      changed.bottom.add(frame.maxY)
    }
    if changed.right.count == 0 || changed.bottom.count == 0 { changed.findFarthest() }
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

  /// Appends a range of items of another value that has the same base.
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

  private mutating func findFarthest() {
    (right, bottom) = (Farthest(), Farthest())
    for piece in pieces {
      for frame in (piece.isAdded ? added : base)[piece.frames] {
        right.add(frame.maxX)
        bottom.add(frame.maxY)
      }
    }
  }

  /// The largest x + width and the largest y + height of all frames; `nil` without frames.
  var far: Point? { count == 0 ? nil : Point(x: right.edge, y: bottom.edge) }

  /// The farthest of many edges, and how many are as far. So it is known when the last of them
  /// goes.
  private struct Farthest {
    private(set) var edge = -Double.infinity
    private(set) var count = 0

    mutating func add(_ other: Double) {
      if other > edge {
        (edge, count) = (other, 1)
      } else if other == edge {
        count += 1
      }
    }

    mutating func remove(_ other: Double) {
      if other == edge { count -= 1 }
    }
  }
}
