/// The rows of the nodes of a compact tree. A row is 1 high, and rows may be fractions.
///
/// Each parent is centred between its first and its last child. Subtrees are as close as possible,
/// but two nodes of one depth are at least 1 apart. Smaller subtrees between larger ones are spread
/// evenly. The terms are the paper's, but *left* and *right* are up and down here. In breadth-first
/// order the descendants of a node come after it, so both walks are plain loops.
///
/// Source: Buchheim, Jünger and Leipert, "Improving Walker's Algorithm to Run in Linear Time",
/// 2002. The rules are those of Reingold and Tilford, "Tidier Drawings of Trees", 1981.
///
/// This is a hot path. It uses bare memory, and all data of a node is in one place, because each
/// step of a contour goes to another depth. The forest has checked all indices.
final class TidyTree {
  private struct Node {
    /// The preliminary position among the siblings. Before the node is placed, the middle of its
    /// children.
    var preliminary = 0.0
    /// The distance to add to the positions of all descendants.
    var modifier = 0.0
    /// The next nodes on the subtree's contours: the first and the last child. A node without
    /// children has its thread in both. −1 is the end of a contour.
    var nextLeft = TidyTree.none
    var nextRight = TidyTree.none
    var ancestor: Int32
  }

  /// What a subtree passes on to the siblings before it: a distance, and its change from one
  /// sibling to the next.
  private struct Spread {
    var shift = 0.0
    var change = 0.0
  }

  private let nodes: UnsafeMutableBufferPointer<Node>
  /// The spreads of the siblings that are placed now, by their place among them. Otherwise zeros.
  private let spreads: UnsafeMutableBufferPointer<Spread>

  private static let none: Int32 = -1
  private static let distance = 1.0

  /// - Complexity: O(*n*).
  static func rows(of forest: Forest) -> [Double] {
    let tree = TidyTree(forest)
    tree.walk(forest)
    return tree.nodes.map(\.preliminary)
  }

  private init(_ forest: Forest) {
    nodes = .allocate(capacity: forest.count)
    var mostSiblings = forest.rootCount
    for index in nodes.indices {
      var node = Node(ancestor: Int32(index))
      let children = forest.children(of: index)
      if !children.isEmpty {
        node.nextLeft = Int32(children.lowerBound)
        node.nextRight = Int32(children.upperBound - 1)
        mostSiblings = max(mostSiblings, children.count)
      }
      nodes.initializeElement(at: index, to: node)
    }
    spreads = .allocate(capacity: mostSiblings)
    spreads.initialize(repeating: Spread())
  }

  deinit {
    nodes.deallocate()
    spreads.deallocate()
  }

  private func walk(_ forest: Forest) {
    for node in nodes.indices.reversed() {
      let children = forest.children(of: node)
      guard !children.isEmpty else { continue }
      placeSiblings(children)
      nodes[node].preliminary =
        (nodes[children.lowerBound].preliminary + nodes[children.upperBound - 1].preliminary) / 2
    }
    placeSiblings(0..<forest.rootCount)
    // Second walk: from here on, a modifier includes the modifiers of all ancestors.
    for node in forest.rootCount..<nodes.count {
      let above = nodes[Int(forest.parents[node])].modifier
      nodes[node].preliminary += above
      nodes[node].modifier += above
    }
  }

  /// The first walk, for the children of one node. Their own subtrees are already done.
  private func placeSiblings(_ siblings: Range<Int>) {
    var defaultAncestor = Int32(siblings.lowerBound)
    for node in siblings.dropFirst() {
      let midpoint = nodes[node].preliminary
      nodes[node].preliminary = nodes[node - 1].preliminary + Self.distance
      nodes[node].modifier = nodes[node].preliminary - midpoint
      apportion(Int32(node), first: Int32(siblings.lowerBound), &defaultAncestor)
    }
    executeShifts(siblings)
  }

  /// Moves a subtree away from the subtrees before it, along the contours between them.
  private func apportion(
    _ node: Int32, first: Int32, _ defaultAncestor: inout Int32
  ) {
    var insideRight = Int(node)
    var outsideRight = insideRight
    var insideLeft = insideRight - 1
    var outsideLeft = Int(first)
    var insideRightSum = nodes[insideRight].modifier
    var outsideRightSum = insideRightSum
    var insideLeftSum = nodes[insideLeft].modifier
    var outsideLeftSum = nodes[outsideLeft].modifier
    insideLeft = Int(nodes[insideLeft].nextRight)
    insideRight = Int(nodes[insideRight].nextLeft)
    while insideLeft >= 0 && insideRight >= 0 {
      outsideLeft = Int(nodes[outsideLeft].nextLeft)
      outsideRight = Int(nodes[outsideRight].nextRight)
      nodes[outsideRight].ancestor = node
      let overlap =
        (nodes[insideLeft].preliminary + insideLeftSum)
        - (nodes[insideRight].preliminary + insideRightSum) + Self.distance
      if overlap > 0 {
        let candidate = nodes[insideLeft].ancestor
        let isSibling = candidate >= first && candidate < node
        moveSubtree(
          node, from: isSibling ? candidate : defaultAncestor, by: overlap, first: first)
        insideRightSum += overlap
        outsideRightSum += overlap
      }
      insideLeftSum += nodes[insideLeft].modifier
      insideRightSum += nodes[insideRight].modifier
      outsideLeftSum += nodes[outsideLeft].modifier
      outsideRightSum += nodes[outsideRight].modifier
      insideLeft = Int(nodes[insideLeft].nextRight)
      insideRight = Int(nodes[insideRight].nextLeft)
    }
    if insideLeft >= 0 && nodes[outsideRight].nextRight == Self.none {
      setThread(of: outsideRight, to: insideLeft, by: insideLeftSum - outsideRightSum)
    }
    if insideRight >= 0 && nodes[outsideLeft].nextLeft == Self.none {
      setThread(of: outsideLeft, to: insideRight, by: insideRightSum - outsideLeftSum)
      defaultAncestor = node
    }
  }

  private func setThread(of leaf: Int, to node: Int, by modifier: Double) {
    nodes[leaf].nextLeft = Int32(node)
    nodes[leaf].nextRight = Int32(node)
    nodes[leaf].modifier += modifier
  }

  private func moveSubtree(
    _ node: Int32, from left: Int32, by distance: Double, first: Int32
  ) {
    let share = distance / Double(node - left)
    spreads[Int(node - first)].change -= share
    spreads[Int(node - first)].shift += distance
    spreads[Int(left - first)].change += share
    nodes[Int(node)].preliminary += distance
    nodes[Int(node)].modifier += distance
  }

  private func executeShifts(_ siblings: Range<Int>) {
    var shiftSum = 0.0
    var changeSum = 0.0
    for node in siblings.reversed() {
      nodes[node].preliminary += shiftSum
      nodes[node].modifier += shiftSum
      let spread = exchange(&spreads[node - siblings.lowerBound], with: Spread())
      changeSum += spread.change
      shiftSum += spread.shift + changeSum
    }
  }
}
