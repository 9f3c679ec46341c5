/// Texts are looked for in all items, hidden ones included. Each has a *place*: how many come
/// before it in the order of the layout. It is the ordinal, where nothing is folded.
extension PreparedCollection {
  /// How many places there are.
  public var placeCount: Int {
    switch content {
    case .sections(let stack): stack.itemStarts[stack.sections.count]
    case .forest(let forest): forest.forest.count
    }
  }

  /// Whether items are stored in another order than that of places.
  public var isStoredInOtherOrder: Bool {
    if case .forest(let forest) = content { forest.followsWalk } else { false }
  }

  /// The place of an item by how many are stored before it.
  public func place(ofStored stored: Int) -> Int {
    guard case .forest(let forest) = content, forest.followsWalk else { return stored }
    return forest.forest.walk.rank(of: stored)
  }

  /// The contrary of ``place(ofStored:)``.
  public func stored(atPlace place: Int) -> Int {
    guard case .forest(let forest) = content, forest.followsWalk else { return place }
    return forest.forest.walk.node(at: place)
  }

  /// The place of an item that is there.
  public func place(ofItemAt path: IndexPath) -> Int {
    switch content {
    case .sections(let stack): stack.itemStarts[path.section] + path.item
    case .forest(let forest): place(ofStored: forest.forest.depthStarts[path.section] + path.item)
    }
  }

  /// The index path of the item at a place that is there.
  public func indexPath(ofPlace place: Int) -> IndexPath {
    switch content {
    case .sections(let stack): SectionStack.indexPath(of: place, in: stack.itemStarts)
    case .forest(let forest): forest.forest.indexPath(of: stored(atPlace: place))
    }
  }

  /// Calls `body` with the texts of items in the order in which they are stored, until it returns
  /// false. Those that are stored side by side come together.
  ///
  /// - Parameters:
  ///   - stored: Which items.
  ///   - body: Gets which item the first is, the columns of the texts, and the items' places in
  ///     these.
  /// - Complexity: O(log *b*) for each call, for *b* blocks of items.
  public func forEachTexts(
    ofStored stored: Range<Int>, _ body: (_ first: Int, ItemTexts, Range<Int>) -> Bool
  ) {
    func visit(_ items: Items, _ range: Range<Int>, _ start: Int) -> Bool {
      var item = range.lowerBound
      while item < range.upperBound {
        let (storage, index, end) = items.run(from: item)
        let count = min(end, range.upperBound) - item
        if let texts = storage?.texts, !body(start + item, texts, index..<index + count) {
          return false
        }
        item += count
      }
      return true
    }
    switch content {
    case .sections(let stack): stack.forEachSection(of: stored, in: stack.itemStarts, visit)
    case .forest(let forest): _ = visit(forest.forest.items, stored, 0)
    }
  }

  /// The frame of a cell; `nil` if there is none.
  public func frame(ofCellAt path: IndexPath) -> Rect? {
    prepared.series.firstIndex(of: .cells).flatMap { prepared.attributes(of: $0, at: path)?.frame }
  }

  /// The frame of what something is folded in: of a section without a header, of the section.
  public func frame(of cover: Cover) -> Rect? {
    switch cover {
    case .node(let path, _): frame(ofCellAt: path)
    case .section(let index, _):
      content.stack.flatMap {
        $0.part(SectionStack.header, ofSection: index)?.frame
          ?? $0.frames(ofSection: index).section
      }
    }
  }

  /// Equal stretches of the content's length, for marks beside a scroll bar.
  public struct Stretches: Sendable {
    private let whole: Rect
    private let count: Int
    private let isHorizontal: Bool
    private let isMirrored: Bool

    private var length: Double { isHorizontal ? whole.size.width : whole.size.height }

    /// - Parameter count: ≥ 1.
    public init(of collection: PreparedCollection, count: Int) {
      let metrics = collection.content.stack?.metrics
      whole = collection.prepared.contentFrame
      self.count = count
      isHorizontal = metrics?.isHorizontal ?? false
      isMirrored = isHorizontal && metrics?.isRightToLeft ?? false
    }

    /// The stretch of a frame's leading edge; what is outside is in the first or last one.
    public func index(of frame: Rect) -> Int {
      let distance =
        isMirrored
        ? whole.maxX - frame.maxX
        : isHorizontal ? frame.origin.x - whole.origin.x : frame.origin.y - whole.origin.y
      let stretch = length > 0 ? distance / length * Double(count) : 0
      return Int(min(max(stretch, 0), Double(count - 1)))
    }

    /// Where a stretch begins, in the order of reading.
    public func start(of index: Int) -> Double {
      let distance = length * Double(index) / Double(count)
      return isMirrored
        ? whole.maxX - distance
        : (isHorizontal ? whole.origin.x : whole.origin.y) + distance
    }
  }

  /// The frame by which a cell counts for marks: its own, or in a section that scrolls sideways
  /// that of the section's body.
  public func markedFrame(ofCellAt path: IndexPath) -> Rect? {
    if let cover = cover(ofItemAt: path) { return frame(of: cover) }
    guard let stack = content.stack, stack.sections[path.section].style.orthogonalHeight != nil
    else { return frame(ofCellAt: path) }
    return stack.frames(ofSection: path.section).body
  }
}
