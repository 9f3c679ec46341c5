/// Collects the area in which two versions of a layout differ.
///
/// For sections, the area follows from the tops and bottoms of sections and from the first changed
/// item. Not all frames are compared. So the area may be larger than necessary.
struct InvalidatedArea {
  /// A rect that holds the old and the new frame of every element that differs; `nil` if none
  /// differs. Its edges are whole numbers.
  private(set) var rect: Rect?
  /// Like ``rect``, but without pinned elements, which are in every answer.
  private(set) var rectBesidePins: Rect?

  var all = Extent()
  var besidePins = Extent()

  /// The area of all elements of both versions.
  init(_ old: any PreparedLayout, _ new: any PreparedLayout) {
    includeAll(old, new)
  }

  mutating func includeAll(_ old: any PreparedLayout, _ new: any PreparedLayout) {
    for layout in [old, new] {
      switch layout {
      case let stack as SectionStack:
        var area = InvalidatedArea()
        for section in stack.sections.indices { area.include(section, of: stack) }
        area.finish(turning: stack.outerPlacement)
        include(turned: area)
      case let tree as any PreparedTree where tree.forest.count > 0:
        let size = tree.contentSize
        let content = Rect(x: 0, y: 0, width: size.width, height: size.height)
        all.include(content)
        besidePins.include(content)
      default: break
      }
    }
    rect = all.rect
    rectBesidePins = besidePins.rect
  }

  /// Nothing differs.
  static let none = InvalidatedArea()

  init() {}

  private mutating func include(turned area: InvalidatedArea) {
    if let rect = area.rect { all.include(rect) }
    if let rect = area.rectBesidePins { besidePins.include(rect) }
  }

  mutating func finish(turning placement: Placement) {
    rect = all.turned(placement).rect
    rectBesidePins = besidePins.turned(placement).rect
  }

  // MARK: Sections

  /// The area that differs after updates of sections.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  init(_ old: SectionStack, _ new: SectionStack, origins: [SectionOrigin]) {
    for (section, origin) in origins.enumerated() {
      guard origin.base == section else {
        include(section, of: new)
        continue
      }
      if old.tops[section] != new.tops[section] {
        include(section, of: old)
        include(section, of: new)
      } else {
        includeDifferences(in: section, old, new, origin)
      }
    }
    for section in old.sections.indices
    where section >= origins.count || origins[section].base != section {
      include(section, of: old)
    }
    finish(turning: new.outerPlacement)
  }

  /// Includes the differences of a section that begins where it began before.
  private mutating func includeDifferences(
    in section: Int, _ old: SectionStack, _ new: SectionStack, _ origin: SectionOrigin
  ) {
    let (before, after) = (old.sections[section], new.sections[section])
    if before.isHidden != after.isHidden {
      include(section, of: old)
      include(section, of: new)
      return
    }
    if !before.style.isEqual(to: after.style) {
      if Self.differs(old, new, section) {
        include(section, of: old)
        include(section, of: new)
      }
      return
    }
    if before.bodyHeight != after.bodyHeight {
      for stack in [old, new] { includeParts(section, of: stack, onlyAtEnd: true) }
    }
    guard let first = origin.firstChanged,
      origin.replaced.map({ Self.differs(old, new, section, $0) }) ?? true
    else { return }
    // The frames before the first change are only equal if both versions compute them in the same
    // way, or in ways that give the same.
    let isAlike =
      type(of: before.body) == type(of: after.body) || after.style.layout.isAlikeWhenUniform
    let isSideways = after.style.orthogonalHeight != nil
    for stack in [old, new] {
      let body = stack.sections[section].body
      includeCells(
        section, of: stack, from: isAlike && !isSideways ? body.top(ofItemsFrom: first) : nil)
    }
  }

  /// Whether the elements of a section differ after a change of its options. For a large section
  /// the answer is always yes.
  private static func differs(_ old: SectionStack, _ new: SectionStack, _ section: Int) -> Bool {
    let (before, after) = (old.sections[section], new.sections[section])
    for series in [SectionStack.header, SectionStack.footer, SectionStack.background]
    where old.part(series, ofSection: section) != new.part(series, ofSection: section) {
      return true
    }
    guard before.body.count == after.body.count, before.backgroundCount == after.backgroundCount,
      before.body.count <= 10_000
    else { return true }
    for series in [ElementSeries.cells, SectionStack.background] {
      guard let oldSeries = old.series.firstIndex(of: series),
        let newSeries = new.series.firstIndex(of: series)
      else { continue }
      for item in 0..<max(before.body.count, before.backgroundCount) {
        let path = IndexPath(section: section, item: item)
        if old.attributes(of: oldSeries, at: path) != new.attributes(of: newSeries, at: path) {
          return true
        }
      }
    }
    return false
  }

  /// Whether any attribute of a section differs, if it has the same items and only fields changed.
  ///
  /// - Parameter replaced: The items whose fields may differ, in order.
  private static func differs(
    _ old: SectionStack, _ new: SectionStack, _ section: Int, _ replaced: [Range<Int>]
  ) -> Bool {
    let (oldItems, newItems) = (old.data[section].items, new.data[section].items)
    guard replaced.allSatisfy({ newItems.hasSameIDs(as: oldItems, in: $0) }) else { return true }
    let (before, after) = (old.sections[section].body, new.sections[section].body)
    if before === after { return false }
    for range in replaced {
      for item in range where before.frame(of: item) != after.frame(of: item) { return true }
    }
    guard let first = replaced.first?.lowerBound else { return false }
    return (first..<after.count).contains { before.frame(of: $0) != after.frame(of: $0) }
  }

  private mutating func include(_ section: Int, of stack: SectionStack) {
    includeParts(section, of: stack, onlyAtEnd: false)
    includeCells(section, of: stack, from: nil)
  }

  /// - Parameter y: The y in the body at which to begin; `nil` for all cells.
  private mutating func includeCells(_ section: Int, of stack: SectionStack, from y: Double?) {
    let place = stack.sections[section]
    guard place.body.count > 0 else { return }
    let reach = place.reach
    let left = place.style.frame.sectionInset.left
    let top = place.bodyTop(from: stack.tops[section])
    let minY = top + max(y ?? reach.origin.y, reach.origin.y)
    var rect = Rect(
      x: left + reach.origin.x, y: minY, width: reach.size.width,
      height: max(0, top + reach.maxY - minY))
    if place.background != nil {
      // The backgrounds of rows are as wide as the body.
      let width = max(rect.maxX, left + place.style.bodyWidthInStack)
      rect.origin.x = min(rect.origin.x, left)
      rect.size.width = width - rect.origin.x
    }
    all.include(rect)
    besidePins.include(rect)
  }

  /// - Parameter onlyAtEnd: Whether to include only what depends on the height of the body.
  private mutating func includeParts(
    _ section: Int, of stack: SectionStack, onlyAtEnd: Bool
  ) {
    let place = stack.sections[section]
    guard !place.isHidden else { return }
    let frame = place.style.frame
    let top = stack.tops[section]
    let bottom = place.bottom(from: top)
    func rect(_ y: Double, _ end: Double) -> Rect {
      Rect(x: 0, y: y, width: stack.metrics.width, height: max(0, end - y))
    }
    if frame.hasOneBackground {
      let background = stack.background(ofSection: section)
      all.include(background)
      besidePins.include(background)
    }
    let footerTop = place.footerTop(from: top)
    if frame.headerHeight > 0 {
      if frame.pinHeaders {
        all.include(rect(top, max(footerTop, top + frame.headerHeight)))
      } else if !onlyAtEnd {
        all.include(rect(top, top + frame.headerHeight))
        besidePins.include(rect(top, top + frame.headerHeight))
      }
    }
    if frame.footerHeight > 0 {
      let first = frame.pinFooters ? min(footerTop, top + frame.headerHeight) : footerTop
      all.include(rect(first, bottom))
      if !frame.pinFooters { besidePins.include(rect(footerTop, bottom)) }
    }
  }
}
