import TestSupport
import Testing

@testable import CollectionLayout

@Suite("waterfalls by hand")
struct WaterfallTests {
  private func prepare(
    _ sections: [[PlainItem]], width: Double = 100, _ options: GivenOptions = [:]
  ) throws -> any PreparedLayout {
    let padded: GivenOptions = ["cellPadding": 5]
    return try PreparedCollection(
      "waterfall", padded.patched(by: options), width: width,
      sections.map { CollectionSection($0) }
    ).prepared
  }

  private static let heights = [30.0, 10, 20].map { PlainItem(height: $0) }

  @Test("round robin fills the columns in turn")
  func roundRobin() throws {
    let prepared = try prepare([Self.heights])
    expectEqual(
      prepared.allElements,
      [
        .cell(0, 0, Rect(x: 5, y: 5, width: 40, height: 30)),
        .cell(0, 1, Rect(x: 55, y: 5, width: 40, height: 10)),
        .cell(0, 2, Rect(x: 5, y: 45, width: 40, height: 20)),
      ])
    same(prepared.contentSize, Size(width: 100, height: 70))
  }

  @Test("the shortest column gets the next item")
  func shortestColumn() throws {
    let prepared = try prepare([Self.heights], ["placement": "shortestColumn"])
    same(prepared.cellFrame(0, 2), Rect(x: 55, y: 25, width: 40, height: 20))
    same(prepared.contentSize, Size(width: 100, height: 50))
  }

  @Test("among equally short columns the leftmost is taken")
  func leftmost() throws {
    let items = [10.0, 20, 10, 10, 40, 1].map { PlainItem(height: $0) }
    let prepared = try prepare([items], width: 300, ["columns": 3, "placement": "shortestColumn"])
    // Ends: 20 30 20 → item 3 left (40), item 4 right (70), item 5 in the middle.
    same(prepared.cellFrame(0, 3), Rect(x: 5, y: 25, width: 90, height: 10))
    same(prepared.cellFrame(0, 4), Rect(x: 205, y: 25, width: 90, height: 40))
    same(prepared.cellFrame(0, 5), Rect(x: 105, y: 35, width: 90, height: 1))
  }

  @Test("an aspect ratio is of the photo, an item with neither has the default height")
  func aspectRatios() throws {
    let items = [PlainItem(aspectRatio: 2), PlainItem(aspectRatio: 0.5), PlainItem()]
    let prepared = try prepare([items])
    same(prepared.cellFrame(0, 0), Rect(x: 5, y: 5, width: 40, height: 20))
    same(prepared.cellFrame(0, 1), Rect(x: 55, y: 5, width: 40, height: 80))
    same(prepared.cellFrame(0, 2), Rect(x: 5, y: 35, width: 40, height: 180))
    same(prepared.contentSize.height, 220)
  }

  @Test("insets narrow the content and move nothing")
  func insets() throws {
    let plain = try prepare([Self.heights])
    let inset = try prepare(
      [Self.heights], width: 130,
      ["contentInset": ["top": 7, "left": 10, "bottom": 9, "right": 20]])
    expectEqual(inset.allElements, plain.allElements)
    same(inset.contentSize, plain.contentSize)
  }

  @Test("headers and footers frame every section, an empty one too")
  func headersAndFooters() throws {
    let prepared = try prepare(
      [[], Array(Self.heights[..<2])], ["headerHeight": 15, "footerHeight": 25])
    expectEqual(
      prepared.allElements,
      [
        .cell(1, 0, Rect(x: 5, y: 60, width: 40, height: 30)),
        .cell(1, 1, Rect(x: 55, y: 60, width: 40, height: 10)),
        .supplementary("footer", 0, 0, Rect(x: 0, y: 15, width: 100, height: 25)),
        .supplementary("footer", 1, 0, Rect(x: 0, y: 95, width: 100, height: 25)),
        .supplementary("header", 0, 0, Rect(x: 0, y: 0, width: 100, height: 15)),
        .supplementary("header", 1, 0, Rect(x: 0, y: 40, width: 100, height: 15)),
      ])
    same(prepared.contentSize, Size(width: 100, height: 120))
    same(prepared.counts, ElementCounts(sections: 2, cells: 2, supplementary: 4, decorations: 0))
  }

  @Test("a section's columns all begin below the longest of the section before")
  func sections() throws {
    let prepared = try prepare([Self.heights, Self.heights], ["placement": "shortestColumn"])
    same(prepared.cellFrame(1, 0), Rect(x: 5, y: 55, width: 40, height: 30))
    same(prepared.cellFrame(1, 1), Rect(x: 55, y: 55, width: 40, height: 10))
    same(prepared.contentSize.height, 100)
  }

  @Test("no sections and empty ones have no content", arguments: 0..<4)
  func empty(sectionCount: Int) throws {
    let prepared = try prepare(Array(repeating: [], count: sectionCount))
    #expect(prepared.allElements.isEmpty)
    same(prepared.contentSize, Size(width: 100, height: 0))
    same(prepared.counts.sections, sectionCount)
  }

  @Test("an item without height is a line between others")
  func flatItem() throws {
    let items = [10.0, 0, 10].map { PlainItem(height: $0) }
    let prepared = try prepare([items], ["columns": 1, "cellPadding": 0])
    same(prepared.cellFrame(0, 1), Rect(x: 0, y: 10, width: 100, height: 0))
    same(prepared.cellFrame(0, 2), Rect(x: 0, y: 10, width: 100, height: 10))
    func found(at y: Double, height: Double) -> [Int] {
      prepared.elements(in: Rect(x: 0, y: y, width: 1, height: height)).map(\.item)
    }
    same(found(at: 10, height: 0), [1, 2])
    same(found(at: 9.5, height: 0.5), [0])
    same(found(at: 9.5, height: 1), [0, 1, 2])
    same(found(at: 10.5, height: 1), [2])
  }

  @Test("more columns than items", arguments: WaterfallLayout.Placement.allCases)
  func manyColumns(placement: WaterfallLayout.Placement) throws {
    let prepared = try prepare(
      [Self.heights], width: 1000, ["columns": 10, "placement": .string(placement.rawValue)])
    same(prepared.cellFrame(0, 2), Rect(x: 205, y: 5, width: 90, height: 20))
    same(prepared.contentSize, Size(width: 1000, height: 40))
  }

  @Test("1,000,000,000 columns of 3 items", arguments: WaterfallLayout.Placement.allCases)
  func absurdColumns(placement: WaterfallLayout.Placement) throws {
    let prepared = try prepare(
      [Self.heights, [], Self.heights], width: 0x1p30,
      ["columns": 1_000_000_000, "cellPadding": 0, "placement": .string(placement.rawValue)])
    let columnWidth = 0x1p30 / 1_000_000_000
    same(prepared.cellFrame(0, 2), Rect(x: 2 * columnWidth, y: 0, width: columnWidth, height: 20))
    same(prepared.cellFrame(2, 0), Rect(x: 0, y: 30, width: columnWidth, height: 30))
    same(prepared.contentSize, Size(width: 0x1p30, height: 60))
    #expect(prepared.elements(in: Rect(x: 100, y: 0, width: 0x1p30, height: 100)).isEmpty)
    same(prepared.allElements.count, 6)
  }

  @Test(
    "an item is found in its column, however many there are", arguments: [2, 64, 65, 500, 3000])
  func items(columns: Int) throws {
    var random = SeededGenerator(seed: columns)
    let items = (0..<2500).map { _ in PlainItem(height: Double(random.integer(0...300))) }
    let prepared = try PreparedCollection(
      "waterfall", ["placement": "shortestColumn", "columns": .number(Double(columns))],
      width: 100_000, [CollectionSection(items)]
    ).prepared
    let all = prepared.allElements
    same(all.count, items.count)
    let displaced = all.filter { prepared.cellFrame($0.section, $0.item) != $0.frame }
    same(displaced.map(\.item), [])
  }

  @Test("a line at the start of very many columns meets them all")
  func lineAtStart() throws {
    let prepared = try PreparedCollection(
      "waterfall", ["columns": 4000, "cellPadding": 0], width: 4000, [CollectionSection(8000)]
    ).prepared
    same(prepared.elements(in: Rect(x: 0, y: 0, width: 4000, height: 0)).count, 4000)
  }

  @Test("as many columns as fit that are wide enough, one at least")
  func minimumColumnWidth() throws {
    let items = Array(repeating: PlainItem(height: 10), count: 5)
    func firstRow(_ minimum: OptionValue) throws -> [Double] {
      try prepare([items], ["minimumColumnWidth": minimum]).allElements
        .filter { $0.frame.origin.y == 5 }.map(\.frame.origin.x)
    }
    try same(firstRow(50), [5, 55])
    try same(firstRow(50.5), [5])
    try same(firstRow(25), [5, 30, 55, 80])
    try same(firstRow(1000), [5])
  }
}
