import TestSupport
import Testing

@testable import CollectionLayout

/// masonic, a waterfall for React: all of its 80 recorded layouts and 400 queries are reproduced.
///
/// A gutter is twice the cell padding: half of it lies on each side of a cell. Where columns are
/// farther from each other than rows, cells are wider here by the difference.
@Suite("masonic's shortest-column waterfalls")
struct MasonicTests {
  @Test("80 layouts and 400 queries")
  func waterfalls() throws {
    let file = try Oracle.recording("masonic/waterfall_shortest_first_generated.json")
    let cases = file["cases"].array
    var layouts = 0
    var queries = 0
    for recorded in cases {
      let name = recorded["id"].string ?? ""
      func number(_ member: String) throws -> Double { try #require(recorded[member].number) }
      let padding = try number("rowGutter") / 2
      let columnPitch = try number("columnWidth") + number("columnGutter")
      let heights = try #require(recorded["heights"].numbers)
      let prepared = try Oracle.prepared(
        "waterfall",
        GivenOptions([
          "columns": .number(try number("columnCount")), "cellPadding": .number(padding),
          "placement": .string("shortestColumn"), "tolerance": .number(0),
        ]),
        bounds: Bounds(width: columnPitch * (try number("columnCount"))),
        [CollectionSection(items: Items(heights.map { NaiveItem(height: $0) }))])
      let trailingGutter = heights.isEmpty ? 0 : 2 * padding
      let height = try number("totalHeightExclTrailingGutter") + trailingGutter
      let wider = try number("columnGutter") - number("rowGutter")
      let frames = try recorded["frames_xywh"].array.map {
        let frame = try #require($0.rect)
        return Rect(
          x: frame.origin.x + padding, y: frame.origin.y + padding,
          width: frame.size.width + wider, height: frame.size.height)
      }
      let cells = heights.indices.map { prepared.attributes(.cells, 0, $0)?.frame }
      same(cells, frames, "\(name)")
      same(prepared.contentSize.height, height, "\(name)")
      if cells == frames, prepared.contentSize.height == height { layouts += 1 }
      for query in recorded["rangeQueries"].array {
        let low = try #require(query["lo"].number)
        let high = try #require(query["hi"].number)
        let rect = Rect(
          x: 0, y: low + padding, width: prepared.contentSize.width, height: high - low)
        let found = prepared.cells(in: rect).map { Double($0.item) }
        let expected = try #require(query["idsOpenInterval"].numbers).sorted()
        same(found, expected, "\(name), \(low)…\(high)")
        if found == expected { queries += 1 }
      }
    }
    #expect((layouts, queries) == (80, 400))
  }
}
