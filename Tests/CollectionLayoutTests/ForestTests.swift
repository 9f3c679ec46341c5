import TestSupport
import Testing

@testable import CollectionLayout

@Suite("forests")
struct ForestTests {
  @Test("nodes come in breadth-first order, siblings in order of appearance")
  func order() throws {
    // d is a root; c, a its children; b is a's child, e c's.
    let forest = try Forest([
      PlainNode(parent: 3, id: "c"), PlainNode(parent: 2, id: "b"), PlainNode(parent: 3, id: "a"),
      PlainNode(id: "d"), PlainNode(parent: 0, id: "e"),
    ])
    same(forest.count, 5)
    same(forest.depthCount, 3)
    same((0..<5).map { forest.items.id(at: $0)?.string }, ["d", "c", "a", "e", "b"])
    same(forest.parents, [-1, 0, 0, 1, 2])
    same((0..<3).map { forest.nodes(atDepth: $0) }, [0..<1, 1..<3, 3..<5])
    same((0..<5).map { forest.children(of: $0) }, [1..<3, 3..<4, 4..<5, 5..<5, 5..<5])
  }

  @Test("several roots are the first depth")
  func roots() throws {
    let forest = try Forest(parents: [-1, 0, -1, 2, -1])
    same(forest.rootCount, 3)
    same(forest.nodes(atDepth: 0), 0..<3)
    same(forest.parents, [-1, -1, -1, 0, 1])
    #expect(forest.children(of: 2).isEmpty)
  }

  @Test("no nodes are a forest of no depth")
  func empty() throws {
    let forest = try Forest(parents: [])
    same(forest.count, 0)
    same(forest.depthCount, 0)
    same(forest.rootCount, 0)
  }

  @Test("a parent may come after its children")
  func parentsLater() throws {
    let forest = try Forest(parents: [1, 2, 3, -1])
    same(forest.parents, [-1, 0, 1, 2])
    same(forest.depthCount, 4)
  }

  @Test(
    "a cycle is refused, and the error names a node of it",
    arguments: [
      ([0], [0]), ([-1, 1], [1]), ([1, 0], [0, 1]), ([-1, 0, 3, 4, 2], [2, 3, 4]),
      // Nodes that lead into a cycle are not in it.
      ([1, 2, 1, 0], [1, 2]), ([-1, 3, 1, 4, 3, 2], [3, 4]),
    ] as [([Int32], Set<Int>)])
  func cycle(parents: [Int32], cycle: Set<Int>) {
    let error = #expect(throws: LayoutError.self) { try Forest(parents: parents) }
    guard case .invalidParent(let node, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cycle.contains(node))
  }

  @Test("a long cycle with a long tail is refused")
  func longCycle() {
    var parents = (0..<200_000).map { Int32($0) - 1 }
    parents[100_000] = 150_000
    let error = #expect(throws: LayoutError.self) { try Forest(parents: parents) }
    guard case .invalidParent(let node, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((100_000...150_000).contains(node))
  }

  @Test("a parent that is no node is refused by name", arguments: [3, -2, 1000, .max, .min])
  func outOfRange(parent: Int32) {
    let error = #expect(throws: LayoutError.self) {
      try Forest(parents: [-1, 0, parent])
    }
    guard case .invalidParent(node: 2, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("sizes come with their nodes")
  func sizes() throws {
    // A root behind its child, of which only the child has a width and only the root a height.
    let forest = try Forest(
      parents: [1, -1],
      items: Items(
        ItemStorage(
          count: 2, columns: [.width: [30, .nan], .height: [.nan, 7]], ids: nil)))
    let standard = Size(width: 100, height: 50)
    let sizes = try #require(NodeSizes(forest.items))
    same(sizes.size(of: 0, else: standard), Size(width: 100, height: 7))
    same(sizes.size(of: 1, else: standard), Size(width: 30, height: 50))
    #expect(NodeSizes(Items(uniform: 2)) == nil)
  }

  @Test("a random forest is its plain breadth-first walk", arguments: 0..<200)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let nodes = RandomCollection.nodes(using: &random)
    let forest = try Forest(nodes)
    var walk: [Int] = []
    var depths: [Int] = []
    var depth = nodes.indices.filter { nodes[$0].parent == nil }
    while !depth.isEmpty {
      walk += depth
      depths.append(depth.count)
      depth = depth.flatMap { parent in nodes.indices.filter { nodes[$0].parent == parent } }
    }
    same(forest.count, walk.count)
    same((0..<forest.depthCount).map { forest.nodes(atDepth: $0).count }, depths)
    for (place, node) in walk.enumerated() {
      #expect(
        forest.parents[place] == nodes[node].parent.map { Int32(walk.firstIndex(of: $0)!) } ?? -1)
      same(forest.items.id(at: place)?.string, nodes[node].id)
      same(
        forest.children(of: place).map { walk[$0] },
        nodes.indices.filter { nodes[$0].parent == node })
    }
  }

  @Test("a chain of 1,000,000 nodes", arguments: [false, true])
  func chain(isReversed: Bool) throws {
    let count: Int32 = 1_000_000
    let parents: [Int32] =
      isReversed
      ? (0..<count).map { $0 + 1 == count ? -1 : $0 + 1 } : (0..<count).map { $0 - 1 }
    let forest = try Forest(parents: parents)
    same(forest.depthCount, 1_000_000)
    same(forest.nodes(atDepth: 999_999), 999_999..<1_000_000)
    same(forest.parents[999_999], 999_998)
  }

  @Test("a root with 1,000,000 children")
  func star() throws {
    var parents = [Int32](repeating: 0, count: 1_000_001)
    parents[0] = -1
    let forest = try Forest(parents: parents)
    same(forest.depthCount, 2)
    same(forest.children(of: 0), 1..<1_000_001)
  }
}
