import TestSupport

@testable import CollectionLayout

extension RandomCase {
  /// A layout whose extents range from nothing over what any sum takes to what takes any other:
  /// rounding puts many elements in one place, some with an extent that is lost, some with none.
  init(losingExtents kind: Kind, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    switch kind {
    case .grid: self.init(gridUsing: &random)
    case .waterfall: self.init(waterfallUsing: &random)
    case .gallery: self.init(galleryUsing: &random)
    case .tree: try self.init(treeUsing: &random)
    }
  }

  private init(gridUsing random: inout SeededGenerator) {
    var grid = GridLayout()
    let width = random.element(of: [1, 100, 0x1p60])
    grid.columns = random.integer(1...5)
    grid.columnSpacing = random.element(of: [0, 1e-300, 1e-15, width / 10])
    let pitch = random.element(of: [1e-300, 1e-15, 8, 50, 0x1p53, 1e30])
    grid.rowHeight = pitch
    grid.rowSpacing = random.element(of: [0, pitch / 2, pitch.nextDown])
    // Near the height at which rounding begins to put rows in one place.
    let far = pitch * random.element(of: [0x1p50, 0x1p52, 0x1p53, 0x1p54, 0x1p60])
    grid.headerHeight = random.element(of: [0, 1, far])
    grid.footerHeight = random.element(of: [0, 1, far])
    grid.background = random.element(of: GridLayout.Background.allCases)
    let rows = (0..<random.integer(1...3)).map { _ in
      Array(repeating: PlainItem(), count: random.integer(0...60))
    }
    layout = grid
    bounds = Bounds(width: width)
    data = .sections(rows.map { Items(uniform: $0.count) })
    expected = .grid(grid, width: width, sections: rows)
  }

  private init(waterfallUsing random: inout SeededGenerator) {
    var waterfall = WaterfallLayout()
    waterfall.columns = random.integer(1...3)
    waterfall.cellPadding = random.element(of: [0, 0, 0, 1e-15, 1])
    waterfall.placement = random.element(of: WaterfallLayout.Placement.allCases)
    let huge = random.element(of: [0x1p53, 0x1p54, 1e30])
    waterfall.headerHeight = random.element(of: [0, 1, huge])
    waterfall.footerHeight = random.element(of: [0, 1, huge])
    let heights = random.chance(50) ? [0, 0, 1e-300, 1e-15, 1] : [0, 1e-300, 1e-15, 1, huge]
    let rows = Self.runs(using: &random, of: heights).map { $0.map { PlainItem(height: $0) } }
    layout = waterfall
    bounds = Bounds(width: 300)
    data = .sections(rows.map { Items($0, of: .waterfall) })
    expected = .waterfall(waterfall, width: 300, sections: rows)
  }

  private init(galleryUsing random: inout SeededGenerator) {
    var gallery = GalleryLayout()
    let huge = random.element(of: [0x1p53, 0x1p54, 1e17])
    gallery.horizontalInset = random.element(of: [0, 0, 1e-15, 0.5, 1])
    gallery.verticalInset = random.element(of: [0, 1e-15, 0.5, 1, huge])
    gallery.minimumItemWidth = random.element(of: [1e-300, 0.5, 1])
    gallery.maximumItemWidth = random.element(of: [1, 1, huge])
    gallery.itemHeight = random.element(of: [1e-300, 1e-15, 0.5, 1, huge])
    gallery.headerHeight = random.element(of: [0, 0.5, 1, huge])
    let width = random.element(of: [3, 10, 2 * huge, 100 * huge])
    let widths = [0, 1e-300, 1e-15, 0.5, 1, huge].filter { $0 <= gallery.maximumItemWidth }
    // An item without a width has a random one, which may be 0.
    let rows = Self.runs(using: &random, of: widths).map { widths in
      widths.map { PlainItem(width: $0 > 0 ? $0 : nil) }
    }
    layout = gallery
    bounds = Bounds(width: width)
    data = .sections(rows.map { Items($0, of: .gallery) })
    expected = .gallery(gallery, width: width, sections: rows)
  }

  private init(treeUsing random: inout SeededGenerator) throws {
    var tree = TreeLayout()
    let huge = random.element(of: [0x1p53, 0x1p54, 1e30])
    tree.itemSize = Size(
      width: random.element(of: [1e-300, 1e-15, 1, huge]),
      height: random.element(of: [1e-300, 1e-15, 1, huge]))
    tree.insets = EdgeInsets(
      top: random.element(of: [0, 1e-15, 1, huge]), left: random.element(of: [0, 1, huge]),
      bottom: random.element(of: [0, 1]), right: random.element(of: [0, 1]))
    tree.spacing = random.element(of: TreeLayout.Spacing.allCases)
    let nodes = Self.nodes(using: &random)
    layout = tree
    data = .forest(try Forest(nodes))
    expected = PlainTree.layout(nodes, options: tree)
    isApproximate = tree.spacing == .compact
  }

  /// A few sections, each of runs of equal extents.
  private static func runs(
    using random: inout SeededGenerator, of extents: [Double]
  ) -> [[Double]] {
    (0..<random.integer(1...3)).map { _ in
      (0..<random.integer(0...15)).flatMap { _ in
        Array(repeating: random.element(of: extents), count: random.integer(1...4))
      }
    }
  }
}
