/// A tree whose cells have one size. It stores the y of each cell. Everything else is arithmetic.
///
/// The cells of a depth are ordered by y, and so are its connectors. A connector reaches from the
/// first to the last child of its node. So the connectors of an interval are found by way of the
/// cells in the next depth.
final class LayeredTree: PreparedTree {
  let shown: ShownNodes
  let layout: TreeLayout
  let localSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]
  /// The options, transposed if necessary, for a tree that grows to the right.
  private let metrics: TreeLayout
  /// The y of each cell, in breadth-first order. Within a depth it ascends.
  private let ys: [Double]

  init(_ shown: ShownNodes, layout: TreeLayout) throws(LayoutError) {
    let shape = shown.shape
    self.shown = shown
    self.layout = layout
    let metrics = layout.direction.isTransposed ? layout.transposed : layout
    self.metrics = metrics
    let height: Double
    switch layout.spacing {
    case .rows: (ys, height) = Self.rows(of: shape, metrics)
    case .compact: (ys, height) = Self.compactRows(of: shape, metrics)
    }
    localSize = Size(width: Double(shape.depthCount) * metrics.depthPitch, height: height)
    guard localSize.width.isReachable, localSize.height.isReachable else {
      throw .contentTooLarge
    }
    series = layout.connectors ? Self.seriesWithConnectors : [.cells]
    counts = Self.counts(of: shape, layout)
  }

  var memoryBytes: Int { ys.count * 8 + shown.memoryBytes + 512 }

  /// One row for each leaf. A node is in the first row of its subtree.
  private static func rows(of shape: Forest, _ metrics: TreeLayout) -> ([Double], Double) {
    var ys = [Double](repeating: 0, count: shape.count)
    var row = 0
    for node in ForestWalk(shape).nodes {
      ys[Int(node)] = Double(row) * metrics.rowPitch + metrics.insets.top
      if shape.children(of: Int(node)).isEmpty { row += 1 }
    }
    return (ys, Double(row) * metrics.rowPitch)
  }

  private static func compactRows(
    of shape: Forest, _ metrics: TreeLayout
  ) -> ([Double], Double) {
    guard shape.count > 0 else { return ([], 0) }
    var ys = NonLayeredTree.positions(of: shape) { _ in Size(width: 1, height: 1) }.ys
    let (pitch, top) = (metrics.rowPitch, metrics.insets.top)
    for node in ys.indices { ys[node] = ys[node] * pitch + top }
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
    let children = shape.children(of: node)
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
    let children = shape.children(of: nodes)
    let parents =
      layout.connectors && !children.isEmpty
      ? [children.lowerBound, children.upperBound - 1].map { Int(shape.parents[$0]) } : []
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
    let depths = 0..<max(0, shape.depthCount - step)
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
    let nodes = shape.nodes(atDepth: depth)
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
    let end = shape.nodes(atDepth: depth).upperBound
    for node in max(found, node(atDepth: depth, item: start))..<end {
      if ys[node] > bottom { return true }
      guard
        sink.offer(
          item(of: node, atDepth: depth), cellFrame(of: node, atDepth: depth),
          children: shownChildren(of: node, atDepth: depth),
          hidden: shown.hiddenCount(below: node))
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
    let end = shape.nodes(atDepth: depth + 1).upperBound
    let firstNode = node(atDepth: depth, item: start)
    if child < end, shape.parents[child] < firstNode {
      child = max(child, Int(shape.childStarts[firstNode]))
    }
    while child < end {
      let node = Int(shape.parents[child])
      let frame = connectorFrame(of: node, atDepth: depth)
      if frame.origin.y > bottom { return true }
      guard
        sink.offer(
          item(of: node, atDepth: depth), frame,
          children: shownChildren(of: node, atDepth: depth))
      else { return false }
      child = Int(shape.childStarts[node + 1])
    }
    return true
  }
}
