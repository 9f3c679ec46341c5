import TestSupport
import Testing

@testable import CollectionLayout

@Suite("sizes")
struct SizeTests {
  private static let counts = [0, 1, 2, 3, 10, 1000, 4095, 4096, 4097, 8193, 100_000]

  @Test(
    "waterfalls of any size are the plain ones", arguments: counts,
    WaterfallLayout.Placement.allCases)
  func waterfall(count: Int, placement: WaterfallLayout.Placement) throws {
    var random = SeededGenerator(seed: count)
    var waterfall = WaterfallLayout()
    waterfall.columns = 5
    waterfall.placement = placement
    let items = (0..<count).map { _ in
      PlainItem(height: random.number(0...300, isNice: count % 2 == 0))
    }
    let expected = PlainLayout.waterfall(waterfall, width: 777.7, sections: [items])
    let prepared = try waterfall.prepared(
      for: .sections([Items(items, of: .waterfall)]), bounds: Bounds(width: 777.7))
    expect(prepared, equal: expected, using: &random)
  }

  @Test("galleries of any size are the plain ones", arguments: counts)
  func gallery(count: Int) throws {
    var random = SeededGenerator(seed: count)
    let gallery = GalleryLayout()
    let items = Array(repeating: PlainItem(), count: count)
    let expected = try #require(PlainLayout.gallery(gallery, width: 1234.5, sections: [items]))
    let prepared = try gallery.prepared(
      for: .sections([Items(uniform: count)]), bounds: Bounds(width: 1234.5))
    expect(prepared, equal: expected, using: &random)
  }

  @Test("grids of any size are the plain ones", arguments: counts)
  func grid(count: Int) throws {
    var random = SeededGenerator(seed: count)
    var grid = GridLayout()
    grid.columns = 3
    grid.rowHeight = 33.3
    let items = Array(repeating: PlainItem(), count: count)
    let expected = PlainLayout.grid(grid, width: 1000.1, sections: [items])
    let prepared = try grid.prepared(
      for: .sections([Items(uniform: count)]), bounds: Bounds(width: 1000.1))
    expect(prepared, equal: expected, using: &random)
  }

  @Test("100,000 sections of 0 to 3 items", arguments: [Kind.grid, .waterfall, .gallery])
  func manySections(kind: Kind) throws {
    var random = SeededGenerator(seed: 1)
    let rows = (0..<100_000).map { _ in
      Array(repeating: PlainItem(), count: random.integer(0...3))
    }
    let data = CollectionData.sections(rows.map { Items(uniform: $0.count) })
    let bounds = Bounds(width: 640)
    switch kind {
    case .grid:
      var grid = GridLayout()
      grid.headerHeight = 12.3
      expect(
        try grid.prepared(for: data, bounds: bounds),
        equal: .grid(grid, width: 640, sections: rows), using: &random)
    case .waterfall:
      var waterfall = WaterfallLayout()
      waterfall.footerHeight = 12.3
      expect(
        try waterfall.prepared(for: data, bounds: bounds),
        equal: .waterfall(waterfall, width: 640, sections: rows), using: &random)
    case .gallery:
      let gallery = GalleryLayout()
      expect(
        try gallery.prepared(for: data, bounds: bounds),
        equal: try #require(.gallery(gallery, width: 640, sections: rows)), using: &random)
    case .tree: break
    }
  }

  @Test(
    "towers beside flat cells: columns get far apart", arguments: 0..<6,
    WaterfallLayout.Placement.allCases)
  func towers(seed: Int, placement: WaterfallLayout.Placement) throws {
    var random = SeededGenerator(seed: seed)
    var waterfall = WaterfallLayout()
    waterfall.columns = random.element(of: [2, 3, 7])
    waterfall.cellPadding = random.element(of: [0, 1.1])
    waterfall.placement = placement
    let flat = random.element(of: [0, 0.01, 1])
    let items = (0..<9000).map { index in
      PlainItem(
        height: index % waterfall.columns == 0 ? random.number(0...1e6, isNice: false) : flat)
    }
    let expected = PlainLayout.waterfall(waterfall, width: 500, sections: [items, items])
    let prepared = try waterfall.prepared(
      for: .sections([Items(items, of: .waterfall), Items(items, of: .waterfall)]),
      bounds: Bounds(width: 500))
    expect(prepared, equal: expected, using: &random)
  }

  @Test("items without height all lie on one line", arguments: WaterfallLayout.Placement.allCases)
  func flat(placement: WaterfallLayout.Placement) throws {
    var waterfall = WaterfallLayout()
    waterfall.cellPadding = 0
    waterfall.itemHeight = 0
    waterfall.placement = placement
    let prepared = try waterfall.prepared(
      for: .sections([Items(uniform: 20_000)]), bounds: Bounds(width: 100))
    #expect(prepared.contentSize == Size(width: 100, height: 0))
    #expect(
      prepared.elements(in: Rect(x: 0, y: 0, width: 1, height: 0)).count
        == (placement == .roundRobin ? 10_000 : 20_000))
    #expect(prepared.elements(in: Rect(x: 0, y: 1, width: 100, height: 1)).isEmpty)
    #expect(prepared.elements(in: Rect(x: 0, y: -1, width: 100, height: 1)).isEmpty)
  }

  /// Compares all elements, then queries and single elements at random.
  private func expect(
    _ prepared: any PreparedLayout, equal expected: PlainLayout,
    using random: inout SeededGenerator, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(prepared.counts == expected.counts, sourceLocation: sourceLocation)
    #expect(prepared.contentSize == expected.contentSize, sourceLocation: sourceLocation)
    let all = expected.elements
    expectEqual(prepared.allElements, all, sourceLocation: sourceLocation)
    guard !all.isEmpty else { return }
    for _ in 0..<5 {
      let rect = random.rect(near: all, in: prepared.contentSize)
      expectEqual(
        prepared.elements(in: rect), all.filter { $0.isIn(rect) }, "\(rect)",
        sourceLocation: sourceLocation)
    }
    for _ in 0..<200 {
      let element = random.element(of: all)
      let series = ElementSeries(category: element.category, kind: element.kind)
      #expect(
        prepared.element(series, element.section, element.item) == element,
        sourceLocation: sourceLocation)
    }
  }
}

@Suite("grids beyond memory")
struct HugeGridTests {
  @Test("a grid of 1,000,000,000 items costs what one of 10 does")
  func billion() throws {
    let prepared = try GridLayout().prepared(
      for: .sections([Items(uniform: 1_000_000_000)]), bounds: Bounds(width: 105))
    #expect(prepared.counts.cells == 1_000_000_000)
    #expect(prepared.contentSize == Size(width: 105, height: 25_000_000_000 - 5))
    #expect(prepared.memoryBytes < 1000)
    #expect(
      prepared.cellFrame(0, 999_999_999)
        == Rect(x: 55, y: 24_999_999_950, width: 50, height: 45))
    let end = prepared.elements(in: Rect(x: 0, y: 24_999_999_900, width: 105, height: 1000))
    #expect(end.map(\.item) == [999_999_996, 999_999_997, 999_999_998, 999_999_999])
    let middle = prepared.elements(in: Rect(x: 60, y: 12_500_000_010, width: 0, height: 0))
    #expect(middle.map(\.item) == [500_000_001])
    let start = ElementPosition(
      series: 0, indexPath: IndexPath(section: 0, item: 777_777_777))
    let page = prepared.answer(
      to: ElementQuery(rect: .everything, limit: 2, start: start))
    #expect(page.elements.map(\.item) == [777_777_777, 777_777_778])
    let next = IndexPath(section: 0, item: 777_777_779)
    #expect(page.end == .limitReached(ElementPosition(series: 0, indexPath: next)))
  }

  @Test("one section of 2⁵³ − 1 items", arguments: GridLayout.Background.allCases)
  func most(background: GridLayout.Background) throws {
    var grid = GridLayout()
    grid.columns = 1
    grid.rowHeight = 1
    grid.rowSpacing = 0
    grid.background = background
    let count = 1 << 53 - 1
    let prepared = try grid.prepared(
      for: .sections([Items(uniform: count)]), bounds: Bounds(width: 10))
    #expect(prepared.contentSize == Size(width: 10, height: 0x1p53 - 1))
    #expect(
      prepared.cellFrame(0, count - 1) == Rect(x: 0, y: 0x1p53 - 2, width: 10, height: 1))
    let end = prepared.elements(in: Rect(x: 0, y: 0x1p53 - 3, width: 10, height: 1e9))
    #expect(end.filter { $0.category == .cell }.map(\.item) == [count - 2, count - 1])
    #expect(prepared.elements(in: Rect(x: 0, y: 0x1p53, width: 10, height: 1e9)).isEmpty)
  }

  @Test("1,000,000,000 columns")
  func columns() throws {
    var grid = GridLayout()
    grid.columns = 1_000_000_000
    grid.columnSpacing = 0
    let prepared = try grid.prepared(
      for: .sections([Items(uniform: 2_000_000_001)]), bounds: Bounds(width: 1e9))
    #expect(
      prepared.cellFrame(0, 1_999_999_999)
        == Rect(x: 999_999_999, y: 50, width: 1, height: 45))
    let found = prepared.elements(in: Rect(x: 123_456_789, y: 0, width: 2, height: 200))
    #expect(
      found.map(\.item) == [123_456_789, 123_456_790, 1_123_456_789, 1_123_456_790])
  }
}

@Suite("content beyond what a double holds")
struct OverflowTests {
  private func expectTooLarge(
    _ layout: some CollectionViewLayout, _ data: CollectionData,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: LayoutError.contentTooLarge, sourceLocation: sourceLocation) {
      try layout.prepared(for: data, bounds: Bounds(width: 1000))
    }
  }

  @Test("a grid's rows, headers and footers")
  func grid() {
    var grid = GridLayout()
    grid.rowHeight = 1e308
    expectTooLarge(grid, .sections([Items(uniform: 5)]))
    expectTooLarge(grid, .sections([Items(uniform: 2), Items(uniform: 2)]))
    grid = GridLayout()
    grid.headerHeight = 1e308
    expectTooLarge(grid, .sections([Items(), Items()]))
    grid.footerHeight = 1e308
    expectTooLarge(grid, .sections([Items()]))
  }

  @Test("a waterfall's cells and paddings", arguments: WaterfallLayout.Placement.allCases)
  func waterfall(placement: WaterfallLayout.Placement) {
    var waterfall = WaterfallLayout()
    waterfall.placement = placement
    let tall = PlainItem(height: 1e308)
    let items = Items(Array(repeating: tall, count: 4), of: .waterfall)
    expectTooLarge(waterfall, .sections([items]))
    expectTooLarge(
      waterfall,
      .sections([Items([tall], of: .waterfall), Items([tall], of: .waterfall)]))
    let thin = Items([PlainItem(aspectRatio: .leastNonzeroMagnitude)], of: .waterfall)
    expectTooLarge(waterfall, .sections([thin]))
    waterfall.headerHeight = 1e308
    expectTooLarge(waterfall, .sections([Items(), Items()]))
  }

  @Test("a gallery's rows")
  func gallery() {
    var gallery = GalleryLayout()
    gallery.itemHeight = 1e308
    expectTooLarge(gallery, .sections([Items(uniform: 20)]))
    gallery.verticalInset = 1e308
    expectTooLarge(gallery, .sections([Items(uniform: 1)]))
    gallery = GalleryLayout()
    gallery.headerHeight = 1e308
    gallery.itemHeight = 1e308
    expectTooLarge(gallery, .sections([Items(uniform: 1)]))
  }

  @Test("a tree's depths and rows", arguments: TreeLayout.Spacing.allCases)
  func tree(spacing: TreeLayout.Spacing) throws {
    let chain = CollectionData.forest(try Forest(parents: [-1, 0], ids: nil))
    let roots = CollectionData.forest(try Forest(parents: [-1, -1], ids: nil))
    var tree = TreeLayout()
    tree.spacing = spacing
    tree.itemSize.width = 1e308
    expectTooLarge(tree, chain)
    tree = TreeLayout()
    tree.spacing = spacing
    tree.itemSize.height = 1e308
    expectTooLarge(tree, roots)
    tree = TreeLayout()
    tree.spacing = spacing
    tree.insets.left = 1e308
    tree.insets.right = 1e308
    expectTooLarge(tree, chain)
  }
}

@Suite("trees of 1,000,000 nodes", .serialized)
struct HugeTreeTests {
  private static let count = 1_000_000

  private func prepare(
    _ spacing: TreeLayout.Spacing, parent: (Int32) -> Int32
  ) throws -> any PreparedLayout {
    var tree = TreeLayout()
    tree.spacing = spacing
    let parents = (0..<Int32(Self.count)).map { $0 == 0 ? -1 : parent($0) }
    return try tree.prepared(for: .forest(Forest(parents: parents, ids: nil)), bounds: nil)
  }

  @Test("a chain", arguments: TreeLayout.Spacing.allCases)
  func chain(spacing: TreeLayout.Spacing) throws {
    let prepared = try prepare(spacing) { $0 - 1 }
    #expect(prepared.contentSize == Size(width: 220e6, height: 88))
    #expect(
      prepared.counts
        == ElementCounts(
          sections: Self.count, cells: Self.count, supplementary: Self.count - 1, decorations: 0))
    #expect(
      prepared.cellFrame(999_999, 0) == Rect(x: 219_999_800, y: 20, width: 180, height: 48))
    let end = prepared.elements(in: Rect(x: 219_999_760, y: 0, width: 1000, height: 100))
    #expect(end.map(\.section) == [999_999, 999_998])
    #expect(end.map(\.category) == [.cell, .supplementary])
  }

  @Test("a star", arguments: TreeLayout.Spacing.allCases)
  func star(spacing: TreeLayout.Spacing) throws {
    let prepared = try prepare(spacing) { _ in 0 }
    let last = Double(Self.count - 2) * 88 + 20
    #expect(prepared.contentSize == Size(width: 440, height: last + 68))
    #expect(prepared.cellFrame(1, Self.count - 2)?.origin.y == last)
    #expect(prepared.cellFrame(0, 0)?.origin.y == (spacing == .rows ? 20 : (20 + last) / 2))
    let middle = prepared.elements(in: Rect(x: 210, y: 88e5, width: 40, height: 88))
    #expect(middle.map(\.category) == [.cell, .supplementary])
    #expect(middle.first?.item == 100_000)
    #expect(middle.last?.children.count == Self.count - 1)
  }

  @Test("a random tree", arguments: TreeLayout.Spacing.allCases)
  func random(spacing: TreeLayout.Spacing) throws {
    var random = SeededGenerator(seed: 5)
    let prepared = try #require(
      prepare(spacing) { Int32(random.next() % UInt64($0)) } as? PreparedTree)
    let (forest, ys) = (prepared.forest, prepared.ys)
    #expect(ys.min() == 20)
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
    #expect(violations == 0)
  }
}
