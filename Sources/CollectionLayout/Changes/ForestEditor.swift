/// A forest while updates are applied to it.
///
/// Each update walks the whole forest once in breadth-first order, with the children of one or two
/// nodes changed: a forest has no parts that could stay as they are, since every node's index
/// is its place in that order.
struct ForestEditor {
  private(set) var forest: Forest
  /// For each node the node that it was at first; −1 for a new one.
  private(set) var origins: [Int32]
  private var work: UpdateWork

  init(_ forest: Forest, limits: UpdateLimits) {
    self.forest = forest
    work = UpdateWork(limit: limits.nodeVisits, of: "nodes")
    origins = (0..<Int32(forest.count)).map { $0 }
  }

  /// Applies one update, all or nothing.
  ///
  /// - Parameter index: Its index in the sequence, for the error.
  /// - Complexity: O(*n*) for *n* nodes.
  mutating func apply(_ update: CollectionUpdate, index: Int) throws(LayoutError) {
    switch update {
    case .insertNode(let subtree, let parent, let at):
      let parent = try parent.map { path throws(LayoutError) in
        try node(at: path, "/insertNode/parent", index)
      }
      try LayoutError.checkPlace(at, upTo: childCount(of: parent), "/insertNode/at", index)
      guard subtree.rootCount == 1 else {
        throw .invalidUpdate(
          index, member: "/insertNode/node",
          requirement: "one node with its descendants, was \(subtree.rootCount) nodes")
      }
      guard forest.count + subtree.count <= Forest.maximumCount else {
        throw .tooManyItems(limit: Forest.maximumCount)
      }
      let nameBytes = (forest.ids?.bytes.count ?? 0) + (subtree.ids?.bytes.count ?? 0)
      guard nameBytes <= IDColumn.maximumBytes else {
        throw .invalidUpdate(
          index, member: "/insertNode/node",
          requirement: "a node after which all names have at most 4 GiB together")
      }
      try work.visit(forest.count + subtree.count, index: index)
      rebuild(
        ForestSplice(
          removed: nil, parent: parent, index: at, inserted: ForestSplice.reference(toNew: 0)),
        subtree: subtree)
    case .deleteNode(let at):
      let node = try node(at: at, "/deleteNode/at", index)
      try work.visit(forest.count, index: index)
      rebuild(ForestSplice(removed: node), subtree: nil)
    case .moveNode(let from, let parent, let at):
      let moved = try node(at: from, "/moveNode/from", index)
      let parent = try parent.map { path throws(LayoutError) in
        try node(at: path, "/moveNode/parent", index)
      }
      if let parent, isNode(parent, inSubtreeOf: moved) {
        throw .invalidUpdate(
          index, member: "/moveNode/parent",
          requirement: "a node that is neither the moved one nor among its descendants")
      }
      let staysWithParent = forest.parents[moved] == Int32(parent ?? -1)
      try LayoutError.checkPlace(
        at, upTo: childCount(of: parent) - (staysWithParent ? 1 : 0), "/moveNode/at", index)
      try work.visit(forest.count, index: index)
      rebuild(
        ForestSplice(removed: moved, parent: parent, index: at, inserted: Int32(moved)),
        subtree: nil)
    case .insertItems, .deleteItems, .moveItem, .replaceItems, .insertSections,
      .deleteSections, .moveSection:
      throw .invalidUpdate(
        index, member: "", requirement: "an update of nodes for this kind")
    }
  }

  private func node(
    at path: IndexPath, _ member: String, _ index: Int
  ) throws(LayoutError) -> Int {
    guard let node = forest.node(at: path) else {
      throw .invalidUpdate(
        index, member: member,
        requirement: "the index path of a node, was [\(path.section), \(path.item)]")
    }
    return node
  }

  private func childCount(of parent: Int?) -> Int {
    parent.map { forest.children(of: $0).count } ?? forest.rootCount
  }

  private func isNode(_ node: Int, inSubtreeOf root: Int) -> Bool {
    var node = node
    while node > root { node = Int(forest.parents[node]) }
    return node == root
  }

  private mutating func rebuild(_ splice: ForestSplice, subtree: Forest?) {
    let order = splice.order(of: forest, subtree: subtree)
    origins = order.nodes.map { $0 >= 0 ? origins[Int($0)] : -1 }
    let oldIDs = forest.ids
    forest = Forest(
      breadthFirst: order.parents, childStarts: order.childStarts,
      depthStarts: order.depthStarts,
      ids: IDColumn.picking(order.nodes, from: oldIDs, new: subtree?.ids))
  }
}

/// One change to a forest's links: a subtree taken away, one put somewhere, or both.
///
/// Nodes are referred to by their index; those of the new subtree by the index's complement.
private struct ForestSplice {
  var removed: Int?
  /// Whose child the inserted node becomes; `nil` for a root.
  var parent: Int?
  var index = 0
  var inserted: Int32?

  static func reference(toNew node: Int) -> Int32 { ~Int32(node) }

  typealias Order = (
    nodes: [Int32], parents: [Int32], childStarts: [Int32], depthStarts: [Int]
  )

  /// All nodes in the breadth-first order after the change.
  func order(of forest: Forest, subtree: Forest?) -> Order {
    var nodes: [Int32] = []
    nodes.reserveCapacity(forest.count + (subtree?.count ?? 0))
    var parents: [Int32] = []
    var childStarts: [Int32] = []
    func append(_ range: Range<Int>, of owner: Int?, parent: Int32) {
      let start = nodes.count
      for node in range where node != removed { nodes.append(Int32(node)) }
      if let inserted, owner == self.parent {
        nodes.insert(inserted, at: start + index)
      }
      parents += repeatElement(parent, count: nodes.count - start)
    }
    append(0..<forest.rootCount, of: nil, parent: -1)
    var depthStarts = [0]
    var depthEnd = 0
    var place = 0
    while place < nodes.count {
      if place == depthEnd {
        depthEnd = nodes.count
        depthStarts.append(depthEnd)
      }
      childStarts.append(Int32(nodes.count))
      let node = nodes[place]
      if node >= 0 {
        append(forest.children(of: Int(node)), of: Int(node), parent: Int32(place))
      } else if let subtree {
        let children = subtree.children(of: Int(~node))
        for child in children { nodes.append(Self.reference(toNew: child)) }
        parents += repeatElement(Int32(place), count: children.count)
      }
      place += 1
    }
    childStarts.append(Int32(nodes.count))
    return (nodes, parents, childStarts, depthStarts)
  }
}

extension IDColumn {
  /// The names of nodes, by index or, in another column, by the index's complement.
  fileprivate static func picking(
    _ nodes: [Int32], from old: IDColumn?, new: IDColumn?
  ) -> IDColumn? {
    guard old != nil || new != nil else { return nil }
    var names = IDColumnBuilder(
      capacity: nodes.count, bytes: (old?.bytes.count ?? 0) + (new?.bytes.count ?? 0))
    for node in nodes {
      let name = node >= 0 ? old?.bytes(of: Int(node)) : new?.bytes(of: Int(~node))
      names.append(name ?? [])
    }
    return names.column
  }
}
