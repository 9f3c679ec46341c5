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

  @Test(
    "as many columns as fit that are wide enough, one at least",
    arguments: [(47.5, 2, 47.5), (47.75, 1, 100), (30, 3, 30), (1000, 1, 100)])
  func minimumColumnWidth(minimum: Double, columns: Int, width: Double) throws {
    let prepared = try prepare([9], ["minimumColumnWidth": .number(minimum)])
    let frames = (0..<9).compactMap { prepared.cellFrame(0, $0) }
    same(frames.count { $0.origin.y == 0 }, columns)
    same(frames[0].size, Size(width: width, height: 45))
  }

  @Test(
    "columns fit that are as wide together as the content, whatever the last bits say",
    arguments: ["grid", "waterfall"])
  func wholeColumns(kind: String) throws {
    for tenths in stride(from: 301, through: 2401, by: 4) {
      for columns in [2, 3, 5, 6, 7] {
        let options: GivenOptions = [
          "minimumColumnWidth": .number(Double(tenths) / 10), "columnSpacing": 0,
        ]
        let prepared = try PreparedCollection(
          kind, options, width: Double(tenths * columns) / 10, [CollectionSection(9)]
        ).prepared
        let first = prepared.cellFrame(0, 0)?.origin.y
        same((0..<9).count { prepared.cellFrame(0, $0)?.origin.y == first }, columns, "\(options)")
      }
    }
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
}
