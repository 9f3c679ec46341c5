extension PreparedCollection {
  /// Calls `body` with the texts of cells, in the order of ordinals, until it returns false. Cells
  /// whose items are stored side by side come together.
  ///
  /// - Parameters:
  ///   - ordinals: Of cells that are there.
  ///   - body: Gets the ordinal of the first cell, the columns of the texts, and the cells' places
  ///     in these.
  /// - Complexity: O(log *b*) for each call, for *b* blocks of items.
  public func forEachTexts(
    inOrdinals ordinals: Range<Int>, _ body: (_ first: Int, ItemTexts, Range<Int>) -> Bool
  ) {
    content.stack?.forEachSection(inOrdinals: ordinals) { items, range, start in
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
  }

  /// The index path of a cell.
  public func indexPath(ofOrdinal ordinal: Int) -> IndexPath? {
    content.stack?.indexPath(ofOrdinal: ordinal)
  }

  /// The frame of a cell; `nil` if there is none.
  public func frame(ofCellAt path: IndexPath) -> Rect? {
    prepared.series.firstIndex(of: .cells).flatMap { prepared.attributes(of: $0, at: path)?.frame }
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
    guard let stack = content.stack, stack.sections[path.section].style.orthogonalHeight != nil
    else { return frame(ofCellAt: path) }
    return stack.frames(ofSection: path.section).body
  }
}
