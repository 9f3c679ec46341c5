/// The layout attributes of every element of a collection: computed once, never changed.
///
/// Elements come in ``series``, and in each by index path, which together is the order of
/// delivery: (zIndex, category, element kind, section, item).
public protocol PreparedLayout: Sendable {
  /// The size of everything, not only of what is visible.
  var contentSize: Size { get }
  var counts: ElementCounts { get }
  /// Bytes that the layout holds beyond the collection itself.
  var memoryBytes: Int { get }

  /// The series that the layout has, in the order of delivery; some may be empty.
  var series: [ElementSeries] { get }

  /// Calls `body` with each element of a series that intersects the rect, by ascending index path.
  ///
  /// - Parameters:
  ///   - series: An index into ``series``.
  ///   - start: Elements before this index path are left out.
  ///   - body: Returns whether to go on.
  /// - Returns: Whether `body` let it run to the end.
  /// - Complexity: O(*t* · log *n* + *r*) for *t* tracks that meet the rect and *r* results.
  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath,
    _ body: (LayoutAttributes) -> Bool
  ) -> Bool

  /// The element of a series at an index path, if there is one.
  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes?

  /// What makes an element of a series the same in another version.
  func identity(of series: Int) -> ElementIdentity
}

/// How many elements a layout has, by category.
public struct ElementCounts: Hashable, Sendable {
  public var sections: Int
  public var cells: Int
  public var supplementary: Int
  public var decorations: Int

  public init(sections: Int, cells: Int, supplementary: Int, decorations: Int) {
    self.sections = sections
    self.cells = cells
    self.supplementary = supplementary
    self.decorations = decorations
  }
}

/// What a client asks of a prepared layout.
public struct ElementQuery: Sendable {
  public var rect: Rect
  /// A rect whose elements the client has already: they are left out.
  public var known: Rect?
  public var categories: ElementCategories
  /// At most so many elements.
  public var limit: Int
  /// Where to go on.
  public var start: ElementPosition

  public init(
    rect: Rect, known: Rect? = nil, categories: ElementCategories = .all, limit: Int = .max,
    start: ElementPosition = .first
  ) {
    self.rect = rect
    self.known = known
    self.categories = categories
    self.limit = limit
    self.start = start
  }
}

/// A place in the order of delivery.
public struct ElementPosition: Hashable, Sendable {
  /// An index into the layout's series.
  public var series: Int
  public var indexPath: IndexPath

  public init(series: Int, indexPath: IndexPath) {
    self.series = series
    self.indexPath = indexPath
  }

  public static let first = ElementPosition(
    series: 0, indexPath: IndexPath(section: 0, item: 0))
}

/// How far a query came.
public enum QueryEnd: Equatable, Sendable {
  /// There are no more elements.
  case complete
  /// There are more than the limit; the first of them is here.
  case limitReached(ElementPosition)
  /// More elements would have been visited than the caller had patience for; the first of them is
  /// here.
  case budgetSpent(ElementPosition)
}

extension PreparedLayout {
  /// Calls `body` with each element that the query selects, in the order of delivery.
  ///
  /// - Parameters:
  ///   - budget: The most elements to visit, those that are known included.
  ///   - begin: Called with each series before its elements, if it may have any.
  ///   - body: Returns whether there is room for another element; without, that is the limit.
  public func forEachElement(
    in query: ElementQuery, visiting budget: Int = .max, begin: (ElementSeries) -> Void,
    _ body: (LayoutAttributes) -> Bool
  ) -> QueryEnd {
    if let known = query.known, known.covers(query.rect) { return .complete }
    var remaining = query.limit
    var patience = budget
    var end = QueryEnd.complete
    let series = series
    for index in series.indices.dropFirst(query.start.series)
    where query.categories.contains(ElementCategories(series[index].category)) {
      let start =
        index == query.start.series
        ? query.start.indexPath : ElementPosition.first.indexPath
      begin(series[index])
      let isComplete = forEachElement(of: index, in: query.rect, from: start) { attributes in
        guard patience > 0 else {
          end = .budgetSpent(
            ElementPosition(series: index, indexPath: attributes.indexPath))
          return false
        }
        patience -= 1
        if let known = query.known, attributes.frame.intersects(known) { return true }
        guard remaining > 0 else {
          end = .limitReached(
            ElementPosition(series: index, indexPath: attributes.indexPath))
          return false
        }
        remaining = body(attributes) ? remaining - 1 : 0
        return true
      }
      if !isComplete { break }
    }
    return end
  }

  /// The same, with each element's series beside it.
  public func forEachElement(
    in query: ElementQuery, visiting budget: Int = .max,
    _ body: (ElementSeries, LayoutAttributes) -> Void
  ) -> QueryEnd {
    var series = ElementSeries.cells
    return forEachElement(
      in: query, visiting: budget, begin: { series = $0 },
      { element in
        body(series, element)
        return true
      })
  }
}
