import TestSupport
import Testing

@testable import CollectionLayout

/// Blueprints' vertical and horizontal layouts: 377 of the 411 frames and content sizes of its 28
/// tests are reproduced, by grids where the items fill the width, by waterfalls where their heights
/// differ, else by flows.
///
/// Bounds are 200 × 200 there, insets 10, and 50 at the ends of a row; a row is as high as what
/// lies in it, so here that is the height of the bounds. Not reproduced are
///
/// - the 29 of two tests of mosaics, a kind that there is not here;
/// - the 4 headers and footers of rows, which lie along the row there, here at its ends; the cells
///   stand below or above them as below or above insets;
/// - the footer, out of sight, of a section behind what is visible: there it lies at the section's
///   end, here where it would first be seen.
@Suite("Blueprints' grids, waterfalls and flows")
struct BlueprintsTests {
  /// What a test sets up.
  private struct Setup {
    enum Kind: String { case grid, waterfall, flow }

    var kind = Kind.flow
    /// What the width holds, where the kind is told so.
    var columns = 1
    var itemWidth = 50.0
    /// Between rows and between items, for each section of 10 items.
    var spacings = [10.0, 10.0]
    var headerHeight = 0.0
    var footerHeight = 0.0
    var arePinned = false
    /// Of a layout that scrolls horizontally.
    var rows: Int?
  }

  private static let vertical: [String: Setup] = [
    "": Setup(),
    "WithSpanOne": Setup(kind: .grid, columns: 1),
    "WithSpanOneUsingSectionHeaders": Setup(kind: .grid, columns: 1, headerHeight: 50),
    "WithSpanTwo": Setup(kind: .grid, columns: 2),
    "WithSpanTwoUsingSectionHeaders": Setup(kind: .grid, columns: 2, headerHeight: 50),
    "WithSpanThree": Setup(itemWidth: 53),
    "WithSpanThreeUsingSectionHeaders": Setup(itemWidth: 53, headerHeight: 50),
    "WithSpanFour": Setup(itemWidth: 37),
    "WithSpanFourUsingSectionHeaders": Setup(itemWidth: 37, headerHeight: 50),
    "WithHeaderAndFooter": Setup(headerHeight: 100, footerHeight: 100),
    "WithStickyHeaderAndFooter": Setup(headerHeight: 100, footerHeight: 100, arePinned: true),
    "WithSpanOneAndDynamicHeight": Setup(kind: .waterfall, columns: 1, itemWidth: 180),
    "WithSpanTwoAndDynamicHeight": Setup(kind: .waterfall, columns: 2, itemWidth: 85),
    "WithSpanThreeAndDynamicHeight": Setup(kind: .waterfall, columns: 3, itemWidth: 53),
    "MinimumLineSpacingDelegate": Setup(spacings: [0, 10]),
    "MinimumInteritemSpacingDelegate": Setup(itemWidth: 85, spacings: [0, 10]),
  ]

  private static let horizontal: [String: Setup] = [
    "": Setup(spacings: [10], rows: 1),
    "WithItemsPerRow": Setup(spacings: [10], rows: 2),
    "WithSpanOne": Setup(itemWidth: 100, spacings: [10], rows: 1),
    "WithSpanTwo": Setup(itemWidth: 45, spacings: [10], rows: 1),
    "WithSpanThree": Setup(itemWidth: 26, spacings: [10], rows: 1),
    "WithSpanFour": Setup(itemWidth: 17, spacings: [10], rows: 1),
    "WithHeaderAndFooter": Setup(spacings: [10], headerHeight: 100, footerHeight: 100, rows: 1),
    "WithStickyHeaderAndFooter": Setup(
      spacings: [10], headerHeight: 100, footerHeight: 100, rows: 1),
    "MinimumLineSpacingDelegate": Setup(spacings: [0, 10], rows: 1),
    "MinimumInteritemSpacingDelegate": Setup(itemWidth: 45, spacings: [0, 10], rows: 1),
  ]

  @Test("frames and content sizes")
  func layouts() throws {
    let recording = try Oracle.recording("Blueprints/layouts.json")
    let heights = try #require(recording["dynamicCellHeights"].numbers)
    var reproduced = 0
    var total = 0
    for recorded in recording["tests"].array {
      let file = try #require(recorded["file"].string)
      let test = try #require(recorded["test"].string)
      let expected = recorded["expect"].array
      total += expected.count
      guard !file.hasPrefix("VerticalMosaic") else { continue }
      let setups = file.hasPrefix("Horizontal") ? Self.horizontal : Self.vertical
      let setup = try #require(
        setups[Self.name(of: test)], "\(file), \(test)")
      let prepared = try prepared(setup, heights)
      for expected in expected {
        let isSame = try holds(expected, setup, prepared)
        if isSame { reproduced += 1 }
        let isElsewhere =
          setup.rows != nil && ["header", "footer"].contains(expected["el"].string)
          || setup.arePinned && expected["el"].string == "supplementary#1"
            && expected["section"].number == 1
        #expect(isSame != isElsewhere, "\(file), \(test): \(expected)")
      }
    }
    #expect((reproduced, total) == (377, 411))
  }

  /// What is particular in the name of a test.
  private static func name(of test: String) -> String {
    for start in [
      "testVerticalLayoutAttributes", "testVerticalLayoutAttibutes",
      "testHorizontalLayoutAttributes", "testLayoutAttributesForElementsWith",
    ] where test.hasPrefix(start) {
      return String(test.dropFirst(start.count))
    }
    return test
  }

  private func holds(
    _ expected: JSON, _ setup: Setup, _ prepared: any PreparedLayout
  ) throws -> Bool {
    if let size = expected["size"].numbers {
      return prepared.contentSize == Size(width: size[0], height: size[1])
    }
    let section = Int(try #require(expected["section"].number))
    let element = try #require(expected["el"].string)
    if element == "item" {
      let item = Int(try #require(expected["item"].number))
      return prepared.attributes(.cells, section, item)?.frame == expected["frame"].rect
    }
    let isFooter = element == "footer" || element == "supplementary#1"
    guard let part = prepared.attributes(.supplementary(isFooter ? "footer" : "header"), section)
    else { return false }
    var frame = part.frame
    if let range = part.pinRange {
      // From 0 to 200 is visible.
      let wanted = isFooter ? 200 - frame.size.height : 0
      frame.origin.y = min(max(wanted, range.from), range.to)
    }
    return frame == expected["frame"].rect
  }

  private func prepared(_ setup: Setup, _ heights: [Double]) throws -> any PreparedLayout {
    var options = GivenOptions()
    var bounds = Bounds(width: 200, height: 200)
    switch setup.kind {
    case .grid:
      options["columns"] = .number(Double(setup.columns))
      options["columnSpacing"] = .number(10)
      options["rowSpacing"] = .number(10)
      options["rowHeight"] = .number(60)
      options["sectionInset"] = .insets(top: 10, left: 10, bottom: 10, right: 10)
    case .waterfall:
      // Half of a spacing lies on each side of a cell.
      options["columns"] = .number(Double(setup.columns))
      options["cellPadding"] = .number(5)
      options["placement"] = .string("shortestColumn")
      let width = Double(setup.columns) * (setup.itemWidth + 10)
      options["sectionInset"] = .insets(top: 5, left: 5, bottom: 5, right: 195 - width)
    case .flow:
      options["itemSize"] = .object(
        GivenOptions(["width": .number(setup.itemWidth), "height": .number(50)]))
      options["alignment"] = .string("start")
      options["sectionInset"] = .insets(top: 10, left: 10, bottom: 10, right: 10)
    }
    if let rows = setup.rows {
      options["scrollDirection"] = .string("horizontal")
      let (top, bottom) = (10 + setup.headerHeight, 10 + setup.footerHeight)
      options["sectionInset"] = .insets(top: top, left: 50, bottom: bottom, right: 50)
      bounds.height = (top + bottom) + (Double(rows) * 60 - 10)
    } else {
      options["headerHeight"] = .number(setup.headerHeight)
      options["footerHeight"] = .number(setup.footerHeight)
      options["pinHeaders"] = .boolean(setup.arePinned)
      options["pinFooters"] = .boolean(setup.arePinned)
    }
    let items =
      setup.kind == .waterfall
      ? Items(heights.map { NaiveItem(height: $0) }) : Items(uniform: 10)
    return try Oracle.prepared(
      setup.kind.rawValue, options, bounds: bounds,
      setup.spacings.map { spacing in
        let own = GivenOptions([
          "rowSpacing": .number(spacing), "columnSpacing": .number(spacing),
        ])
        return CollectionSection(
          items: items, settings: setup.kind == .flow ? SectionSettings(options: own) : nil)
      })
  }
}
