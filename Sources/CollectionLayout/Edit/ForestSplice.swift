/// One change of a forest's structure.
enum ForestSplice {
  /// Deletes a node with its subtree.
  case delete(Int)
  /// Inserts a forest with one root, as the `index`-th child of a node; as a root if `parent` is
  /// `nil`.
  case insert(Forest, parent: Int?, index: Int)
  /// Moves a node with its subtree. `index` counts after the removal.
  case move(Int, parent: Int?, index: Int)

  /// The forest after the change, and for each of its nodes the node that it was before.
  ///
  /// - Complexity: O(*n*) for *n* nodes.
  func applied(to forest: Forest) -> (forest: Forest, origins: RunMap<Int>) {
    let list = List(self, forest)
    let order: Forest.Order
    do {
      order = try Forest.Order(list.parents)
    } catch {
      preconditionFailure("\(self) makes no forest: \(error)")
    }
    let nodes = order.nodes.map { list.nodes[Int($0)] }
    var origins = RunMap<Int>()
    for node in nodes { origins.append(1, from: node < forest.count ? node : nil) }
    var items = Items()
    for run in origins.runs {
      let first = nodes[run.elements.lowerBound]
      let end = first + run.elements.count
      items.append(
        run.origin == nil
          ? list.subtree!.items.slice(first - forest.count..<end - forest.count)
          : forest.items.slice(first..<end))
    }
    items.giveUpUnusedStorage()
    return (Forest(order, items), origins)
  }
}

extension ForestSplice {
  /// All nodes after a change, in an order in which siblings are right.
  private struct List {
    /// What each node was: a node of the forest, or behind all of these one of the new subtree.
    private(set) var nodes: [Int]
    /// For each node the place of its parent in this list; −1 for a root.
    private(set) var parents: [Int32] = []
    private(set) var subtree: Forest?

    init(_ splice: ForestSplice, _ forest: Forest) {
      let count = forest.count
      var isDeleted = [Bool](repeating: false, count: count)
      var (root, newParent, index): (Int?, Int?, Int) = (nil, nil, 0)
      switch splice {
      case .delete(let deleted):
        for node in deleted..<count {
          let parent = Int(forest.parents[node])
          isDeleted[node] = node == deleted || parent >= deleted && isDeleted[parent]
        }
      case .insert(let new, let parent, let place):
        (subtree, root, newParent, index) = (new, count, parent, place)
      case .move(let moved, let parent, let place):
        (root, newParent, index) = (moved, parent, place)
      }
      nodes = (0..<count).filter { $0 != root && !isDeleted[$0] }
      if let root {
        let all = newParent.map { forest.children(of: $0) } ?? 0..<forest.rootCount
        let siblings = all.filter { $0 != root }
        // Siblings are in ascending order.
        let place =
          index < siblings.count ? nodes.firstIndex(of: siblings[index])! : nodes.endIndex
        nodes.insert(root, at: place)
      }
      if let subtree { nodes += count + 1..<count + subtree.count }
      var places = [Int32](repeating: -1, count: count + (subtree?.count ?? 0))
      for (place, node) in nodes.enumerated() { places[node] = Int32(place) }
      parents = nodes.map { node in
        if node == root { return newParent.map { places[$0] } ?? -1 }
        let parent =
          node < count
          ? Int(forest.parents[node]) : count + Int(subtree!.parents[node - count])
        return parent < 0 ? -1 : places[parent]
      }
    }
  }
}
