import TestSupport
import Testing

@testable import CollectionLayout

@Suite("trees by hand")
struct TreeTests {
  private func prepare(
    _ parents: [Int32], _ options: GivenOptions = [:]
  ) throws -> any PreparedLayout {
    try PreparedCollection(tree: options, Forest(parents: parents)).prepared
  }

  private func cell(
    _ depth: Int, _ item: Int, _ x: Double, _ y: Double, children: Range<Int> = 0..<0
  )
    -> Element
  {
    .cell(
      depth, item, Rect(x: x, y: y, width: 180, height: 48),
      children: children.map { IndexPath(section: depth + 1, item: $0) })
  }

  private func connector(
    _ depth: Int, _ item: Int, _ frame: Rect, children: Range<Int>
  ) -> Element {
    .supplementary(
      "connector", depth, item, frame,
      children: children.map { IndexPath(section: depth + 1, item: $0) })
  }

  //  a ┬ b ┬ d
  //    │   └ e
  //    └ c
  private static let family: [Int32] = [-1, 0, 0, 1, 1]

  @Test("every leaf has a row, a first child stands level with its parent")
  func rows() throws {
    let prepared = try prepare(Self.family)
    expectEqual(
      prepared.allElements,
      [
        cell(0, 0, 20, 20, children: 0..<2),
        cell(1, 0, 240, 20, children: 0..<2), cell(1, 1, 240, 196),
        cell(2, 0, 460, 20), cell(2, 1, 460, 108),
        connector(0, 0, Rect(x: 200, y: 20, width: 40, height: 224), children: 0..<2),
        connector(1, 0, Rect(x: 420, y: 20, width: 40, height: 136), children: 0..<2),
      ])
    same(prepared.contentSize, Size(width: 660, height: 264))
    same(prepared.counts, ElementCounts(sections: 3, cells: 5, supplementary: 2, decorations: 0))
  }

  @Test("a compact parent is centred on its children")
  func compact() throws {
    let prepared = try prepare(Self.family, ["spacing": "compact"])
    expectEqual(
      prepared.allElements,
      [
        cell(0, 0, 20, 108, children: 0..<2),
        cell(1, 0, 240, 64, children: 0..<2), cell(1, 1, 240, 152),
        cell(2, 0, 460, 20), cell(2, 1, 460, 108),
        connector(0, 0, Rect(x: 200, y: 64, width: 40, height: 136), children: 0..<2),
        connector(1, 0, Rect(x: 420, y: 20, width: 40, height: 136), children: 0..<2),
      ])
    same(prepared.contentSize, Size(width: 660, height: 220))
  }

  @Test("without connectors there are only cells", arguments: TreeLayout.Spacing.allCases)
  func noConnectors(spacing: TreeLayout.Spacing) throws {
    let with = try prepare(Self.family, ["spacing": .string(spacing.rawValue)])
    let without = try prepare(
      Self.family, ["spacing": .string(spacing.rawValue), "connectors": false])
    expectEqual(without.allElements, with.allElements.filter { $0.category == .cell })
    same(without.contentSize, with.contentSize)
    same(without.counts.supplementary, 0)
  }

  @Test("several roots stand below each other")
  func roots() throws {
    // a with child c; b alone; d with children e and f.
    let prepared = try prepare([-1, -1, 0, -1, 3, 3])
    expectEqual(
      prepared.allElements.filter { $0.category == .cell },
      [
        cell(0, 0, 20, 20, children: 0..<1), cell(0, 1, 20, 108),
        cell(0, 2, 20, 196, children: 1..<3),
        cell(1, 0, 240, 20), cell(1, 1, 240, 196), cell(1, 2, 240, 284),
      ])
    same(prepared.contentSize, Size(width: 440, height: 352))
  }

  @Test("compact roots stand as close as their subtrees allow")
  func compactRoots() throws {
    let prepared = try prepare([-1, -1, 0, -1, 3, 3], ["spacing": "compact"])
    // Rows: a 0, b 1, d 2 on e 1.5 and f 2.5, which are clear of c at 0.
    let ys = prepared.allElements.filter { $0.category == .cell }.map(\.frame.origin.y)
    same(ys, [20, 108, 196, 20, 152, 240])
    same(prepared.contentSize, Size(width: 440, height: 308))
  }

  @Test("a small subtree between larger ones is spread evenly")
  func spread() throws {
    // The root's children: one with three leaves, a leaf, one with three leaves.
    let prepared = try prepare([-1, 0, 0, 0, 1, 1, 1, 3, 3, 3], ["spacing": "compact"])
    let rows = prepared.allElements.filter { $0.category == .cell }
      .map { ($0.frame.origin.y - 20) / 88 }
    same(rows, [2.5, 1, 2.5, 4, 0, 1, 2, 3, 4, 5])
    same(prepared.contentSize.height, 528)
  }

  @Test("a single node", arguments: TreeLayout.Spacing.allCases)
  func single(spacing: TreeLayout.Spacing) throws {
    let prepared = try prepare([-1], ["spacing": .string(spacing.rawValue)])
    expectEqual(prepared.allElements, [cell(0, 0, 20, 20)])
    same(prepared.contentSize, Size(width: 220, height: 88))
  }

  @Test("no nodes have no content", arguments: TreeLayout.Spacing.allCases)
  func empty(spacing: TreeLayout.Spacing) throws {
    let prepared = try prepare([], ["spacing": .string(spacing.rawValue)])
    #expect(prepared.allElements.isEmpty)
    same(prepared.contentSize, Size(width: 0, height: 0))
    same(prepared.counts, ElementCounts(sections: 0, cells: 0, supplementary: 0, decorations: 0))
  }

  @Test("sizes and insets make the pitch", arguments: TreeLayout.Spacing.allCases)
  func insets(spacing: TreeLayout.Spacing) throws {
    let prepared = try prepare(
      [-1, 0],
      [
        "spacing": .string(spacing.rawValue), "itemSize": ["width": 100, "height": 10],
        "insets": ["top": 1, "left": 2, "bottom": 3, "right": 4],
      ])
    same(prepared.cellFrame(0, 0), Rect(x: 2, y: 1, width: 100, height: 10))
    same(prepared.cellFrame(1, 0), Rect(x: 108, y: 1, width: 100, height: 10))
    same(
      prepared.element(.supplementary("connector"), 0, 0)?.frame,
      Rect(x: 102, y: 1, width: 6, height: 10))
    same(prepared.contentSize, Size(width: 212, height: 14))
  }

  @Test("nodes keep their names in breadth-first order")
  func names() throws {
    let forest = try Forest([
      PlainNode(parent: 2, id: "leaf"), PlainNode(parent: 2), PlainNode(id: "root"),
    ])
    let prepared = try PreparedCollection(tree: [:], forest).prepared
    same(prepared.allElements.prefix(3).map(\.id), ["root", "leaf", nil])
  }

  @Test("a connector is met between its children, where no cell is")
  func connectorHit() throws {
    let prepared = try prepare([-1, 0, 0, 0])
    let hit = prepared.elements(in: Rect(x: 220, y: 170, width: 0, height: 0))
    same(hit.map(\.kind), ["connector"])
    #expect(prepared.elements(in: Rect(x: 220, y: 244, width: 0, height: 0)).isEmpty)
  }

  @Test("children lie in any direction: a leaf and its root")
  func directions() throws {
    func frames(_ direction: OptionValue) throws -> [Rect] {
      try prepare(
        [-1, 0],
        [
          "direction": direction, "itemSize": ["width": 100, "height": 10],
          "insets": ["top": 1, "left": 2, "bottom": 3, "right": 4],
        ]
      ).allElements.map(\.frame)
    }
    // Across: 2 + 100 + 4 wide, twice.
    try same(
      frames("left"),
      [
        Rect(x: 110, y: 1, width: 100, height: 10), Rect(x: 4, y: 1, width: 100, height: 10),
        Rect(x: 104, y: 1, width: 6, height: 10),
      ])
    // Downwards: 1 + 10 + 3 high, twice.
    try same(
      frames("down"),
      [
        Rect(x: 2, y: 1, width: 100, height: 10), Rect(x: 2, y: 15, width: 100, height: 10),
        Rect(x: 2, y: 11, width: 100, height: 4),
      ])
    try same(
      frames("up"),
      [
        Rect(x: 2, y: 17, width: 100, height: 10), Rect(x: 2, y: 3, width: 100, height: 10),
        Rect(x: 2, y: 13, width: 100, height: 4),
      ])
  }
}
