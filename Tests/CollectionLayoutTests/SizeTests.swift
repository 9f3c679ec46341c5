import TestSupport
import Testing

@testable import CollectionLayout

@Suite("sizes")
struct SizeTests {
  private static let counts =
    [0, 1, 2, 3, 4095, 4096, 4097, 8193] + (Extent.isWide ? [20_000] : [])

  @Test(
    "queries of sections of any size are linear scans", arguments: sectionedKinds, counts)
  func anySize(kind: String, count: Int) throws {
    var random = SeededGenerator(seed: count)
    let isNice = count % 2 == 0
    let items = (0..<count).map { _ in
      PlainItem(
        height: random.number(0...300, isNice: isNice),
        width: random.number(1...200, isNice: isNice),
        x: random.number(0...700, isNice: isNice), y: random.number(0...9000, isNice: isNice))
    }
    var options: GivenOptions = ["headerHeight": 12.3]
    if kind == "waterfall" { options["placement"] = "shortestColumn" }
    if kind == "group" {
      options["group"] = [
        "direction": "horizontal", "width": ["fractionalWidth": 1], "height": ["absolute": 50.5],
        "subitems": [["width": ["flexible": 1], "height": ["absolute": 40], "count": 3]],
      ]
    }
    let section =
      kind == "compositional"
      ? CollectionSection(Items(items), kind: "list", orthogonalHeight: 77.7)
      : CollectionSection(items)
    let collection = try PreparedCollection(kind, options, width: 777.7, [section, section])
    let all = collection.scannedElements()
    for _ in 0..<6 {
      let rect = random.rect(near: all, in: collection.prepared.contentSize)
      expectEqual(
        collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
  }

  @Test("thousands of sections of 0 to 3 items", arguments: sectionedKinds.filter { $0 != "group" })
  func manySections(kind: String) throws {
    var random = SeededGenerator(seed: 1)
    let sections = (0..<Extent.count(5000, of: 20_000)).map { _ in
      CollectionSection(
        Items(uniform: random.integer(0...3)), [:], kind: kind == "compositional" ? "grid" : nil)
    }
    let collection = try PreparedCollection(
      kind, ["headerHeight": 12.3, "footerHeight": 4.5, "pinHeaders": true], width: 640, sections)
    let all = collection.scannedElements()
    expectEqual(collection.prepared.allElements, all)
    for _ in 0..<6 {
      let rect = random.rect(near: all, in: collection.prepared.contentSize)
      expectEqual(
        collection.prepared.elements(in: rect),
        collection.selection(of: ElementQuery(rect: rect), from: all), "\(rect)")
    }
  }

  @Test(
    "towers beside flat cells: columns get far apart", arguments: 0..<4,
    WaterfallLayout.Placement.allCases)
  func towers(seed: Int, placement: WaterfallLayout.Placement) throws {
    var random = SeededGenerator(seed: seed)
    let columns = random.element(of: [2, 3, 7])
    let flat = random.element(of: [0, 0.01, 1])
    let heights = (0..<5000).map { index in
      index % columns == 0 ? random.number(0...1e6, isNice: false) : flat
    }
    let collection = try PreparedCollection(
      "waterfall",
      [
        "columns": .number(Double(columns)), "placement": .string(placement.rawValue),
        "cellPadding": .number(random.element(of: [0, 1.1])),
      ], width: 500,
      [CollectionSection(Items(heights: heights)), CollectionSection(Items(heights: heights))])
    let all = collection.scannedElements()
    for _ in 0..<10 {
      let rect = random.rect(near: all, in: collection.prepared.contentSize)
      expectEqual(collection.prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)")
    }
  }

  @Test("items without height all lie on one line", arguments: WaterfallLayout.Placement.allCases)
  func flat(placement: WaterfallLayout.Placement) throws {
    let flat = Items(heights: Array(repeating: 0, count: 20_000))
    for items in [flat, Items(uniform: 20_000)] {
      let prepared = try PreparedCollection(
        "waterfall",
        ["cellPadding": 0, "itemHeight": 0, "placement": .string(placement.rawValue)],
        [CollectionSection(items)]
      ).prepared
      same(prepared.contentSize, Size(width: 100, height: 0))
      let all = items.storedCount > 0 && placement == .shortestColumn
      same(
        prepared.elements(in: Rect(x: 0, y: 0, width: 1, height: 0)).count, (all ? 20_000 : 10_000))
      #expect(prepared.elements(in: Rect(x: 0, y: 1, width: 100, height: 1)).isEmpty)
      #expect(prepared.elements(in: Rect(x: 0, y: -1, width: 100, height: 1)).isEmpty)
    }
  }
}

@Suite("uniform sections beyond memory")
struct HugeSectionTests {
  private static let billion = 1_000_000_000

  /// A billion items, the frame of the last one, and the content's height.
  struct Huge: Sendable, CustomTestStringConvertible {
    let kind: String
    let options: GivenOptions
    let last: Rect
    let height: Double

    var testDescription: String { kind }

    init(_ kind: String, _ options: GivenOptions, last: Rect, height: Double) {
      self.kind = kind
      self.options = options
      self.last = last
      self.height = height
    }
  }

  /// By 105 of width.
  static let huge: [Huge] = [
    // 500,000,000 rows of 50, of which the last has no spacing below.
    Huge(
      "grid", [:], last: Rect(x: 55, y: 24_999_999_950, width: 50, height: 45),
      height: 24_999_999_995),
    Huge(
      "list", ["rowSpacing": 1],
      last: Rect(x: 0, y: 44_999_999_955, width: 105, height: 44), height: 44_999_999_999),
    // Two columns of cells of 180 and twice 6.
    Huge(
      "waterfall", [:],
      last: Rect(x: 58.5, y: 95_999_999_814, width: 40.5, height: 180), height: 96e9),
    Huge(
      "waterfall", ["placement": "shortestColumn"],
      last: Rect(x: 58.5, y: 95_999_999_814, width: 40.5, height: 180), height: 96e9),
    // One item of 50 a line, in its middle; lines 60 apart.
    Huge(
      "flow", [:], last: Rect(x: 27.5, y: 59_999_999_940, width: 50, height: 50),
      height: 59_999_999_990),
    // Two of 40 from edge to edge.
    Huge(
      "flow", ["itemSize": ["width": 40]],
      last: Rect(x: 65, y: 29_999_999_940, width: 40, height: 50), height: 29_999_999_990),
    Huge(
      "group",
      [
        "rowSpacing": 5,
        "group": [
          "direction": "vertical", "width": ["absolute": 100], "height": ["absolute": 20],
          "subitems": [["width": ["absolute": 30], "height": ["flexible": 1], "count": 2]],
        ],
      ], last: Rect(x: 0, y: 12_499_999_985, width: 30, height: 10), height: 12_499_999_995),
    Huge("frames", [:], last: Rect(x: 0, y: 0, width: 50, height: 50), height: 50),
  ]

  @Test("a billion items cost what ten do, and the last is found", arguments: huge)
  func billion(huge: Huge) throws {
    let collection = try PreparedCollection(
      huge.kind, huge.options, width: 105, [CollectionSection(Self.billion)])
    let prepared = collection.prepared
    let ten = try PreparedCollection(
      huge.kind, huge.options, width: 105, [CollectionSection(10)])
    same(collection.memoryBytes, ten.memoryBytes)
    same(collection.storedItemCount, 0)
    same(prepared.counts.cells, Self.billion)
    same(prepared.contentSize, Size(width: 105, height: huge.height))
    same(prepared.cellFrame(0, Self.billion - 1), huge.last)
    same(prepared.cellFrame(0, Self.billion), nil)
    // From where the last one lies down to the end.
    let rect = Rect(
      x: huge.last.origin.x, y: huge.last.origin.y, width: 1, height: huge.last.size.height)
    let start = ElementPosition(series: 0, indexPath: IndexPath(0, Self.billion - 1))
    let answer = prepared.answer(to: ElementQuery(rect: rect, start: start))
    expectEqual(answer.elements, [.cell(0, Self.billion - 1, huge.last)])
    same(answer.end, .complete)
    guard huge.kind != "frames" else { return }
    expectEqual(prepared.elements(in: rect), answer.elements)
    #expect(
      prepared.elements(in: Rect(x: 0, y: huge.height, width: 105, height: 1e12)).isEmpty)
  }

  @Test("a billion items in the other directions", arguments: ["leftToRight", "rightToLeft"])
  func horizontal(direction: String) throws {
    let prepared = try PreparedCollection(
      "list",
      [
        "scrollDirection": "horizontal", "layoutDirection": .string(direction), "itemHeight": 40,
      ], width: 100, height: 30, [CollectionSection(Self.billion)]
    ).prepared
    same(prepared.contentSize, Size(width: 40e9, height: 30))
    let x = direction == "leftToRight" ? 40e9 - 40 : 100 - 40e9
    let last = Rect(x: x, y: 0, width: 40, height: 30)
    same(prepared.cellFrame(0, Self.billion - 1), last)
    let found = prepared.elements(in: Rect(x: x + 5, y: 5, width: 0, height: 0))
    expectEqual(found, [.cell(0, Self.billion - 1, last)])
  }

  @Test("pages and hit tests in the middle of a billion items")
  func middle() throws {
    let prepared = try PreparedCollection(
      "grid", [:], width: 105, [CollectionSection(Self.billion)]
    ).prepared
    let middle = prepared.elements(in: Rect(x: 60, y: 12_500_000_010, width: 0, height: 0))
    same(middle.map(\.item), [500_000_001])
    let start = ElementPosition(series: 0, indexPath: IndexPath(0, 777_777_777))
    let page = prepared.answer(to: ElementQuery(rect: .everything, limit: 2, start: start))
    same(page.elements.map(\.item), [777_777_777, 777_777_778])
    let next = IndexPath(0, 777_777_779)
    same(page.end, .limitReached(ElementPosition(series: 0, indexPath: next)))
  }

  @Test("one section of 2⁵³ − 1 items", arguments: ["none", "item", "row", "section"])
  func most(background: String) throws {
    let count = 1 << 53 - 1
    let prepared = try PreparedCollection(
      "grid",
      [
        "columns": 1024, "columnSpacing": 0, "rowHeight": 1, "rowSpacing": 0,
        "background": .string(background),
      ], width: 1024, [CollectionSection(count)]
    ).prepared
    same(prepared.contentSize, Size(width: 1024, height: 0x1p43))
    let last = Rect(x: 1022, y: 0x1p43 - 1, width: 1, height: 1)
    same(prepared.cellFrame(0, count - 1), last)
    let end = prepared.elements(in: Rect(x: 1021, y: 0x1p43 - 1, width: 10, height: 1e9))
    same(end.filter { $0.category == .cell }.map(\.item), [count - 2, count - 1])
    #expect(prepared.elements(in: Rect(x: 0, y: 0x1p43, width: 2000, height: 1e9)).isEmpty)
  }

  @Test("1,000,000,000 columns")
  func columns() throws {
    let prepared = try PreparedCollection(
      "grid", ["columns": 1_000_000_000, "columnSpacing": 0], width: 1e9,
      [CollectionSection(2_000_000_001)]
    ).prepared
    same(prepared.cellFrame(0, 1_999_999_999), Rect(x: 999_999_999, y: 50, width: 1, height: 45))
    let found = prepared.elements(in: Rect(x: 123_456_789, y: 0, width: 2, height: 200))
    same(found.map(\.item), [123_456_789, 123_456_790, 1_123_456_789, 1_123_456_790])
  }
}

@Suite("trees of 1,000,000 nodes", .serialized)
struct HugeTreeTests {
  private static let count = 1_000_000

  private func prepare(
    _ spacing: TreeLayout.Spacing, parent: (Int32) -> Int32
  ) throws -> any PreparedLayout {
    let parents = (0..<Int32(Self.count)).map { $0 == 0 ? -1 : parent($0) }
    return try PreparedCollection(
      tree: ["spacing": .string(spacing.rawValue)], Forest(parents: parents)
    ).prepared
  }

  @Test("a chain", arguments: TreeLayout.Spacing.allCases)
  func chain(spacing: TreeLayout.Spacing) throws {
    let prepared = try prepare(spacing) { $0 - 1 }
    same(prepared.contentSize, Size(width: 220e6, height: 88))
    same(
      prepared.counts,
      ElementCounts(
        sections: Self.count, cells: Self.count, supplementary: Self.count - 1, decorations: 0))
    same(prepared.cellFrame(999_999, 0), Rect(x: 219_999_800, y: 20, width: 180, height: 48))
    let end = prepared.elements(in: Rect(x: 219_999_760, y: 0, width: 1000, height: 100))
    same(end.map(\.section), [999_999, 999_998])
    same(end.map(\.category), [.cell, .supplementary])
  }

  @Test("a star", arguments: TreeLayout.Spacing.allCases)
  func star(spacing: TreeLayout.Spacing) throws {
    let prepared = try prepare(spacing) { _ in 0 }
    let last = Double(Self.count - 2) * 88 + 20
    same(prepared.contentSize, Size(width: 440, height: last + 68))
    same(prepared.cellFrame(1, Self.count - 2)?.origin.y, last)
    same(prepared.cellFrame(0, 0)?.origin.y, (spacing == .rows ? 20 : (20 + last) / 2))
    let middle = prepared.elements(in: Rect(x: 210, y: 88e5, width: 40, height: 88))
    same(middle.map(\.category), [.cell, .supplementary])
    same(middle.first?.item, 100_000)
    same(middle.last?.children.count, Self.count - 1)
  }

  @Test("a random tree", arguments: TreeLayout.Spacing.allCases)
  func random(spacing: TreeLayout.Spacing) throws {
    var random = SeededGenerator(seed: 5)
    let tree = try #require(
      prepare(spacing) { Int32(random.next() % UInt64($0)) } as? LayeredTree)
    let forest = tree.forest
    var ys: [Double] = []
    for depth in 0..<forest.depthCount {
      for node in forest.nodes(atDepth: depth) {
        ys.append(tree.cellFrame(of: node, atDepth: depth).origin.y)
      }
    }
    same(ys.min(), 20)
    var violations = 0
    for depth in 0..<forest.depthCount {
      let nodes = forest.nodes(atDepth: depth)
      for node in nodes {
        if node > nodes.lowerBound, ys[node] - ys[node - 1] < 88 - 1e-3 { violations += 1 }
        let children = forest.children(of: node)
        guard let first = children.first, let last = children.last else { continue }
        let expected = spacing == .rows ? ys[first] : (ys[first] + ys[last]) / 2
        if abs(ys[node] - expected) > 1e-3 { violations += 1 }
      }
    }
    same(violations, 0)
  }
}
