import TestSupport

@testable import CollectionLayout

/// A collection that a seed decides, and random changes to it, made to a plain model as well.
struct ChangesCase {
  /// Which numbers it is made of.
  enum Precision: CaseIterable {
    /// Halves: sums are exact and sections can be moved.
    case nice
    /// Numbers whose sums are rounded.
    case awkward
    /// Halves, and now and then another number.
    case mixed
  }

  let kind: Kind
  var layout: any CollectionViewLayout
  var bounds: Bounds?
  var model: ChangesModel
  var random: SeededGenerator
  private let precision: Precision
  private let isLarge: Bool
  /// The last update, or the one before replacements, if it moved an item.
  private var lastMove: (from: IndexPath, to: IndexPath)?
  private let namedPercent: Int

  init(_ kind: Kind, seed: Int, isLarge: Bool = false) {
    self.kind = kind
    self.isLarge = isLarge
    random = SeededGenerator(seed: seed &* 4 + (Kind.allCases.firstIndex(of: kind) ?? 0))
    precision = random.element(of: Precision.allCases)
    namedPercent = isLarge ? random.element(of: [0, 0, 100]) : random.element(of: [0, 0, 40, 100])
    model = ChangesModel(kind)
    layout = GridLayout()
    layout = newLayout()
    bounds = kind == .tree && random.chance(50) ? nil : Bounds(width: number(400...1000))
    if kind == .tree {
      for _ in 0..<random.integer(0...3) { model.roots.append(newSubtree(reach: 12)) }
    } else if isLarge {
      for count in [random.integer(4000...9000), random.integer(8190...8200)] {
        model.sections.append(newSection(count))
      }
      for _ in 0..<30 { model.sections.append(newSection(random.integer(0...20))) }
    } else {
      for _ in 0..<random.element(of: [0, 1, 2, 3, 6]) {
        model.sections.append(newSection(random.integer(0...25)))
      }
    }
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    random.number(
      range, isNice: precision == .nice || (precision == .mixed && random.chance(97)))
  }

  func prepared() throws -> PreparedCollection {
    try PreparedCollection(layout: layout, bounds: bounds, data: model.data())
  }

  // MARK: Layouts

  mutating func newLayout() -> any CollectionViewLayout {
    switch kind {
    case .grid: newGrid()
    case .waterfall: newWaterfall()
    case .gallery: newGallery()
    case .tree: newTree()
    }
  }

  private mutating func newGrid() -> GridLayout {
    var grid = GridLayout()
    grid.columns = random.integer(1...7)
    grid.rowHeight = number(20...80)
    grid.columnSpacing = number(0...10)
    grid.rowSpacing = random.chance(30) ? 0 : number(0...15)
    grid.headerHeight = random.chance(50) ? 0 : number(1...50)
    grid.footerHeight = random.chance(50) ? 0 : number(1...50)
    grid.background = random.element(of: GridLayout.Background.allCases)
    return grid
  }

  private mutating func newWaterfall() -> WaterfallLayout {
    var waterfall = WaterfallLayout()
    waterfall.columns = random.integer(1...6)
    waterfall.cellPadding = random.chance(30) ? 0 : number(0...8)
    if random.chance(50) {
      waterfall.contentInset = EdgeInsets(
        top: number(0...20), left: number(0...20), bottom: number(0...20), right: number(0...20))
    }
    waterfall.itemHeight = number(0...200)
    waterfall.placement = random.element(of: WaterfallLayout.Placement.allCases)
    waterfall.headerHeight = random.chance(50) ? 0 : number(1...50)
    waterfall.footerHeight = random.chance(50) ? 0 : number(1...50)
    return waterfall
  }

  private mutating func newGallery() -> GalleryLayout {
    var gallery = GalleryLayout()
    gallery.horizontalInset = random.chance(20) ? 0 : number(0...20)
    gallery.verticalInset = random.chance(30) ? 0 : number(0...20)
    gallery.minimumItemWidth = number(50...150)
    gallery.maximumItemWidth = gallery.minimumItemWidth + number(50...150)
    gallery.itemHeight = number(10...250)
    if random.chance(50) { gallery.headerHeight = random.chance(30) ? 0 : number(1...50) }
    gallery.seed = random.integer(0...3)
    return gallery
  }

  private mutating func newTree() -> TreeLayout {
    var tree = TreeLayout()
    tree.itemSize = Size(width: number(1...200), height: number(1...60))
    tree.insets = EdgeInsets(
      top: number(0...20), left: number(0...20), bottom: number(0...20), right: number(0...20))
    tree.spacing = random.element(of: TreeLayout.Spacing.allCases)
    tree.connectors = random.chance(80)
    return tree
  }

  /// Takes up to three options from another random layout, and sometimes other bounds.
  mutating func patch() {
    let other = newLayout()
    for _ in 0..<random.integer(0...3) {
      switch (layout, other) {
      case (let layout as GridLayout, let other as GridLayout):
        self.layout = merging(layout, other, Self.gridOptions)
      case (let layout as WaterfallLayout, let other as WaterfallLayout):
        self.layout = merging(layout, other, Self.waterfallOptions)
      case (let layout as GalleryLayout, let other as GalleryLayout):
        self.layout = merging(layout, other, Self.galleryOptions)
      case (let layout as TreeLayout, let other as TreeLayout):
        self.layout = merging(layout, other, Self.treeOptions)
      default: break
      }
    }
    if kind == .tree { bounds = random.chance(50) ? nil : Bounds(width: number(1...1000)) }
    guard var bounds else { return }
    if random.chance(40) { bounds.width = number(400...1000) }
    if random.chance(40) { bounds.height = random.chance(20) ? nil : number(0...1000) }
    self.bounds = bounds
  }

  private typealias Merge<Layout> = @Sendable (inout Layout, Layout) -> Void

  private mutating func merging<Layout>(
    _ layout: Layout, _ other: Layout, _ options: [Merge<Layout>]
  ) -> Layout {
    var layout = layout
    random.element(of: options)(&layout, other)
    return layout
  }

  private static let gridOptions: [Merge<GridLayout>] = [
    { $0.columns = $1.columns }, { $0.rowHeight = $1.rowHeight },
    { $0.columnSpacing = $1.columnSpacing }, { $0.rowSpacing = $1.rowSpacing },
    { $0.headerHeight = $1.headerHeight }, { $0.footerHeight = $1.footerHeight },
    { $0.background = $1.background },
  ]
  private static let waterfallOptions: [Merge<WaterfallLayout>] = [
    { $0.columns = $1.columns }, { $0.cellPadding = $1.cellPadding },
    { $0.contentInset.top = $1.contentInset.top }, { $0.contentInset = $1.contentInset },
    { $0.contentInset.bottom = $1.contentInset.bottom }, { $0.itemHeight = $1.itemHeight },
    { $0.placement = $1.placement }, { $0.headerHeight = $1.headerHeight },
    { $0.footerHeight = $1.footerHeight },
  ]
  private static let galleryOptions: [Merge<GalleryLayout>] = [
    { $0.horizontalInset = $1.horizontalInset }, { $0.verticalInset = $1.verticalInset },
    { $0.minimumItemWidth = $1.minimumItemWidth }, { $0.maximumItemWidth = $1.maximumItemWidth },
    { $0.itemHeight = $1.itemHeight }, { $0.headerHeight = $1.headerHeight },
    { gallery, _ in gallery.headerHeight = gallery.headerHeight ?? gallery.itemHeight / 4 },
    { $0.seed = $1.seed },
  ]
  private static let treeOptions: [Merge<TreeLayout>] = [
    { $0.itemSize.width = $1.itemSize.width }, { $0.itemSize.height = $1.itemSize.height },
    { $0.insets.top = $1.insets.top }, { $0.insets.left = $1.insets.left },
    { $0.insets.bottom = $1.insets.bottom }, { $0.insets.right = $1.insets.right },
    { $0.spacing = $1.spacing }, { $0.connectors = $1.connectors },
  ]

  // MARK: Content

  private mutating func newID() -> String? {
    guard random.chance(namedPercent) else { return nil }
    return random.chance(30) ? "item \(random.integer(0...20))" : "é\(model.newToken())"
  }

  /// Fields of some items, of which either none or some have any.
  mutating func newFields(_ count: Int) -> [PlainItem] {
    let isBare = random.chance(30)
    let widest = (layout as? GalleryLayout)?.maximumItemWidth ?? 0
    return (0..<count).map { _ in
      var item = PlainItem(id: newID())
      guard !isBare else { return item }
      switch (kind, random.integer(0...9)) {
      case (.waterfall, 0...4): item.height = number(0...200)
      case (.waterfall, 5): item.height = 0
      case (.waterfall, 6...7):
        item.aspectRatio =
          precision == .awkward ? number(0.5...3) : random.element(of: [0.5, 1, 2])
      case (.gallery, 0...4): item.width = number(20...widest)
      default: break
      }
      return item
    }
  }

  private mutating func newSection(_ count: Int) -> ChangesModel.Section {
    ChangesModel.Section(token: model.newToken(), items: model.newItems(newFields(count)))
  }

  private mutating func newSubtree(reach: Int) -> ChangesModel.Node {
    var node = ChangesModel.Node(token: model.newToken(), id: newID())
    for _ in 0..<random.integer(0...min(reach, 4)) {
      node.children.append(newSubtree(reach: reach / 2))
    }
    return node
  }

  /// The items in one of the forms that they may come in.
  private mutating func items(_ fields: [PlainItem]) -> Items {
    if fields.allSatisfy({ $0 == PlainItem() }), random.chance(50) {
      return Items(uniform: fields.count)
    }
    return random.chance(50)
      ? Items(fields, of: kind) : Items(fields, of: kind, using: &random)
  }

  // MARK: Updates

  /// A place in a list: anywhere, at its ends, or where a chunk ends.
  private mutating func place(upTo last: Int) -> Int {
    switch random.integer(0...5) {
    case 0: return 0
    case 1: return last
    case 2 where last > 4096:
      return min(last, random.integer(1...(last / 4096)) * 4096 + random.integer(-1...1))
    default: return random.integer(0...last)
    }
  }

  private mutating func newCount(upTo limit: Int) -> Int {
    let count = isLarge && random.chance(15) ? random.integer(500...5000) : random.integer(1...5)
    return min(count, limit)
  }

  /// A possible update, made to the model too.
  mutating func nextUpdate() -> CollectionUpdate {
    if kind == .tree { return nextNodeUpdate() }
    if let move = lastMove.take(), random.chance(40) {
      if random.chance(50) { return moveItem(from: move.to, to: move.from) }
      lastMove = move
      return replaceItems(in: move.to.section, at: move.to.item)
    }
    let filled = model.sections.indices.filter { !model.sections[$0].items.isEmpty }
    switch random.integer(0...(isLarge ? 16 : 14)) {
    case 1 where !model.sections.isEmpty: return moveSection()
    case 2 where !model.sections.isEmpty: return deleteSections()
    case 3, 4: return insertSections()
    case 5...6 where !filled.isEmpty: return deleteItems(in: random.element(of: filled))
    case 7...9 where !filled.isEmpty: return moveItem(from: random.element(of: filled))
    case 10...12 where !filled.isEmpty: return replaceItems(in: random.element(of: filled))
    default: return model.sections.isEmpty ? insertSections() : insertItems()
    }
  }

  private mutating func insertItems() -> CollectionUpdate {
    let section = isLarge && random.chance(60) ? 0 : place(upTo: model.sections.count - 1)
    let item = place(upTo: model.sections[section].items.count)
    let fields = newFields(random.chance(5) ? 0 : newCount(upTo: 5000))
    model.sections[section].items.insert(contentsOf: model.newItems(fields), at: item)
    return .insertItems(items(fields), at: IndexPath(section: section, item: item))
  }

  private mutating func deleteItems(in section: Int) -> CollectionUpdate {
    let count = model.sections[section].items.count
    let item = place(upTo: count - 1)
    let deleted = newCount(upTo: count - item)
    model.sections[section].items.removeSubrange(item..<item + deleted)
    return .deleteItems(at: IndexPath(section: section, item: item), count: deleted)
  }

  private mutating func moveItem(from section: Int) -> CollectionUpdate {
    let item = place(upTo: model.sections[section].items.count - 1)
    let moved = model.sections[section].items.remove(at: item)
    let target = random.chance(50) ? section : place(upTo: model.sections.count - 1)
    let to =
      random.chance(5) && target == section
      ? item : place(upTo: model.sections[target].items.count)
    model.sections[section].items.insert(moved, at: item)
    return moveItem(
      from: IndexPath(section: section, item: item), to: IndexPath(section: target, item: to))
  }

  private mutating func moveItem(from: IndexPath, to: IndexPath) -> CollectionUpdate {
    let moved = model.sections[from.section].items.remove(at: from.item)
    model.sections[to.section].items.insert(moved, at: to.item)
    lastMove = (from, to)
    return .moveItem(from: from, to: to)
  }

  private mutating func replaceItems(in section: Int) -> CollectionUpdate {
    replaceItems(in: section, at: place(upTo: model.sections[section].items.count - 1))
  }

  private mutating func replaceItems(in section: Int, at item: Int) -> CollectionUpdate {
    let count = model.sections[section].items.count
    var fields = newFields(newCount(upTo: count - item))
    if random.chance(10) {
      fields = fields.indices.map { model.sections[section].items[item + $0].fields }
    }
    for (index, fields) in fields.enumerated() {
      model.sections[section].items[item + index].fields = fields
    }
    return .replaceItems(items(fields), at: IndexPath(section: section, item: item))
  }

  private mutating func insertSections() -> CollectionUpdate {
    let at = place(upTo: model.sections.count)
    var inserted: [Items] = []
    for index in 0..<random.integer(1...3) {
      let section = newSection(random.chance(20) ? 0 : newCount(upTo: 2000))
      model.sections.insert(section, at: at + index)
      inserted.append(items(section.items.map(\.fields)))
    }
    return .insertSections(inserted, at: at)
  }

  private mutating func deleteSections() -> CollectionUpdate {
    let at =
      isLarge
      ? random.integer(2...model.sections.count - 1)
      : place(upTo: model.sections.count - 1)
    let count = random.integer(1...min(2, model.sections.count - at))
    model.sections.removeSubrange(at..<at + count)
    return .deleteSections(at: at, count: count)
  }

  private mutating func moveSection() -> CollectionUpdate {
    let from = place(upTo: model.sections.count - 1)
    let to = place(upTo: model.sections.count - 1)
    model.sections.insert(model.sections.remove(at: from), at: to)
    return .moveSection(from: from, to: to)
  }

  private mutating func nextNodeUpdate() -> CollectionUpdate {
    let depths = model.depths
    let paths = depths.indices.flatMap { depth in
      depths[depth].indices.map { IndexPath(section: depth, item: $0) }
    }
    func node(_ path: IndexPath) -> ChangesModel.Node { depths[path.section][path.item] }
    let choice = paths.count > 150 ? 0 : random.integer(0...3)
    if paths.isEmpty || choice == 1 || choice == 2 && paths.count < 5 {
      let parent = paths.isEmpty || random.chance(15) ? nil : random.element(of: paths)
      let index = place(upTo: parent.map { node($0).children.count } ?? model.roots.count)
      let subtree = newSubtree(reach: random.element(of: [0, 2, 6]))
      model.insert(subtree, under: parent.map { node($0).token }, at: index)
      guard let forest = try? ChangesModel.forest([subtree]) else {
        preconditionFailure("a nested node is a tree")
      }
      return .insertNode(forest, parent: parent, index: index)
    }
    let from = random.element(of: paths)
    guard choice != 0 else {
      _ = model.remove(node(from).token)
      return .deleteNode(at: from)
    }
    let own = Set(node(from).tokens)
    let parents = paths.filter { !own.contains(node($0).token) }
    let parent = parents.isEmpty || random.chance(15) ? nil : random.element(of: parents)
    let moved = model.remove(node(from).token)
    let siblings =
      parent.map { path in
        model.depths.joined().first { $0.token == node(path).token }!.children.count
      } ?? model.roots.count
    let index = place(upTo: siblings)
    model.insert(moved, under: parent.map { node($0).token }, at: index)
    return .moveNode(from: from, parent: parent, index: index)
  }

  // MARK: Rects

  /// A window onto the content, the frame of an element, a point, or everything.
  mutating func rect(among snapshots: ChangesSnapshot..., contentSize: Size) -> Rect {
    let elements = random.element(of: snapshots).ordered
    switch random.integer(0...5) {
    case 0: return .everything
    case 1 where !elements.isEmpty: return random.element(of: elements).attributes.frame
    case 2:
      return Rect(
        x: number(0...contentSize.width), y: number(0...contentSize.height), width: 0, height: 0)
    default:
      return Rect(
        x: random.chance(60) ? 0 : number(0...contentSize.width),
        y: number(0...contentSize.height), width: contentSize.width + 1,
        height: number(0...(contentSize.height / 2 + 1)))
    }
  }
}
