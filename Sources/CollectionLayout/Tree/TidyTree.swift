/// The rows that a compact tree's nodes stand in, a row being 1 high; rows may be fractions.
///
/// Each parent is centred on the span from its first to its last child, and subtrees are as close
/// as no two nodes of a depth come nearer than 1; smaller subtrees between larger ones are spread
/// evenly. The terms are the paper's, with *left* and *right* being up and down here. In
/// breadth-first order a node's descendants all come after it, so both walks are plain loops.
///
/// Source: Buchheim, Jünger and Leipert, "Improving Walker's Algorithm to Run in Linear Time",
/// 2002; the rule is Reingold and Tilford's, "Tidier Drawings of Trees", 1981.
struct TidyTree {
  private let childStarts: [Int32]
  private let parents: [Int32]
  /// The preliminary position of each node among its siblings.
  private var preliminary: [Double]
  /// What to add to the positions of all descendants.
  private var modifier: [Double]
  /// The middle of each node's children, before the node itself is moved.
  private var midpoint: [Double]
  private var shift: [Double]
  private var change: [Double]
  /// The next node on a subtree's contour where the subtree itself ends; −1 for none.
  private var thread: [Int32]
  private var ancestor: [Int32]

  private static let none: Int32 = -1
  private static let distance = 1.0

  /// - Complexity: O(*n*).
  static func rows(of forest: Forest) -> [Double] {
    var tree = TidyTree(forest)
    return tree.rows(rootCount: forest.rootCount)
  }

  private init(_ forest: Forest) {
    childStarts = forest.childStarts
    parents = forest.parents
    let zeros = [Double](repeating: 0, count: forest.count)
    preliminary = zeros
    modifier = zeros
    midpoint = zeros
    shift = zeros
    change = zeros
    thread = Array(repeating: Self.none, count: forest.count)
    ancestor = (0..<Int32(forest.count)).map { $0 }
  }

  private mutating func rows(rootCount: Int) -> [Double] {
    for node in stride(from: parents.count - 1, through: 0, by: -1) {
      let children = children(of: node)
      guard !children.isEmpty else { continue }
      placeSiblings(children)
      midpoint[node] =
        (preliminary[children.lowerBound] + preliminary[children.upperBound - 1]) / 2
    }
    placeSiblings(0..<rootCount)
    // Second walk: from here on a modifier includes those of all ancestors.
    for node in rootCount..<max(rootCount, parents.count) {
      let above = modifier[Int(parents[node])]
      preliminary[node] += above
      modifier[node] += above
    }
    return preliminary
  }

  private func children(of node: Int) -> Range<Int> {
    Int(childStarts[node])..<Int(childStarts[node + 1])
  }

  private func nextLeft(_ node: Int32) -> Int32 {
    let first = childStarts[Int(node)]
    return first < childStarts[Int(node) + 1] ? first : thread[Int(node)]
  }

  private func nextRight(_ node: Int32) -> Int32 {
    let end = childStarts[Int(node) + 1]
    return childStarts[Int(node)] < end ? end - 1 : thread[Int(node)]
  }

  /// The first walk over the children of one node, whose own subtrees are done.
  private mutating func placeSiblings(_ siblings: Range<Int>) {
    var defaultAncestor = Int32(siblings.lowerBound)
    for node in siblings {
      if node > siblings.lowerBound {
        preliminary[node] = preliminary[node - 1] + Self.distance
        modifier[node] = preliminary[node] - midpoint[node]
        apportion(Int32(node), first: Int32(siblings.lowerBound), &defaultAncestor)
      } else {
        preliminary[node] = midpoint[node]
      }
    }
    executeShifts(siblings)
  }

  /// Moves a subtree away from those before it, along the contours between them.
  private mutating func apportion(
    _ node: Int32, first: Int32, _ defaultAncestor: inout Int32
  ) {
    var insideRight = node
    var outsideRight = node
    var insideLeft = node - 1
    var outsideLeft = first
    var insideRightSum = modifier[Int(insideRight)]
    var outsideRightSum = insideRightSum
    var insideLeftSum = modifier[Int(insideLeft)]
    var outsideLeftSum = modifier[Int(outsideLeft)]
    insideLeft = nextRight(insideLeft)
    insideRight = nextLeft(insideRight)
    while insideLeft != Self.none && insideRight != Self.none {
      outsideLeft = nextLeft(outsideLeft)
      outsideRight = nextRight(outsideRight)
      ancestor[Int(outsideRight)] = node
      let overlap =
        (preliminary[Int(insideLeft)] + insideLeftSum)
        - (preliminary[Int(insideRight)] + insideRightSum) + Self.distance
      if overlap > 0 {
        let candidate = ancestor[Int(insideLeft)]
        let isSibling = candidate >= first && candidate < node
        moveSubtree(from: isSibling ? candidate : defaultAncestor, to: node, by: overlap)
        insideRightSum += overlap
        outsideRightSum += overlap
      }
      insideLeftSum += modifier[Int(insideLeft)]
      insideRightSum += modifier[Int(insideRight)]
      outsideLeftSum += modifier[Int(outsideLeft)]
      outsideRightSum += modifier[Int(outsideRight)]
      insideLeft = nextRight(insideLeft)
      insideRight = nextLeft(insideRight)
    }
    if insideLeft != Self.none && nextRight(outsideRight) == Self.none {
      thread[Int(outsideRight)] = insideLeft
      modifier[Int(outsideRight)] += insideLeftSum - outsideRightSum
    }
    if insideRight != Self.none && nextLeft(outsideLeft) == Self.none {
      thread[Int(outsideLeft)] = insideRight
      modifier[Int(outsideLeft)] += insideRightSum - outsideLeftSum
      defaultAncestor = node
    }
  }

  private mutating func moveSubtree(from left: Int32, to right: Int32, by distance: Double) {
    let share = distance / Double(right - left)
    change[Int(right)] -= share
    shift[Int(right)] += distance
    change[Int(left)] += share
    preliminary[Int(right)] += distance
    modifier[Int(right)] += distance
  }

  private mutating func executeShifts(_ siblings: Range<Int>) {
    var shiftSum = 0.0
    var changeSum = 0.0
    for node in siblings.reversed() {
      preliminary[node] += shiftSum
      modifier[node] += shiftSum
      changeSum += change[node]
      shiftSum += shift[node] + changeSum
    }
  }
}
