extension InvalidatedArea {
  /// The area that differs after changes of a hierarchy.
  ///
  /// - Parameters:
  ///   - toPrevious: For each new node, the old node that it was.
  ///   - toNext: For each old node, the new node that it became.
  /// - Complexity: O(*n*) for *n* nodes.
  init(
    _ old: any PreparedTree, _ new: any PreparedTree, toPrevious: NodeOrigins,
    toNext: NodeOrigins
  ) {
    if new.layout.direction.isMirrored, old.localSize.width != new.localSize.width {
      includeAll(old, new)
      return
    }
    switch (old, new) {
    case (let old as LayeredTree, let new as LayeredTree):
      includeDifferences(old, new, toPrevious, toNext)
    case (let old as SizedTree, let new as SizedTree):
      includeDifferences(old, new, toPrevious, toNext)
    default:
      includeAll(old, new)
      return
    }
    besidePins = all
    finish(turning: new.placement)
  }

  private mutating func includeDifferences<Tree: PreparedTree>(
    _ old: Tree, _ new: Tree, _ toPrevious: NodeOrigins, _ toNext: NodeOrigins
  ) {
    toPrevious.forEachRun { nodes, origin in
      if let origin {
        includeDifferences(nodes, of: new, nodes.lowerBound - origin, of: old)
      } else {
        new.forest.forEachDepth(of: nodes) { include($0, atDepth: $1, of: new) }
      }
    }
    toNext.forEachRun { nodes, place in
      if place == nil { old.forest.forEachDepth(of: nodes) { include($0, atDepth: $1, of: old) } }
    }
  }

  /// Includes the nodes whose elements differ between two versions.
  ///
  /// - Parameters:
  ///   - nodes: Nodes that are adjacent in both versions.
  ///   - distance: The distance by which their indices have grown.
  private mutating func includeDifferences<Tree: PreparedTree>(
    _ nodes: Range<Int>, of new: Tree, _ distance: Int, of old: Tree
  ) {
    var start = nodes.lowerBound
    var depth = new.forest.depth(of: start)
    var oldDepth = old.forest.depth(of: start - distance)
    while start < nodes.upperBound {
      let depthEnd = new.forest.depthStarts[depth + 1]
      let oldDepthEnd = old.forest.depthStarts[oldDepth + 1] + distance
      let end = min(depthEnd, oldDepthEnd, nodes.upperBound)
      includeDifferences(start..<end, atDepth: depth, of: new, distance, atDepth: oldDepth, of: old)
      if end == depthEnd { depth += 1 }
      if end == oldDepthEnd { oldDepth += 1 }
      start = end
    }
  }

  /// Like the function above, for nodes of one depth in both versions.
  private mutating func includeDifferences<Tree: PreparedTree>(
    _ nodes: Range<Int>, atDepth depth: Int, of new: Tree, _ distance: Int,
    atDepth oldDepth: Int, of old: Tree
  ) {
    let depthDistance = new.forest.depthStarts[depth] - old.forest.depthStarts[oldDepth]
    let isElsewhere = depth != oldDepth || distance != depthDistance
    var start = nodes.lowerBound
    while start < nodes.upperBound {
      var end = isElsewhere ? nodes.upperBound : start
      while end < nodes.upperBound,
        !Self.isSame(end, of: new, end - distance, of: old, atDepth: depth)
      {
        end += 1
      }
      include(start..<end, atDepth: depth, of: new)
      include(start - distance..<end - distance, atDepth: oldDepth, of: old)
      start = end + 1
    }
  }

  /// Whether a node's elements are equal in both versions. The node must have the same index path
  /// in both.
  private static func isSame<Tree: PreparedTree>(
    _ node: Int, of new: Tree, _ oldNode: Int, of old: Tree, atDepth depth: Int
  ) -> Bool {
    guard new.cellFrame(of: node, atDepth: depth) == old.cellFrame(of: oldNode, atDepth: depth)
    else { return false }
    let children = new.children(of: node, atDepth: depth)
    guard children == old.children(of: oldNode, atDepth: depth) else { return false }
    return children == nil
      || new.connectorFrame(of: node, atDepth: depth)
        == old.connectorFrame(of: oldNode, atDepth: depth)
  }

  private mutating func include<Tree: PreparedTree>(
    _ nodes: Range<Int>, atDepth depth: Int, of tree: Tree
  ) {
    tree.forEachOutermostFrame(of: nodes, atDepth: depth) { all.include($0) }
  }
}
