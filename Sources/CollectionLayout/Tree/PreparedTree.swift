/// A prepared tree. It computes cells and connectors as if the tree grew to the right. A
/// ``Placement`` turns them.
///
/// Its nodes are those of the shape: what folds hide is not laid out. Index paths are those of the
/// whole forest.
protocol PreparedTree: PreparedForest {
  var shown: ShownNodes { get }
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

  var forest: Forest { shown.whole }
  var shape: Forest { shown.shape }
  var folds: Folds { shown.folds }
  var hidden: HiddenRanks? { shown.ranks }
  var followsWalk: Bool { false }

  static func counts(of shape: Forest, _ layout: TreeLayout) -> ElementCounts {
    ElementCounts(
      sections: shape.depthCount, cells: shape.count,
      supplementary: layout.connectors ? shape.parentCount : 0, decorations: 0)
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

  /// The children of a node of the shape.
  func shownChildren(of node: Int, atDepth depth: Int) -> LayoutAttributes.Children? {
    shape.children(of: node).isEmpty
      ? nil : children(of: shown.wholeNode(node), atDepth: depth)
  }

  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes? {
    guard let node = forest.node(at: indexPath).flatMap({ shown.node($0) }) else { return nil }
    let depth = indexPath.section
    let kind = self.series[series]
    let children = shownChildren(of: node, atDepth: depth)
    guard kind == .cells || children != nil else { return nil }
    let frame =
      kind == .cells
      ? cellFrame(of: node, atDepth: depth) : connectorFrame(of: node, atDepth: depth)
    return attributes(
      PlacedElement(
        indexPath: indexPath, frame: placement.frame(frame), children: children,
        hidden: shown.hiddenCount(below: node)),
      in: kind)
  }

  func ordinal(ofItemAt indexPath: IndexPath) -> Int {
    shown.firstNode(from: forest.depthStarts[indexPath.section] + indexPath.item)
  }

  func node(ofOrdinal ordinal: Int) -> Int { shown.wholeNode(ordinal) }

  func indexPath(ofOrdinal ordinal: Int) -> IndexPath? {
    (0..<shape.count).contains(ordinal) ? forest.indexPath(of: node(ofOrdinal: ordinal)) : nil
  }

  func sweptFrame(of attributes: LayoutAttributes) -> Rect { attributes.frame }

  func unsharedBytes(besides other: any PreparedForest) -> Int { self === other ? 0 : memoryBytes }

  func isLaidOut(like other: any PreparedForest) -> Bool {
    (other as? any PreparedTree)?.layout == layout
  }

  func area(from old: any PreparedForest, _ toPrevious: RunMap<Int>?) -> InvalidatedArea {
    guard let old = old as? any PreparedTree else { preconditionFailure("\(old) is no tree") }
    return area(fromTree: old, toPrevious)
  }

  private func area(
    fromTree old: some PreparedTree, _ toPrevious: RunMap<Int>?
  ) -> InvalidatedArea {
    var nodes = toPrevious ?? RunMap(count: forest.count, from: 0)
    if foldedCount > 0 || old.foldedCount > 0 {
      let all = nodes
      nodes = RunMap()
      for node in 0..<shape.count {
        nodes.append(
          1, from: all.origin(of: shown.wholeNode(node)).flatMap { old.shown.node($0) })
      }
    }
    return TreeComparison(
      old, self, toPrevious: nodes, toNext: nodes.inverse(count: old.shape.count)
    ).area
  }

  /// The node of the shape at an item of a depth, or the first behind it.
  func node(atDepth depth: Int, item: Int) -> Int {
    let nodes = forest.nodes(atDepth: depth)
    return shown.firstNode(
      from: item < nodes.count ? nodes.lowerBound + item : nodes.upperBound)
  }

  /// The item that a node of the shape is.
  func item(of node: Int, atDepth depth: Int) -> Int {
    shown.wholeNode(node) - forest.depthStarts[depth]
  }
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
