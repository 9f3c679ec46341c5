import Synchronization

/// The nodes of a forest in the order of a walk that takes each node before its children. The
/// descendants of a node are a range of this walk.
///
///     rank       0   1   2   3   4   5          0 ┬ 1 ┬ 2
///     node       0   2   4   5   3   1            │   └ 3
///     end        5   4   3   4   5   6            └ 4
///     depth      0   1   2   2   1   0          5
final class ForestWalk: Sendable {
  /// The rank of each node.
  let ranks: [Int32]
  /// The node of each rank.
  let nodes: [Int32]
  /// For each rank, the one behind the last descendant of its node.
  let ends: [Int32]
  /// The depth of the node of each rank.
  let depths: [Int32]

  /// - Complexity: O(*n*) for *n* nodes, without recursion.
  init(_ forest: Forest) {
    let count = forest.count
    var sizes = [Int32](repeating: 1, count: count)
    for node in stride(from: count - 1, through: forest.rootCount, by: -1) {
      sizes[Int(forest.parents[node])] += sizes[node]
    }
    var ranks = [Int32](repeating: 0, count: count)
    func place(_ siblings: Range<Int>, from rank: Int32) {
      var rank = rank
      for node in siblings {
        ranks[node] = rank
        rank += sizes[node]
      }
    }
    place(0..<forest.rootCount, from: 0)
    for node in 0..<count { place(forest.children(of: node), from: ranks[node] + 1) }
    var (nodes, ends, depths) = (ranks, ranks, ranks)
    forest.forEachDepth(of: 0..<count) { part, depth in
      for node in part {
        let rank = Int(ranks[node])
        nodes[rank] = Int32(node)
        ends[rank] = ranks[node] + sizes[node]
        depths[rank] = Int32(depth)
      }
    }
    (self.ranks, self.nodes, self.ends, self.depths) = (ranks, nodes, ends, depths)
  }

  var count: Int { nodes.count }
  var memoryBytes: Int { count * 16 + 160 }

  func rank(of node: Int) -> Int { Int(ranks[node]) }
  func node(at rank: Int) -> Int { Int(nodes[rank]) }
  /// The rank behind the last descendant.
  func end(of rank: Int) -> Int { Int(ends[rank]) }
}

/// A walk that is made when somebody asks for it. Copies of a forest share it.
final class LazyWalk: Sendable {
  private let made = Mutex<ForestWalk?>(nil)

  func walk(of forest: Forest) -> ForestWalk {
    made.withLock { made in
      if let made { return made }
      let walk = ForestWalk(forest)
      made = walk
      return walk
    }
  }
}
