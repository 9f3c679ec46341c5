/// A compact tree whose cells have different sizes.
///
/// Cells of different depths overlap in x, so cells are not ordered by place. One packed R-tree
/// finds the cells, another one the connectors.
final class SizedTree: PreparedTree {
  let forest: Forest
  let layout: TreeLayout
  let localSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]
  /// The options, transposed if necessary, for a tree that grows to the right.
  private let metrics: TreeLayout
  /// The cell of each node, in breadth-first order.
  private let cells: [Rect]
  private let cellIndex: PackedRTree
  /// The nodes with connectors, in breadth-first order.
  private let parents: [Int32]
  private let connectorIndex: PackedRTree

  /// - Complexity: O(*n*) for *n* nodes.
  init(forest: Forest, sizes: NodeSizes, layout: TreeLayout) throws(LayoutError) {
    let isTransposed = layout.direction.isTransposed
    let metrics = isTransposed ? layout.transposed : layout
    let sizes = isTransposed ? sizes.transposed : sizes
    let insets = metrics.insets
    self.forest = forest
    self.layout = layout
    self.metrics = metrics
    let (xs, ys) = NonLayeredTree.positions(of: forest) { node in
      let size = sizes.size(of: node, else: metrics.itemSize)
      return Size(
        width: (size.width + insets.left) + insets.right,
        height: (size.height + insets.top) + insets.bottom)
    }
    var right = 0.0
    var bottom = 0.0
    let cells = (0..<forest.count).map { node in
      let size = sizes.size(of: node, else: metrics.itemSize)
      let cell = Rect(
        x: xs[node] + insets.left, y: ys[node] + insets.top, width: size.width,
        height: size.height)
      right = max(right, cell.maxX)
      bottom = max(bottom, cell.maxY)
      return cell
    }
    localSize = Size(width: right + insets.right, height: bottom + insets.bottom)
    guard localSize.width.isReachable, localSize.height.isReachable else {
      throw .contentTooLarge
    }
    self.cells = cells
    cellIndex = PackedRTree(count: cells.count) { cells[$0] }
    let parents = (0..<Int32(forest.count)).filter { !forest.children(of: Int($0)).isEmpty }
    self.parents = layout.connectors ? parents : []
    connectorIndex = PackedRTree(count: self.parents.count) {
      Self.connectorFrame(of: Int(parents[$0]), in: forest, cells)
    }
    series = layout.connectors ? Self.seriesWithConnectors : [.cells]
    counts = Self.counts(of: forest, layout)
  }

  var memoryBytes: Int {
    cells.count * MemoryLayout<Rect>.stride + parents.count * 4 + cellIndex.memoryBytes
      + connectorIndex.memoryBytes + 512
  }

  func cellFrame(of node: Int, atDepth depth: Int) -> Rect { cells[node] }

  func connectorFrame(of node: Int, atDepth depth: Int) -> Rect {
    Self.connectorFrame(of: node, in: forest, cells)
  }

  /// The connector reaches from the right edge of its node to the leftmost left edge of the
  /// children, and from the topmost to the lowest edge of all of them.
  private static func connectorFrame(
    of node: Int, in forest: Forest, _ cells: [Rect]
  ) -> Rect {
    let cell = cells[node]
    var (left, top, bottom) = (Double.infinity, cell.origin.y, cell.maxY)
    for child in forest.children(of: node) {
      left = min(left, cells[child].origin.x)
      top = min(top, cells[child].origin.y)
      bottom = max(bottom, cells[child].maxY)
    }
    return Rect(x: cell.maxX, y: top, width: left - cell.maxX, height: bottom - top)
  }

  /// - Complexity: O(*n*) for *n* nodes and their children.
  func outermostFrames(of nodes: Range<Int>, atDepth depth: Int) -> [Rect] {
    var extent = Extent()
    for node in nodes {
      extent.include(cells[node])
      if layout.connectors, !forest.children(of: node).isEmpty {
        extent.include(connectorFrame(of: node, atDepth: depth))
      }
    }
    return [extent.rect.widened]
  }

  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink
  ) {
    guard start.section < forest.depthCount else { return }
    sink.placement = placement
    let local = sink.placement.search(rect)
    let isCell = self.series[series].category == .cell
    let first = Int32(node(atDepth: start.section, item: start.item))
    sink.section = start.section
    // The found nodes must be sorted before the first is offered. Four of them cost one visit.
    var visits = 0
    var nodes: [Int32] = []
    let isWhole = (isCell ? cellIndex : connectorIndex).visitCandidates(in: local) { candidate in
      let node = isCell ? Int32(candidate) : parents[candidate]
      if node >= first { nodes.append(node) }
      visits += 1
      return visits % 4 != 0 || sink.pass(1, before: start.item)
    }
    guard isWhole else { return }
    nodes.sort()
    var depth = start.section
    for node in nodes {
      let node = Int(node)
      while forest.depthStarts[depth + 1] <= node { depth += 1 }
      sink.section = depth
      let frame = isCell ? cells[node] : connectorFrame(of: node, atDepth: depth)
      guard
        sink.offer(
          item(of: node, atDepth: depth), frame, children: children(of: node, atDepth: depth))
      else { return }
    }
  }
}
