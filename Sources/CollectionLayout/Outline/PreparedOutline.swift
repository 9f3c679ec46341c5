/// A prepared outline: rows, without those that folds hide.
///
/// What is hidden is ranges of the walk. So the y of a row is that where nothing is folded, less
/// the heights of what is hidden before it.
final class PreparedOutline: PreparedForest {
  let forest: Forest
  let folds: Folds
  let rows: OutlineRows
  let ranks: HiddenRanks
  /// The heights of what is hidden before each folded row, and last of all.
  private let hiddenHeights: [Double]
  let contentSize: Size
  let counts: ElementCounts
  let placement: Placement

  let series = [ElementSeries.cells]
  let followsWalk = true

  var layout: OutlineLayout { rows.layout }
  private var walk: ForestWalk { rows.walk }

  /// - Parameter folds: Fitted to the forest.
  /// - Complexity: O(*m* + *s*) for *m* folds and the depths of *s* rows.
  init(_ forest: Forest, _ folds: Folds, _ rows: OutlineRows) throws(LayoutError) {
    let layout = rows.layout
    self.forest = forest
    self.folds = folds
    self.rows = rows
    let ranks = HiddenRanks(forest, folds)
    self.ranks = ranks
    var heights = [0.0]
    heights.reserveCapacity(ranks.folded.count + 1)
    for rank in ranks.folded {
      let rank = Int(rank)
      heights.append(
        heights[heights.count - 1] + rows.top(of: ranks.walk.end(of: rank))
          - rows.top(of: rank + 1))
    }
    hiddenHeights = heights
    var deepest = Int32(-1)
    if ranks.isEmpty {
      deepest = Int32(forest.depthCount - 1)
    } else {
      ranks.walk.depths.withUnsafeBufferPointer { depths in
        ranks.forEachShownRange { for rank in $0 { deepest = max(deepest, depths[rank]) } }
      }
    }
    let count = forest.count
    counts = ElementCounts(
      sections: Int(deepest) + 1, cells: ranks.shownCount, supplementary: 0, decorations: 0)
    let depths = max(1, forest.depthCount)
    let width = max(
      layout.width,
      (layout.insets.left + Double(depths - 1) * layout.indent + layout.minimumRowWidth)
        + layout.insets.right)
    let bottom =
      count == 0
      ? layout.insets.top : rows.bottom(of: count - 1) - heights[heights.count - 1]
    contentSize = Size(width: width, height: bottom + layout.insets.bottom)
    guard rows.top(of: count) + layout.insets.bottom <= LengthStep.limit, width.isReachable else {
      throw .contentTooLarge
    }
    var placement = Placement()
    if layout.layoutDirection == .rightToLeft { placement.mirrorWidth = width }
    self.placement = placement
  }

  var hidden: HiddenRanks? { ranks }
  var hasPinnedElements: Bool { layout.pinAncestors > 0 }
  var longestCardText: Int { rows.longestText }
  var memoryBytes: Int { rows.memoryBytes + ownBytes }
  private var ownBytes: Int {
    ranks.memoryBytes + hiddenHeights.count * 8 + folds.memoryBytes + 512
  }

  func unsharedBytes(besides other: any PreparedForest) -> Int {
    if self === other { return 0 }
    return (other as? PreparedOutline)?.rows === rows ? ownBytes : memoryBytes
  }

  func isLaidOut(like other: any PreparedForest) -> Bool {
    (other as? PreparedOutline)?.layout == layout
  }

  // MARK: Rows

  /// - Parameter index: How many folded rows come before the rank, which is shown.
  private func y(of rank: Int, _ index: Int) -> Double { rows.top(of: rank) - hiddenHeights[index] }

  private func frame(of rank: Int, _ index: Int) -> Rect {
    let depth = Int(walk.depths[rank])
    return placement.frame(
      Rect(
        x: layout.x(atDepth: depth), y: y(of: rank, index),
        width: layout.rowWidth(atDepth: depth), height: rows.height(of: rank)))
  }

  /// The row of a shown rank.
  func row(_ rank: Int) -> PlacedElement { row(rank, ranks.index(of: rank)) }

  private func row(_ rank: Int, _ index: Int) -> PlacedElement {
    let (node, depth) = (walk.node(at: rank), Int(walk.depths[rank]))
    let isFolded = ranks.isFolded(rank, at: index)
    let end = walk.end(of: rank)
    let children = isFolded ? nil : children(of: node, atDepth: depth)
    var range: PinRange?
    if children != nil, Double(depth) < layout.pinAncestors {
      let last = ranks.cover(of: end - 1) ?? end - 1
      let low = y(of: rank, index)
      let bottom = rows.bottom(of: last) - hiddenHeights[ranks.index(of: last)]
      range = PinRange(
        from: low, to: max(low, bottom - rows.height(of: rank)), offset: pinOffset(of: node))
    }
    return PlacedElement(
      indexPath: IndexPath(section: depth, item: node - forest.depthStarts[depth]),
      frame: frame(of: rank, index), children: children, pinRange: range,
      hidden: isFolded ? end - rank - 1 : nil)
  }

  /// The heights of the ancestors, which are pinned if the node is.
  private func pinOffset(of node: Int) -> Double {
    var (offset, node) = (0.0, node)
    while let parent = forest.parent(of: node) {
      offset += rows.height(of: walk.rank(of: parent))
      node = parent
    }
    return offset
  }

  /// The ranks of the ancestors of a shown rank that are pinned, from the root on.
  ///
  /// - Complexity: O(log *n*) for each.
  private func pinnedAncestors(of rank: Int) -> [Int] {
    (0..<min(Int(layout.pinAncestors), Int(walk.depths[rank]))).map { depth in
      let nodes = forest.nodes(atDepth: depth)
      return walk.rank(of: partitionPoint(in: nodes) { walk.rank(of: $0) <= rank } - 1)
    }
  }

  func sweptFrame(of attributes: LayoutAttributes) -> Rect {
    swept(attributes.frame, attributes.pinRange)
  }

  private func swept(_ frame: Rect, _ range: PinRange?) -> Rect {
    guard let range else { return frame }
    return Rect(
      x: frame.origin.x, y: range.from, width: frame.size.width,
      height: range.to - range.from + frame.size.height)
  }

  // MARK: Queries

  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink
  ) {
    guard let first = forest.node(at: start).map({ walk.rank(of: $0) }) else { return }
    let (top, bottom) = (rect.origin.y, rect.maxY)
    let folded = ranks.folded
    var index = partitionPoint(in: 0..<folded.count) {
      rows.bottom(of: Int(folded[$0])) - hiddenHeights[$0] < top
    }
    let after = index == 0 ? 0 : walk.end(of: Int(folded[index - 1]))
    let last = index < folded.count ? Int(folded[index]) : walk.count
    var rank = partitionPoint(in: after..<last) {
      rows.bottom(of: $0) - hiddenHeights[index] < top
    }
    if rank < walk.count {
      for ancestor in pinnedAncestors(of: rank) where ancestor >= first {
        guard offer(ancestor, ranks.index(of: ancestor), to: &sink) else { return }
      }
    }
    if rank < first {
      rank = ranks.cover(of: first) ?? first
      index = ranks.index(of: rank)
    }
    while rank < walk.count, y(of: rank, index) <= bottom {
      guard offer(rank, index, to: &sink) else { return }
      if ranks.isFolded(rank, at: index) {
        rank = walk.end(of: rank)
        index += 1
      } else {
        rank += 1
      }
    }
  }

  private func offer(_ rank: Int, _ index: Int, to sink: inout FrameSink) -> Bool {
    let row = row(rank, index)
    sink.section = row.indexPath.section
    return sink.offer(row, swept: swept(row.frame, row.pinRange))
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
    guard let rank = forest.node(at: indexPath).map({ walk.rank(of: $0) }),
      ranks.cover(of: rank) == nil
    else { return nil }
    return attributes(row(rank), in: .cells)
  }

  func ordinal(ofItemAt indexPath: IndexPath) -> Int {
    ranks.ordinal(of: walk.rank(of: forest.node(at: indexPath)!))
  }

  func node(ofOrdinal ordinal: Int) -> Int { walk.node(at: ranks.rank(ofOrdinal: ordinal)) }

  func indexPath(ofOrdinal ordinal: Int) -> IndexPath? {
    (0..<counts.cells).contains(ordinal) ? forest.indexPath(of: node(ofOrdinal: ordinal)) : nil
  }

  // MARK: Cards

  func cardContent(ofItemAt indexPath: IndexPath) -> CardContent? {
    guard let card = rows.card, let node = forest.node(at: indexPath) else { return nil }
    let (storage, index) = forest.items.storage(at: node)
    return CardContent(
      card: card, isRightToLeft: layout.layoutDirection == .rightToLeft,
      texts: ItemTextsOfItem(storage, at: index), ratio: nil)
  }

  func card(ofItemAt indexPath: IndexPath) -> CardOfItem? {
    guard let card = rows.card, let node = forest.node(at: indexPath) else { return nil }
    let (storage, index) = forest.items.storage(at: node)
    return storage.flatMap {
      card.layout(
        of: index, in: $0, rows.texts, width: layout.rowWidth(atDepth: indexPath.section),
        isRightToLeft: layout.layoutDirection == .rightToLeft)
    }
  }

  var marksCells: Bool { rows.card?.card.maximumHeight != nil }

  func marks(ofItemAt indexPath: IndexPath) -> CellMarks {
    guard let card = rows.card, let node = forest.node(at: indexPath) else { return [] }
    let (storage, index) = forest.items.storage(at: node)
    guard let storage, storage[.height]?[index].isNaN ?? true else { return [] }
    let width = layout.rowWidth(atDepth: indexPath.section)
    return card.isCut(index, in: storage, rows.texts, width: width) ? .cut : []
  }

  // MARK: Differences

  func area(from old: any PreparedForest, _ toPrevious: RunMap<Int>?) -> InvalidatedArea {
    guard let old = old as? PreparedOutline else { preconditionFailure("\(old) is no outline") }
    var area = InvalidatedArea()
    if toPrevious == nil, old.rows === rows {
      // Nothing but folds differs: from the first row that does, all may stand elsewhere.
      let (mine, theirs) = (ranks.folded, old.ranks.folded)
      let common = min(mine.count, theirs.count)
      let index = (0..<common).first { mine[$0] != theirs[$0] } ?? common
      let first = [mine, theirs].filter { index < $0.count }.map { $0[index] }.min()
      if let first { include(from: Int(first), old, Int(first), &area) }
      return area
    }
    let isAlike = old.layout == layout && old.contentSize.width == contentSize.width
    let (count, oldCount) = (counts.cells, old.counts.cells)
    var first = 0
    while isAlike, first < min(count, oldCount) {
      let rank = ranks.rank(ofOrdinal: first)
      let oldRank = old.ranks.rank(ofOrdinal: first)
      guard isSame(rank, old, oldRank, toPrevious) else { break }
      area.values = values(rank, old, oldRank)
      if !area.values.isEmpty { area.include(row(rank).frame) }
      first += 1
    }
    area.values = []
    guard first < max(count, oldCount) else { return area }
    var (end, oldEnd) = (count, oldCount)
    while isAlike, end > first, oldEnd > first {
      let rank = ranks.rank(ofOrdinal: end - 1)
      let oldRank = old.ranks.rank(ofOrdinal: oldEnd - 1)
      guard isSame(rank, old, oldRank, toPrevious), values(rank, old, oldRank).isEmpty else {
        break
      }
      (end, oldEnd) = (end - 1, oldEnd - 1)
    }
    for (outline, range) in [(self, first..<end), (old, first..<oldEnd)] where !range.isEmpty {
      outline.include(
        outline.ranks.rank(ofOrdinal: range.lowerBound),
        through: outline.ranks.rank(ofOrdinal: range.upperBound - 1), &area)
    }
    return area
  }

  /// Includes all rows from one on, in both versions.
  private func include(
    from rank: Int, _ old: PreparedOutline, _ oldRank: Int, _ area: inout InvalidatedArea
  ) {
    for (outline, rank) in [(self, rank), (old, oldRank)] {
      outline.include(
        rank, through: outline.ranks.rank(ofOrdinal: outline.counts.cells - 1), &area)
    }
  }

  /// Includes the rows from one to another one, and what of their ancestors is pinned.
  private func include(_ rank: Int, through last: Int, _ area: inout InvalidatedArea) {
    let first = row(rank)
    let end = row(last)
    area.include(
      Rect(
        x: 0, y: first.frame.origin.y, width: contentSize.width,
        height: end.frame.maxY - first.frame.origin.y))
    for ancestor in pinnedAncestors(of: rank) {
      let row = row(ancestor)
      area.include(pinned: swept(row.frame, row.pinRange))
    }
  }

  private func values(_ rank: Int, _ old: PreparedOutline, _ oldRank: Int) -> [ValueKind] {
    values(of: walk.node(at: rank), besides: old, old.walk.node(at: oldRank))
  }

  /// Whether a row is the same in both versions, but for its data and where it is pinned.
  private func isSame(
    _ rank: Int, _ old: PreparedOutline, _ oldRank: Int, _ toPrevious: RunMap<Int>?
  ) -> Bool {
    let (node, oldNode) = (walk.node(at: rank), old.walk.node(at: oldRank))
    if let toPrevious, toPrevious.origin(of: node) != oldNode { return false }
    let (mine, theirs) = (row(rank), old.row(oldRank))
    return mine.indexPath == theirs.indexPath && mine.frame == theirs.frame
      && mine.children == theirs.children && mine.hidden == theirs.hidden
      && (mine.pinRange == nil) == (theirs.pinRange == nil)
      && (rows.card == nil
        || cardContent(ofItemAt: mine.indexPath) == old.cardContent(ofItemAt: theirs.indexPath))
  }
}
