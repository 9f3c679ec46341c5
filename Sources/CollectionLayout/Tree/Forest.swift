/// A hierarchy in breadth-first order: the roots, then their children, then theirs.
///
///     node      0   1   2   3   4   5          0 ┬ 2 ┬ 4
///     parent    –   –   0   0   2   2            │   └ 5
///     children  2…3 ∅  4…5  ∅   ∅   ∅            └ 3
///     depth     0   0   1   1   2   2          1
///
/// In this order siblings are adjacent, and the children of one node follow those of the node
/// before. So one index per node says where its children begin. A depth is a section. A node's item
/// is its place in its depth.
public struct Forest: Sendable {
  /// The parent of each node, −1 for a root.
  let parents: [Int32]
  /// The index at which each node's children begin, and last the number of nodes.
  let childStarts: [Int32]
  /// The first node of each depth, and last the number of nodes.
  let depthStarts: [Int]
  /// What nodes have beside their place, in breadth-first order.
  private(set) var items: Items
  private let lazyWalk = LazyWalk()

  /// About how many bytes a node needs while a layout is made.
  private static let bytesPerNode = 96

  /// How many nodes there are.
  public var count: Int { parents.count }
  /// How many depths there are; 0 without nodes.
  public var depthCount: Int { depthStarts.count - 1 }
  var rootCount: Int { count == 0 ? 0 : depthStarts[1] }

  /// The largest number of nodes in a forest.
  public static let maximumCount = Int(Int32.max)

  /// Puts nodes into breadth-first order. Siblings keep their order.
  ///
  /// - Parameters:
  ///   - parents: For each node, the index of its parent in this list; −1 for a root.
  ///   - items: What the nodes have beside it; as many as nodes; `nil` for nothing.
  /// - Throws: ``LayoutError/invalidParent(node:requirement:)`` if a parent is no node, or if there
  ///   is a cycle.
  /// - Complexity: O(*n*), without recursion.
  public init(parents: [Int32], items: Items? = nil) throws(LayoutError) {
    let items = items ?? Items(uniform: parents.count)
    try LayoutError.checkFits(parents.count * (items.storedCount == 0 ? 8 : 24))
    try LayoutError.reserve(parents.count * Self.bytesPerNode)
    let order = try Order(parents)
    self.init(order, items.reordered(by: order.nodes))
  }

  /// A forest of nodes in breadth-first order, as the items are.
  init(_ order: Order, _ items: Items) {
    self.init(order.parents, order.childStarts, order.depthStarts, items)
  }

  init(_ parents: [Int32], _ childStarts: [Int32], _ depthStarts: [Int], _ items: Items) {
    (self.parents, self.childStarts, self.depthStarts) = (parents, childStarts, depthStarts)
    self.items = items
  }

  /// The walk that takes each node before its children. It is made when it is first asked for.
  var walk: ForestWalk { lazyWalk.walk(of: self) }

  /// The first node in the list that is part of a cycle.
  fileprivate static func nodeInCycle(parents: [Int32], reached: ArraySlice<Int32>) -> Int {
    var isReached = [Bool](repeating: false, count: parents.count)
    for node in reached { isReached[Int(node)] = true }
    var node = isReached.firstIndex(of: false) ?? 0
    for _ in parents { node = Int(parents[node]) }
    var first = node
    var walker = Int(parents[node])
    while walker != node {
      first = min(first, walker)
      walker = Int(parents[walker])
    }
    return first
  }

  @inline(__always)
  func children(of node: Int) -> Range<Int> { children(of: node..<node + 1) }

  /// The children of adjacent nodes.
  @inline(__always)
  func children(of nodes: Range<Int>) -> Range<Int> {
    Int(childStarts[nodes.lowerBound])..<Int(childStarts[nodes.upperBound])
  }

  func nodes(atDepth depth: Int) -> Range<Int> {
    depthStarts[depth]..<depthStarts[depth + 1]
  }

  var memoryBytes: Int {
    count * 8 + depthStarts.count * 8 + 128 + items.memoryBytes
  }

  /// The same forest whose nodes have something else.
  func with(_ items: Items) -> Forest {
    var forest = self
    forest.items = items
    return forest
  }
}

extension Forest {
  /// The breadth-first order of the nodes of a list.
  struct Order {
    /// As ``Forest/parents``.
    let parents: [Int32]
    let childStarts: [Int32]
    let depthStarts: [Int]
    /// The index of each node in the list.
    let nodes: [Int32]

    /// - Parameter given: For each node, the index of its parent in this list; −1 for a root.
    init(_ given: [Int32]) throws(LayoutError) {
      let count = given.count
      guard count <= Forest.maximumCount else { throw .tooManyItems(limit: Forest.maximumCount) }
      // The children sorted by parent, in order of appearance. The roots come first, as children of
      // −1. In the end, the children of a parent end at `ends[parent + 1]`. They begin where those
      // of the parent before end.
      var ends = [Int32](repeating: 0, count: count + 2)
      for (node, parent) in given.enumerated() {
        guard parent >= -1, parent < count else {
          throw .invalidParent(
            node: node,
            requirement: "the index of a node, 0 to \(count - 1), or null, was \(parent)")
        }
        ends[Int(parent) + 2] += 1
      }
      for index in 1..<ends.count { ends[index] += ends[index - 1] }
      var children = [Int32](repeating: 0, count: count)
      for (node, parent) in given.enumerated() {
        let place = ends[Int(parent) + 1]
        ends[Int(parent) + 1] = place + 1
        children[Int(place)] = Int32(node)
      }

      let rootCount = Int(ends[0])
      var order = [Int32](repeating: 0, count: count)
      var parents = [Int32](repeating: -1, count: count)
      var childStarts = [Int32](repeating: Int32(count), count: count + 1)
      var depthStarts = [0]
      for root in 0..<rootCount { order[root] = children[root] }
      var depthEnd = 0
      var reached = rootCount
      var node = 0
      while node < reached {
        if node == depthEnd {
          depthEnd = reached
          depthStarts.append(depthEnd)
        }
        let original = Int(order[node])
        childStarts[node] = Int32(reached)
        for child in Int(ends[original])..<Int(ends[original + 1]) {
          order[reached] = children[child]
          parents[reached] = Int32(node)
          reached += 1
        }
        node += 1
      }
      guard reached == count else {
        throw .invalidParent(
          node: Forest.nodeInCycle(parents: given, reached: order[..<reached]),
          requirement: "a node that is not among the node's own descendants (this is a cycle)")
      }
      self.parents = parents
      self.childStarts = childStarts
      self.depthStarts = depthStarts
      nodes = order
    }
  }
}

extension Forest {
  func depth(of node: Int) -> Int {
    partitionPoint(in: 0..<depthCount) { depthStarts[$0 + 1] <= node }
  }

  /// Calls `body` with the part of a range of nodes that lies in each depth.
  func forEachDepth(of nodes: Range<Int>, _ body: (Range<Int>, _ depth: Int) -> Void) {
    var start = nodes.lowerBound
    var depth = nodes.isEmpty ? 0 : depth(of: start)
    while start < nodes.upperBound {
      let end = min(depthStarts[depth + 1], nodes.upperBound)
      body(start..<end, depth)
      start = end
      depth += 1
    }
  }

  func indexPath(of node: Int) -> IndexPath {
    let depth = depth(of: node)
    return IndexPath(section: depth, item: node - depthStarts[depth])
  }

  /// The node at an index path, if there is one.
  func node(at path: IndexPath) -> Int? {
    guard (0..<depthCount).contains(path.section) else { return nil }
    let nodes = nodes(atDepth: path.section)
    return (0..<nodes.count).contains(path.item) ? nodes.lowerBound + path.item : nil
  }

  /// The id of the node at an index path, if it has one.
  func id(at path: IndexPath) -> ItemID? {
    node(at: path).flatMap { items.id(at: $0) }
  }
}

/// What an export needs.
extension Forest {
  /// The parent of a node in breadth-first order; `nil` for a root.
  public func parent(of node: Int) -> Int? { parents[node] < 0 ? nil : Int(parents[node]) }

  /// What nodes have beside their place, in breadth-first order.
  public var nodes: Items { items }
}
