/// A tree whose cells have one size. It stores the y of each cell. Everything else is arithmetic.
///
/// The cells of a depth are ordered by y, and so are its connectors. A connector reaches from the
/// first to the last child of its node. So the connectors of an interval are found by way of the
/// cells in the next depth.
final class LayeredTree: PreparedTree {
  let forest: Forest
  let layout: TreeLayout
  let localSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]
  /// The options, transposed if necessary, for a tree that grows to the right.
  private let metrics: TreeLayout
  /// The y of each cell, in breadth-first order. Within a depth it ascends.
  private let ys: [Double]

  init(forest: Forest, layout: TreeLayout) throws(LayoutError) {
    self.forest = forest
    self.layout = layout
    let metrics = layout.direction.isTransposed ? layout.transposed : layout
    self.metrics = metrics
    let height: Double
    switch layout.spacing {
    case .rows: (ys, height) = Self.rows(of: forest, metrics)
    case .compact: (ys, height) = Self.compactRows(of: forest, metrics)
    }
    localSize = Size(width: Double(forest.depthCount) * metrics.depthPitch, height: height)
    guard localSize.width.isReachable, localSize.height.isReachable else {
      throw .contentTooLarge
    }
    series = layout.connectors ? Self.seriesWithConnectors : [.cells]
    counts = Self.counts(of: forest, layout)
  }

  var memoryBytes: Int { ys.count * 8 + 512 }

  /// One row for each leaf. A node is in the first row of its subtree.
  private static func rows(of forest: Forest, _ metrics: TreeLayout) -> ([Double], Double) {
    var rowCounts = [Int32](repeating: 1, count: forest.count)
    for node in stride(from: forest.count - 1, through: 0, by: -1) {
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
      var row = rows[node]
      for child in forest.children(of: node) {
        rows[child] = row
        row += rowCounts[child]
      }
    }
    let pitch = metrics.rowPitch
    let top = metrics.insets.top
    return (rows.map { Double($0) * pitch + top }, Double(total) * pitch)
  }

  private static func compactRows(
    of forest: Forest, _ metrics: TreeLayout
  ) -> ([Double], Double) {
    guard forest.count > 0 else { return ([], 0) }
    var ys = TidyTree.rows(of: forest)
    let topmost = ys.min() ?? 0
    let pitch = metrics.rowPitch
    let top = metrics.insets.top
    for node in ys.indices { ys[node] = (ys[node] - topmost) * pitch + top }
    let lowest = ys.max() ?? 0
    return (ys, lowest + metrics.itemSize.height + metrics.insets.bottom)
  }

  private func cellX(atDepth depth: Int) -> Double {
    Double(depth) * metrics.depthPitch + metrics.insets.left
  }

  private func connectorX(atDepth depth: Int) -> Double {
    cellX(atDepth: depth) + metrics.itemSize.width
  }

  private var connectorWidth: Double { metrics.insets.left + metrics.insets.right }

  func cellFrame(of node: Int, atDepth depth: Int) -> Rect {
    Rect(
      x: cellX(atDepth: depth), y: ys[node], width: metrics.itemSize.width,
      height: metrics.itemSize.height)
  }

  func connectorFrame(of node: Int, atDepth depth: Int) -> Rect {
    let children = forest.children(of: node)
    let top = min(ys[node], ys[children.lowerBound])
    let bottom = max(ys[node], ys[children.upperBound - 1]) + metrics.itemSize.height
    return Rect(
      x: connectorX(atDepth: depth), y: top, width: connectorWidth, height: bottom - top)
  }

  /// The nodes of a depth are ordered downwards, and so are their connectors. So the first and the
  /// last of each are enough.
  ///
  /// - Complexity: O(1).
  func outermostFrames(of nodes: Range<Int>, atDepth depth: Int) -> [Rect] {
    let ends = [nodes.lowerBound, nodes.upperBound - 1]
    let children = forest.children(of: nodes)
    let parents =
      layout.connectors && !children.isEmpty
      ? [children.lowerBound, children.upperBound - 1].map { Int(forest.parents[$0]) } : []
    return ends.map { cellFrame(of: $0, atDepth: depth) }
      + parents.map { connectorFrame(of: $0, atDepth: depth) }
  }

  // MARK: Queries

  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink
  ) {
    let isCell = self.series[series].category == .cell
    sink.placement = placement
    let local = sink.placement.search(rect)
    // A connector is found by way of its node's children.
    let step = isCell ? 0 : 1
    let width = isCell ? metrics.itemSize.width : connectorWidth
    func x(_ depth: Int) -> Double { isCell ? cellX(atDepth: depth) : connectorX(atDepth: depth) }
    let depths = 0..<max(0, forest.depthCount - step)
    let first = partitionPoint(in: depths) { x($0) + width < local.origin.x }
    let last = partitionPoint(in: first..<depths.upperBound) { x($0) <= local.maxX }
    for depth in (first..<last).from(start.section) {
      let item = depth == start.section ? start.item : 0
      sink.section = depth
      guard sink.pass(1, before: item) else { return }
      let found = firstNode(atDepth: depth + step, reachingTo: local.origin.y)
      let isComplete =
        isCell
        ? offerCells(from: found, atDepth: depth, above: local.maxY, from: item, to: &sink)
        : offerConnectors(above: found, atDepth: depth, above: local.maxY, from: item, to: &sink)
      if !isComplete { return }
    }
  }

  /// The first node of a depth whose cell reaches down to `y`; the end of the depth if there is
  /// none.
  private func firstNode(atDepth depth: Int, reachingTo y: Double) -> Int {
    let nodes = forest.nodes(atDepth: depth)
    let guess = Int(clamping: y / localSize.height * Double(nodes.count))
    return partitionPoint(in: nodes, near: nodes.lowerBound &+ guess) {
      ys[$0] + metrics.itemSize.height < y
    }
  }

  /// - Parameters:
  ///   - found: The first node whose cell may meet the rect.
  ///   - bottom: Where the rect ends.
  ///   - start: The first item that is asked for.
  private func offerCells(
    from found: Int, atDepth depth: Int, above bottom: Double, from start: Int,
    to sink: inout FrameSink
  ) -> Bool {
    let end = forest.nodes(atDepth: depth).upperBound
    for node in max(found, node(atDepth: depth, item: start))..<end {
      if ys[node] > bottom { return true }
      guard
        sink.offer(
          item(of: node, atDepth: depth), cellFrame(of: node, atDepth: depth),
          children: children(of: node, atDepth: depth))
      else { return false }
    }
    return true
  }

  /// - Parameters:
  ///   - found: The first child that reaches into the rect. The connectors that may meet the rect
  ///     are those from its parent's to the one of the last child that begins above the rect's end.
  ///   - bottom: Where the rect ends.
  ///   - start: The first item that is asked for.
  private func offerConnectors(
    above found: Int, atDepth depth: Int, above bottom: Double, from start: Int,
    to sink: inout FrameSink
  ) -> Bool {
    var child = found
    let end = forest.nodes(atDepth: depth + 1).upperBound
    let firstNode = node(atDepth: depth, item: start)
    if child < end, forest.parents[child] < firstNode {
      child = max(child, Int(forest.childStarts[firstNode]))
    }
    while child < end {
      let node = Int(forest.parents[child])
      let frame = connectorFrame(of: node, atDepth: depth)
      if frame.origin.y > bottom { return true }
      guard
        sink.offer(
          item(of: node, atDepth: depth), frame, children: children(of: node, atDepth: depth))
      else { return false }
      child = Int(forest.childStarts[node + 1])
    }
    return true
  }
}
