/// The positions of the nodes of a compact tree whose nodes differ in size: the non-layered tidy
/// tree.
///
/// A node's extent is its cell with its insets. Children begin in x where their parent ends. So
/// nodes of one depth may begin at different x, and a subtree may lie beside a long node. Each
/// subtree first touches the root before it and then moves on until no extents overlap. Smaller
/// subtrees between larger ones are spread evenly. A parent is centred between the top of its first
/// child and the bottom of its last. The terms are the paper's, but *left* and *right* are up and
/// down here, and *bottom* is `end`.
///
/// In breadth-first order the descendants of a node come after it, so both walks are plain loops.
///
/// Source: van der Ploeg, "Drawing Non-layered Tidy Trees in Linear Time", 2014. The even spreading
/// is that of d3-flextree.
///
/// This is a hot path. It uses bare memory, and all data of a node is in one cache line, because
/// each step of a contour goes to another depth. The forest has checked all indices.
final class NonLayeredTree {
  private struct Node {
    /// The x at which the extent ends.
    var end: Double
    var height: Double
    /// The top of the extent, minus the modifiers from the root to this node.
    var preliminary = 0.0
    /// The distance to add to the positions of this node and all its descendants.
    var modifier = 0.0
    /// The next nodes on the subtree's contours: the first and the last child. A node without
    /// children has threads here. −1 is the end of a contour.
    var nextLeft = NonLayeredTree.none
    var nextRight = NonLayeredTree.none
    /// The extreme nodes: the nodes on the left and the right contour that end last in x.
    var extremeLeft: Int32
    var extremeRight: Int32
    /// The sums of modifiers from this node to the extreme ones.
    var extremeLeftSum = 0.0
    var extremeRightSum = 0.0
  }

  /// Distances that are added to the modifiers of siblings later. From this sibling on, each
  /// sibling moves by `shift` more than the one before it. `change` is added once to this sibling
  /// and all after it.
  private struct Spread {
    var shift = 0.0
    var change = 0.0
  }

  /// An earlier sibling that ends later in x than all siblings between it and the one that is
  /// placed now.
  private struct Low {
    var end: Double
    var sibling: Int32
  }

  private let nodes: UnsafeMutableBufferPointer<Node>
  /// The spreads of the siblings that are placed now, by their place among them. Otherwise zeros.
  private let spreads: UnsafeMutableBufferPointer<Spread>
  /// A stack of the siblings that are placed now. The last one is the nearest.
  private let lows: UnsafeMutableBufferPointer<Low>

  private static let none: Int32 = -1

  /// The positions of the extents of all nodes, in breadth-first order.
  ///
  /// Roots begin at x = 0 and are placed like siblings. The topmost extent begins at y = 0.
  ///
  /// - Parameters:
  ///   - forest: The nodes.
  ///   - extent: Returns the size of a node with its insets, by its index in the forest.
  /// - Complexity: O(*n*), without recursion.
  static func positions(
    of forest: Forest, extent: (Int) -> Size
  ) -> (xs: [Double], ys: [Double]) {
    let tree = NonLayeredTree(forest)
    let xs = [Double](unsafeUninitializedCapacity: forest.count) { xs, initialized in
      tree.setNodes(forest, extent: extent, xs)
      initialized = forest.count
    }
    let ys = [Double](unsafeUninitializedCapacity: forest.count) { ys, initialized in
      tree.walk(forest, ys)
      initialized = forest.count
    }
    return (xs, ys)
  }

  private init(_ forest: Forest) {
    nodes = .allocate(capacity: forest.count)
    var mostSiblings = forest.rootCount
    for node in 0..<forest.count {
      mostSiblings = max(mostSiblings, forest.children(of: node).count)
    }
    spreads = .allocate(capacity: mostSiblings)
    spreads.initialize(repeating: Spread())
    lows = .allocate(capacity: mostSiblings)
  }

  @inline(__always)
  private func setNodes(
    _ forest: Forest, extent: (Int) -> Size, _ xs: UnsafeMutableBufferPointer<Double>
  ) {
    for index in 0..<forest.count {
      let extent = extent(index)
      let x = index < forest.rootCount ? 0 : nodes[Int(forest.parents[index])].end
      var node = Node(
        end: x + extent.width, height: extent.height, extremeLeft: Int32(index),
        extremeRight: Int32(index))
      let children = forest.children(of: index)
      if !children.isEmpty {
        node.nextLeft = Int32(children.lowerBound)
        node.nextRight = Int32(children.upperBound - 1)
      }
      nodes.initializeElement(at: index, to: node)
      xs.initializeElement(at: index, to: x)
    }
  }

  deinit {
    nodes.deallocate()
    spreads.deallocate()
    lows.deallocate()
  }

  private func walk(_ forest: Forest, _ ys: UnsafeMutableBufferPointer<Double>) {
    for node in nodes.indices.reversed() {
      let children = forest.children(of: node)
      guard !children.isEmpty else { continue }
      placeSiblings(children)
      setRoot(node, over: children)
    }
    placeSiblings(0..<forest.rootCount)
    // Second walk: from here on, a modifier includes the modifiers of all ancestors.
    var top = Double.infinity
    for node in nodes.indices {
      if node >= forest.rootCount {
        nodes[node].modifier += nodes[Int(forest.parents[node])].modifier
      }
      let y = nodes[node].preliminary + nodes[node].modifier
      ys.initializeElement(at: node, to: y)
      top = min(top, y)
    }
    for node in nodes.indices { ys[node] -= top }
  }

  /// The first walk, for the children of one node. Their own subtrees are already done.
  private func placeSiblings(_ siblings: Range<Int>) {
    guard siblings.count > 1 else { return }
    var lowCount = 0
    pushLow(
      siblings.lowerBound, end: nodes[Int(nodes[siblings.lowerBound].extremeLeft)].end, &lowCount)
    for node in siblings.dropFirst() {
      let end = nodes[Int(nodes[node].extremeRight)].end
      separate(node, first: siblings.lowerBound, nearest: lowCount - 1)
      pushLow(node, end: end, &lowCount)
    }
    executeShifts(siblings)
  }

  private func pushLow(_ sibling: Int, end: Double, _ lowCount: inout Int) {
    while lowCount > 0 && end >= lows[lowCount - 1].end { lowCount -= 1 }
    lows.initializeElement(at: lowCount, to: Low(end: end, sibling: Int32(sibling)))
    lowCount += 1
  }

  /// Moves a subtree to the subtrees before it, and then away from them along the contours between
  /// them.
  private func separate(_ node: Int, first: Int, nearest: Int) {
    var low = nearest
    var right = node - 1
    var rightSum = nodes[right].modifier
    var left = node
    var leftSum = nodes[left].modifier
    var isTouching = false
    while true {
      if nodes[right].end > lows[low].end && low > 0 { low -= 1 }
      let overlap =
        (rightSum + nodes[right].preliminary + nodes[right].height)
        - (leftSum + nodes[left].preliminary)
      if overlap > 0 || !isTouching {
        leftSum += overlap
        moveSubtree(node, from: Int(lows[low].sibling), by: overlap, first: first)
      }
      isTouching = true

      let (rightEnd, leftEnd) = (nodes[right].end, nodes[left].end)
      var (nextRight, nextLeft) = (Int32(right), Int32(left))
      if rightEnd <= leftEnd { nextRight = nodes[right].nextRight }
      if leftEnd <= rightEnd { nextLeft = nodes[left].nextLeft }
      if nextRight < 0 || nextLeft < 0 {
        if nextLeft >= 0 {
          let sum = nextLeft == left ? leftSum : leftSum + nodes[Int(nextLeft)].modifier
          setLeftThread(of: first, to: Int(nextLeft), sum: sum, in: node)
        } else if nextRight >= 0 {
          let sum = nextRight == right ? rightSum : rightSum + nodes[Int(nextRight)].modifier
          setRightThread(of: node, to: Int(nextRight), sum: sum)
        }
        return
      }
      if rightEnd <= leftEnd {
        right = Int(nextRight)
        rightSum += nodes[right].modifier
      }
      if leftEnd <= rightEnd {
        left = Int(nextLeft)
        leftSum += nodes[left].modifier
      }
    }
  }

  /// Moves a subtree. The subtrees between it and the one that it would overlap move by shares.
  private func moveSubtree(_ node: Int, from left: Int, by distance: Double, first: Int) {
    nodes[node].modifier += distance
    nodes[node].extremeLeftSum += distance
    nodes[node].extremeRightSum += distance
    let gaps = node - left
    guard gaps > 1 else { return }
    let share = distance / Double(gaps)
    spreads[left + 1 - first].shift += share
    spreads[node - first].shift -= share
    spreads[node - first].change -= distance - share
  }

  /// The subtree of `node` reaches farther in x than those before it. So their left contour
  /// continues in it.
  private func setLeftThread(of first: Int, to next: Int, sum: Double, in node: Int) {
    let extreme = Int(nodes[first].extremeLeft)
    nodes[extreme].nextLeft = Int32(next)
    // The sum of modifiers must be correct behind the thread, but the node itself must not move.
    let difference = sum - nodes[next].modifier - nodes[first].extremeLeftSum
    nodes[extreme].modifier += difference
    nodes[extreme].preliminary -= difference
    nodes[first].extremeLeft = nodes[node].extremeLeft
    nodes[first].extremeLeftSum = nodes[node].extremeLeftSum
  }

  /// The subtrees before `node` reach farther in x than its own. So its right contour continues in
  /// them.
  private func setRightThread(of node: Int, to next: Int, sum: Double) {
    let extreme = Int(nodes[node].extremeRight)
    nodes[extreme].nextRight = Int32(next)
    let difference = sum - nodes[next].modifier - nodes[node].extremeRightSum
    nodes[extreme].modifier += difference
    nodes[extreme].preliminary -= difference
    nodes[node].extremeRight = nodes[node - 1].extremeRight
    nodes[node].extremeRightSum = nodes[node - 1].extremeRightSum
  }

  private func executeShifts(_ siblings: Range<Int>) {
    var shiftSum = 0.0
    var changeSum = 0.0
    for node in siblings {
      let spread = exchange(&spreads[node - siblings.lowerBound], with: Spread())
      shiftSum += spread.shift
      changeSum += shiftSum + spread.change
      nodes[node].modifier += changeSum
    }
  }

  private func setRoot(_ node: Int, over children: Range<Int>) {
    let first = nodes[children.lowerBound]
    let last = nodes[children.upperBound - 1]
    let top = first.preliminary + first.modifier
    let bottom = last.preliminary + last.modifier + last.height
    nodes[node].preliminary = (top + bottom) / 2 - nodes[node].height / 2
    nodes[node].extremeLeft = first.extremeLeft
    nodes[node].extremeLeftSum = first.extremeLeftSum
    nodes[node].extremeRight = last.extremeRight
    nodes[node].extremeRightSum = last.extremeRightSum
  }
}
