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

  @Test("no sections and empty ones have no content", arguments: 0..<4)
  func empty(sectionCount: Int) throws {
    let prepared = try prepare(Array(repeating: [], count: sectionCount))
    #expect(prepared.allElements.isEmpty)
    same(prepared.contentSize, Size(width: 100, height: 0))
    same(prepared.counts.sections, sectionCount)
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
