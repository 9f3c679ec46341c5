import Foundation
import TestSupport
import Testing

@testable import CollectionLayout

@Suite("non-layered compact trees")
struct NonLayeredTreeTests {
  private static func decode<Value: Decodable>(_ path: String, as _: Value.Type) throws -> Value {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let data = try Data(contentsOf: directory.appending(path: "Fixtures/" + path))
    return try JSONDecoder().decode(Value.self, from: data)
  }

  // MARK: Recorded answers

  /// Two numbers and children, in a JSON array.
  private struct Pair: Decodable {
    var numbers: [Double] = []
    var children: [Pair] = []

    init(from decoder: any Decoder) throws {
      var array = try decoder.unkeyedContainer()
      for _ in 0..<2 { numbers.append(try array.decode(Double.self)) }
      while !array.isAtEnd { children.append(try array.decode(Pair.self)) }
    }

    /// The numbers in breadth-first order, each with the parent's place.
    var breadthFirst: [(numbers: [Double], parent: Int32)] {
      var queue = [(self, Int32(-1))]
      var next = 0
      while next < queue.count {
        for child in queue[next].0.children { queue.append((child, Int32(next))) }
        next += 1
      }
      return queue.map { ($0.0.numbers, $0.1) }
    }
  }

  private struct FlextreeCases: Decodable {
    var cases: [FlextreeCase]
  }

  private struct FlextreeCase: Decodable {
    var id: String
    var data: Pair
    var expected: Pair
    var spacing: Double
  }

  @Test("d3-flextree's trees", arguments: ["test_trees", "generated_trees"])
  func flextree(file: String) throws {
    let cases = try Self.decode("d3-flextree/\(file).json", as: FlextreeCases.self).cases
    same(cases.count, (file == "test_trees" ? 13 : 60))
    for recorded in cases {
      let nodes = recorded.data.breadthFirst
      let forest = try Forest(parents: nodes.map(\.parent))
      // There x and y are exchanged, x is a centre that counts from the root's, and spacing is
      // between any two.
      let sizes = nodes.map {
        Size(width: $0.numbers[1], height: $0.numbers[0] + recorded.spacing)
      }
      let (xs, ys) = NonLayeredTree.positions(of: forest) { sizes[$0] }
      let root = ys[0] + sizes[0].height / 2
      for (node, expected) in recorded.expected.breadthFirst.enumerated() {
        let centre = ys[node] + sizes[node].height / 2 - root
        #expect(abs(centre - expected.numbers[0]) < 1e-6, "\(recorded.id), node \(node)")
        #expect(abs(xs[node] - expected.numbers[1]) < 1e-6, "\(recorded.id), node \(node)")
      }
    }
  }

  // MARK: Cases of the contract

  private struct Case: Decodable {
    var name: String
    var prepare: Prepare
    var expect: Expectation
    var queries: [Query]

    struct Prepare: Decodable {
      var nodes: Nodes?
      var root: Nested?
      var options: Options
    }

    struct Options: Decodable {
      var itemSize: SizeOption?
      var insets: Insets?
      var direction: String?
    }

    struct SizeOption: Decodable {
      var width: Double?
      var height: Double?
    }

    struct Insets: Decodable {
      var top: Double?
      var left: Double?
      var bottom: Double?
      var right: Double?
    }

    struct Node: Decodable {
      var parent: Int32?
      var width: Double?
      var height: Double?
    }

    struct Nested: Decodable {
      var width: Double?
      var height: Double?
      var children: [Nested]?

      var rows: [Node] {
        var queue = [(self, Int32?.none)]
        var next = 0
        while next < queue.count {
          for child in queue[next].0.children ?? [] { queue.append((child, Int32(next))) }
          next += 1
        }
        return queue.map { Node(parent: $0.1, width: $0.0.width, height: $0.0.height) }
      }
    }

    struct Columns: Decodable {
      var parent: [Int32?]?
      var width: [Double?]?
      var height: [Double?]?

      var rows: [Node] {
        let count = (parent?.count ?? width?.count ?? height?.count) ?? 0
        return (0..<count).map {
          Node(parent: parent?[$0], width: width?[$0], height: height?[$0])
        }
      }
    }

    struct Nodes: Decodable {
      var rows: [Node]

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let rows = try? container.decode([Node].self) {
          self.rows = rows
        } else {
          rows = try container.decode(Columns.self).rows
        }
      }
    }

    struct Expectation: Decodable {
      var contentSize: SizeOption
    }

    struct Query: Decodable {
      var elements: [Element]
    }

    struct Element: Decodable {
      var category: String
      var indexPath: [Int]
      var frame: [Double]
    }
  }

  @Test("the recorded cases with sizes")
  func recordedCases() throws {
    let cases = try Self.decode("compact-trees/compact_trees_with_sizes.json", as: [Case].self)
    same(cases.count, 10)
    var compared = 0
    for recorded in cases { compared += try compare(recorded) }
    #expect(compared > 100)
  }

  /// Returns how many cells were compared.
  private func compare(_ recorded: Case) throws -> Int {
    let options = recorded.prepare.options
    let rows = recorded.prepare.nodes?.rows ?? recorded.prepare.root?.rows ?? []
    let insets = EdgeInsets(
      top: options.insets?.top ?? 20, left: options.insets?.left ?? 20,
      bottom: options.insets?.bottom ?? 20, right: options.insets?.right ?? 20)
    let isTurned = ["down", "up"].contains(options.direction)
    let forest = try Forest(parents: rows.map { $0.parent ?? -1 })
    let order = Self.order(of: rows.map { $0.parent ?? -1 })
    let sizes = order.map { row in
      let width = rows[row].width ?? options.itemSize?.width ?? 180
      let height = rows[row].height ?? options.itemSize?.height ?? 48
      return isTurned ? Size(width: height, height: width) : Size(width: width, height: height)
    }
    let (top, left, bottom, right) =
      isTurned
      ? (insets.left, insets.top, insets.right, insets.bottom)
      : (insets.top, insets.left, insets.bottom, insets.right)
    let (xs, ys) = NonLayeredTree.positions(of: forest) {
      Size(
        width: (sizes[$0].width + left) + right, height: (sizes[$0].height + top) + bottom)
    }
    let cells = forest.parents.indices.map {
      Rect(
        x: xs[$0] + left, y: ys[$0] + top, width: sizes[$0].width, height: sizes[$0].height)
    }
    let content = Size(
      width: (cells.map(\.maxX).max() ?? 0) + right, height: (cells.map(\.maxY).max() ?? 0) + bottom
    )
    var expectedContent = recorded.expect.contentSize
    if isTurned {
      expectedContent = Case.SizeOption(
        width: expectedContent.height, height: expectedContent.width)
    }
    expectNear(
      [content.width, content.height],
      [expectedContent.width ?? 0, expectedContent.height ?? 0], recorded.name)
    var compared = 0
    for query in recorded.queries {
      for element in query.elements where element.category == "cell" {
        let path = IndexPath(section: element.indexPath[0], item: element.indexPath[1])
        var cell = cells[try #require(forest.node(at: path))]
        if ["left", "up"].contains(options.direction) {
          cell.origin.x = content.width - cell.maxX
        }
        let frame =
          isTurned
          ? [cell.origin.y, cell.origin.x, cell.size.height, cell.size.width]
          : [cell.origin.x, cell.origin.y, cell.size.width, cell.size.height]
        expectNear(frame, element.frame, "\(recorded.name) \(path)")
        compared += 1
      }
    }
    return compared
  }

  private func expectNear(_ numbers: [Double], _ expected: [Double], _ comment: String) {
    for (number, expected) in zip(numbers, expected) {
      #expect(abs(number - expected) <= 1e-9 + 1e-9 * abs(expected), "\(comment)")
    }
  }

  /// The nodes in breadth-first order.
  private static func order(of parents: [Int32]) -> [Int] {
    var order = parents.indices.filter { parents[$0] < 0 }
    var next = 0
    while next < order.count {
      order += parents.indices.filter { parents[$0] == Int32(order[next]) }
      next += 1
    }
    return order
  }

  // MARK: By hand

  @Test("a subtree slides beside a long node")
  func sliding() throws {
    // 0 ┬ 1 (long)
    //   ├ 2 (short) ─ 4
    //   └ 3
    let forest = try Forest(parents: [-1, 0, 0, 0, 2])
    let sizes = [(10, 10), (30, 10), (10, 10), (10, 10), (10, 40)].map {
      Size(width: $0.0, height: $0.1)
    }
    let (xs, ys) = NonLayeredTree.positions(of: forest) { sizes[$0] }
    same(xs, [0, 10, 10, 10, 20])
    // 4 begins where 1 ends; 3 touches 2 beside it.
    same(ys, [17.5, 0, 25, 35, 10])
  }

  @Test("roots are placed like siblings, from x = 0")
  func roots() throws {
    let forest = try Forest(parents: [-1, -1, 0, 0])
    let heights = [10.0, 8, 20, 20]
    let (xs, ys) = NonLayeredTree.positions(of: forest) { Size(width: 5, height: heights[$0]) }
    same(xs, [0, 0, 5, 5])
    same(ys, [15, 25, 0, 20])
  }

  @Test("a forest without nodes")
  func empty() throws {
    let forest = try Forest(parents: [])
    let (xs, ys) = NonLayeredTree.positions(of: forest) { _ in Size(width: 1, height: 1) }
    #expect(xs.isEmpty && ys.isEmpty)
  }

  // MARK: Promises

  @Test(
    "no extents overlap, children begin where their parent ends, parents are centred",
    arguments: 0..<300)
  func promises(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let count = random.integer(1...150)
    let reach = random.element(of: [1, 3, 10, 200])
    let parents = (0..<count).map { node in
      node == 0 || random.once(in: 12) ? -1 : Int32(random.integer(max(0, node - reach)...node - 1))
    }
    let forest = try Forest(parents: parents)
    let isNice = random.chance(50)
    let sizes = (0..<count).map { _ in
      Size(
        width: random.number(1...100, isNice: isNice),
        height: random.number(1...100, isNice: isNice))
    }
    let (xs, ys) = NonLayeredTree.positions(of: forest) { sizes[$0] }
    same(ys.min(), 0)
    for node in 0..<count {
      let parent = Int(forest.parents[node])
      same(xs[node], (parent < 0 ? 0 : xs[parent] + sizes[parent].width))
      let children = forest.children(of: node)
      if let first = children.first, let last = children.last {
        let middle = (ys[first] + ys[last] + sizes[last].height) / 2
        #expect(abs(ys[node] + sizes[node].height / 2 - middle) < 1e-9)
      }
      for other in 0..<node
      where xs[node] < xs[other] + sizes[other].width && xs[other] < xs[node] + sizes[node].width {
        let isApart =
          ys[node] + 1e-9 >= ys[other] + sizes[other].height
          || ys[other] + 1e-9 >= ys[node] + sizes[node].height
        #expect(isApart, "\(other) and \(node)")
      }
    }
  }

  @Test("a chain of a million")
  func chain() throws {
    let forest = try Forest(parents: (0..<1_000_000).map { Int32($0 - 1) })
    let (xs, ys) = NonLayeredTree.positions(of: forest) {
      Size(width: 2, height: $0 % 2 == 0 ? 1 : 3)
    }
    same(xs.last, 1_999_998)
    #expect(ys[0] == 1 && ys[1] == 0 && ys[999_999] == 0)
  }

  @Test("a star of a million")
  func star() throws {
    let forest = try Forest(
      parents: (0..<1_000_000).map { Int32($0 == 0 ? -1 : 0) })
    let (xs, ys) = NonLayeredTree.positions(of: forest) {
      Size(width: Double($0 % 7 + 1), height: 1)
    }
    #expect(xs[0] == 0 && xs.dropFirst().allSatisfy { $0 == 1 })
    same(ys[0], 499_999)
    #expect(ys[1] == 0 && ys[999_999] == 999_998)
  }
}
