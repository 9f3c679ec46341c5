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

  /// The name of the option at fault.
  private func fault(_ error: LayoutError?) -> String? {
    if case .invalidOption(let name, _, _) = error { name } else { nil }
  }

  private func isInvalidBounds(_ name: String, _ error: LayoutError?) -> Bool {
    if case .invalidBounds(name, _) = error { true } else { false }
  }

  private let ten = CollectionSection(10)

  /// What is at fault: an option and the section for which it was checked, `null` for the layout
  /// itself; a section's member; a side of the bounds; or nothing.
  @Test(
    "what does not fit is refused, where it stands, and what fits just so is not",
    arguments: ["bounds", "options", "sections"].flatMap {
      cases("Refusal.\($0)", String.self, JSON.self, JSON.self, JSON.self, JSON.self)
    })
  func misfit(kind: String, options: JSON, bounds: JSON, sections: JSON, expected: JSON) {
    var found: JSON = nil
    do throws(LayoutError) {
      _ = try PreparedCollection(
        kind, GivenOptions(json: options), width: bounds[0].number, height: bounds[1].number,
        sections.array.map { CollectionSection(json: $0) })
    } catch {
      switch error {
      case .invalidBounds(let side, _): found = ["bounds": .string(side)]
      case .invalidOption(let name, let section, let requirement):
        found = [.string(name), section.map { .number(Double($0)) } ?? .null]
        if expected.array.count > 2 { found = .array(found.array + [.string(requirement)]) }
      case .invalidSection(let section, let member, _):
        found = ["section": [.string(member), .number(Double(section))]]
      case .contentTooLarge: found = "contentTooLarge"
      default: found = .string("\(error)")
      }
    }
    same(found, expected)
  }

  // MARK: Bounds

  @Test("every kind but tree needs bounds", arguments: sectionedKinds)
  func bounds(kind: String) throws {
    #expect(isInvalidBounds("width", error(kind, width: nil, ten)))
    _ = try PreparedCollection(tree: [:], Forest(parents: [-1]))
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

  // MARK: Data

  @Test("each kind has its form of data", arguments: sectionedKinds)
  func form(kind: String) throws {
    let forest = CollectionData.forest(try Forest(parents: [-1]))
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
    same(fault(refused(["minimumColumnWidth": 100])), "minimumColumnWidth")
  }

  @Test("thousands of sections do not have thousands of columns each")
  func manyColumns() {
    let section = CollectionSection([PlainItem(column: 0), PlainItem(column: 9_999)])
    func refused(_ count: Int) -> String? {
      do throws(LayoutError) {
        _ = try PreparedCollection(
          "waterfall", ["columns": 10_000, "cellPadding": 0], width: 1e6,
          Array(repeating: section, count: count))
        return nil
      } catch {
        return fault(error)
      }
    }
    same(refused(15), nil)
    same(refused(3000), "columns")
  }

  @Test("thousands of sections do not have a line of thousands of places each")
  func manyLines() {
    func isTooLarge(_ sections: Int) -> Bool {
      do throws(LayoutError) {
        _ = try PreparedCollection(
          "flow", [:], width: 1e6,
          (0..<sections).map {
            CollectionSection(1, ["itemSize": ["width": .number(1 + Double($0) / 1e6)]])
          })
        return false
      } catch {
        if case .refused(.tooLarge) = error { return true }
        return false
      }
    }
    same(isTooLarge(30), false)
    same(isTooLarge(300), true)
  }

  // MARK: Sections

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
      let forest = try Forest(parents: parents)
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
