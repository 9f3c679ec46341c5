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

  private var all = Extent()
  private var besidePins = Extent()

  /// The area of all elements of both versions.
  init(_ old: any PreparedLayout, _ new: any PreparedLayout) {
    includeAll(old, new)
  }

  private mutating func includeAll(_ old: any PreparedLayout, _ new: any PreparedLayout) {
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

  private init() {}

  private mutating func include(turned area: InvalidatedArea) {
    if let rect = area.rect { all.include(rect) }
    if let rect = area.rectBesidePins { besidePins.include(rect) }
  }

  private mutating func finish(turning placement: Placement) {
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
    // way.
    let isAlike = type(of: before.body) == type(of: after.body)
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
    if place.style.frame.integral { rect = rect.holdingIntegralFrames }
    all.include(rect)
    besidePins.include(rect)
  }

  /// - Parameter onlyAtEnd: Whether to include only what depends on the height of the body.
  private mutating func includeParts(
    _ section: Int, of stack: SectionStack, onlyAtEnd: Bool
  ) {
    let place = stack.sections[section]
    let frame = place.style.frame
    let top = stack.tops[section]
    let bottom = place.bottom(from: top)
    func rect(_ y: Double, _ end: Double) -> Rect {
      Rect(x: 0, y: y, width: stack.metrics.width, height: max(0, end - y))
    }
    if frame.background == SectionFrame.sectionBackground {
      all.include(rect(top, bottom))
      besidePins.include(rect(top, bottom))
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

  // MARK: Hierarchies

  /// The area that differs after changes of a hierarchy.
  ///
  /// - Parameters:
  ///   - toPrevious: For each new node, the old node that it was.
  ///   - toNext: For each old node, the new node that it became.
  /// - Complexity: O(*n*) for *n* nodes.
  init(
    _ old: any PreparedTree, _ new: any PreparedTree, toPrevious: NodeOrigins,
    toNext: NodeOrigins
  ) {
    if new.layout.direction.isMirrored, old.localSize.width != new.localSize.width {
      includeAll(old, new)
      return
    }
    switch (old, new) {
    case (let old as LayeredTree, let new as LayeredTree):
      includeDifferences(old, new, toPrevious, toNext)
    case (let old as SizedTree, let new as SizedTree):
      includeDifferences(old, new, toPrevious, toNext)
    default:
      includeAll(old, new)
      return
    }
    besidePins = all
    finish(turning: new.placement)
  }

  private mutating func includeDifferences<Tree: PreparedTree>(
    _ old: Tree, _ new: Tree, _ toPrevious: NodeOrigins, _ toNext: NodeOrigins
  ) {
    toPrevious.forEachRun { nodes, origin in
      if let origin {
        includeDifferences(nodes, of: new, nodes.lowerBound - origin, of: old)
      } else {
        new.forest.forEachDepth(of: nodes) { include($0, atDepth: $1, of: new) }
      }
    }
    toNext.forEachRun { nodes, place in
      if place == nil { old.forest.forEachDepth(of: nodes) { include($0, atDepth: $1, of: old) } }
    }
  }

  /// Includes the nodes whose elements differ between two versions.
  ///
  /// - Parameters:
  ///   - nodes: Nodes that are adjacent in both versions.
  ///   - distance: The distance by which their indices have grown.
  private mutating func includeDifferences<Tree: PreparedTree>(
    _ nodes: Range<Int>, of new: Tree, _ distance: Int, of old: Tree
  ) {
    var start = nodes.lowerBound
    var depth = new.forest.depth(of: start)
    var oldDepth = old.forest.depth(of: start - distance)
    while start < nodes.upperBound {
      let depthEnd = new.forest.depthStarts[depth + 1]
      let oldDepthEnd = old.forest.depthStarts[oldDepth + 1] + distance
      let end = min(depthEnd, oldDepthEnd, nodes.upperBound)
      includeDifferences(start..<end, atDepth: depth, of: new, distance, atDepth: oldDepth, of: old)
      if end == depthEnd { depth += 1 }
      if end == oldDepthEnd { oldDepth += 1 }
      start = end
    }
  }

  /// Like the function above, for nodes of one depth in both versions.
  private mutating func includeDifferences<Tree: PreparedTree>(
    _ nodes: Range<Int>, atDepth depth: Int, of new: Tree, _ distance: Int,
    atDepth oldDepth: Int, of old: Tree
  ) {
    let depthDistance = new.forest.depthStarts[depth] - old.forest.depthStarts[oldDepth]
    let isElsewhere = depth != oldDepth || distance != depthDistance
    var start = nodes.lowerBound
    while start < nodes.upperBound {
      var end = isElsewhere ? nodes.upperBound : start
      while end < nodes.upperBound,
        !Self.isSame(end, of: new, end - distance, of: old, atDepth: depth)
      {
        end += 1
      }
      include(start..<end, atDepth: depth, of: new)
      include(start - distance..<end - distance, atDepth: oldDepth, of: old)
      start = end + 1
    }
  }

  /// Whether a node's elements are equal in both versions. The node must have the same index path
  /// in both.
  private static func isSame<Tree: PreparedTree>(
    _ node: Int, of new: Tree, _ oldNode: Int, of old: Tree, atDepth depth: Int
  ) -> Bool {
    guard new.cellFrame(of: node, atDepth: depth) == old.cellFrame(of: oldNode, atDepth: depth)
    else { return false }
    let children = new.children(of: node, atDepth: depth)
    guard children == old.children(of: oldNode, atDepth: depth) else { return false }
    return children == nil
      || new.connectorFrame(of: node, atDepth: depth)
        == old.connectorFrame(of: oldNode, atDepth: depth)
  }

  private mutating func include<Tree: PreparedTree>(
    _ nodes: Range<Int>, atDepth depth: Int, of tree: Tree
  ) {
    tree.forEachOutermostFrame(of: nodes, atDepth: depth) { all.include($0) }
  }
}

extension Rect {
  /// The rect that holds the frames inside after they were made integral.
  fileprivate var holdingIntegralFrames: Rect {
    let (x, y) = (origin.x.rounded(.down), origin.y.rounded(.down))
    return Rect(
      x: x, y: y, width: maxX.roundedUpForFrames.rounded(.up) - x,
      height: maxY.roundedUpForFrames.rounded(.up) - y)
  }
}

/// The smallest rect that holds others.
private struct Extent {
  private var minX = Double.infinity
  private var minY = Double.infinity
  private var maxX = -Double.infinity
  private var maxY = -Double.infinity

  mutating func include(_ frame: Rect) {
    minX = min(minX, frame.origin.x)
    minY = min(minY, frame.origin.y)
    maxX = max(maxX, frame.maxX)
    maxY = max(maxY, frame.maxY)
  }

  /// The extent in the content's coordinates. It is slightly larger, because frames may be rounded
  /// beyond it: at the far edges, and at all edges if they are mirrored.
  func turned(_ placement: Placement) -> Extent {
    guard minX <= maxX else { return self }
    var extent = Extent()
    let margin = 8 * max(abs(minX), abs(minY), abs(maxX), abs(maxY)).ulp
    let isMirrored = !placement.mirrorWidth.isNaN || !placement.mirrorHeight.isNaN
    let near = isMirrored ? margin : 0
    extent.include(
      placement.frame(
        Rect(
          x: minX - near, y: minY - near, width: maxX - minX + margin + near,
          height: maxY - minY + margin + near)))
    return extent
  }

  /// The extent as a rect, with edges rounded outwards to whole numbers.
  var rect: Rect? {
    guard minX <= maxX else { return nil }
    let x = minX.rounded(.down)
    let y = minY.rounded(.down)
    return Rect(
      x: x, y: y, width: Self.length(from: x, to: maxX.rounded(.up)),
      height: Self.length(from: y, to: maxY.rounded(.up)))
  }

  /// A length that reaches at least to `end`. Beyond 2⁵³ a difference may be rounded down.
  private static func length(from start: Double, to end: Double) -> Double {
    let length = end - start
    return start + length < end ? length.nextUp : length
  }
}
