import TestSupport
import Testing

@testable import CollectionLayout

@Suite("trees against their plain reference")
struct TreeReferenceTests {
  @Test("a tree is what the contract says, in all directions", arguments: 0..<300)
  func tree(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let nodes = RandomCollection.nodes(using: &random)
    let options = RandomCollection("tree", seed: seed).layout.options
    var layout = try TreeLayout(options)
    let direction = layout.direction
    layout.direction = .right
    if direction == .down || direction == .up {
      layout.itemSize = Size(width: layout.itemSize.height, height: layout.itemSize.width)
      layout.insets = EdgeInsets(
        top: layout.insets.left, left: layout.insets.top, bottom: layout.insets.right,
        right: layout.insets.bottom)
    }
    let plain = PlainTree.layout(nodes, options: layout)
    let expected = plain.elements.map { element in
      var turned = element
      turned.frame = Self.turned(element.frame, to: direction, in: plain.contentSize)
      return turned
    }
    let prepared = try PreparedCollection(tree: options, Forest(nodes)).prepared
    same(prepared.counts, plain.counts)
    let size = plain.contentSize
    let turnedSize =
      direction == .down || direction == .up
      ? Size(width: size.height, height: size.width) : size
    if layout.spacing == .compact {
      expectClose(prepared.contentSize, turnedSize)
      expectClose(prepared.allElements, expected)
    } else {
      same(prepared.contentSize, turnedSize)
      expectEqual(prepared.allElements, expected)
    }
  }

  /// The directions of a tree are those of its mirror images, bit for bit.
  @Test("the four directions are one layout, turned", arguments: 0..<200)
  func directions(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let forest = try Forest(RandomCollection.nodes(using: &random))
    var options = RandomCollection("tree", seed: seed).layout.options
    options["itemSize"] = options["itemSize"] ?? ["width": 180, "height": 48]
    try expectTurned(forest, turned: forest, options)
  }

  @Test("so are those of nodes with sizes of their own", arguments: 0..<200)
  func sizedDirections(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var nodes = RandomCollection.nodes(using: &random)
    for index in nodes.indices {
      if random.chance(60) { nodes[index].width = random.number(1...200, isNice: false) }
      if random.chance(60) { nodes[index].height = random.number(1...90, isNice: false) }
    }
    let turned = nodes.map { node in
      PlainNode(parent: node.parent, id: node.id, width: node.height, height: node.width)
    }
    var options = RandomCollection("tree", seed: seed).layout.options
    options["itemSize"] = options["itemSize"] ?? ["width": 180, "height": 48]
    options["spacing"] = "compact"
    try expectTurned(Forest(nodes), turned: Forest(turned), options)
  }

  private func expectTurned(
    _ forest: Forest, turned turnedForest: Forest, _ options: GivenOptions
  ) throws {
    func prepared(
      _ direction: String, _ options: GivenOptions, _ forest: Forest
    ) throws -> any PreparedLayout {
      var options = options
      options["direction"] = .string(direction)
      return try PreparedCollection(tree: options, forest).prepared
    }
    let right = try prepared("right", options, forest)
    let down = try prepared("down", options, forest)
    let across = try prepared("right", options.turned, turnedForest)
    for (direction, origin) in [
      (TreeLayout.Direction.left, right), (.down, across), (.up, across),
    ] {
      let turned = try prepared(direction.rawValue, options, forest)
      let expected = origin.allElements.map { element in
        var element = element
        element.frame = Self.turned(element.frame, to: direction, in: origin.contentSize)
        return element
      }
      expectEqual(turned.allElements, expected, "\(direction)")
    }
    same(down.contentSize, across.contentSize.transposed)
  }

  /// Where a frame of a tree that grows to the right stands in one that grows elsewhere.
  private static func turned(
    _ frame: Rect, to direction: TreeLayout.Direction, in size: Size
  ) -> Rect {
    let x = frame.origin.x
    let mirrored = size.width - (x + frame.size.width)
    let (y, width, height) = (frame.origin.y, frame.size.width, frame.size.height)
    return switch direction {
    case .right: frame
    case .left: Rect(x: mirrored, y: y, width: width, height: height)
    case .down: Rect(x: y, y: x, width: height, height: width)
    case .up: Rect(x: y, y: mirrored, width: height, height: width)
    }
  }
}
