import TestSupport

@testable import CollectionLayout

/// A kind of layout with options and data that a seed decides, and its plain reference.
struct RandomCase {
  var layout: any CollectionViewLayout
  var bounds: Bounds?
  var data: CollectionData
  /// What the contract says; nothing when it says that there is no such layout.
  var expected: PlainLayout?
  /// Whether expected frames hold up to rounding only: a compact tree's rows.
  var isApproximate = false

  init(_ kind: Kind, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let isNice = random.chance(50)
    switch kind {
    case .grid: self.init(gridUsing: &random, isNice: isNice)
    case .waterfall: self.init(waterfallUsing: &random, isNice: isNice)
    case .gallery: self.init(galleryUsing: &random, isNice: isNice)
    case .tree: try self.init(treeUsing: &random, isNice: isNice)
    }
  }

  func prepared() throws -> any PreparedLayout {
    try layout.prepared(for: data, bounds: bounds)
  }

  private init(
    layout: any CollectionViewLayout, width: Double, rows: [[PlainItem]], kind: Kind,
    expected: PlainLayout?, random: inout SeededGenerator
  ) {
    self.layout = layout
    bounds = Bounds(width: width)
    var sections: [Items] = []
    for items in rows { sections.append(Items(items, of: kind, using: &random)) }
    data = .sections(sections)
    self.expected = expected
  }

  private init(gridUsing random: inout SeededGenerator, isNice: Bool) {
    var grid = GridLayout()
    let width = random.number(100...1000, isNice: isNice)
    grid.columns = random.integer(1...7)
    grid.rowHeight = random.number(1...80, isNice: isNice)
    grid.columnSpacing = random.chance(30) ? 0 : random.number(0...10, isNice: isNice)
    grid.rowSpacing =
      random.chance(30) ? 0 : min(random.number(0...20, isNice: isNice), grid.rowHeight / 2)
    grid.headerHeight = random.chance(50) ? 0 : random.number(1...50, isNice: isNice)
    grid.footerHeight = random.chance(50) ? 0 : random.number(1...50, isNice: isNice)
    grid.background = random.element(of: GridLayout.Background.allCases)
    let rows = Self.sections(using: &random) { _ in PlainItem() }
    self.init(
      layout: grid, width: width, rows: rows, kind: .grid,
      expected: .grid(grid, width: width, sections: rows), random: &random)
  }

  private init(waterfallUsing random: inout SeededGenerator, isNice: Bool) {
    var waterfall = WaterfallLayout()
    let width = random.number(200...1000, isNice: isNice)
    waterfall.columns = random.integer(1...6)
    waterfall.cellPadding = random.chance(30) ? 0 : random.number(0...8, isNice: isNice)
    if random.chance(50) {
      waterfall.contentInset = EdgeInsets(
        top: random.number(0...20, isNice: isNice), left: random.number(0...20, isNice: isNice),
        bottom: random.number(0...20, isNice: isNice),
        right: random.number(0...20, isNice: isNice))
    }
    waterfall.itemHeight = random.number(0...200, isNice: isNice)
    waterfall.placement = random.element(of: WaterfallLayout.Placement.allCases)
    waterfall.headerHeight = random.chance(50) ? 0 : random.number(1...50, isNice: isNice)
    waterfall.footerHeight = random.chance(50) ? 0 : random.number(1...50, isNice: isNice)
    // Nothing, flat cells among others, and towers beside which other columns fall behind.
    let tallest = random.element(of: [0.0, 3, 200, 5000])
    let rows = Self.sections(using: &random) { random in
      var item = PlainItem()
      switch random.integer(0...9) {
      case 0...4: item.height = random.number(0...tallest, isNice: isNice)
      case 5: item.height = 0
      case 6...7: item.aspectRatio = random.number(0.5...3, isNice: isNice)
      default: break
      }
      return item
    }
    self.init(
      layout: waterfall, width: width, rows: rows, kind: .waterfall,
      expected: .waterfall(waterfall, width: width, sections: rows), random: &random)
  }

  private init(galleryUsing random: inout SeededGenerator, isNice: Bool) {
    var gallery = GalleryLayout()
    let width = random.number(100...1500, isNice: isNice)
    gallery.horizontalInset = random.chance(30) ? 0 : random.number(0...20, isNice: isNice)
    gallery.verticalInset = random.chance(30) ? 0 : random.number(0...20, isNice: isNice)
    gallery.minimumItemWidth = random.number(1...200, isNice: isNice)
    gallery.maximumItemWidth = gallery.minimumItemWidth + random.number(0...200, isNice: isNice)
    gallery.itemHeight = random.number(1...250, isNice: isNice)
    if random.chance(50) { gallery.headerHeight = random.number(0...50, isNice: isNice) }
    gallery.seed = random.chance(30) ? 0 : random.integer(0...(1 << 53 - 1))
    let widest = gallery.maximumItemWidth
    let rows = Self.sections(using: &random) { random in
      var item = PlainItem()
      if random.chance(40) { item.width = min(random.number(1...400, isNice: isNice), widest) }
      return item
    }
    self.init(
      layout: gallery, width: width, rows: rows, kind: .gallery,
      expected: .gallery(gallery, width: width, sections: rows), random: &random)
  }

  private init(treeUsing random: inout SeededGenerator, isNice: Bool) throws {
    var tree = TreeLayout()
    tree.itemSize = Size(
      width: random.number(1...200, isNice: isNice),
      height: random.number(1...60, isNice: isNice))
    tree.insets = EdgeInsets(
      top: random.chance(30) ? 0 : random.number(0...20, isNice: isNice),
      left: random.chance(30) ? 0 : random.number(0...20, isNice: isNice),
      bottom: random.chance(30) ? 0 : random.number(0...20, isNice: isNice),
      right: random.chance(30) ? 0 : random.number(0...20, isNice: isNice))
    tree.spacing = random.element(of: TreeLayout.Spacing.allCases)
    tree.connectors = random.chance(80)
    let nodes = Self.nodes(using: &random)
    layout = tree
    bounds = random.chance(50) ? nil : Bounds(width: 100)
    data = .forest(try Forest(nodes))
    expected = PlainTree.layout(nodes, options: tree)
    isApproximate = tree.spacing == .compact
  }

  /// A few sections, some of them empty, some of whose items have names.
  private static func sections(
    using random: inout SeededGenerator, item: (inout SeededGenerator) -> PlainItem
  ) -> [[PlainItem]] {
    let sectionCount = random.element(of: [0, 1, 1, 2, 3, 5, 9])
    let longest = random.element(of: [0, 3, 10, 40])
    let isBare = random.chance(20)
    let namedPercent = random.element(of: [0, 0, 50, 100])
    var sections: [[PlainItem]] = []
    for section in 0..<sectionCount {
      var items: [PlainItem] = []
      for index in 0..<(random.chance(20) ? 0 : random.integer(0...longest)) {
        var item = isBare ? PlainItem() : item(&random)
        if random.chance(namedPercent) { item.id = "item \(section).\(index) é" }
        items.append(item)
      }
      sections.append(items)
    }
    return sections
  }

  /// A forest of up to 60 nodes in random order, deep or wide.
  static func nodes(using random: inout SeededGenerator) -> [PlainNode] {
    let count = random.element(of: [0, 1, 2, 5, 15, 60])
    let rootPercent = random.element(of: [0, 0, 10, 50])
    let reach = random.element(of: [1, 2, 4, 12, 60])
    let isNamed = random.chance(50)
    var places = Array(0..<count)
    places.shuffle(using: &random)
    var nodes = Array(repeating: PlainNode(), count: count)
    for index in 0..<count {
      if index > 0, !random.chance(rootPercent) {
        nodes[places[index]].parent = places[random.integer(max(0, index - reach)...index - 1)]
      }
      if isNamed, random.chance(80) { nodes[places[index]].id = "node \(index)" }
    }
    return nodes
  }
}

extension Forest {
  init(_ nodes: [PlainNode]) throws(LayoutError) {
    try self.init(
      parents: nodes.map { $0.parent.map { Int32($0) } ?? -1 },
      ids: nodes.contains { $0.id != nil } ? IDColumn(nodes.map(\.id)) : nil)
  }
}
