import TestSupport
import Testing

@testable import CollectionLayout

/// IGListKit's flow: 127 of the 145 checks of its 33 tests are reproduced.
///
/// There, headers and footers stand within a section's insets, and a section goes on in the line of
/// the section before. So sections without header, footer and insets are one section here. The 18
/// checks that are not reproduced are of tests
///
/// - in which sections with insets or footers share a line (14);
/// - in which an empty section hides its header (2);
/// - in which an item may be wider by a point than what a line leaves (1), or is widened by it (1).
@Suite("IGListKit's flow")
struct IGListKitTests {
  private static let otherwise: Set = [
    "test_whenLayingOutCellsHorizontally_withFooterHeight_withLineSpacing_withInsets_"
      + "thatFramesCorrect",
    "test_whenSectionsSmallerThanContainerWidth_with0ItemSpacing_withMiddleItemHasInsets_"
      + "with0LineSpacing_thatNextSectionSnapsBelow",
    "test_",
    "test_whenSectionDataIsEmpty_thatStickyHeaderShouldBeHidden",
    "test_whenItemsAddedWithBiggerThanWidth_DifferenceSmallerThanEpsilon",
    "test_whenItemsAddedWidthSmallerThanWidth_DifferenceSmallerThanEpsilon",
  ]

  @Test("frames, content sizes, queries and pinned headers")
  func flow() throws {
    let recording = try Oracle.recording("IGListKit/layouts.json").array
    var reproduced = 0
    var total = 0
    for recorded in recording {
      let name = try #require(recorded["test"].string)
      var flow = try IGListFlow(recorded)
      for step in recorded["steps"].array {
        let operation = try #require(step["op"].string)
        guard operation.hasPrefix("expect") || operation.hasPrefix("query") else {
          try flow.take(operation, step)
          continue
        }
        total += 1
        let holds = try flow.holds(operation, step)
        if holds { reproduced += 1 }
        #expect(holds || Self.otherwise.contains(name), "\(name): \(step)")
      }
    }
    same(recording.count, 33)
    #expect((reproduced, total) == (127, 145))
  }
}

/// A flow as IGListKit's tests set it up, step by step.
private struct IGListFlow {
  private var sections: [JSON] = []
  private var bounds: Rect
  private var contentInset = [0.0, 0, 0, 0]
  /// The upper edge of what is visible, along the scroll direction.
  private var offset = 0.0
  private var stickyOffset = 0.0
  private let options: JSON
  private let isHorizontal: Bool

  init(_ recorded: JSON) throws {
    bounds = try #require(recorded["defaultBounds"].rect)
    options = recorded["options"]
    isHorizontal = options["horizontal"] == true
  }

  mutating func take(_ operation: String, _ step: JSON) throws {
    switch operation {
    case "prepare": sections = step["sections"].array
    case "bounds": bounds = try #require(step["value"].rect)
    case "contentInset_tlbr": contentInset = try #require(step["value"].numbers)
    case "contentOffset":
      offset = try #require(step["value"].numbers)[isHorizontal ? 0 : 1]
    case "stickyHeaderYOffset": stickyOffset = try #require(step["value"].number)
    // The sections that there are then come with the next step.
    case "batchUpdates": break
    default: Issue.record("\(operation) is not understood")
    }
  }

  func holds(_ operation: String, _ step: JSON) throws -> Bool {
    let prepared = try prepared
    switch operation {
    case "expectContent":
      let size = prepared.contentSize
      return (step["dim"].string == "width" ? size.width : size.height) == step["value"].number
    case "expectFrame":
      let element = try #require(step["element"].string)
      let section = Int(try #require(step["section"].number))
      let item = Int(try #require(step["item"].number))
      return try frame(element, section, item, of: prepared) == step["frame"].rect
    case "queryCount":
      let rect = try #require(step["rect"].rect)
      return prepared.cells(in: rect).count == Int(try #require(step["count"].number))
    case "queryIndexPaths":
      let rect = try #require(step["rect"].rect)
      let expected = try step["indexPaths"].array.map {
        let path = try #require($0.numbers)
        return self.path(Int(path[0]), Int(path[1]))
      }
      return prepared.cells(in: rect) == expected
    default:
      Issue.record("\(operation) is not understood")
      return false
    }
  }

  /// Where an element lies there: headers and footers within the section's insets, and pinned ones
  /// where they are kept in sight.
  private func frame(
    _ element: String, _ section: Int, _ item: Int, of prepared: any PreparedLayout
  ) throws -> Rect? {
    guard element != "cell" else {
      let path = path(section, item)
      return prepared.attributes(.cells, path.section, path.item)?.frame
    }
    let attributes = prepared.attributes(.supplementary(element), section)
    guard let attributes, let insets = sections[section]["insets_tlbr"].numbers else { return nil }
    var frame = isHorizontal ? attributes.frame.transposed : attributes.frame
    if let range = attributes.pinRange {
      let top = offset + (options["topContentInset"].number ?? 0) + stickyOffset
      frame.origin.y = min(max(top, range.from), range.to)
    }
    let (top, left, bottom, right) =
      isHorizontal
      ? (insets[1], insets[0], insets[3], insets[2]) : (insets[0], insets[1], insets[2], insets[3])
    frame.origin.x += left
    frame.size.width -= left + right
    frame.origin.y += element == "header" ? top : -bottom
    return isHorizontal ? frame.transposed : frame
  }

  /// Whether sections are one here.
  private var areJoined: Bool {
    sections.allSatisfy {
      $0["headerHeight"].number == 0 && $0["footerHeight"].number == 0
        && $0["insets_tlbr"].numbers == [0, 0, 0, 0]
    }
  }

  /// Where an item of theirs is here.
  private func path(_ section: Int, _ item: Int) -> CollectionLayout.IndexPath {
    guard areJoined else { return .init(section: section, item: item) }
    let before = sections[..<section].reduce(0) { $0 + ($1["items"].array.count) }
    return .init(section: 0, item: before + item)
  }

  private var prepared: any PreparedLayout {
    get throws {
      var layout = GivenOptions([
        "alignment": .string("start"), "lineAlignment": .string("top"),
        "scrollDirection": .string(isHorizontal ? "horizontal" : "vertical"),
        "contentInset": .insets(
          top: contentInset[0], left: contentInset[1], bottom: contentInset[2],
          right: contentInset[3]),
      ])
      if options["sticky"] == true { layout["pinHeaders"] = .boolean(true) }
      var all = try sections.map { section in
        func number(_ name: String) throws -> OptionValue {
          .number(try #require(section[name].number))
        }
        let insets = try #require(section["insets_tlbr"].numbers)
        let own = GivenOptions([
          "sectionInset": .insets(
            top: insets[0], left: insets[1], bottom: insets[2], right: insets[3]),
          "rowSpacing": try number("lineSpacing"),
          "columnSpacing": try number("interitemSpacing"),
          "headerHeight": try number("headerHeight"), "footerHeight": try number("footerHeight"),
        ])
        let items = section["items"].array.map {
          NaiveItem(width: $0.numbers?[0], height: $0.numbers?[1])
        }
        return (items: items, settings: SectionSettings(options: own))
      }
      if areJoined, let first = all.first {
        all = [(all.flatMap { $0.items }, first.settings)]
      }
      return try Oracle.prepared(
        "flow", layout, bounds: Bounds(width: bounds.size.width, height: bounds.size.height),
        all.map { CollectionSection(items: Items($0.items), settings: $0.settings) })
    }
  }
}
