/// A forest to which updates are applied.
///
/// Each update makes a new forest from runs of the old one. No part can be shared, because the
/// index of every node is its place in breadth-first order.
struct ForestEditor {
  private(set) var forest: Forest
  /// For each node, the node that it was at first.
  private(set) var origins: NodeOrigins
  /// Whether each node is where it was, with the same name.
  private(set) var keepsNames = true
  private var work: UpdateWork

  init(_ forest: Forest, visitLimit: Int) {
    self.forest = forest
    work = UpdateWork(limit: visitLimit)
    origins = NodeOrigins(identityOf: forest.count)
  }

  /// Applies one update completely, or throws and changes nothing.
  ///
  /// - Parameter index: The update's index in the sequence, for errors.
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
          requirement: "a node with which all ids together have at most 4 GiB")
      }
      try work.visit(visits + subtree.count, index: index)
      apply(ForestSplice(inserted: .new(subtree), parent: parent, index: at))
    case .deleteNode(let at):
      let node = try node(at: at, "/deleteNode/at", index)
      try work.visit(visits, index: index)
      apply(ForestSplice(removed: node))
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
      try work.visit(visits, index: index)
      apply(ForestSplice(removed: moved, inserted: .moved, parent: parent, index: at))
    case .setNode(let patch, let at):
      let node = try node(at: at, "/setNode/at", index)
      try work.visit(forest.count, index: index)
      forest = forest.with(
        patch.applied(to: forest.sizes, node: node, count: forest.count))
    case .insertItems, .deleteItems, .moveItem, .replaceItems, .setItems, .insertSections,
      .deleteSections, .moveSection, .setSection:
      throw .invalidUpdate(
        index, member: "", requirement: "an update of nodes for this kind")
    }
  }

  /// The cost of an update, in nodes. A depth costs about as much as 50 nodes, even if it has few.
  private var visits: Int { forest.count + 50 * forest.depthCount }

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

  private mutating func apply(_ splice: ForestSplice) {
    let spliced = splice.applied(to: forest)
    keepsNames = false
    forest = spliced.forest
    origins = spliced.origins.following(origins)
  }
}
