/// A tree's cells and connectors: where each cell's top is; the rest is arithmetic.
///
/// The cells of a depth are a track, and so are its connectors: a connector reaches from the
/// first to the last child of its node, so the connectors that meet an interval are found
/// among the cells one deeper.
final class PreparedTree: PreparedLayout {
  let forest: Forest
  let layout: TreeLayout
  /// The y of each node's cell, in breadth-first order; ascending within a depth.
  let ys: [Double]
  private let guide: NodeGuide
  let contentSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]

  init(forest: Forest, layout: TreeLayout) throws(LayoutError) {
    self.forest = forest
    self.layout = layout
    let height: Double
    switch layout.spacing {
    case .rows: (ys, height) = Self.rows(of: forest, layout: layout)
    case .compact: (ys, height) = Self.compactRows(of: forest, layout: layout)
    }
    contentSize = Size(width: Double(forest.depthCount) * layout.depthPitch, height: height)
    guard contentSize.width.isReachable, contentSize.height.isReachable else {
      throw .contentTooLarge
    }
    guide = NodeGuide(forest, ys: ys, height: height)
    let parentCount = (0..<forest.count).reduce(0) {
      $0 + (forest.children(of: $1).isEmpty ? 0 : 1)
    }
    counts = ElementCounts(
      sections: forest.depthCount, cells: forest.count,
      supplementary: layout.connectors ? parentCount : 0, decorations: 0)
    series = [.cells] + (layout.connectors ? [.supplementary("connector")] : [])
  }

  var memoryBytes: Int { ys.count * 8 + guide.memoryBytes + 256 }

  /// A row for every leaf; a node stands in the first row of its subtree.
  private static func rows(of forest: Forest, layout: TreeLayout) -> ([Double], Double) {
    var rowCounts = [Int32](repeating: 1, count: forest.count)
    for node in stride(from: forest.count - 1, through: 0, by: -1) {
      giveWay(atStep: node, of: Forest.nodesInATurn)
      let children = forest.children(of: node)
      guard !children.isEmpty else { continue }
      var sum: Int32 = 0
      for child in children { sum += rowCounts[child] }
      rowCounts[node] = sum
    }
    var rows = [Int32](repeating: 0, count: forest.count)
    var total: Int32 = 0
    for root in 0..<forest.rootCount {
      rows[root] = total
      total += rowCounts[root]
    }
    for node in 0..<forest.count {
      giveWay(atStep: node, of: Forest.nodesInATurn)
      var row = rows[node]
      for child in forest.children(of: node) {
        rows[child] = row
        row += rowCounts[child]
      }
    }
    let pitch = layout.rowPitch
    let top = layout.insets.top
    return (rows.map { Double($0) * pitch + top }, Double(total) * pitch)
  }

  private static func compactRows(of forest: Forest, layout: TreeLayout) -> ([Double], Double) {
    guard forest.count > 0 else { return ([], 0) }
    var ys = TidyTree.rows(of: forest)
    let topmost = ys.min() ?? 0
    let pitch = layout.rowPitch
    let top = layout.insets.top
    for node in ys.indices { ys[node] = (ys[node] - topmost) * pitch + top }
    let lowest = ys.max() ?? 0
    return (ys, lowest + layout.itemSize.height + layout.insets.bottom)
  }

  private func cellX(atDepth depth: Int) -> Double {
    Double(depth) * layout.depthPitch + layout.insets.left
  }

  private func cell(of node: Int, atDepth depth: Int) -> PlacedElement {
    PlacedElement(
      indexPath: IndexPath(section: depth, item: node - forest.depthStarts[depth]),
      frame: Rect(
        x: cellX(atDepth: depth), y: ys[node], width: layout.itemSize.width,
        height: layout.itemSize.height),
      children: children(of: node, atDepth: depth))
  }

  private func children(of node: Int, atDepth depth: Int) -> LayoutAttributes.Children? {
    let children = forest.children(of: node)
    guard !children.isEmpty else { return nil }
    let first = forest.depthStarts[depth + 1]
    return LayoutAttributes.Children(
      section: depth + 1, items: children.lowerBound - first..<children.upperBound - first)
  }

  /// - Precondition: The node has children.
  private func connector(of node: Int, atDepth depth: Int) -> PlacedElement {
    let children = forest.children(of: node)
    let top = min(ys[node], ys[children.lowerBound])
    let bottom = max(ys[node], ys[children.upperBound - 1]) + layout.itemSize.height
    return PlacedElement(
      indexPath: IndexPath(section: depth, item: node - forest.depthStarts[depth]),
      frame: Rect(
        x: connectorX(atDepth: depth), y: top, width: connectorWidth, height: bottom - top),
      children: self.children(of: node, atDepth: depth))
  }

  private var connectorWidth: Double { layout.insets.left + layout.insets.right }

  private func connectorX(atDepth depth: Int) -> Double {
    cellX(atDepth: depth) + layout.itemSize.width
  }

  /// The first node of a depth whose cell may reach down to `y`, or the end of the depth.
  ///
  /// - Parameter guess: Where to begin to search.
  private func firstNode(atDepth depth: Int, reachingTo y: Double, near guess: Int) -> Int {
    let start = y.roundedDownForSearch
    return partitionPoint(in: forest.nodes(atDepth: depth), near: guess) {
      ys[$0] + layout.itemSize.height < start
    }
  }

  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath, into sink: inout ElementSink
  ) {
    let isCell = self.series[series].category == .cell
    // A connector is found at its node's children.
    let step = isCell ? 0 : 1
    let depths = tracks(
      among: max(0, forest.depthCount - step),
      of: isCell ? layout.itemSize.width : connectorWidth, meeting: rect.horizontal
    ) { isCell ? cellX(atDepth: $0) : connectorX(atDepth: $0) }.from(start.section)
    for groupStart in stride(from: depths.lowerBound, to: depths.upperBound, by: Self.groupSize) {
      let group = groupStart..<min(groupStart + Self.groupSize, depths.upperBound)
      let guesses = approach(
        rect.origin.y, atDepths: group.lowerBound + step..<group.upperBound + step)
      for depth in group {
        let first = depth == start.section ? start.item : 0
        guard sink.pass(1, before: IndexPath(section: depth, item: first)) else { return }
        let found = firstNode(
          atDepth: depth + step, reachingTo: rect.origin.y, near: guesses[depth - groupStart])
        let isComplete =
          isCell
          ? forEachCell(from: found, atDepth: depth, in: rect, from: first, into: &sink)
          : forEachConnector(above: found, atDepth: depth, in: rect, from: first, into: &sink)
        if !isComplete { return }
      }
    }
  }

  /// So many depths are approached before the first of them is searched.
  private static let groupSize = Guesses.count
  private typealias Guesses = InlineArray<8, Int>

  /// For each of some depths a node near the first whose cell may reach down to `y`.
  ///
  /// Of a large tree hardly anything is in the caches. So what the searches will read is read here
  /// for all depths, with nothing in between that waits for it.
  private func approach(_ y: Double, atDepths depths: Range<Int>) -> Guesses {
    let top = y - layout.itemSize.height
    var guesses = Guesses(repeating: 0)
    for (index, depth) in depths.enumerated() {
      guesses[index] = guide.node(atDepth: depth, near: top, in: forest)
    }
    for (index, depth) in depths.enumerated() {
      let nodes = forest.nodes(atDepth: depth)
      // The guess is some nodes off, and a window shows some of a depth: two cache lines of ys.
      read(max(guesses[index] - 3, nodes.lowerBound))
      read(min(guesses[index] + 6, nodes.upperBound - 1))
    }
    return guesses
  }

  /// Reads where a node is in its tree and on the screen, to have that memory near.
  @inline(__always)
  private func read(_ node: Int) {
    // Always so: nodes lie in breadth-first order, and cells begin at 0 or below. What nobody asks
    // about would not be read.
    precondition(forest.parents[node] < node && node < forest.childStarts[node] && ys[node] >= 0)
  }

  /// The node at a place of a depth, or the next depth's first when there is none.
  private func node(atDepth depth: Int, item: Int) -> Int {
    let nodes = forest.nodes(atDepth: depth)
    return item < nodes.count ? nodes.lowerBound + item : nodes.upperBound
  }

  /// - Parameters:
  ///   - found: The first node whose cell may meet the rect.
  ///   - start: The first item that is asked for.
  private func forEachCell(
    from found: Int, atDepth depth: Int, in rect: Rect, from start: Int,
    into sink: inout ElementSink
  ) -> Bool {
    let end = forest.nodes(atDepth: depth).upperBound
    for node in max(found, node(atDepth: depth, item: start))..<end {
      if rect.vertical.ends(before: ys[node]) { return true }
      let cell = cell(of: node, atDepth: depth)
      if cell.frame.intersects(rect), !append(cell, to: &sink) { return false }
    }
    return true
  }

  /// - Parameters:
  ///   - found: The first child that reaches into the rect: the connectors from its parent's to
  ///     that of the last child that begins before the rect's end may meet it.
  ///   - start: The first item that is asked for.
  private func forEachConnector(
    above found: Int, atDepth depth: Int, in rect: Rect, from start: Int,
    into sink: inout ElementSink
  ) -> Bool {
    var child = found
    let end = forest.nodes(atDepth: depth + 1).upperBound
    let firstNode = node(atDepth: depth, item: start)
    if child < end, forest.parents[child] < firstNode {
      child = max(child, Int(forest.childStarts[firstNode]))
    }
    while child < end {
      let node = Int(forest.parents[child])
      let connector = connector(of: node, atDepth: depth)
      if rect.vertical.ends(before: connector.frame.origin.y) { return true }
      if connector.frame.intersects(rect), !append(connector, to: &sink) { return false }
      child = Int(forest.childStarts[node + 1])
    }
    return true
  }

  /// Appends an element; the index paths of many children are worth as many elements.
  @inline(__always)
  private func append(_ element: PlacedElement, to sink: inout ElementSink) -> Bool {
    let childCount = element.children?.items.count ?? 0
    if childCount > 64, !sink.pass(childCount, before: element.indexPath) { return false }
    return sink.append(element)
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
    guard let node = forest.node(at: indexPath) else { return nil }
    let depth = indexPath.section
    if self.series[series].category == .cell {
      return LayoutAttributes(cell(of: node, atDepth: depth), id: forest.ids?[node])
    }
    guard !forest.children(of: node).isEmpty else { return nil }
    return LayoutAttributes(connector(of: node, atDepth: depth), id: nil)
  }
}

// MARK: Changes

extension PreparedTree {
  func identity(of series: Int) -> ElementIdentity { .item }

  func hasIDs(inSection section: Int) -> Bool { forest.ids != nil }

  func id(ofItemAt indexPath: IndexPath) -> ItemID? {
    forest.id(at: indexPath)
  }

  /// Calls `body` with the first and the last frame of some nodes' cells, and of their connectors.
  ///
  /// - Parameter nodes: Side by side in one depth. Then they follow one another downwards, and so
  ///   do their connectors.
  /// - Complexity: O(1).
  func forEachOutermostFrame(
    of nodes: Range<Int>, atDepth depth: Int, _ body: (Rect) -> Void
  ) {
    guard let first = nodes.first, let last = nodes.last else { return }
    for node in [first, last] { body(cell(of: node, atDepth: depth).frame) }
    let children = forest.children(of: nodes)
    guard layout.connectors, let first = children.first, let last = children.last else { return }
    for child in [first, last] {
      body(connector(of: Int(forest.parents[child]), atDepth: depth).frame)
    }
  }

  /// Whether a node's elements have the frames and children that they had in another version, whose
  /// layout is the same.
  ///
  /// - Parameter oldNode: The same node in the other version, at the same index path.
  func hasSameFrames(
    _ node: Int, atDepth depth: Int, as oldNode: Int, in old: PreparedTree
  ) -> Bool {
    guard ys[node] == old.ys[oldNode],
      children(of: node, atDepth: depth) == old.children(of: oldNode, atDepth: depth)
    else { return false }
    let children = forest.children(of: node)
    guard layout.connectors, !children.isEmpty else { return true }
    let oldChildren = old.forest.children(of: oldNode)
    return ys[children.lowerBound] == old.ys[oldChildren.lowerBound]
      && ys[children.upperBound - 1] == old.ys[oldChildren.upperBound - 1]
  }
}
