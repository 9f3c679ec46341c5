/// Finds the area in which two versions of a hierarchy differ, run by run of nodes.
struct TreeComparison<Old: PreparedTree, New: PreparedTree> {
  private let old: Old
  private let new: New
  private let oldPlacement: Placement
  private let newPlacement: Placement
  private let hasSameItems: Bool
  private(set) var area = InvalidatedArea()

  /// How many more nodes are included one by one.
  private var comparisonsLeft = 1024

  /// Trees with more nodes, and other options, count as different as a whole.
  private static var mostCompared: Int { 20_000 }

  /// - Parameters:
  ///   - toPrevious: For each new node, the old node that it was.
  ///   - toNext: For each old node, the new node that it became.
  /// - Complexity: O(*n*) for *n* nodes.
  init(_ old: Old, _ new: New, toPrevious: RunMap<Int>, toNext: RunMap<Int>) {
    self.old = old
    self.new = new
    hasSameItems = new.forest.items.hasSameStorage(as: old.forest.items)
    oldPlacement = old.placement
    newPlacement = new.placement
    // Where a tree grows to the left or up, all of it moves when it gets longer.
    let isAlike = old.layout == new.layout && oldPlacement.places(like: newPlacement)
    guard isAlike || max(old.shape.count, new.shape.count) <= Self.mostCompared else {
      old.shape.forEachDepth(of: 0..<old.shape.count) { include(old: $0, atDepth: $1) }
      new.shape.forEachDepth(of: 0..<new.shape.count) { include(new: $0, atDepth: $1) }
      return
    }
    for run in toPrevious.runs {
      if let origin = run.origin {
        compare(run.elements, run.elements.lowerBound - origin)
      } else {
        new.shape.forEachDepth(of: run.elements) { include(new: $0, atDepth: $1) }
      }
    }
    for run in toNext.runs where run.origin == nil {
      old.shape.forEachDepth(of: run.elements) { include(old: $0, atDepth: $1) }
    }
  }

  /// Includes the nodes whose elements differ between two versions.
  ///
  /// - Parameters:
  ///   - nodes: Nodes that are adjacent in both versions.
  ///   - distance: The distance by which their indices have grown.
  private mutating func compare(_ nodes: Range<Int>, _ distance: Int) {
    new.shape.forEachDepth(of: nodes) { part, depth in
      let oldPart = part.lowerBound - distance..<part.upperBound - distance
      old.shape.forEachDepth(of: oldPart) { oldNodes, oldDepth in
        compare(
          oldNodes.lowerBound + distance..<oldNodes.upperBound + distance, atDepth: depth,
          distance, atDepth: oldDepth)
      }
    }
  }

  /// Like the function above, for nodes of one depth in both versions.
  private mutating func compare(
    _ nodes: Range<Int>, atDepth depth: Int, _ distance: Int, atDepth oldDepth: Int
  ) {
    let depthDistance = new.shape.depthStarts[depth] - old.shape.depthStarts[oldDepth]
    let isFolded = new.foldedCount > 0 || old.foldedCount > 0
    let isElsewhere = depth != oldDepth || !isFolded && distance != depthDistance
    var start = nodes.lowerBound
    while start < nodes.upperBound {
      var end = isElsewhere ? nodes.upperBound : start
      while end < nodes.upperBound, !isSame(end, end - distance, atDepth: depth) { end += 1 }
      include(new: start..<end, atDepth: depth)
      include(old: start - distance..<end - distance, atDepth: oldDepth)
      if !hasSameItems, end < nodes.upperBound {
        let node = new.shown.wholeNode(end)
        area.values = new.values(of: node, besides: old, old.shown.wholeNode(end - distance))
        if !area.values.isEmpty { include(new: end..<end + 1, atDepth: depth) }
        area.values = []
      }
      start = end + 1
    }
  }

  /// Whether a node of the same depth has equal elements in both versions, but for its data.
  private func isSame(_ node: Int, _ oldNode: Int, atDepth depth: Int) -> Bool {
    guard new.item(of: node, atDepth: depth) == old.item(of: oldNode, atDepth: depth),
      new.shown.hiddenCount(below: node) == old.shown.hiddenCount(below: oldNode),
      newPlacement.frame(new.cellFrame(of: node, atDepth: depth))
        == oldPlacement.frame(old.cellFrame(of: oldNode, atDepth: depth)),
      case let children = new.shownChildren(of: node, atDepth: depth),
      children == old.shownChildren(of: oldNode, atDepth: depth),
      new.layout.connectors == old.layout.connectors || children == nil
    else { return false }
    return children == nil || !new.layout.connectors
      || newPlacement.frame(new.connectorFrame(of: node, atDepth: depth))
        == oldPlacement.frame(old.connectorFrame(of: oldNode, atDepth: depth))
  }

  private mutating func include(old nodes: Range<Int>, atDepth depth: Int) {
    include(nodes, atDepth: depth, of: old, oldPlacement)
  }

  private mutating func include(new nodes: Range<Int>, atDepth depth: Int) {
    include(nodes, atDepth: depth, of: new, newPlacement)
  }

  private mutating func include(
    _ nodes: Range<Int>, atDepth depth: Int, of tree: some PreparedTree, _ placement: Placement
  ) {
    guard nodes.count > comparisonsLeft else {
      comparisonsLeft -= nodes.count
      for node in nodes {
        area.include(placement.frame(tree.cellFrame(of: node, atDepth: depth)))
        guard tree.layout.connectors, !tree.shape.children(of: node).isEmpty else { continue }
        area.include(placement.frame(tree.connectorFrame(of: node, atDepth: depth)))
      }
      return
    }
    let frames = tree.outermostFrames(of: nodes, atDepth: depth)
    area.include(Extent(frames.map { placement.frame($0) }))
  }
}
