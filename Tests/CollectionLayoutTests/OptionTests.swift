import Testing

@testable import CollectionLayout

@Suite("options")
struct OptionTests {
  private static let nonNegative: [OptionValue] = [.number(0), .number(7.25), .number(1e300)]
  private static let positive: [OptionValue] = [.number(1e-300), .number(7.25), .number(1e300)]
  private static let notNumbers: [OptionValue] = [
    .string("7"), .boolean(true), .number(.nan), .number(.infinity), .number(-.infinity),
  ]
  private static let notNonNegative = notNumbers + [.number(-1), .number(-1e-300)]
  private static let notPositive = notNonNegative + [.number(0), .number(-0.0)]
  private static let notIntegers =
    notNonNegative + [.number(1.5), .number(0x1p53), .number(1e300)]

  /// Sets every value in turn on a layout with all defaults, then null.
  private func check<Layout: CollectionViewLayout>(
    _ name: String, of _: Layout.Type, accepts accepted: [OptionValue],
    rejects rejected: [OptionValue], sourceLocation: SourceLocation = #_sourceLocation,
    read: (Layout) -> OptionValue
  ) throws {
    for value in accepted {
      var layout = Layout()
      try layout.setOption(name, to: value)
      #expect(read(layout) == value, "\(name)", sourceLocation: sourceLocation)
      if value != read(Layout()) { #expect(layout != Layout(), sourceLocation: sourceLocation) }
      try layout.setOption(name, to: .null)
      #expect(layout == Layout(), "\(name): null", sourceLocation: sourceLocation)
    }
    for value in rejected {
      var layout = Layout()
      let error = #expect(throws: LayoutError.self, sourceLocation: sourceLocation) {
        try layout.setOption(name, to: value)
      }
      guard case .invalidOption(name, _) = error else {
        Issue.record(
          "\(name) = \(value): \(String(describing: error))", sourceLocation: sourceLocation)
        continue
      }
      #expect(layout == Layout(), sourceLocation: sourceLocation)
    }
  }

  @Test("a grid's options")
  func grid() throws {
    let columns = [OptionValue.number(1), .number(3), .number(0x1p53 - 1)]
    try check(
      "columns", of: GridLayout.self, accepts: columns, rejects: Self.notIntegers + [.number(0)]
    ) { .number(Double($0.columns)) }
    try check(
      "rowHeight", of: GridLayout.self, accepts: Self.positive, rejects: Self.notPositive
    ) { .number($0.rowHeight) }
    let lengths: [(String, KeyPath<GridLayout, Double>)] = [
      ("columnSpacing", \.columnSpacing), ("rowSpacing", \.rowSpacing),
      ("headerHeight", \.headerHeight), ("footerHeight", \.footerHeight),
    ]
    for (name, keyPath) in lengths {
      try check(
        name, of: GridLayout.self, accepts: Self.nonNegative, rejects: Self.notNonNegative
      ) { .number($0[keyPath: keyPath]) }
    }
    try check(
      "background", of: GridLayout.self,
      accepts: ["none", "item", "row", "section"].map { .string($0) },
      rejects: [.string("Row"), .string(""), .boolean(false), .number(0)]
    ) { .string($0.background.rawValue) }
    #expect(
      GridLayout.optionNames.sorted() == [
        "background", "columnSpacing", "columns", "footerHeight", "headerHeight", "rowHeight",
        "rowSpacing",
      ])
  }

  @Test("a waterfall's options")
  func waterfall() throws {
    try check(
      "columns", of: WaterfallLayout.self, accepts: [.number(1), .number(1e9)],
      rejects: Self.notIntegers + [.number(0)]
    ) { .number(Double($0.columns)) }
    let lengths: [(String, KeyPath<WaterfallLayout, Double>)] = [
      ("cellPadding", \.cellPadding), ("contentInset.top", \.contentInset.top),
      ("contentInset.left", \.contentInset.left), ("contentInset.bottom", \.contentInset.bottom),
      ("contentInset.right", \.contentInset.right), ("itemHeight", \.itemHeight),
      ("headerHeight", \.headerHeight), ("footerHeight", \.footerHeight),
    ]
    for (name, keyPath) in lengths {
      try check(
        name, of: WaterfallLayout.self, accepts: Self.nonNegative, rejects: Self.notNonNegative
      ) { .number($0[keyPath: keyPath]) }
    }
    try check(
      "placement", of: WaterfallLayout.self,
      accepts: [.string("roundRobin"), .string("shortestColumn")],
      rejects: [.string("shortest"), .boolean(true), .number(1)]
    ) { .string($0.placement.rawValue) }
    #expect(WaterfallLayout.optionNames.count == 10)
  }

  @Test("a gallery's options")
  func gallery() throws {
    let positive: [(String, KeyPath<GalleryLayout, Double>)] = [
      ("minimumItemWidth", \.minimumItemWidth), ("maximumItemWidth", \.maximumItemWidth),
      ("itemHeight", \.itemHeight),
    ]
    for (name, keyPath) in positive {
      try check(
        name, of: GalleryLayout.self, accepts: Self.positive, rejects: Self.notPositive
      ) { .number($0[keyPath: keyPath]) }
    }
    let nonNegative: [(String, KeyPath<GalleryLayout, Double>)] = [
      ("horizontalInset", \.horizontalInset), ("verticalInset", \.verticalInset),
    ]
    for (name, keyPath) in nonNegative {
      try check(
        name, of: GalleryLayout.self, accepts: Self.nonNegative, rejects: Self.notNonNegative
      ) { .number($0[keyPath: keyPath]) }
    }
    try check(
      "headerHeight", of: GalleryLayout.self, accepts: Self.nonNegative,
      rejects: Self.notNonNegative
    ) { $0.headerHeight.map { .number($0) } ?? .null }
    try check(
      "seed", of: GalleryLayout.self, accepts: [.number(0), .number(1), .number(0x1p53 - 1)],
      rejects: Self.notIntegers
    ) { .number(Double($0.seed)) }
    #expect(GalleryLayout.optionNames.count == 7)
  }

  @Test("a tree's options")
  func tree() throws {
    let positive: [(String, KeyPath<TreeLayout, Double>)] = [
      ("itemSize.width", \.itemSize.width), ("itemSize.height", \.itemSize.height),
    ]
    for (name, keyPath) in positive {
      try check(
        name, of: TreeLayout.self, accepts: Self.positive, rejects: Self.notPositive
      ) { .number($0[keyPath: keyPath]) }
    }
    let nonNegative: [(String, KeyPath<TreeLayout, Double>)] = [
      ("insets.top", \.insets.top), ("insets.left", \.insets.left),
      ("insets.bottom", \.insets.bottom), ("insets.right", \.insets.right),
    ]
    for (name, keyPath) in nonNegative {
      try check(
        name, of: TreeLayout.self, accepts: Self.nonNegative, rejects: Self.notNonNegative
      ) { .number($0[keyPath: keyPath]) }
    }
    try check(
      "spacing", of: TreeLayout.self, accepts: [.string("rows"), .string("compact")],
      rejects: [.string("tidy"), .boolean(true), .number(1)]
    ) { .string($0.spacing.rawValue) }
    try check(
      "connectors", of: TreeLayout.self, accepts: [.boolean(true), .boolean(false)],
      rejects: [.string("true"), .number(1), .number(0)]
    ) { .boolean($0.connectors) }
    #expect(TreeLayout.optionNames.count == 8)
  }

  @Test("defaults are those of the contract")
  func defaults() {
    let grid = GridLayout()
    #expect(grid.columns == 2)
    #expect(grid.rowHeight == 50)
    #expect(grid.columnSpacing == 5)
    #expect(grid.rowSpacing == 5)
    #expect(grid.headerHeight == 0)
    #expect(grid.footerHeight == 0)
    #expect(grid.background == .none)
    let waterfall = WaterfallLayout()
    #expect(waterfall.columns == 2)
    #expect(waterfall.cellPadding == 6)
    #expect(waterfall.contentInset == EdgeInsets(all: 0))
    #expect(waterfall.itemHeight == 180)
    #expect(waterfall.placement == .roundRobin)
    #expect(waterfall.headerHeight == 0)
    #expect(waterfall.footerHeight == 0)
    let gallery = GalleryLayout()
    #expect(gallery.horizontalInset == 15)
    #expect(gallery.verticalInset == 15)
    #expect(gallery.minimumItemWidth == 150)
    #expect(gallery.maximumItemWidth == 300)
    #expect(gallery.itemHeight == 250)
    #expect(gallery.headerHeight == nil)
    #expect(gallery.seed == 0)
    let tree = TreeLayout()
    #expect(tree.itemSize == Size(width: 180, height: 48))
    #expect(tree.insets == EdgeInsets(all: 20))
    #expect(tree.spacing == .rows)
    #expect(tree.connectors)
  }

  @Test("a negative zero is zero")
  func negativeZero() throws {
    var grid = GridLayout()
    try grid.setOption("columnSpacing", to: .number(-0.0))
    #expect(grid.columnSpacing.sign == .plus)
  }

  @Test("null resets one option and leaves the others")
  func nullResetsOne() throws {
    var tree = TreeLayout()
    try tree.setOption("insets.top", to: .number(1))
    try tree.setOption("insets.left", to: .number(2))
    try tree.setOption("itemSize.width", to: .number(3))
    try tree.setOption("insets.top", to: .null)
    #expect(tree.insets == EdgeInsets(top: 20, left: 2, bottom: 20, right: 20))
    #expect(tree.itemSize == Size(width: 3, height: 48))
  }

  @Test("an object is reset with everything inside")
  func resetObject() throws {
    var tree = TreeLayout()
    try tree.setOption("insets.top", to: .number(1))
    try tree.setOption("insets.right", to: .number(2))
    try tree.setOption("itemSize.width", to: .number(3))
    tree.resetOptions(inside: "insets")
    #expect(tree.insets == EdgeInsets(all: 20))
    #expect(tree.itemSize.width == 3)
    #expect(TreeLayout.hasOptions(inside: "insets"))
    #expect(TreeLayout.hasOptions(inside: "itemSize"))
    #expect(!TreeLayout.hasOptions(inside: "inset"))
    #expect(!TreeLayout.hasOptions(inside: "spacing"))
    #expect(WaterfallLayout.hasOptions(inside: "contentInset"))
    #expect(!GridLayout.hasOptions(inside: "columns"))
  }

  @Test(
    "no option has another name",
    arguments: [
      "", "Columns", "columns ", "insets", "insets.", "insets.top", "contentInset", "itemWidth",
    ])
  func unknownName(name: String) {
    #expect(GridLayout.option(named: name) == nil)
  }

  @Test("the kinds by name")
  func kinds() {
    #expect(LayoutKinds.all.map { $0.kind }.sorted() == ["gallery", "grid", "tree", "waterfall"])
    for kind in Kind.allCases { #expect(LayoutKinds.named(kind.rawValue)?.kind == kind.rawValue) }
    #expect(LayoutKinds.named("Grid") == nil)
    #expect(LayoutKinds.named("") == nil)
  }

  @Test("numbers are integers when nothing is lost")
  func integers() {
    #expect(JSONInteger.exactly(3) == 3)
    #expect(JSONInteger.exactly(-3) == -3)
    #expect(JSONInteger.exactly(0x1p53 - 1) == 9_007_199_254_740_991)
    #expect(JSONInteger.exactly(0x1p53) == nil)
    #expect(JSONInteger.exactly(0.5) == nil)
    #expect(JSONInteger.exactly(.nan) == nil)
    #expect(JSONInteger.exactly(.infinity) == nil)
  }
}

@Suite("what a layout refuses")
struct RefusalTests {
  private let ten = CollectionData.sections([Items(uniform: 10)])

  private func error(
    _ layout: some CollectionViewLayout, _ data: CollectionData, width: Double? = 400,
    height: Double? = nil
  ) -> LayoutError? {
    do {
      _ = try PreparedCollection(
        layout: layout, bounds: width.map { Bounds(width: $0, height: height) }, data: data)
      return nil
    } catch {
      return error
    }
  }

  private func isInvalidOption(_ name: String, _ error: LayoutError?) -> Bool {
    if case .invalidOption(name, _) = error { true } else { false }
  }

  private func isInvalidBounds(_ name: String, _ error: LayoutError?) -> Bool {
    if case .invalidBounds(name, _) = error { true } else { false }
  }

  @Test("every kind but tree needs bounds")
  func bounds() throws {
    #expect(isInvalidBounds("width", error(GridLayout(), ten, width: nil)))
    #expect(isInvalidBounds("width", error(WaterfallLayout(), ten, width: nil)))
    #expect(isInvalidBounds("width", error(GalleryLayout(), ten, width: nil)))
    let forest = CollectionData.forest(try Forest(parents: [-1], ids: nil))
    #expect(error(TreeLayout(), forest, width: nil) == nil)
  }

  @Test(
    "bounds are finite, their width positive", arguments: [0.0, -1, .nan, .infinity, -.infinity])
  func badBounds(value: Double) {
    #expect(isInvalidBounds("width", error(GridLayout(), ten, width: value)))
    if value != 0 { #expect(isInvalidBounds("height", error(GridLayout(), ten, height: value))) }
  }

  @Test("so are those of a change", arguments: [-1.0, .nan, .infinity, -.infinity])
  func badChangedBounds(value: Double) throws {
    let layout = GridLayout()
    let collection = try PreparedCollection(
      layout: layout, bounds: Bounds(width: 100), data: ten)
    for bounds in [Bounds(width: value), Bounds(width: 100, height: value)] {
      #expect(throws: LayoutError.self) { try collection.changing(layout: layout, bounds: bounds) }
    }
  }

  @Test("bounds may have a height")
  func height() {
    #expect(error(GridLayout(), ten, height: 0) == nil)
    #expect(error(GridLayout(), ten, height: 600) == nil)
  }

  @Test("each kind has its form of data")
  func form() throws {
    let forest = CollectionData.forest(try Forest(parents: [-1], ids: nil))
    for kind in LayoutKinds.all where kind.kind != "tree" {
      guard case .unsupportedData = error(kind.init(), forest) else {
        Issue.record("\(kind.kind) takes a forest")
        continue
      }
    }
    guard case .unsupportedData = error(TreeLayout(), ten) else {
      Issue.record("a tree takes sections")
      return
    }
  }

  @Test("a grid's rows are higher than their spacing")
  func rowSpacing() {
    var grid = GridLayout()
    grid.rowHeight = 20
    grid.rowSpacing = 20
    #expect(isInvalidOption("rowSpacing", error(grid, ten)))
    grid.rowSpacing = 19.5
    #expect(error(grid, ten) == nil)
    grid.rowSpacing = 30
    #expect(isInvalidOption("rowSpacing", error(grid, ten)))
  }

  @Test("a grid's columns leave the items a width")
  func gridWidth() {
    var grid = GridLayout()
    grid.columns = 5
    grid.columnSpacing = 100
    #expect(error(grid, ten, width: 400) != nil)
    #expect(error(grid, ten, width: 400.5) == nil)
    grid.columns = 1 << 53 - 1
    #expect(error(grid, ten) != nil)
  }

  @Test("a waterfall's columns leave the photos a width")
  func waterfallWidth() {
    var waterfall = WaterfallLayout()
    waterfall.cellPadding = 100
    #expect(error(waterfall, ten, width: 400) != nil)
    #expect(error(waterfall, ten, width: 401) == nil)
    waterfall.contentInset.left = 1
    #expect(error(waterfall, ten, width: 401) != nil)
    waterfall.contentInset.right = 1000
    #expect(error(waterfall, ten, width: 401) != nil)
    waterfall.contentInset.left = 1e308
    waterfall.contentInset.right = 1e308
    #expect(error(waterfall, ten, width: 401) != nil)
  }

  @Test("a gallery's widest item is as wide as its narrowest")
  func galleryWidths() {
    var gallery = GalleryLayout()
    gallery.minimumItemWidth = 301
    #expect(isInvalidOption("maximumItemWidth", error(gallery, ten)))
    gallery.minimumItemWidth = 300
    #expect(error(gallery, ten) == nil)
  }

  @Test("a gallery's item is at most maximumItemWidth wide")
  func ownWidth() {
    let gallery = GalleryLayout()
    let rows = [PlainItem(), PlainItem(width: 300), PlainItem(width: 300.5)]
    let data = CollectionData.sections([Items(uniform: 1), Items(rows, of: .gallery)])
    // Also where the item fills its row anyway.
    for width in [400.0, 5000] {
      guard
        case .invalidItem(let path, "width", "maximumItemWidth", _) = error(
          gallery, data, width: width)
      else {
        Issue.record("a width of 300.5 is taken")
        continue
      }
      #expect(path == IndexPath(section: 1, item: 2))
    }
    #expect(
      error(gallery, .sections([Items(Array(rows[..<2]), of: .gallery)])) == nil)
  }

  @Test("a gallery's bounds leave an item a width")
  func galleryRest() {
    let gallery = GalleryLayout()
    #expect(error(gallery, ten, width: 30) != nil)
    #expect(error(gallery, ten, width: 31) == nil)
    #expect(error(gallery, .sections([Items()]), width: 30) == nil)
  }

  @Test("more than 2⁵³ − 1 items are too many", arguments: [Kind.grid, .waterfall, .gallery])
  func tooManyItems(kind: Kind) throws {
    let layout = try #require(LayoutKinds.named(kind.rawValue)).init()
    let data = CollectionData.sections([Items(uniform: 1 << 53 - 1), Items(uniform: 1)])
    #expect(throws: LayoutError.tooManyItems(limit: 1 << 53 - 1)) {
      try layout.prepared(for: data, bounds: Bounds(width: 400))
    }
  }
}

extension CollectionViewLayout {
  fileprivate mutating func setOption(_ name: String, to value: OptionValue) throws {
    let option = try #require(Self.option(named: name))
    guard option.set(value, in: &self) else {
      throw LayoutError.invalidOption(name, requirement: option.requirement)
    }
  }
}
