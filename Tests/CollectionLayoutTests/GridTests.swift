import Testing

@testable import CollectionLayout

@Suite("grids by hand")
struct GridTests {
  private func prepare(
    _ counts: [Int], width: Double = 100, _ configure: (inout GridLayout) -> Void = { _ in }
  ) throws -> any PreparedLayout {
    var grid = GridLayout()
    configure(&grid)
    return try grid.prepared(
      for: .sections(counts.map { Items(uniform: $0) }), bounds: Bounds(width: width))
  }

  private static let cells: [Element] = [
    .cell(0, 0, Rect(x: 0, y: 20, width: 47.5, height: 45)),
    .cell(0, 1, Rect(x: 52.5, y: 20, width: 47.5, height: 45)),
    .cell(0, 2, Rect(x: 0, y: 70, width: 47.5, height: 45)),
    .cell(2, 0, Rect(x: 0, y: 180, width: 47.5, height: 45)),
  ]
  private static let footers: [Element] = [
    .supplementary("footer", 0, 0, Rect(x: 0, y: 120, width: 100, height: 10)),
    .supplementary("footer", 1, 0, Rect(x: 0, y: 150, width: 100, height: 10)),
    .supplementary("footer", 2, 0, Rect(x: 0, y: 230, width: 100, height: 10)),
  ]
  private static let headers: [Element] = [
    .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 20)),
    .supplementary("header", 1, 0, Rect(x: 0, y: 130, width: 100, height: 20)),
    .supplementary("header", 2, 0, Rect(x: 0, y: 160, width: 100, height: 20)),
  ]

  @Test("three items stand in two columns, the last row without its spacing")
  func threeItems() throws {
    let prepared = try prepare([3])
    expectEqual(
      prepared.allElements,
      [
        .cell(0, 0, Rect(x: 0, y: 0, width: 47.5, height: 45)),
        .cell(0, 1, Rect(x: 52.5, y: 0, width: 47.5, height: 45)),
        .cell(0, 2, Rect(x: 0, y: 50, width: 47.5, height: 45)),
      ])
    #expect(prepared.contentSize == Size(width: 100, height: 95))
  }

  @Test("headers and footers frame every section, an empty one too")
  func headersAndFooters() throws {
    let prepared = try prepare([3, 0, 1]) {
      $0.headerHeight = 20
      $0.footerHeight = 10
    }
    expectEqual(prepared.allElements, Self.cells + Self.footers + Self.headers)
    #expect(prepared.contentSize == Size(width: 100, height: 240))
    #expect(
      prepared.counts
        == ElementCounts(sections: 3, cells: 4, supplementary: 6, decorations: 0))
  }

  @Test(
    "backgrounds lie behind items, rows or sections",
    arguments: [
      (GridLayout.Background.none, []),
      (
        .item,
        [
          .background(0, 0, Rect(x: 0, y: 20, width: 47.5, height: 45)),
          .background(0, 1, Rect(x: 52.5, y: 20, width: 47.5, height: 45)),
          .background(0, 2, Rect(x: 0, y: 70, width: 47.5, height: 45)),
          .background(2, 0, Rect(x: 0, y: 180, width: 47.5, height: 45)),
        ]
      ),
      (
        .row,
        [
          .background(0, 0, Rect(x: 0, y: 20, width: 100, height: 45)),
          .background(0, 1, Rect(x: 0, y: 70, width: 100, height: 45)),
          .background(2, 0, Rect(x: 0, y: 180, width: 100, height: 45)),
        ]
      ),
      (
        .section,
        [
          .background(0, 0, Rect(x: 0, y: 0, width: 100, height: 130)),
          .background(1, 0, Rect(x: 0, y: 130, width: 100, height: 30)),
          .background(2, 0, Rect(x: 0, y: 160, width: 100, height: 80)),
        ]
      ),
    ] as [(GridLayout.Background, [Element])])
  func backgrounds(background: GridLayout.Background, expected: [Element]) throws {
    let prepared = try prepare([3, 0, 1]) {
      $0.headerHeight = 20
      $0.footerHeight = 10
      $0.background = background
    }
    expectEqual(prepared.allElements, expected + Self.cells + Self.footers + Self.headers)
    #expect(prepared.counts.decorations == expected.count)
  }

  @Test("a section's background reaches to the end of its last row's spacing")
  func sectionBackgroundEndsTheContent() throws {
    let prepared = try prepare([1, 0]) { $0.background = .section }
    #expect(prepared.contentSize.height == 50)
    expectEqual(
      prepared.allElements.filter { $0.category == .decoration },
      [
        .background(0, 0, Rect(x: 0, y: 0, width: 100, height: 50)),
        .background(1, 0, Rect(x: 0, y: 50, width: 100, height: 0)),
      ])
  }

  @Test("a cell may be lower than a double's step at the content's end")
  func flatCells() throws {
    let prepared = try prepare([2], width: 320) {
      $0.columns = 1
      $0.rowSpacing = 49.99999999999999
    }
    // 50 − 49.99999999999999 as doubles: one unit in the last place of 49.99999999999999.
    expectEqual(
      prepared.allElements,
      [
        .cell(0, 0, Rect(x: 0, y: 0, width: 320, height: 0x1p-47)),
        .cell(0, 1, Rect(x: 0, y: 50, width: 320, height: 0x1p-47)),
      ])
    let second = prepared.elements(in: Rect(x: 0, y: 50, width: 320, height: 1))
    #expect(second.map(\.item) == [1])
  }

  @Test("a footer may be of any height")
  func tallFooter() throws {
    let prepared = try prepare([3]) {
      $0.columns = 1
      $0.rowHeight = 8
      $0.rowSpacing = 0
      $0.footerHeight = 9e16
    }
    expectEqual(
      prepared.allElements,
      [
        .cell(0, 0, Rect(x: 0, y: 0, width: 100, height: 8)),
        .cell(0, 1, Rect(x: 0, y: 8, width: 100, height: 8)),
        .cell(0, 2, Rect(x: 0, y: 16, width: 100, height: 8)),
        .supplementary("footer", 0, 0, Rect(x: 0, y: 24, width: 100, height: 9e16)),
      ])
    let middle = prepared.elements(in: Rect(x: 0, y: 8, width: 1, height: 1))
    #expect(middle.map(\.item) == [1])
  }

  @Test("no sections and empty ones have no content", arguments: [[], [0], [0, 0, 0]])
  func empty(counts: [Int]) throws {
    let prepared = try prepare(counts)
    #expect(prepared.allElements.isEmpty)
    #expect(prepared.contentSize == Size(width: 100, height: 0))
    #expect(prepared.counts.sections == counts.count)
    #expect(prepared.counts.cells == 0)
  }

  @Test("more columns than items leave the rest of the row empty")
  func manyColumns() throws {
    let prepared = try prepare([2], width: 1000) {
      $0.columns = 10
      $0.columnSpacing = 0
    }
    #expect(prepared.cellFrame(0, 1) == Rect(x: 100, y: 0, width: 100, height: 45))
    #expect(prepared.cellFrame(0, 2) == nil)
  }

  @Test("names come back with cells, not with their backgrounds")
  func names() throws {
    var grid = GridLayout()
    grid.background = .item
    let items = Items([PlainItem(id: "a"), PlainItem(), PlainItem(id: "ü")], of: .grid)
    let prepared = try grid.prepared(for: .sections([items]), bounds: Bounds(width: 100))
    let elements = prepared.allElements
    #expect(elements.filter { $0.category == .cell }.map(\.id) == ["a", nil, "ü"])
    #expect(elements.filter { $0.category == .decoration }.map(\.id) == [nil, nil, nil])
  }

  @Test("a hit test finds the cell under a point, between cells none")
  func hitTest() throws {
    let prepared = try prepare([3])
    func hit(_ x: Double, _ y: Double) -> [Int] {
      prepared.elements(in: Rect(x: x, y: y, width: 0, height: 0)).map(\.item)
    }
    #expect(hit(0, 0) == [0])
    #expect(hit(47.5, 0) == [])
    #expect(hit(50, 10) == [])
    #expect(hit(52.5, 44.5) == [1])
    #expect(hit(10, 45) == [])
    #expect(hit(10, 50) == [2])
    #expect(hit(60, 50) == [])
    #expect(hit(100, 0) == [])
  }
}
