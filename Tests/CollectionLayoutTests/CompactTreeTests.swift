import TestSupport
import Testing

@testable import CollectionLayout

@Suite("compact trees")
struct CompactTreeTests {
  /// The row of each node of a forest in breadth-first order, the topmost being 0.
  private func rows(of forest: Forest) throws -> [Double] {
    let collection = try PreparedCollection(
      tree: [
        "spacing": "compact", "itemSize": ["width": 1, "height": 1],
        "insets": ["top": 0, "left": 0, "bottom": 0, "right": 0],
      ], forest)
    let tree = try #require(collection.prepared as? LayeredTree)
    return (0..<forest.depthCount).flatMap { depth in
      forest.nodes(atDepth: depth).map { tree.cellFrame(of: $0, atDepth: depth).origin.y }
    }
  }

  @Test("parents are centred and no two cells of a depth are too near", arguments: 0..<300)
  func promises(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let forest = try Forest(RandomCollection.nodes(using: &random))
    expectPromises(of: try rows(of: forest), in: forest, tolerance: 1e-9)
  }

  @Test("large trees keep the promises", arguments: 0..<10)
  func largePromises(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let reach = random.element(of: [2, 5, 50, 1000, 5000])
    let parents = (0..<5000).map { node in
      node == 0 ? -1 : Int32(random.integer(max(0, node - reach)...node - 1))
    }
    let forest = try Forest(parents: parents)
    expectPromises(of: try rows(of: forest), in: forest, tolerance: 1e-7)
  }

  private func expectPromises(of rows: [Double], in forest: Forest, tolerance: Double) {
    guard forest.count > 0 else { return }
    same(rows.min(), 0)
    for node in 0..<forest.count {
      let children = forest.children(of: node)
      guard let first = children.first, let last = children.last else { continue }
      let centre = (rows[first] + rows[last]) / 2
      if abs(rows[node] - centre) > tolerance {
        Issue.record("node \(node) is at \(rows[node]), its children's centre at \(centre)")
      }
    }
    for depth in 0..<forest.depthCount {
      for node in forest.nodes(atDepth: depth).dropFirst()
      where rows[node] - rows[node - 1] < 1 - tolerance {
        Issue.record("nodes \(node - 1) and \(node): \(rows[node - 1]) and \(rows[node])")
      }
    }
  }

  @Test("a symmetric tree is laid out symmetrically", arguments: 0..<100)
  func symmetry(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    // A random tree of at most two children a node, beside its mirror image under one root.
    let half = Self.binaryTree(of: random.integer(1...40), using: &random)
    var nodes = [PlainNode()]
    nodes += half.map { PlainNode(parent: ($0.parent ?? -1) + 1) }
    let mirror = Self.mirrored(half)
    nodes += mirror.map { PlainNode(parent: $0.parent.map { $0 + half.count + 1 } ?? 0) }
    let forest = try Forest(nodes)
    expectMirror(try rows(of: forest), try rows(of: forest), forest, forest)
  }

  @Test("the mirror image of a binary tree has the mirrored layout", arguments: 0..<200)
  func mirror(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let nodes = Self.binaryTree(of: random.integer(1...80), using: &random)
    let forest = try Forest(nodes)
    let mirror = try Forest(Self.mirrored(nodes))
    expectMirror(try rows(of: forest), try rows(of: mirror), forest, mirror)
  }

  @Test("equal subtrees are evenly spaced", arguments: 1..<12)
  func equalSubtrees(count: Int) throws {
    // A root with `count` children of two leaves each.
    var parents: [Int32] = [-1]
    parents += Array(repeating: 0, count: count)
    for child in 1...count { parents += [Int32(child), Int32(child)] }
    let rows = try rows(of: Forest(parents: parents))
    let middles: [Double] = (0..<count).map { Double(2 * $0) + 0.5 }
    let leaves: [Double] = (0..<2 * count).map { Double($0) }
    same(Array(rows[1...count]), middles)
    same(Array(rows[(count + 1)...]), leaves)
    same(rows[0], Double(count) - 0.5)
  }

  @Test("smaller subtrees between larger ones are spread evenly", arguments: 1..<8)
  func spread(between: Int) throws {
    // Two wide subtrees of 9 leaves with `between` leaves in the middle.
    let count = between + 2
    var parents: [Int32] = [-1]
    parents += Array(repeating: 0, count: count)
    parents += Array(repeating: 1, count: 9)
    parents += Array(repeating: Int32(count), count: 9)
    let rows = try rows(of: Forest(parents: parents))
    for child in 0..<count {
      #expect(areClose(rows[1 + child], 4 + 9 * Double(child) / Double(count - 1)))
    }
  }

  @Test("a subtree slides under a shorter one")
  func slides() throws {
    // a: a chain of 3; b: a leaf; c: leaves on depth 2 that fit below b.
    //  r ┬ a ─ d
    //    ├ b
    //    └ c ┬ e
    //        ├ f
    //        └ g
    let rows = try rows(of: Forest(parents: [-1, 0, 0, 0, 1, 3, 3, 3]))
    // c at 2 has e at 1, f at 2, g at 3: clear of d at 0.
    same(rows, [1, 0, 1, 2, 0, 1, 2, 3])
  }

  private static func binaryTree(of count: Int, using random: inout SeededGenerator) -> [PlainNode]
  {
    var nodes = [PlainNode()]
    var childCounts = [0]
    while nodes.count < count {
      let parent = random.integer(max(0, nodes.count - 12)...nodes.count - 1)
      guard childCounts[parent] < 2 else { continue }
      childCounts[parent] += 1
      nodes.append(PlainNode(parent: parent))
      childCounts.append(0)
    }
    return nodes
  }

  /// The same nodes in the opposite order, so that all siblings change places.
  private static func mirrored(_ nodes: [PlainNode]) -> [PlainNode] {
    nodes.reversed().map { PlainNode(parent: $0.parent.map { nodes.count - 1 - $0 }) }
  }

  /// In breadth-first order the mirror image has the nodes of each depth the other way round.
  private func expectMirror(
    _ rows: [Double], _ mirrorRows: [Double], _ forest: Forest, _ mirror: Forest
  ) {
    guard let lowest = rows.max() else { return }
    same(forest.depthStarts, mirror.depthStarts)
    for depth in 0..<forest.depthCount {
      let nodes = forest.nodes(atDepth: depth)
      for (node, image) in zip(nodes, nodes.reversed())
      where abs(rows[node] - (lowest - mirrorRows[image])) > 1e-9 {
        Issue.record("node \(node) at \(rows[node]), its image at \(lowest - mirrorRows[image])")
      }
    }
  }
}
