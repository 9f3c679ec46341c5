import Foundation
import Testing

@testable import CollectionLayout

/// What other libraries answer to the same questions; see Fixtures/README.md.
@Suite("recorded answers of other implementations")
struct RecordedTests {
  private static func decode<Value: Decodable>(_ path: String, as _: Value.Type) throws -> Value {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let data = try Data(contentsOf: directory.appending(path: "Fixtures/" + path))
    return try JSONDecoder().decode(Value.self, from: data)
  }

  private struct MasonicCases: Decodable {
    var cases: [MasonicCase]
  }

  private struct MasonicCase: Decodable {
    var id: String
    var columnGutter: Double
    var rowGutter: Double
    var columnCount: Int
    var columnWidth: Double
    var heights: [Double]
    var framesXYWH: [[Double]]
    var totalHeightExclTrailingGutter: Double
    var rangeQueries: [RangeQuery]

    enum CodingKeys: String, CodingKey {
      case id, columnGutter, rowGutter, columnCount, columnWidth, heights
      case framesXYWH = "frames_xywh"
      case totalHeightExclTrailingGutter, rangeQueries
    }

    struct RangeQuery: Decodable {
      var lo: Double
      var hi: Double
      var idsOpenInterval: [Int]
    }
  }

  /// A gutter is twice the cell padding: half of it lies on each side of a cell.
  @Test("shortest-column waterfalls are masonic's")
  func masonic() throws {
    let file = "masonic/waterfall_shortest_first_generated.json"
    let cases = try Self.decode(file, as: MasonicCases.self).cases
    #expect(cases.count == 80)
    for recorded in cases {
      let padding = recorded.rowGutter / 2
      let columnPitch = recorded.columnWidth + recorded.columnGutter
      try #require(columnPitch > recorded.rowGutter, "\(recorded.id)")
      let prepared = try PreparedCollection(
        "waterfall",
        [
          "columns": .number(Double(recorded.columnCount)), "cellPadding": .number(padding),
          "placement": "shortestColumn",
        ], width: columnPitch * Double(recorded.columnCount),
        [CollectionSection(Items(heights: recorded.heights))]
      ).prepared
      let trailingGutter = recorded.heights.isEmpty ? 0 : recorded.rowGutter
      #expect(
        prepared.contentSize.height == recorded.totalHeightExclTrailingGutter + trailingGutter,
        "\(recorded.id)")
      for (item, frame) in recorded.framesXYWH.enumerated() {
        let expected = Rect(
          x: frame[0] + padding, y: frame[1] + padding,
          width: frame[2] + recorded.columnGutter - recorded.rowGutter, height: frame[3])
        #expect(prepared.cellFrame(0, item) == expected, "\(recorded.id), item \(item)")
      }
      for query in recorded.rangeQueries {
        let rect = Rect(
          x: 0, y: query.lo + padding, width: prepared.contentSize.width,
          height: query.hi - query.lo)
        #expect(
          prepared.elements(in: rect).map(\.item) == query.idsOpenInterval.sorted(),
          "\(recorded.id), \(query.lo)…\(query.hi)")
      }
    }
  }

  private struct BlueprintCases: Decodable {
    var tests: [BlueprintCase]
  }

  private struct BlueprintCase: Decodable {
    var test: String
    var expect: [Expected]

    struct Expected: Decodable {
      var el: String
      var section: Int?
      var item: Int?
      var frame: [Double]?
      var size: [Double]?
    }
  }

  @Test(
    "grids are Blueprints' vertical layouts",
    arguments: [
      ("testVerticalLayoutAttributes", 3, 0, 0),
      ("testVerticalLayoutAttributesWithSpanOne", 1, 0, 0),
      ("testVerticalLayoutAttributesWithSpanOneUsingSectionHeaders", 1, 50, 0),
      ("testVerticalLayoutAttributesWithSpanTwo", 2, 0, 0),
      ("testVerticalLayoutAttributesWithSpanTwoUsingSectionHeaders", 2, 50, 0),
      ("testVerticalLayoutAttributesWithHeaderAndFooter", 3, 100, 100),
    ])
  func blueprints(test: String, columns: Int, headerHeight: Double, footerHeight: Double) throws {
    let tests = try Self.decode("Blueprints/blueprints_cases.json", as: BlueprintCases.self).tests
    let recorded = try #require(tests.first { $0.test == test })
    // Three columns are of cells of 50, one or two fill 200.
    let prepared = try PreparedCollection(
      "grid",
      [
        "columns": .number(Double(columns)), "rowHeight": 60, "rowSpacing": 10,
        "columnSpacing": 10, "headerHeight": .number(headerHeight),
        "footerHeight": .number(footerHeight),
        "sectionInset": ["top": 10, "left": 10, "bottom": 10, "right": 10],
      ], width: columns == 3 ? 190 : 200, [CollectionSection(10), CollectionSection(10)]
    ).prepared
    for expected in recorded.expect {
      if let size = expected.size {
        #expect(prepared.contentSize.height == size[1])
      } else if let frame = expected.frame, let section = expected.section {
        switch expected.el {
        case "item":
          let cell = try #require(prepared.cellFrame(section, expected.item ?? -1))
          #expect(
            [cell.origin.x, cell.origin.y, cell.size.width, cell.size.height] == frame)
        case "supplementary#1":
          let footer = try #require(prepared.element(.supplementary("footer"), section, 0))
          #expect([footer.frame.origin.y, footer.frame.size.height] == [frame[1], frame[3]])
        default:
          let header = try #require(prepared.element(.supplementary("header"), section, 0))
          #expect([header.frame.origin.y, header.frame.size.height] == [frame[1], frame[3]])
        }
      } else {
        Issue.record("\(expected.el) has neither a size nor a frame in a section")
      }
    }
  }

  private struct FlowCase: Decodable {
    var test: String
    var steps: [Step]

    struct Step: Decodable {
      var op: String
      var sections: [Section]?
      var value: Double?
      var section: Int?
      var item: Int?
      var frame: [Double]?
      var rect: [Double]?
      var count: Int?
    }

    struct Section: Decodable {
      var items: [[Double]]
    }
  }

  @Test("flows are IGListKit's", arguments: 0..<2)
  func flow(index: Int) throws {
    let cases = try Self.decode(
      "IGListKit/iglist_collection_view_layout_cases.json", as: [FlowCase].self)
    let recorded = cases[index]
    let sections = try #require(recorded.steps.first?.sections)
    let prepared = try PreparedCollection(
      "flow",
      ["minimumInteritemSpacing": 0, "minimumLineSpacing": 0, "alignment": "start"],
      sections.map { section in
        CollectionSection(section.items.map { PlainItem(height: $0[1], width: $0[0]) })
      }
    ).prepared
    for step in recorded.steps.dropFirst() {
      switch step.op {
      case "expectContent": #expect(prepared.contentSize.height == step.value)
      case "expectFrame":
        let frame = try #require(step.frame)
        #expect(
          prepared.cellFrame(step.section ?? -1, step.item ?? -1)
            == Rect(x: frame[0], y: frame[1], width: frame[2], height: frame[3]))
      case "queryCount":
        let rect = try #require(step.rect)
        let found = prepared.elements(
          in: Rect(x: rect[0], y: rect[1], width: rect[2], height: rect[3]))
        #expect(found.count == step.count, "\(rect)")
      default: Issue.record("\(step.op) is not understood")
      }
    }
  }
}
