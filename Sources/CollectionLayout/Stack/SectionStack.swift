/// Sections one behind the other. Each has a body, laid out from 0, and a top.
///
///     top(0) ─┬─ header
///             │   inset, body, inset
///             ├─ footer
///     top(1) ─┴─ …            the section's bottom, and the section spacing
///
/// All layouts of sections are section stacks. A body knows nothing of headers, footers,
/// backgrounds, insets, pins and directions; the stack adds them. The stack computes everything for
/// a vertical layout from left to right. A ``Placement`` turns the result.
final class SectionStack: PreparedLayout {
  struct Section: Sendable {
    let style: SectionStyle
    let body: any SectionBody
    /// The frames of the decorations behind cells or rows, if there are any.
    let background: (any SectionBody)?
    /// The number of items that count as stored.
    let countedItems: Int
    /// The shaped texts of its cards.
    var texts: CardTexts = [:]
    /// Whether the section is hidden because it is empty.
    var isHidden = false
    /// Whether it has only its header.
    var isFolded = false
  }

  let layout: GivenLayout
  let data: [CollectionSection]
  let metrics: StackMetrics
  let sections: [Section]
  /// The top of each section, and the top that one more section would have.
  let tops: [Double]
  /// For each section, the number of items before it; and last the number of all items.
  let itemStarts: [Int]
  /// Like `itemStarts`, without those that are folded away.
  let shownStarts: [Int]
  /// Fitted to the sections.
  let folds: Folds
  let foldedCount: Int
  /// How far the sections reach.
  private let extent: StackExtent
  /// The style of the layout's own options, if all sections are of one kind.
  let ownStyle: SectionStyle?

  let contentSize: Size
  let counts: ElementCounts
  let series: [ElementSeries]
  let hasPinnedElements: Bool
  /// The number of items that count as stored. Items without fields and ids in uniform sections do
  /// not count.
  let countedItems: Int
  let memoryBytes: Int
  let longestCardText: Int
  /// Whether cards have a greatest height.
  let hasCuts: Bool
  /// The orders in which views arrange the data.
  let orders = SharedOrders()

  static let header = ElementSeries.supplementary("header")
  static let footer = ElementSeries.supplementary("footer")
  static let background = ElementSeries.decorations("background")

  /// - Parameters:
  ///   - earlier: The earlier version to continue from.
  ///   - itemLimit: The largest number of items that may count as stored.
  /// - Complexity: O(*s*) for *s* sections, and the cost of laying out the new and changed ones.
  init(
    _ layout: GivenLayout, _ data: [CollectionSection], _ folds: Folds = Folds(),
    after earlier: EarlierStack? = nil,
    itemLimit: Int = .max, typesetter: (any TextTypesetter)? = nil
  ) throws(LayoutError) {
    var builder = try SectionBuilder(
      layout, after: earlier, itemLimit: itemLimit, typesetter: typesetter)
    var data = data
    var (sections, itemStarts) = try builder.build(&data)
    self.folds = folds.fitted(to: data, isArranged: layout.arrangement != nil)
    let folded = self.folds.folded(of: data)
    var shownStarts = itemStarts
    foldedCount = folded.count { $0 }
    if foldedCount > 0 || earlier?.stack.foldedCount ?? 0 > 0 {
      for index in sections.indices { sections[index].isFolded = folded[index] }
      for index in sections.indices {
        shownStarts[index + 1] = shownStarts[index] + (folded[index] ? 0 : data[index].items.count)
      }
    }
    self.shownStarts = shownStarts
    var extent = StackExtent(
      builder.metrics, sectionCount: sections.count, style: builder.ownStyle)
    for (section, data) in zip(sections, data) {
      try extent.add(section, width: builder.metrics.width(of: section, data.items))
    }
    try extent.close()
    self.layout = layout
    self.data = data
    self.sections = sections
    self.itemStarts = itemStarts
    metrics = builder.metrics
    ownStyle = builder.ownStyle
    countedItems = builder.countedItems
    tops = extent.tops
    self.extent = extent
    contentSize = extent.contentSize
    hasPinnedElements = extent.isPinned
    counts = ElementCounts(
      sections: sections.count, cells: shownStarts[data.count],
      supplementary: extent.headerCount + extent.footerCount,
      decorations: extent.decorationCount)
    series =
      (extent.decorationCount > 0 ? [Self.background] : []) + [.cells]
      + (extent.footerCount > 0 ? [Self.footer] : [])
      + (extent.headerCount > 0 ? [Self.header] : [])
    longestCardText = zip(sections, data).reduce(0) { longest, section in
      max(longest, section.0.style.container.card?.longestText(of: section.1.items) ?? 0)
    }
    hasCuts = sections.contains { $0.style.container.card?.card.maximumHeight != nil }
    memoryBytes =
      extent.memoryBytes + extent.lefts.count * 8 + sections.count
      * (MemoryLayout<Section>.stride + 16) + 768
      + sections.textBytes(besides: []) + self.folds.memoryBytes
      + (foldedCount == 0 ? 0 : sections.count * 8)
  }

  // MARK: Where things are

  /// The placement of the stack's own coordinates in the content.
  var outerPlacement: Placement {
    var placement = Placement()
    if metrics.isHorizontal { placement.isTransposed = true }
    if metrics.isRightToLeft {
      placement.mirrorWidth = metrics.mirrorWidth
      placement.reach = max(extent.bottom, extent.width)
    }
    return placement
  }

  var contentFrame: Rect {
    outerPlacement.frame(Rect(x: 0, y: 0, width: extent.width, height: extent.bottom))
  }

  /// The left edge of a section, in the stack's coordinates.
  func left(ofSection index: Int) -> Double { extent.lefts.isEmpty ? 0 : extent.lefts[index] }

  /// How wide a section is, across the scroll direction.
  func width(ofSection index: Int) -> Double {
    metrics.width(of: sections[index], data[index].items)
  }

  /// The placement of a section's body in the content.
  func bodyPlacement(of section: Int) -> Placement {
    let style = sections[section].style
    var placement = Placement()
    placement.dx = left(ofSection: section) + style.options.sectionInset.left
    placement.dy = sections[section].bodyTop(from: tops[section])
    let reach = sections[section].body.reach
    placement.reach = max(-reach.origin.x, -reach.origin.y)
    if style.options.integral { placement.isIntegral = true }
    if style.orthogonalHeight != nil { placement.isBodyTransposed = true }
    if metrics.isHorizontal { placement.isTransposed = true }
    if metrics.isRightToLeft {
      placement.mirrorWidth = metrics.mirrorWidth
      placement.reach = max(placement.reach, reach.maxX, reach.maxY)
    }
    return placement
  }

  /// The sections that a rect meets, and perhaps a few more.
  ///
  /// - Parameter local: The rect in the stack's coordinates, widened against rounding errors.
  private func sections(meeting local: Rect, beyond overhang: (above: Double, below: Double))
    -> Range<Int>
  {
    let start = local.origin.y - overhang.below
    let end = local.maxY + overhang.above
    var first = partitionPoint(in: 0..<sections.count) { tops[$0 + 1] < start }
    // All of a row have its top.
    if metrics.packing != nil { first = partitionPoint(in: 0..<first) { tops[$0] < tops[first] } }
    let last = partitionPoint(in: first..<sections.count) { tops[$0] <= end }
    return first..<last
  }

  /// The frame of a section, and the area of its cells. In an orthogonal section this area is as
  /// wide as the section's content.
  ///
  /// - Precondition: The section exists.
  func frames(ofSection index: Int) -> (section: Rect, body: Rect) {
    let section = sections[index]
    let top = section.isHidden ? hiddenTop(index) : tops[index]
    let outer = outerPlacement
    let style = section.style
    let (left, width) = (left(ofSection: index), width(ofSection: index))
    let frame = Rect(x: left, y: top, width: width, height: section.bottom(from: top) - top)
    let inset = style.options.sectionInset
    let body = Rect(
      x: left + inset.left, y: section.bodyTop(from: top),
      width: style.orthogonalHeight == nil
        ? width - (inset.left + inset.right) : section.body.height,
      height: section.bodyHeight)
    return (outer.frame(frame), outer.frame(body))
  }

  /// Where a hidden section is: at the bottom of the one before.
  private func hiddenTop(_ index: Int) -> Double {
    guard metrics.packing != nil, itemStarts[index] > 0 else { return tops[index] }
    // Sections that are hidden have no items, and others have some.
    let before = partitionPoint(in: 0..<index) { itemStarts[$0 + 1] < itemStarts[index] }
    return sections[before].bottom(from: tops[before])
  }

  /// The size of what a section scrolls by itself, from inset to inset; `nil` if it does not.
  ///
  /// - Precondition: The section exists.
  func orthogonalContentSize(ofSection index: Int) -> Size? {
    sections[index].orthogonalLength.map {
      let size = Size(width: $0, height: sections[index].bodyHeight)
      return metrics.isHorizontal ? size.transposed : size
    }
  }

  /// Calls `body` with each section from `start` on whose frame intersects a rect, until it returns
  /// false.
  func forEachSection(in rect: Rect, from start: Int, _ body: (Int) -> Bool) {
    for section in sections(meeting: outerPlacement.search(rect), beyond: (0, 0)).from(start)
    where frames(ofSection: section).section.intersects(rect) {
      if !body(section) { return }
    }
  }

  // MARK: Queries

  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink
  ) {
    let kind = self.series[series]
    let isPart = kind.category == .supplementary
    let local = outerPlacement.search(rect).insetBy(-1)
    for index in sections(meeting: local, beyond: isPart ? (0, 0) : extent.overhang).from(
      start.section)
    {
      let item = index == start.section ? start.item : 0
      sink.section = index
      guard sink.pass(1, before: item) else { return }
      let section = sections[index]
      let body =
        isPart || section.isFolded ? nil : kind == .cells ? section.body : section.background
      if let body {
        sink.placement = bodyPlacement(of: index)
        let first = min(item, body.count)
        guard body.offerFrames(in: sink.placement.search(rect), from: first, to: &sink) else {
          return
        }
      } else if kind != .cells, item == 0, let part = part(kind, ofSection: index) {
        let element = PlacedElement(
          indexPath: IndexPath(section: index, item: 0), frame: part.frame,
          pinRange: part.pinRange, hidden: part.hidden)
        guard sink.offer(element, swept: part.swept) else { return }
      }
    }
  }

  func attributes(of series: Int, at path: IndexPath) -> LayoutAttributes? {
    guard sections.indices.contains(path.section), path.item >= 0 else { return nil }
    let kind = self.series[series]
    let section = sections[path.section]
    let body = kind == .cells ? section.body : kind == Self.background ? section.background : nil
    if let body {
      guard path.item < body.count, !section.isFolded else { return nil }
      let frame = bodyPlacement(of: path.section).frame(body.frame(of: path.item))
      return attributes(PlacedElement(indexPath: path, frame: frame), in: kind)
    }
    guard path.item == 0, let part = part(kind, ofSection: path.section) else { return nil }
    return LayoutAttributes(
      indexPath: path, frame: part.frame, pinRange: part.pinRange, hidden: part.hidden,
      data: data(of: kind, at: path))
  }

  var marksCells: Bool { metrics.marksEstimates || hasCuts }

  func hasIDs(inSection section: Int) -> Bool { data[section].items.hasIDs }

  func id(ofItemAt path: IndexPath) -> ItemID? { data[path.section].items.id(at: path.item) }

  func data(ofItemAt path: IndexPath) -> ItemData? {
    data[path.section].items.data(at: path.item)
  }

  func texts(ofItemAt path: IndexPath) -> ItemTextsOfItem? {
    let (storage, index) = data[path.section].items.storage(at: path.item)
    return storage?.texts == nil ? nil : ItemTextsOfItem(storage, at: index)
  }

  func data(ofSection section: Int) -> ItemData? { data[section].settings?.data }

  func ordinal(ofItemAt path: IndexPath) -> Int { shownStarts[path.section] + path.item }

  func indexPath(ofOrdinal ordinal: Int) -> IndexPath? {
    guard (0..<counts.cells).contains(ordinal) else { return nil }
    return Self.indexPath(of: ordinal, in: shownStarts)
  }

  /// The index path of an item that has so many before it, in sections that begin there.
  static func indexPath(of place: Int, in starts: [Int]) -> IndexPath {
    let section = partitionPoint(in: 0..<starts.count - 1) { starts[$0 + 1] <= place }
    return IndexPath(section: section, item: place - starts[section])
  }

  func identity(of series: Int, at path: IndexPath) -> ElementIdentity {
    switch self.series[series] {
    case .cells: .item
    case Self.background where sections[path.section].background === sections[path.section].body:
      .item
    default: .section
    }
  }

  func sweptFrame(of attributes: LayoutAttributes) -> Rect {
    sweptFrame(of: attributes.frame, pinRange: attributes.pinRange)
  }

  /// Whether two stacks of the same data certainly have equal attributes.
  func isEqual(to other: SectionStack) -> Bool {
    metrics == other.metrics
      && zip(sections, other.sections).allSatisfy {
        $0.style.isEqual(to: $1.style) && $0.isFolded == $1.isFolded
      } && folds == other.folds
  }
}

extension Rect {
  /// The rect with all edges moved inwards.
  fileprivate func insetBy(_ distance: Double) -> Rect {
    Rect(
      x: origin.x + distance, y: origin.y + distance, width: size.width - 2 * distance,
      height: size.height - 2 * distance)
  }
}
