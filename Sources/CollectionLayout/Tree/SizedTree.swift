/// A compact tree whose cells have different sizes.
///
/// Cells of different depths overlap in x, so cells are not ordered by place. One packed R-tree
/// finds the cells, another one the connectors.
final class SizedTree: PreparedTree {
  let shown: ShownNodes
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
  init(_ shown: ShownNodes, sizes: NodeSizes?, layout: TreeLayout) throws(LayoutError) {
    let isTransposed = layout.direction.isTransposed
    let metrics = isTransposed ? layout.transposed : layout
    let sizes = isTransposed ? sizes?.transposed : sizes
    let (shape, insets) = (shown.shape, metrics.insets)
    self.shown = shown
    self.layout = layout
    self.metrics = metrics
    func size(of node: Int) -> Size {
      sizes?.size(of: node, else: metrics.itemSize) ?? metrics.itemSize
    }
    let origins = try Self.origins(of: shape, isStacking: layout.leaves == .stacked) { node in
      let size = size(of: node)
      return Size(
        width: (size.width + insets.left) + insets.right,
        height: (size.height + insets.top) + insets.bottom)
    }
    var right = 0.0
    var bottom = 0.0
    let cells = (0..<shape.count).map { node in
      let size = size(of: node)
      let cell = Rect(
        x: origins.xs[node] + insets.left, y: origins.ys[node] + insets.top, width: size.width,
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
    let parents = (0..<Int32(shape.count)).filter { !shape.children(of: Int($0)).isEmpty }
    self.parents = layout.connectors ? parents : []
    connectorIndex = PackedRTree(count: self.parents.count) {
      Self.connectorFrame(of: Int(parents[$0]), in: shape, cells, layout)
    }
    series = layout.connectors ? Self.seriesWithConnectors : [.cells]
    counts = Self.counts(of: shape, layout)
  }

  /// Where the extents of all nodes begin.
  ///
  /// - Parameter isStacking: Whether children that are all leaves are laid out as one node.
  private static func origins(
    of shape: Forest, isStacking: Bool, extent: (Int) -> Size
  ) throws(LayoutError) -> (xs: [Double], ys: [Double]) {
    guard isStacking else { return NonLayeredTree.positions(of: shape, extent: extent) }
    // A pile of leaves is the first of them here.
    var (firsts, piles, parents): ([Int], [Int32], [Int32]) = ([], [], [])
    func isPile(under parent: Int) -> Bool {
      let children = shape.children(of: parent)
      return shape.children(of: children).isEmpty
    }
    for node in 0..<shape.count {
      let parent = Int(shape.parents[node])
      if parent < 0 || node == shape.childStarts[parent] || !isPile(under: parent) {
        firsts.append(node)
        parents.append(parent < 0 ? -1 : piles[parent])
      }
      piles.append(Int32(firsts.count - 1))
    }
    let (xs, ys) = NonLayeredTree.positions(of: try Forest(parents: parents)) { pile in
      let first = firsts[pile]
      let parent = Int(shape.parents[first])
      guard parent >= 0, isPile(under: parent) else { return extent(first) }
      return shape.children(of: parent).reduce(Size(width: 0, height: 0)) { size, leaf in
        let next = extent(leaf)
        return Size(width: size.width + next.width, height: max(size.height, next.height))
      }
    }
    var (x, last) = (0.0, Int32(-1))
    let all = piles.indices.map { node in
      if piles[node] != last { (x, last) = (xs[Int(piles[node])], piles[node]) }
      defer { x += extent(node).width }
      return x
    }
    return (all, piles.map { ys[Int($0)] })
  }

  var memoryBytes: Int {
    cells.count * MemoryLayout<Rect>.stride + parents.count * 4 + cellIndex.memoryBytes
      + connectorIndex.memoryBytes + shown.memoryBytes + 512
  }

  func cellFrame(of node: Int, atDepth depth: Int) -> Rect { cells[node] }

  func connectorFrame(of node: Int, atDepth depth: Int) -> Rect {
    Self.connectorFrame(of: node, in: shape, cells, layout)
  }

  /// The connector reaches from the right edge of its node to the leftmost left edge of the
  /// children, and from the topmost to the lowest edge of all of them. Where these are a pile of
  /// leaves, it reaches to the far edge of the last.
  private static func connectorFrame(
    of node: Int, in shape: Forest, _ cells: [Rect], _ layout: TreeLayout
  ) -> Rect {
    let cell = cells[node]
    let children = shape.children(of: node)
    let isPile = layout.leaves == .stacked && shape.children(of: children).isEmpty
    var left = isPile ? cells[children.upperBound - 1].maxX : Double.infinity
    var (top, bottom) = (cell.origin.y, cell.maxY)
    for child in children {
      if !isPile { left = min(left, cells[child].origin.x) }
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
      if layout.connectors, !shape.children(of: node).isEmpty {
        extent.include(connectorFrame(of: node, atDepth: depth))
      }
    }
    return [extent.rect.widened]
  }

  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink
  ) {
    guard start.section < shape.depthCount else { return }
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
      while shape.depthStarts[depth + 1] <= node { depth += 1 }
      sink.section = depth
      let frame = isCell ? cells[node] : connectorFrame(of: node, atDepth: depth)
      guard
        sink.offer(
          item(of: node, atDepth: depth), frame,
          children: shownChildren(of: node, atDepth: depth),
          hidden: isCell ? shown.hiddenCount(below: node) : nil)
      else { return }
    }
  }
}
