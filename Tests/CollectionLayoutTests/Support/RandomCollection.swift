import TestSupport

@testable import CollectionLayout

/// A layout and a collection that a seed decides, and random changes to both.
struct RandomCollection {
  /// Which numbers it is made of.
  enum Precision: CaseIterable {
    /// Halves, whose sums are exact.
    case nice
    /// Numbers whose sums are rounded.
    case awkward
    /// Halves, and now and then another number.
    case mixed
  }

  var layout: GivenLayout
  var model: PlainCollection
  var random: SeededGenerator
  let precision: Precision
  let isLarge: Bool
  /// Whether it is vertical, and all ratios are powers of two, which are turned without rounding.
  let isTurnable: Bool
  /// The last update, or the one before replacements, if it moved an item.
  var lastMove: (from: IndexPath, to: IndexPath)?
  private let namedPercent: Int
  private let sizedPercent: Int

  /// A collection of which there is a layout.
  init(_ kind: String, seed: Int, isLarge: Bool = false, isTurnable: Bool = false) {
    var seed = seed
    repeat {
      self.init(kind, trying: seed, isLarge: isLarge, isTurnable: isTurnable)
      seed += 1_000_000
    } while (try? prepared()) == nil
  }

  private init(_ kind: String, trying seed: Int, isLarge: Bool, isTurnable: Bool) {
    self.isLarge = isLarge
    self.isTurnable = isTurnable
    random = SeededGenerator(seed: seed)
    precision = random.element(of: Precision.allCases)
    namedPercent = isLarge ? random.element(of: [0, 0, 100]) : random.element(of: [0, 0, 40, 100])
    sizedPercent = random.element(of: [0, 0, 50, 100])
    layout = GivenLayout(kind)
    model = PlainCollection(isForest: layout.kind.isForest)
    layout.options = layoutOptions()
    layout.bounds = newBounds()
    if layout.kind.isForest {
      for _ in 0..<random.integer(0...3) { model.roots.append(newSubtree(reach: 12)) }
    } else if isLarge {
      for count in [random.integer(4000...9000), random.integer(8190...8200)] {
        model.sections.append(newSection(count))
      }
      for _ in 0..<30 { model.sections.append(newSection(random.integer(0...20))) }
    } else {
      for _ in 0..<random.element(of: [0, 1, 2, 3, 6]) {
        model.sections.append(newSection(random.chance(15) ? 0 : random.integer(0...25)))
      }
    }
  }

  var kind: String { layout.kind.name }

  func prepared() throws(LayoutError) -> PreparedCollection {
    try PreparedCollection(layout, model.data())
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    random.number(
      range, isNice: precision == .nice || (precision == .mixed && random.chance(97)))
  }

  mutating func newBounds() -> Bounds? {
    if layout.kind.isForest, random.chance(50) { return nil }
    let isHorizontal = layout.options.text("scrollDirection") == "horizontal"
    return Bounds(
      width: number(300...1000),
      height: isHorizontal || isTurnable || layout.options["contentAlignment"] != nil
        || random.chance(70) ? number(300...1000) : nil)
  }

  // MARK: Content

  private mutating func newID() -> String? {
    guard random.chance(namedPercent) else { return nil }
    return random.chance(30) ? "item \(random.integer(0...20))" : "é\(model.newToken())"
  }

  /// Fields of some items, of which either none or some have any.
  mutating func newFields(_ count: Int) -> [PlainItem] {
    let isBare = random.chance(30)
    let shares = ItemField.stored.map { _ in random.element(of: [0, 40, 100]) }
    return (0..<count).map { _ in
      var item = PlainItem(id: newID())
      if !isBare { setFields(of: &item, shares: shares) }
      return item
    }
  }

  private mutating func setFields(of item: inout PlainItem, shares: [Int]) {
    if random.chance(shares[0]) { item.width = random.chance(5) ? 0 : number(1...200) }
    if random.chance(shares[1]) { item.height = random.chance(15) ? 0 : number(1...200) }
    if isTurnable, let width = item.width, item.height != nil {
      item.height = width * random.element(of: [0.25, 0.5, 1, 2])
    }
    if random.chance(shares[2]), item.width == nil || item.height == nil {
      item.aspectRatio = ratio()
    }
    if random.chance(shares[3]) { item.x = number(-50...900) }
    if random.chance(shares[4]) { item.y = number(-50...900) }
    if random.chance(shares[5] / 2) { item.columnSpan = random.columnSpan() }
    if random.chance(shares[6] / 2) { item.rowSpan = random.rowSpan() }
    if random.chance(shares[7] / 4) { item.column = Double(random.integer(0...5)) }
  }

  mutating func ratio() -> Double {
    precision == .nice || isTurnable ? random.element(of: [0.25, 0.5, 1, 2, 4]) : number(0.3...4)
  }

  mutating func newSection(_ count: Int) -> PlainCollection.Section {
    var section = PlainCollection.Section(
      token: model.newToken(), items: model.newItems(newFields(count)))
    if random.chance(20) { section.id = "section \(random.integer(0...9))" }
    if layout.kind.isCompositional {
      section.kind = random.element(of: SectionKinds.all.map { $0.kind })
      if random.chance(30) { section.orthogonalHeight = number(60...300) }
      section.options = sectionOptions(of: section.kind!, share: 50)
    } else if random.chance(40) {
      section.options = sectionOptions(of: kind, share: 30)
    }
    return section
  }

  mutating func newSubtree(reach: Int) -> PlainCollection.Node {
    var node = PlainCollection.Node(token: model.newToken(), id: newID())
    if layout.options.text("spacing") == "compact", random.chance(sizedPercent) {
      if random.chance(70) { node.width = number(1...200) }
      if random.chance(70) { node.height = number(1...120) }
    }
    for _ in 0..<random.integer(0...min(reach, 4)) {
      node.children.append(newSubtree(reach: reach / 2))
    }
    return node
  }

  /// Items in one of the forms that they may come in.
  mutating func items(_ fields: [PlainItem]) -> Items {
    if fields.allSatisfy({ $0 == PlainItem() }), random.chance(50) {
      return Items(uniform: fields.count)
    }
    return random.chance(50) ? Items(fields) : Items(fields, using: &random)
  }
}

extension RandomCollection {
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
    var columns: [ItemField: [Double]] = [:]
    if nodes.contains(where: { $0.width != nil }) {
      columns[.width] = nodes.map { $0.width ?? .nan }
    }
    if nodes.contains(where: { $0.height != nil }) {
      columns[.height] = nodes.map { $0.height ?? .nan }
    }
    try self.init(
      parents: nodes.map { $0.parent.map { Int32($0) } ?? -1 },
      items: Items(
        ItemStorage(
          count: nodes.count, columns: columns,
          ids: nodes.contains { $0.id != nil } ? IDColumn(nodes.map(\.id)) : nil)))
  }
}
