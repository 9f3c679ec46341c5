import Testing

@testable import CollectionLayout

/// An element as the tests compare it: everything that a client sees of it.
struct Element: Equatable, CustomStringConvertible {
  var category: ElementCategory
  var kind: String?
  var section: Int
  var item: Int
  var frame: Rect
  var id: String?
  var children: [IndexPath] = []
  var pinRange: PinRange?

  static func cell(
    _ section: Int, _ item: Int, _ frame: Rect, id: String? = nil, children: [IndexPath] = []
  ) -> Element {
    Element(
      category: .cell, section: section, item: item, frame: frame, id: id, children: children)
  }

  static func supplementary(
    _ kind: String, _ section: Int, _ item: Int, _ frame: Rect, children: [IndexPath] = [],
    pinned: ClosedRange<Double>? = nil
  ) -> Element {
    Element(
      category: .supplementary, kind: kind, section: section, item: item, frame: frame,
      children: children,
      pinRange: pinned.map { PinRange(from: $0.lowerBound, to: $0.upperBound) })
  }

  static func background(_ section: Int, _ item: Int, _ frame: Rect) -> Element {
    Element(
      category: .decoration, kind: "background", section: section, item: item, frame: frame)
  }

  var description: String {
    let (origin, size) = (frame.origin, frame.size)
    let name = kind ?? category.rawValue
    let suffix =
      (id.map { " \"\($0)\"" } ?? "") + (children.isEmpty ? "" : " \(children)")
      + (pinRange.map { " \($0.from)…\($0.to)" } ?? "")
    return "\(name) [\(section), \(item)] (\(origin.x), \(origin.y), \(size.width), \(size.height))"
      + suffix
  }

  /// The order of delivery: zIndex, category, element kind, section, item.
  static func isDeliveredBefore(_ a: Element, _ b: Element) -> Bool {
    func rank(_ category: ElementCategory) -> Int {
      switch category {
      case .decoration: -1
      case .cell: 0
      case .supplementary: 1
      }
    }
    return (rank(a.category), a.kind ?? "", a.section, a.item)
      < (rank(b.category), b.kind ?? "", b.section, b.item)
  }
}

extension Element {
  init(_ series: ElementSeries, _ attributes: LayoutAttributes) {
    category = series.category
    kind = series.kind
    section = attributes.indexPath.section
    item = attributes.indexPath.item
    frame = attributes.frame
    id = attributes.id?.string
    children =
      attributes.children.map { children in
        children.items.map { IndexPath(section: children.section, item: $0) }
      } ?? []
    pinRange = attributes.pinRange
  }

  var series: ElementSeries { ElementSeries(category: category, kind: kind) }

  /// All that the element may cover.
  func sweptFrame(isHorizontal: Bool) -> Rect {
    guard let pinRange else { return frame }
    var swept = frame
    if isHorizontal {
      swept.origin.x = pinRange.from
      swept.size.width = (pinRange.to - pinRange.from) + frame.size.width
    } else {
      swept.origin.y = pinRange.from
      swept.size.height = (pinRange.to - pinRange.from) + frame.size.height
    }
    return swept
  }

  /// Whether all numbers are the same bits, and everything else is equal.
  func isIdentical(to other: Element) -> Bool {
    self == other && frame.bits == other.frame.bits
      && pinRange?.from.bitPattern == other.pinRange?.from.bitPattern
      && pinRange?.to.bitPattern == other.pinRange?.to.bitPattern
  }

  /// Whether the element's frame shares a point with the rect, by the rule for all kinds.
  func isIn(_ rect: Rect) -> Bool { Self.meet(frame, rect) }

  static func meet(_ a: Rect, _ b: Rect) -> Bool {
    meet(a.origin.x, a.size.width, b.origin.x, b.size.width)
      && meet(a.origin.y, a.size.height, b.origin.y, b.size.height)
  }

  static func meet(_ a: Double, _ l: Double, _ b: Double, _ m: Double) -> Bool {
    if l > 0 && m > 0 { return a < b + m && b < a + l }
    if l > 0 { return a <= b && b < a + l }
    if m > 0 { return b <= a && a < b + m }
    return a == b
  }
}

extension Rect {
  /// Meets everything that a test lays out.
  static let everything = Rect(
    x: -0x1p1000, y: -0x1p1000, width: 0x1p1001, height: 0x1p1001)

  var bits: SIMD4<UInt64> {
    SIMD4(
      origin.x.bitPattern, origin.y.bitPattern, size.width.bitPattern, size.height.bitPattern)
  }

  /// The rect with its edges at whole points, as the option `integral` has it.
  var inWholePoints: Rect {
    func rounded(_ edge: Double) -> Double {
      let stepped = abs(edge) >= 0x1p42 ? edge : (edge * 1024 + 0.5).rounded(.down) / 1024
      return abs(edge) >= 0x1p52 ? edge : (stepped + 0.5).rounded(.down)
    }
    let (x, y) = (rounded(origin.x), rounded(origin.y))
    return Rect(
      x: x, y: y, width: rounded(origin.x + size.width) - x,
      height: rounded(origin.y + size.height) - y)
  }

  /// Whether the other lies inside, edges included.
  func contains(_ other: Rect) -> Bool {
    origin.x <= other.origin.x && origin.y <= other.origin.y && other.maxX <= maxX
      && other.maxY <= maxY
  }
}

extension PreparedLayout {
  /// The elements that a query delivers, and how far it came.
  func answer(to query: ElementQuery) -> (elements: [Element], end: QueryEnd) {
    var elements: [Element] = []
    let end = forEachElement(in: query) { elements.append(Element($0, $1)) }
    return (elements, end)
  }

  func elements(in rect: Rect) -> [Element] {
    answer(to: ElementQuery(rect: rect)).elements
  }

  var allElements: [Element] { elements(in: .everything) }

  /// The element at an index path, asked for alone.
  func element(_ series: ElementSeries, _ section: Int, _ item: Int) -> Element? {
    guard let index = self.series.firstIndex(of: series) else { return nil }
    return attributes(of: index, at: IndexPath(section: section, item: item))
      .map { Element(series, $0) }
  }

  func cellFrame(_ section: Int, _ item: Int) -> Rect? {
    element(.cells, section, item)?.frame
  }
}

extension PreparedCollection {
  var isHorizontal: Bool { layout.options.text("scrollDirection") == "horizontal" }

  /// Every element, asked for one by one, in the order of delivery.
  ///
  /// There is none behind the last item of a section, or the last section.
  func scannedElements() -> [Element] {
    let itemCounts: [Int]
    switch data {
    case .sections(let sections):
      // Rows that items leave free may be more than the items.
      itemCounts = sections.enumerated().map { section, data in
        let background = (prepared as? SectionStack)?.sections[section].background
        return max(1, data.items.count, background?.count ?? 0)
      }
    case .forest(let forest):
      itemCounts = (0..<forest.depthCount).map { forest.nodes(atDepth: $0).count }
    }
    var elements: [Element] = []
    for (index, series) in prepared.series.enumerated() {
      for (section, count) in itemCounts.enumerated() {
        for item in 0..<count {
          guard let found = prepared.attributes(of: index, at: IndexPath(section, item)) else {
            continue
          }
          elements.append(Element(series, found))
        }
        if prepared.attributes(of: index, at: IndexPath(section, count)) != nil {
          Issue.record("there is an element \(series) at [\(section), \(count)]")
        }
      }
    }
    return elements
  }

  /// What a query selects of elements in the order of delivery.
  func selection(of query: ElementQuery, from elements: [Element]) -> [Element] {
    let isHorizontal = isHorizontal
    return elements.filter { element in
      let swept = element.sweptFrame(isHorizontal: isHorizontal)
      guard query.categories.contains(ElementCategories(element.category)),
        Element.meet(swept, query.rect)
      else { return false }
      return element.pinRange != nil || !(query.known.map { Element.meet(swept, $0) } ?? false)
    }
  }
}
