/// A prepared tree. It computes cells and connectors as if the tree grew to the right. A
/// ``Placement`` turns them.
protocol PreparedTree: PreparedLayout {
  var forest: Forest { get }
  var layout: TreeLayout { get }
  /// The content's size before it is turned.
  var localSize: Size { get }

  /// The frame of a node's cell before it is turned.
  func cellFrame(of node: Int, atDepth depth: Int) -> Rect
  /// The frame of a connector before it is turned. The node must have children.
  func connectorFrame(of node: Int, atDepth depth: Int) -> Rect

  /// Rects that together span at least the area of all elements of adjacent nodes in one depth,
  /// before they are turned.
  func outermostFrames(of nodes: Range<Int>, atDepth depth: Int) -> [Rect]
}

extension PreparedTree {
  static var seriesWithConnectors: [ElementSeries] { [.cells, .supplementary("connector")] }

  var contentSize: Size { layout.direction.isTransposed ? localSize.transposed : localSize }

  static func counts(of forest: Forest, _ layout: TreeLayout) -> ElementCounts {
    ElementCounts(
      sections: forest.depthCount, cells: forest.count,
      supplementary: layout.connectors ? forest.parentCount : 0, decorations: 0)
  }

  /// The placement of frames in the content.
  var placement: Placement {
    var placement = Placement()
    if layout.direction.isTransposed { placement.isTransposed = true }
    switch layout.direction {
    case .left: placement.mirrorWidth = localSize.width
    case .up: placement.mirrorHeight = localSize.width
    case .right, .down: break
    }
    return placement
  }

  func children(of node: Int, atDepth depth: Int) -> LayoutAttributes.Children? {
    let children = forest.children(of: node)
    guard !children.isEmpty else { return nil }
    let first = forest.depthStarts[depth + 1]
    return LayoutAttributes.Children(
      section: depth + 1, items: children.lowerBound - first..<children.upperBound - first)
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
    guard let node = forest.node(at: indexPath) else { return nil }
    let depth = indexPath.section
    let kind = self.series[series]
    let children = children(of: node, atDepth: depth)
    guard kind == .cells || children != nil else { return nil }
    let frame =
      kind == .cells
      ? cellFrame(of: node, atDepth: depth) : connectorFrame(of: node, atDepth: depth)
    return attributes(
      PlacedElement(indexPath: indexPath, frame: placement.frame(frame), children: children),
      in: kind)
  }

  func identity(of series: Int, at indexPath: IndexPath) -> ElementIdentity { .item }

  func ordinal(ofItemAt indexPath: IndexPath) -> Int {
    forest.depthStarts[indexPath.section] + indexPath.item
  }

  func indexPath(ofOrdinal ordinal: Int) -> IndexPath? {
    (0..<forest.count).contains(ordinal) ? forest.indexPath(of: ordinal) : nil
  }

  func sweptFrame(of attributes: LayoutAttributes) -> Rect { attributes.frame }

  func hasIDs(inSection section: Int) -> Bool { forest.ids != nil }

  func id(ofItemAt indexPath: IndexPath) -> ItemID? { forest.id(at: indexPath) }

  /// The node at an item of a depth; the first node of the next depth if there is none.
  func node(atDepth depth: Int, item: Int) -> Int {
    let nodes = forest.nodes(atDepth: depth)
    return item < nodes.count ? nodes.lowerBound + item : nodes.upperBound
  }

  func item(of node: Int, atDepth depth: Int) -> Int { node - forest.depthStarts[depth] }
}

extension Forest {
  /// The number of nodes with children.
  ///
  /// - Complexity: O(*n*).
  fileprivate var parentCount: Int {
    var parents = 0
    for node in 0..<count where childStarts[node] != childStarts[node + 1] { parents += 1 }
    return parents
  }
}
