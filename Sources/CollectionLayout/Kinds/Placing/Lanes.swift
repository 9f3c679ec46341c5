/// How far down the columns of a waterfall are filled, and which column comes next.
///
///     tree      the lowest of all │ of each half │ of each quarter │ … │ each column's running y
struct Lanes: ~Copyable {
  private let trackCount: Int
  private let placement: WaterfallLayout.Placement
  /// A place may be this much below the lowest, in whole steps.
  private let slack: Double
  /// The number of leaves of the tree, a power of two. The leaves beyond the columns are infinite.
  private let leaves: Int
  /// The parent of node *i* is *i* / 2; it is the lower of its children. The root is node 1.
  private let tree: UnsafeMutablePointer<Double>
  /// For round robin the column behind the item before; for lanes the cursor.
  private var next = 0
  /// For places over several columns: their tops.
  private let tops: UnsafeMutablePointer<Double>

  init(trackCount: Int, placement: WaterfallLayout.Placement, tolerance: Double?) {
    self.trackCount = trackCount
    self.placement = placement
    // Tops are whole steps. The largest difference that is allowed is, too: so sums are exact.
    switch placement {
    case .roundRobin: slack = 0
    case .shortestColumn: slack = max(0, (((tolerance ?? 1) * 1024).rounded(.up) - 1) / 1024)
    case .lanes: slack = ((tolerance ?? 16) * 1024).rounded(.down) / 1024
    }
    leaves = trackCount == 1 ? 1 : 1 << (Int.bitWidth - (trackCount - 1).leadingZeroBitCount)
    tree = .allocate(capacity: 2 * leaves)
    tree.initialize(repeating: 0, count: 2 * leaves)
    tops = .allocate(capacity: trackCount)
    for leaf in trackCount..<max(leaves, trackCount) { tree[leaves + leaf] = .infinity }
    for node in stride(from: leaves - 1, to: 0, by: -1) { update(node) }
  }

  deinit {
    tree.deallocate()
    tops.deallocate()
  }

  /// The largest running y.
  var highest: Double {
    (0..<trackCount).reduce(0) { max($0, tree[leaves + $1]) }
  }

  @inline(__always)
  private func update(_ node: Int) {
    tree[node] = min(tree[2 &* node], tree[2 &* node &+ 1])
  }

  /// Finds the place of an item and moves the next column on.
  ///
  /// - Parameters:
  ///   - span: How many columns the item covers.
  ///   - column: The first of them, if the item has one.
  /// - Returns: The first column, and the top of the place.
  @inline(__always)
  mutating func place(_ span: Int, at column: Int?) -> (column: Int, top: Double) {
    if let column { return (column, top(of: column, span)) }
    switch placement {
    case .roundRobin:
      let column = next + span > trackCount ? 0 : next
      goOn(behind: column..<column + span)
      return (column, top(of: column, span))
    case .shortestColumn:
      return span == 1
        ? leaf(upTo: lowest + slack, from: 0)! : widePlace(span, from: 0)
    case .lanes:
      let place: (column: Int, top: Double)
      if span == 1 {
        let bound = lowest + slack
        place = leaf(upTo: bound, from: next) ?? leaf(upTo: bound, from: 0)!
      } else {
        place = widePlace(span, from: next)
      }
      goOn(behind: place.column..<place.column + span)
      return place
    }
  }

  /// Moves the next column on, behind those of an item.
  @inline(__always)
  mutating func goOn(behind columns: Range<Int>) {
    next = columns.upperBound
    if placement == .lanes, next >= trackCount { next -= trackCount }
  }

  /// With few columns, all are looked at; that is faster than the tree.
  private var isNarrow: Bool { trackCount <= 12 }

  @inline(__always)
  private var lowest: Double {
    guard isNarrow else { return tree[1] }
    let ends = tree + leaves
    var lowest = ends[0]
    for column in 1..<max(trackCount, 1) { lowest = ends[column] < lowest ? ends[column] : lowest }
    return lowest
  }

  /// Sets the running y of some columns.
  @inline(__always)
  mutating func fill(_ columns: Range<Int>, to y: Double) {
    for column in columns { tree[leaves + column] = y }
    guard !isNarrow, placement != .roundRobin else { return }
    var (first, last) = ((leaves + columns.lowerBound) / 2, (leaves + columns.upperBound - 1) / 2)
    while first > 0 {
      for node in first...last { update(node) }
      (first, last) = (first / 2, last / 2)
    }
  }

  @inline(__always)
  private func top(of column: Int, _ span: Int) -> Double {
    var top = tree[leaves &+ column]
    if span == 1 { return top }
    for other in column + 1..<max(column + span, column + 1) {
      top = max(top, tree[leaves + other])
    }
    return top
  }

  /// The first column from one on whose running y is at most `bound`.
  @inline(__always)
  private func leaf(upTo bound: Double, from first: Int) -> (column: Int, top: Double)? {
    guard first < trackCount else { return nil }
    if isNarrow {
      for column in first..<trackCount where tree[leaves + column] <= bound {
        return (column, tree[leaves + column])
      }
      return nil
    }
    var node = leaves + first
    // Upwards, to the first subtree to the right that has such a column.
    while !(tree[node] <= bound) {
      while node & 1 == 1 { node >>= 1 }
      if node == 0 { return nil }
      node += 1
    }
    while node < leaves {
      node *= 2
      if !(tree[node] <= bound) { node += 1 }
    }
    return (node - leaves, tree[node])
  }

  /// The place over several columns: the first from a column on, or else the first, whose top is
  /// low enough.
  ///
  /// - Complexity: O(*c* · log *s*) for *c* columns and a span *s*.
  private func widePlace(_ span: Int, from first: Int) -> (column: Int, top: Double) {
    // The highest of so many columns from each on. The processor does several in one step.
    tops.update(from: tree + leaves, count: trackCount)
    var (length, count) = (1, trackCount)
    while length < span {
      let further = min(length, span - length)
      count -= further
      for column in 0..<count { tops[column] = max(tops[column], tops[column + further]) }
      length += further
    }
    var lowest = tops[0]
    for column in 1..<max(count, 1) { lowest = min(lowest, tops[column]) }
    let bound = lowest + slack
    let columns = UnsafeBufferPointer(start: tops, count: count)
    let column =
      (first < count ? columns[first...].firstIndex { $0 <= bound } : nil)
      ?? columns.firstIndex { $0 <= bound } ?? 0
    return (column, tops[column])
  }
}
