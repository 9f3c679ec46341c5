import TestSupport
import Testing

@testable import CollectionLayout

@Suite("what a layout refuses")
struct RefusalTests {
  private func error(
    _ kind: String, _ options: GivenOptions = [:], width: Double? = 400, height: Double? = nil,
    _ sections: CollectionSection...
  ) -> LayoutError? {
    do throws(LayoutError) {
      _ = try PreparedCollection(kind, options, width: width, height: height, sections)
      return nil
    } catch {
      return error
    }
  }

  /// The option at fault and the section for which it was checked.
  private func fault(_ error: LayoutError?) -> Fault? {
    if case .invalidOption(let name, let section, _) = error {
      Fault(name, section)
    } else {
      nil
    }
  }

  struct Fault: Equatable {
    var name: String
    var section: Int?

    init(_ name: String, _ section: Int?) {
      self.name = name
      self.section = section
    }
  }

  private func isInvalidBounds(_ name: String, _ error: LayoutError?) -> Bool {
    if case .invalidBounds(name, _) = error { true } else { false }
  }

  private let ten = CollectionSection(10)

  // MARK: Bounds

  @Test("every kind but tree needs bounds", arguments: sectionedKinds)
  func bounds(kind: String) throws {
    #expect(isInvalidBounds("width", error(kind, width: nil, ten)))
    _ = try PreparedCollection(tree: [:], Forest(parents: [-1], ids: nil))
  }

  @Test(
    "bounds are finite, their width positive", arguments: [0.0, -1, .nan, .infinity, -.infinity])
  func badBounds(value: Double) {
    #expect(isInvalidBounds("width", error("grid", width: value, ten)))
    if value != 0 { #expect(isInvalidBounds("height", error("grid", height: value, ten))) }
  }

  @Test("so are those of a change", arguments: [-1.0, .nan, .infinity, -.infinity])
  func badChangedBounds(value: Double) throws {
    let collection = try PreparedCollection("grid", [:], [ten])
    for bounds in [Bounds(width: value), Bounds(width: 100, height: value)] {
      var layout = collection.layout
      layout.bounds = bounds
      #expect(throws: LayoutError.self) { try collection.changing(layout) }
    }
  }

  @Test("bounds may have a height, and need one > 0 where a layout is horizontal")
  func height() {
    let horizontal: GivenOptions = ["scrollDirection": "horizontal"]
    same(error("grid", height: 0, ten), nil)
    same(error("grid", height: 600, ten), nil)
    same(error("grid", horizontal, height: 600, ten), nil)
    #expect(isInvalidBounds("height", error("grid", horizontal, height: 0, ten)))
    #expect(isInvalidBounds("height", error("grid", horizontal, ten)))
    #expect(isInvalidBounds("width", error("grid", horizontal, width: nil, ten)))
  }

  private func group(width: OptionValue, height: OptionValue) -> OptionValue {
    [
      "direction": "horizontal", "width": width, "height": height,
      "subitems": [["width": ["fractionalWidth": 1], "height": ["fractionalHeight": 1]]],
    ]
  }

  @Test("a group that is a part of the height around it needs that height")
  func groupHeight() {
    let part: GivenOptions = [
      "group": group(width: ["fractionalWidth": 1], height: ["fractionalHeight": 0.5])
    ]
    #expect(isInvalidBounds("height", error("group", part, ten)))
    #expect(isInvalidBounds("height", error("group", part, height: 0, ten)))
    same(error("group", part, height: 300, ten), nil)
    let square: GivenOptions = [
      "group": group(width: ["fractionalWidth": 1], height: ["fractionalWidth": 0.5])
    ]
    same(error("group", square, ten), nil)
  }

  // MARK: Data

  @Test("each kind has its form of data", arguments: sectionedKinds)
  func form(kind: String) throws {
    let forest = CollectionData.forest(try Forest(parents: [-1], ids: nil))
    #expect(throws: LayoutError.unsupportedData(expected: "sections")) {
      try PreparedCollection(GivenLayout(kind), forest)
    }
    #expect(throws: LayoutError.unsupportedData(expected: "nodes or root")) {
      try PreparedCollection(GivenLayout("tree"), .sections([ten]))
    }
  }

  @Test("more than 2⁵³ − 1 items are too many")
  func tooManyItems() {
    let most = CollectionSection(JSONInteger.maximum)
    same(error("list", [:], most, CollectionSection(1)), .tooManyItems(limit: JSONInteger.maximum))
    same(error("list", [:], most, CollectionSection(.max)), .tooManyItems(limit: 1 << 53 - 1))
    same(error("list", [:], CollectionSection(1 << 53)), .tooManyItems(limit: 1 << 53 - 1))
    same(error("grid", ["columns": 1_000_000, "columnSpacing": 0], most), nil)
  }

  @Test(
    "a section that is laid out one by one has at most 2³¹ − 1 items",
    arguments: ["gallery", "justified"])
  func tooManyStored(kind: String) {
    let limit = Int(Int32.max)
    same(error(kind, [:], CollectionSection(limit + 1)), .tooManyItems(limit: limit))
  }

  @Test("only items with fields, or of sections that are not uniform, count against the limit")
  func itemLimit() throws {
    func prepare(_ kind: String, _ sections: [CollectionSection], limit: Int) throws -> Int {
      try PreparedCollection(GivenLayout(kind), .sections(sections), itemLimit: limit)
        .storedItemCount
    }
    let heights = CollectionSection(Items(heights: [1, 2, 3]))
    try same(prepare("list", [CollectionSection(1_000_000)], limit: 0), 0)
    try same(prepare("list", [heights, CollectionSection(5)], limit: 3), 3)
    try same(prepare("grid", [heights], limit: 3), 3)
    try same(prepare("gallery", [CollectionSection(5)], limit: 5), 5)
    #expect(throws: LayoutError.tooManyItems(limit: 4)) {
      try prepare("gallery", [CollectionSection(5)], limit: 4)
    }
    #expect(throws: LayoutError.tooManyItems(limit: 5)) {
      try prepare("list", [heights, heights], limit: 5)
    }
  }

  // MARK: Options that do not fit each other

  @Test("the section for which an option was checked is named, none for the layout's own")
  func sectionIndex() {
    same(fault(error("grid", ["rowHeight": 5])), Fault("rowSpacing", nil))
    let own = CollectionSection(0, ["rowHeight": 5])
    same(fault(error("grid", [:], ten, ten, own)), Fault("rowSpacing", 2))
    // A section's own options that make up for the layout's come too late.
    same(
      fault(error("grid", ["rowHeight": 5], CollectionSection(1, ["rowSpacing": 0]))),
      Fault("rowSpacing", nil))
  }

  @Test("options of the wrong kind of value name themselves and their section")
  func wrongValue() {
    same(fault(error("grid", ["columns": 0])), Fault("columns", nil))
    same(
      fault(error("grid", [:], ten, CollectionSection(1, ["sectionInset": ["top": -1]]))),
      Fault("sectionInset.top", 1))
    same(
      fault(error("list", [:], ten, CollectionSection(1, ["background": "row"]))),
      Fault("background", 1))
  }

  @Test("options that exclude each other are not both in one object")
  func exclusive() {
    same(
      error("grid", ["columns": 2, "minimumColumnWidth": 10]),
      .invalidOption(
        "minimumColumnWidth", section: nil, requirement: "left out if columns is given"))
    same(
      fault(
        error("grid", [:], ten, CollectionSection(1, ["rowHeight": 20, "itemAspectRatio": 1]))),
      Fault("itemAspectRatio", 1))
  }

  @Test("rows are higher than their spacing")
  func rowSpacing() {
    same(fault(error("grid", ["rowHeight": 20, "rowSpacing": 20])), Fault("rowSpacing", nil))
    same(error("grid", ["rowHeight": 20, "rowSpacing": 19.5], ten), nil)
    same(fault(error("grid", ["rowHeight": 20, "rowSpacing": 30])), Fault("rowSpacing", nil))
  }

  @Test("a grid's columns leave the items a width")
  func gridWidth() {
    let options: GivenOptions = ["columns": 5, "columnSpacing": 100]
    same(fault(error("grid", options, width: 400)), Fault("columns", nil))
    same(error("grid", options, width: 400.5, ten), nil)
    same(fault(error("grid", ["columns": .number(0x1p53 - 1)])), Fault("columns", nil))
    let narrow = CollectionSection(0, ["sectionInset": ["left": 0.5]])
    same(fault(error("grid", options, width: 400.5, ten, narrow)), Fault("columns", 1))
  }

  @Test("a waterfall's columns leave the cells a width")
  func waterfallWidth() {
    same(fault(error("waterfall", ["cellPadding": 100], width: 400)), Fault("columns", nil))
    same(error("waterfall", ["cellPadding": 100], width: 401, ten), nil)
    let own = CollectionSection(1, ["minimumColumnWidth": 20, "cellPadding": 10])
    same(fault(error("waterfall", [:], ten, own)), Fault("cellPadding", 1))
  }

  @Test("many items that cover or name columns have few columns", arguments: ["grid", "waterfall"])
  func manyPlaces(kind: String) {
    let wide = CollectionSection([PlainItem](repeating: PlainItem(columnSpan: 2), count: 70_000))
    func refused(_ options: GivenOptions) -> LayoutError? {
      var options = options
      options["columnSpacing"] = 0
      return error(kind, options, width: 1e6, wide)
    }
    same(refused(["columns": 1428]), nil)
    same(
      refused(["columns": 1429]),
      .invalidOption(
        "columns", section: nil,
        requirement: "at most 1428 if 70000 items span or name columns"))
    same(fault(refused(["minimumColumnWidth": 100])), Fault("minimumColumnWidth", nil))
  }

  @Test("thousands of sections do not have large tables of columns each")
  func manyTables() {
    let section = CollectionSection([PlainItem(column: 0), PlainItem(column: 9_999)])
    func refused(_ count: Int) -> Fault? {
      do throws(LayoutError) {
        _ = try PreparedCollection(
          "waterfall", ["columns": 10_000, "cellPadding": 0], width: 1e6,
          Array(repeating: section, count: count))
        return nil
      } catch {
        return fault(error)
      }
    }
    same(refused(100), nil)
    same(refused(3000)?.name, "columns")
  }

  @Test("insets leave the content and each body a width")
  func insets() {
    func content(_ left: Double, _ right: Double) -> Fault? {
      fault(
        error(
          "list", ["contentInset": ["left": .number(left), "right": .number(right)]], width: 400))
    }
    same(content(399, 0.5), nil)
    same(content(200, 200), Fault("contentInset", nil))
    same(content(1e308, 1e308), Fault("contentInset", nil))
    same(
      fault(error("list", ["sectionInset": ["left": 200, "right": 200]])),
      Fault("sectionInset", nil))
    let own = CollectionSection(0, ["sectionInset": ["right": 401]])
    same(fault(error("list", [:], ten, own)), Fault("sectionInset", 1))
    same(error("list", [:], CollectionSection(0, ["sectionInset": ["top": 1e9]])), nil)
    // Horizontally it is top and bottom that take their width from the body.
    let horizontal: GivenOptions = ["scrollDirection": "horizontal"]
    let high = CollectionSection(0, ["sectionInset": ["top": 30, "bottom": 70]])
    same(fault(error("list", horizontal, height: 100, high)), Fault("sectionInset", 0))
    same(error("list", horizontal, height: 100.5, high), nil)
  }

  @Test("a gallery's widths and insets fit each other")
  func gallery() {
    same(fault(error("gallery", ["minimumItemWidth": 301])), Fault("maximumItemWidth", nil))
    same(error("gallery", ["minimumItemWidth": 300], ten), nil)
    same(fault(error("gallery", ["horizontalInset": 75.5])), Fault("horizontalInset", nil))
    same(error("gallery", ["horizontalInset": 75], ten), nil)
    same(fault(error("gallery", width: 30, ten)), Fault("horizontalInset", nil))
    same(error("gallery", width: 31, ten), nil)
    let own = CollectionSection(0, ["horizontalInset": 76])
    same(fault(error("gallery", [:], ten, own)), Fault("horizontalInset", 1))
  }

  @Test("a row of photographs that has no height is refused")
  func justified() {
    // 1e-20 / 1e308 is less than any double.
    let wide = CollectionSection([PlainItem(aspectRatio: 1e308)])
    same(error("justified", [:], width: 1e-20, wide), .contentTooLarge)
    same(error("justified", [:], wide), nil)
  }

  @Test("each section has a group, its own or the layout's")
  func missingGroup() {
    let own = CollectionSection(
      1, ["group": group(width: ["absolute": 10], height: ["absolute": 10])])
    same(fault(error("group")), nil)
    same(error("group", [:], own, own), nil)
    same(fault(error("group", [:], own, ten)), Fault("group", 1))
  }

  @Test("a group holds its subitems, insets are no larger than their items")
  func groups() {
    func options(_ subitem: OptionValue) -> GivenOptions {
      [
        "group": [
          "direction": "horizontal", "width": ["absolute": 100], "height": ["absolute": 10],
          "spacing": 10, "subitems": [subitem],
        ]
      ]
    }
    func item(_ width: OptionValue, count: Double = 1, top: Double = 0) -> OptionValue {
      [
        "width": width, "height": ["absolute": 10], "count": .number(count),
        "insets": ["top": .number(top), "bottom": 4],
      ]
    }
    same(error("group", options(item(["absolute": 45], count: 2)), ten), nil)
    same(fault(error("group", options(item(["absolute": 46], count: 2)))), Fault("group", nil))
    let valid = options(item(["flexible": 1], count: 10))
    let invalid = options(item(["flexible": 1], count: 11))
    same(fault(error("group", valid, ten, CollectionSection(0, invalid))), Fault("group", 1))
    same(error("group", options(item(["absolute": 10], top: 6)), ten), nil)
    same(
      fault(error("group", options(item(["absolute": 10], top: 6.5)))),
      Fault("group.subitems.0.insets", nil))
  }

  // MARK: Sections

  @Test("sections of a compositional layout name their kinds, others do not")
  func kinds() {
    func invalid(_ error: LayoutError?) -> Fault? {
      if case .invalidSection(let section, let member, _) = error {
        Fault(member, section)
      } else {
        nil
      }
    }
    let grid = CollectionSection(Items(uniform: 1), kind: "grid")
    let sideways = CollectionSection(Items(uniform: 1), orthogonalHeight: 10)
    let tree = CollectionSection(Items(uniform: 1), kind: "tree")
    same(error("compositional", [:], grid), nil)
    same(invalid(error("compositional", [:], grid, ten)), Fault("kind", 1))
    same(invalid(error("compositional", [:], grid, tree)), Fault("kind", 1))
    same(invalid(error("grid", [:], ten, grid)), Fault("kind", 1))
    same(invalid(error("grid", [:], ten, sideways)), Fault("orthogonal", 1))
  }

  // MARK: Content that is too large

  @Test("rows, headers and footers without end", arguments: ["grid", "list", "waterfall", "flow"])
  func tooLarge(kind: String) {
    let header: GivenOptions = ["headerHeight": 0x1p43]
    let both: GivenOptions = ["headerHeight": 0x1p43, "footerHeight": 0x1p43]
    let empty = CollectionSection(0)
    same(error(kind, header, empty), nil)
    same(error(kind, header, empty, empty), .contentTooLarge)
    same(error(kind, both, empty), .contentTooLarge)
    same(error(kind, ["sectionSpacing": 0x1p43], empty, ten, ten), .contentTooLarge)
    let tall = CollectionSection(Items(heights: [1e300, 1e300, 1e300, 1e300, 1e300]))
    if kind == "list" || kind == "waterfall" { same(error(kind, [:], tall), .contentTooLarge) }
    same(
      error("list", [:], CollectionSection(JSONInteger.maximum, ["itemHeight": 1e300])),
      .contentTooLarge)
  }

  @Test("a photograph as narrow as none", arguments: WaterfallLayout.Placement.allCases)
  func tooNarrow(placement: WaterfallLayout.Placement) {
    let thin = CollectionSection([PlainItem(aspectRatio: 5.6e-308), PlainItem(aspectRatio: 1e-300)])
    let options: GivenOptions = ["placement": .string(placement.rawValue)]
    same(error("waterfall", options, width: 4000, thin), .contentTooLarge)
  }

  @Test("a tree's depths and rows", arguments: TreeLayout.Spacing.allCases)
  func tree(spacing: TreeLayout.Spacing) throws {
    func error(_ options: GivenOptions, _ parents: [Int32]) throws -> LayoutError? {
      var options = options
      options["spacing"] = .string(spacing.rawValue)
      let forest = try Forest(parents: parents, ids: nil)
      do throws(LayoutError) {
        _ = try PreparedCollection(tree: options, forest)
        return nil
      } catch {
        return error
      }
    }
    let chain: [Int32] = [-1, 0]
    try same(error(["itemSize": ["width": 1e308]], chain), .contentTooLarge)
    try same(error(["itemSize": ["height": 1e308]], [-1, -1]), .contentTooLarge)
    try same(error(["insets": ["left": 1e308, "right": 1e308]], chain), .contentTooLarge)
    try same(error(["itemSize": ["width": 1e299]], chain), nil)
  }
}
