/// The nodes of a forest that are shown, as a forest of their own: the shape that is laid out.
struct ShownNodes: Sendable {
  let whole: Forest
  let shape: Forest
  let folds: Folds
  /// The node of the whole that each node of the shape is; `nil` if they are the same.
  private let nodes: [Int32]?
  /// How many nodes each folded node hides, by its place in the shape.
  private let hidden: [Int: Int]
  /// What the folds hide of the walk; `nil` if there are none.
  let ranks: HiddenRanks?

  /// - Complexity: O(*n*) for *n* nodes; O(1) where nothing is folded.
  init(of forest: Forest, _ folds: Folds) {
    whole = forest
    self.folds = folds.fitted(to: forest)
    ranks = self.folds.isEmpty ? nil : HiddenRanks(forest, self.folds)
    guard let ranks, !ranks.isEmpty else {
      (shape, nodes, hidden) = (forest, nil, [:])
      return
    }
    var nodes = (0..<Int32(forest.rootCount)).map { $0 }
    var parents = nodes.map { _ in Int32(-1) }
    var (childStarts, depthStarts): ([Int32], [Int]) = ([], [])
    var hidden: [Int: Int] = [:]
    var (node, depthEnd) = (0, 0)
    while node < nodes.count {
      if node == depthEnd {
        depthStarts.append(node)
        depthEnd = nodes.count
      }
      childStarts.append(Int32(nodes.count))
      let rank = ranks.walk.rank(of: Int(nodes[node]))
      if ranks.isFolded(rank, at: ranks.index(of: rank)) {
        hidden[node] = ranks.walk.end(of: rank) - rank - 1
      } else {
        for child in forest.children(of: Int(nodes[node])) {
          nodes.append(Int32(child))
          parents.append(Int32(node))
        }
      }
      node += 1
    }
    childStarts.append(Int32(nodes.count))
    depthStarts.append(nodes.count)
    shape = Forest(parents, childStarts, depthStarts, Items())
    (self.nodes, self.hidden) = (nodes, hidden)
  }

  var memoryBytes: Int {
    (ranks?.walk.memoryBytes ?? 0)
      + (nodes == nil ? 0 : shape.memoryBytes + shape.count * 4 + hidden.count * 48)
  }

  func wholeNode(_ node: Int) -> Int { nodes.map { Int($0[node]) } ?? node }

  /// The first node of the shape that is a node of the whole, or comes behind it.
  func firstNode(from whole: Int) -> Int {
    guard let nodes else { return whole }
    return partitionPoint(in: 0..<nodes.count) { nodes[$0] < whole }
  }

  /// The node of the shape that a node of the whole is; `nil` if that is hidden.
  func node(_ whole: Int) -> Int? {
    let node = firstNode(from: whole)
    return node < shape.count && wholeNode(node) == whole ? node : nil
  }

  /// How many nodes a node hides; `nil` if it is not folded.
  func hiddenCount(below node: Int) -> Int? { hidden.isEmpty ? nil : hidden[node] }

  /// The sizes of the nodes of the shape.
  var sizes: NodeSizes? {
    NodeSizes(whole.items).map { sizes in nodes.map { sizes.reordered(by: $0) } ?? sizes }
  }
}
