import TestSupport
import Testing

@testable import CollectionLayout

@Suite("grids by hand")
struct GridTests {
  private func prepare(
    _ counts: [Int], width: Double = 100, _ options: GivenOptions = [:]
  ) throws -> any PreparedLayout {
    try PreparedCollection(
      "grid", options, width: width, counts.map { CollectionSection($0) }
    ).prepared
  }

  private static let cells: [Element] = [
    .cell(0, 0, Rect(x: 0, y: 20, width: 47.5, height: 45)),
    .cell(0, 1, Rect(x: 52.5, y: 20, width: 47.5, height: 45)),
    .cell(0, 2, Rect(x: 0, y: 70, width: 47.5, height: 45)),
    .cell(2, 0, Rect(x: 0, y: 175, width: 47.5, height: 45)),
  ]
  private static let footers: [Element] = [
    .supplementary("footer", 0, 0, Rect(x: 0, y: 115, width: 100, height: 10)),
    .supplementary("footer", 1, 0, Rect(x: 0, y: 145, width: 100, height: 10)),
    .supplementary("footer", 2, 0, Rect(x: 0, y: 220, width: 100, height: 10)),
  ]
  private static let headers: [Element] = [
    .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 20)),
    .supplementary("header", 1, 0, Rect(x: 0, y: 125, width: 100, height: 20)),
    .supplementary("header", 2, 0, Rect(x: 0, y: 155, width: 100, height: 20)),
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
    same(prepared.contentSize, Size(width: 100, height: 95))
  }

  @Test("headers and footers frame every section, an empty one too")
  func headersAndFooters() throws {
    let prepared = try prepare([3, 0, 1], ["headerHeight": 20, "footerHeight": 10])
    expectEqual(prepared.allElements, Self.cells + Self.footers + Self.headers)
    same(prepared.contentSize, Size(width: 100, height: 230))
    same(prepared.counts, ElementCounts(sections: 3, cells: 4, supplementary: 6, decorations: 0))
  }

  @Test(
    "backgrounds lie behind items, rows or sections",
    arguments: [
      ("none", []),
      (
        "item",
        [
          .background(0, 0, Rect(x: 0, y: 20, width: 47.5, height: 45)),
          .background(0, 1, Rect(x: 52.5, y: 20, width: 47.5, height: 45)),
          .background(0, 2, Rect(x: 0, y: 70, width: 47.5, height: 45)),
          .background(2, 0, Rect(x: 0, y: 175, width: 47.5, height: 45)),
        ]
      ),
      (
        "row",
        [
          .background(0, 0, Rect(x: 0, y: 20, width: 100, height: 45)),
          .background(0, 1, Rect(x: 0, y: 70, width: 100, height: 45)),
          .background(2, 0, Rect(x: 0, y: 175, width: 100, height: 45)),
        ]
      ),
      (
        "section",
        [
          .background(0, 0, Rect(x: 0, y: 0, width: 100, height: 125)),
          .background(1, 0, Rect(x: 0, y: 125, width: 100, height: 30)),
          .background(2, 0, Rect(x: 0, y: 155, width: 100, height: 75)),
        ]
      ),
    ] as [(String, [Element])])
  func backgrounds(background: String, expected: [Element]) throws {
    let prepared = try prepare(
      [3, 0, 1], ["headerHeight": 20, "footerHeight": 10, "background": .string(background)])
    expectEqual(prepared.allElements, expected + Self.cells + Self.footers + Self.headers)
    same(prepared.counts.decorations, expected.count)
  }

  @Test("a row's spacing is only between rows")
  func noTrailingSpacing() throws {
    let prepared = try prepare([1, 0], ["background": "section"])
    same(prepared.contentSize.height, 45)
    expectEqual(
      prepared.allElements.filter { $0.category == .decoration },
      [
        .background(0, 0, Rect(x: 0, y: 0, width: 100, height: 45)),
        .background(1, 0, Rect(x: 0, y: 45, width: 100, height: 0)),
      ])
  }

  @Test(
    "as many columns as fit that are wide enough, one at least",
    arguments: [(47.5, 2, 47.5), (47.75, 1, 100), (30, 3, 30), (1000, 1, 100)])
  func minimumColumnWidth(minimum: Double, columns: Int, width: Double) throws {
    let prepared = try prepare([9], ["minimumColumnWidth": .number(minimum)])
    let frames = (0..<9).compactMap { prepared.cellFrame(0, $0) }
    same(frames.count { $0.origin.y == 0 }, columns)
    same(frames[0].size, Size(width: width, height: 45))
  }

  @Test("rows as high as an aspect ratio makes them, and their spacing")
  func itemAspectRatio() throws {
    let prepared = try prepare([3], ["itemAspectRatio": 2, "columnSpacing": 0, "rowSpacing": 4])
    same(
      prepared.allElements.map(\.frame),
      [
        Rect(x: 0, y: 0, width: 50, height: 25), Rect(x: 50, y: 0, width: 50, height: 25),
        Rect(x: 0, y: 29, width: 50, height: 25),
      ])
    same(prepared.contentSize.height, 54)
  }

  @Test("a cell may be one step high")
  func flatCells() throws {
    // 49.9995 · 1024 = 51199.488, so the spacing is 51,199 steps, and the row's height 51,200.
    let prepared = try prepare([2], width: 320, ["columns": 1, "rowSpacing": 49.9995])
    expectEqual(
      prepared.allElements,
      [
        .cell(0, 0, Rect(x: 0, y: 0, width: 320, height: 0x1p-10)),
        .cell(0, 1, Rect(x: 0, y: 50, width: 320, height: 0x1p-10)),
      ])
    let second = prepared.elements(in: Rect(x: 0, y: 50, width: 320, height: 1))
    same(second.map(\.item), [1])
  }

  @Test("a footer may be of any height")
  func tallFooter() throws {
    let prepared = try prepare(
      [3], ["columns": 1, "rowHeight": 8, "rowSpacing": 0, "footerHeight": 8e12])
    expectEqual(
      prepared.allElements,
      [
        .cell(0, 0, Rect(x: 0, y: 0, width: 100, height: 8)),
        .cell(0, 1, Rect(x: 0, y: 8, width: 100, height: 8)),
        .cell(0, 2, Rect(x: 0, y: 16, width: 100, height: 8)),
        .supplementary("footer", 0, 0, Rect(x: 0, y: 24, width: 100, height: 8e12)),
      ])
    let middle = prepared.elements(in: Rect(x: 0, y: 8, width: 1, height: 1))
    same(middle.map(\.item), [1])
  }

  @Test("no sections and empty ones have no content", arguments: [[], [0], [0, 0, 0]])
  func empty(counts: [Int]) throws {
    let prepared = try prepare(counts)
    #expect(prepared.allElements.isEmpty)
    same(prepared.contentSize, Size(width: 100, height: 0))
    same(prepared.counts.sections, counts.count)
    same(prepared.counts.cells, 0)
  }

  @Test("more columns than items leave the rest of the row empty")
  func manyColumns() throws {
    let prepared = try prepare([2], width: 1000, ["columns": 10, "columnSpacing": 0])
    same(prepared.cellFrame(0, 1), Rect(x: 100, y: 0, width: 100, height: 45))
    same(prepared.cellFrame(0, 2), nil)
  }

  @Test("names come back with cells, not with their backgrounds")
  func names() throws {
    let items = [PlainItem(id: "a"), PlainItem(), PlainItem(id: "ü")]
    let elements = try PreparedCollection(
      "grid", ["background": "item"], [CollectionSection(items)]
    ).prepared.allElements
    same(elements.filter { $0.category == .cell }.map(\.id), ["a", nil, "ü"])
    same(elements.filter { $0.category == .decoration }.map(\.id), [nil, nil, nil])
  }

  @Test("a hit test finds the cell under a point, between cells none")
  func hitTest() throws {
    let prepared = try prepare([3])
    func hit(_ x: Double, _ y: Double) -> [Int] {
      prepared.elements(in: Rect(x: x, y: y, width: 0, height: 0)).map(\.item)
    }
    same(hit(0, 0), [0])
    same(hit(47.5, 0), [])
    same(hit(50, 10), [])
    same(hit(52.5, 44.5), [1])
    same(hit(10, 45), [])
    same(hit(10, 50), [2])
    same(hit(60, 50), [])
    same(hit(100, 0), [])
  }
}
