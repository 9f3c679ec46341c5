/// A forest to which updates are applied. `CollectionUpdate.swift` says what each of them does.
///
/// Each update makes a new forest from runs of the old one. No part can be shared, because the
/// index of every node is its place in breadth-first order.
struct ForestEditor {
  private(set) var forest: Forest
  /// For each node, the node that it was at first.
  private(set) var origins: RunMap<Int>
  /// Whether each node is where it was, with the same name.
  private(set) var keepsIDs = true
  /// Whether any update has changed something.
  private(set) var hasChanged = false
  /// The nodes from before that lost their last child.
  private(set) var emptied: Set<Int> = []
  private var work: UpdateWork
  /// The forest before all updates, and the index of its ids.
  private let before: Forest
  private let index: ItemIDIndex?

  /// - Parameter index: The index of the ids of the forest, if updates name nodes by their ids.
  init(_ forest: Forest, visitLimit: Int, index: ItemIDIndex? = nil) {
    self.forest = forest
    self.index = index
    before = forest
    work = UpdateWork(limit: visitLimit)
    origins = RunMap(count: forest.count, from: 0)
  }

  /// Inserts a subtree. Like each of these, it does all or throws and changes nothing.
  ///
  /// - Parameter index: The update's index in the sequence, for errors.
  mutating func insert(
    _ subtree: Forest, parent: ItemReference?, at: Int, _ index: Int
  ) throws(LayoutError) {
    let parent = try parent.map { parent throws(LayoutError) in
      try node(parent, "/insertNode/parent", index)
    }
    let at = try LayoutError.place(at, upTo: childCount(of: parent), "/insertNode/at", index)
    guard subtree.rootCount == 1 else {
      throw .invalidUpdate(
        index, member: "/insertNode/node",
        requirement: "one node with its descendants, was \(subtree.rootCount) nodes")
    }
    guard forest.count + subtree.count <= Forest.maximumCount else {
      throw .tooManyItems(limit: Forest.maximumCount)
    }
    try checkNames(subtree.items.valueNames, "/insertNode/node", index)
    try work.visit(visits + subtree.count, index: index)
    apply(.insert(subtree, parent: parent, index: at))
  }

  mutating func delete(at: ItemReference, _ index: Int) throws(LayoutError) {
    let node = try node(at, "/deleteNode/at", index)
    try work.visit(visits, index: index)
    noteLastChild(node)
    apply(.delete(node))
  }

  mutating func move(
    from: ItemReference, parent: ItemReference?, at: Int, _ index: Int
  ) throws(LayoutError) {
    let moved = try node(from, "/moveNode/from", index)
    let parent = try parent.map { parent throws(LayoutError) in
      try node(parent, "/moveNode/parent", index)
    }
    if let parent, isNode(parent, inSubtreeOf: moved) {
      throw .invalidUpdate(
        index, member: "/moveNode/parent",
        requirement: "a node that is neither the moved one nor among its descendants")
    }
    let staysWithParent = forest.parents[moved] == Int32(parent ?? -1)
    let at = try LayoutError.place(
      at, upTo: childCount(of: parent) - (staysWithParent ? 1 : 0), "/moveNode/at", index)
    try work.visit(visits, index: index)
    let first = parent.map { forest.children(of: $0).lowerBound } ?? 0
    if staysWithParent, moved == first + at { return }
    if !staysWithParent { noteLastChild(moved) }
    apply(.move(moved, parent: parent, index: at))
  }

  mutating func set(_ patch: ItemsPatch, at: ItemReference, _ index: Int) throws(LayoutError) {
    let node = try node(at, "/setNode/at", index)
    var items = forest.items
    try work.visit(items.blocks.count, index: index)
    try checkNames(patch.valueNames, "/setNode", index)
    items.replaceSubrange(
      node..<node + 1, with: patch.applied(to: items.slice(node..<node + 1)))
    let range = node..<node + 1
    if !items.isEqual(to: forest.items, in: range)
      || !items.hasSameData(as: forest.items, in: range)
    {
      hasChanged = true
    }
    forest = forest.with(items)
  }

  /// Refuses nodes with which there would be too many names of texts.
  private func checkNames(
    _ names: Set<ValueName>, _ member: String, _ index: Int
  ) throws(LayoutError) {
    guard let kind = names.union(forest.items.valueNames).kindOfTooMany else { return }
    throw .invalidUpdate(
      index, member: member, requirement: "a node with \(kind.countRequirement)")
  }

  /// Notes the parent of a node that leaves it alone.
  private mutating func noteLastChild(_ node: Int) {
    let parent = Int(forest.parents[node])
    guard parent >= 0, forest.children(of: parent).count == 1,
      let origin = origins.origin(of: parent)
    else { return }
    emptied.insert(origin)
  }

  /// The cost of an update, in nodes. A depth costs about as much as 50 nodes, even if it has few.
  private var visits: Int { forest.count + 50 * forest.depthCount }

  private func node(
    _ reference: ItemReference, _ member: String, _ index: Int
  ) throws(LayoutError) -> Int {
    switch reference {
    case .path(let path):
      guard let node = forest.node(at: path) else {
        throw .invalidUpdate(
          index, member: member,
          requirement: "the index path of a node, was [\(path.section), \(path.item)]")
      }
      return node
    case .id(let id):
      let nodes = nodes(with: id)
      guard nodes.count == 1 else { throw .unusableID(id, of: nodes.count, member, index) }
      return nodes[0]
    }
  }

  /// The nodes that have an id, if several have it at least two of them.
  ///
  /// - Complexity: O(*r* + *k*) for *r* runs of nodes and *k* new ones; O(*n*) for *n* nodes if
  ///   several had the id before all updates. No update of nodes costs less.
  private func nodes(with id: ItemID) -> [Int] {
    var isLookedUp = true
    var old: Int?
    if let found = index?.find(id, in: .forest(before)) {
      isLookedUp = found.isOnly
      old = before.node(at: found.path)
    }
    var nodes: [Int] = []
    for run in origins.runs {
      if let origin = run.origin, isLookedUp {
        if let old, (origin..<origin + run.elements.count).contains(old) {
          nodes.append(run.elements.lowerBound + old - origin)
        }
      } else if forest.items.hasIDs {
        nodes += run.elements.lazy.filter { forest.items.id(at: $0) == id }.prefix(2)
      }
    }
    return nodes
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
    (keepsIDs, hasChanged) = (false, true)
    forest = spliced.forest
    origins = spliced.origins.following(origins)
  }
}
