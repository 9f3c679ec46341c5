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

  static func cell(
    _ section: Int, _ item: Int, _ frame: Rect, id: String? = nil, children: [IndexPath] = []
  ) -> Element {
    Element(
      category: .cell, section: section, item: item, frame: frame, id: id, children: children)
  }

  static func supplementary(
    _ kind: String, _ section: Int, _ item: Int, _ frame: Rect, children: [IndexPath] = []
  ) -> Element {
    Element(
      category: .supplementary, kind: kind, section: section, item: item, frame: frame,
      children: children)
  }

  static func background(_ section: Int, _ item: Int, _ frame: Rect) -> Element {
    Element(
      category: .decoration, kind: "background", section: section, item: item, frame: frame)
  }

  var description: String {
    let (origin, size) = (frame.origin, frame.size)
    let name = kind ?? category.rawValue
    let suffix = (id.map { " \"\($0)\"" } ?? "") + (children.isEmpty ? "" : " \(children)")
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
  }

  /// Whether the element's frame shares a point with the rect, by the rule for all kinds.
  func isIn(_ rect: Rect) -> Bool {
    Self.meet(frame.origin.x, frame.size.width, rect.origin.x, rect.size.width)
      && Self.meet(frame.origin.y, frame.size.height, rect.origin.y, rect.size.height)
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
