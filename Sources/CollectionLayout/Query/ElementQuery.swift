/// A question of a client to a prepared layout: which elements are in a rect?
public struct ElementQuery: Sendable {
  /// The visible rect, in points, in the content's coordinates.
  public var rect: Rect
  /// A rect whose elements the client already has. They are left out, except pinned elements.
  public var known: Rect?
  /// The wanted categories.
  public var categories: ElementCategories
  /// The largest number of elements to deliver, ≥ 0.
  public var limit: Int
  /// The position at which to begin, for example after an earlier page.
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
  /// An index into the `series` of the layout.
  public var series: Int
  /// The index path in this series.
  public var indexPath: IndexPath

  public init(series: Int, indexPath: IndexPath) {
    self.series = series
    self.indexPath = indexPath
  }

  /// Before all elements.
  public static let first = ElementPosition(
    series: 0, indexPath: IndexPath(section: 0, item: 0))
}

/// How a query ended.
public enum QueryEnd: Equatable, Sendable {
  /// All elements were delivered.
  case complete
  /// There are more elements than the limit. This is the position of the first that was left out.
  case limitReached(ElementPosition)
  /// The caller's budget of visits was spent. This is the position of the first element that was
  /// not visited.
  case budgetSpent(ElementPosition)
}

extension ElementQuery {
  /// Calls `body` with the elements that the query selects, in the order of delivery. Each call
  /// gets up to some dozens of elements of one series.
  ///
  /// - Parameters:
  ///   - budget: The largest number of elements to visit, known ones included; ≥ 0.
  ///   - begin: Is called with a series before its elements. The series may turn out to be empty.
  ///   - body: Returns how many of the elements it took, from the first on. If it did not take all,
  ///     the query ends as if its limit were reached.
  public func forEachBatch(
    of layout: any PreparedLayout, visiting budget: Int = .max, begin: (ElementSeries) -> Void,
    _ body: (Span<PlacedElement>) -> Int
  ) -> QueryEnd {
    precondition(limit >= 0, "a limit is no less than 0, was \(limit)")
    precondition(budget >= 0, "a budget is no less than 0, was \(budget)")
    if let known, known.covers(rect), !layout.hasPinnedElements { return .complete }
    // There is nothing before the first section and the first item.
    let first =
      start.indexPath.section < 0
      ? ElementPosition.first.indexPath
      : IndexPath(section: start.indexPath.section, item: max(0, start.indexPath.item))
    return FrameSink.with(self, visiting: budget, body) { sink in
      var next = start.series
      while let kind = layout.series(at: next) {
        let series = next
        next += 1
        guard categories.contains(ElementCategories(kind.category)) else { continue }
        let isFirst = series == start.series
        begin(kind)
        layout.offerElements(
          of: series, in: rect,
          from: isFirst ? first : ElementPosition.first.indexPath, to: &sink)
        _ = sink.flush()
        switch sink.end {
        case nil: continue
        case .limitReached(let path):
          return .limitReached(ElementPosition(series: series, indexPath: path))
        case .budgetSpent(let path):
          return .budgetSpent(ElementPosition(series: series, indexPath: path))
        }
      }
      return .complete
    }
  }
}

extension PreparedLayout {
  /// Calls `body` with each selected element and its series, in the order of delivery.
  ///
  /// - Parameter budget: The largest number of elements to visit, known ones included; ≥ 0.
  public func forEachElement(
    in query: ElementQuery, visiting budget: Int = .max,
    _ body: (ElementSeries, LayoutAttributes) -> Void
  ) -> QueryEnd {
    var series = ElementSeries.cells
    return query.forEachBatch(
      of: self, visiting: budget, begin: { series = $0 },
      { elements in
        for index in elements.indices { body(series, attributes(elements[index], in: series)) }
        return elements.count
      })
  }

  /// Calls `body` with each element of a series that intersects the rect, in ascending order of
  /// index paths.
  ///
  /// - Parameters:
  ///   - series: An index into ``series``.
  ///   - body: Returns whether to continue.
  /// - Returns: Whether `body` always returned true.
  func forEachElement(
    of series: Int, in rect: Rect, _ body: (LayoutAttributes) -> Bool
  ) -> Bool {
    let kind = self.series[series]
    func take(_ elements: Span<PlacedElement>) -> Int {
      elements.indices.first { !body(attributes(elements[$0], in: kind)) } ?? elements.count
    }
    return FrameSink.with(ElementQuery(rect: rect), visiting: .max, take) { sink in
      offerElements(
        of: series, in: rect, from: IndexPath(section: 0, item: 0), to: &sink)
      return sink.flush()
    }
  }

  /// The attributes of an element, with what its layout knows of it.
  func attributes(
    _ element: PlacedElement, in series: ElementSeries
  ) -> LayoutAttributes {
    let mayHaveID = series.category == .cell && hasIDs(inSection: element.indexPath.section)
    let path = element.indexPath
    return LayoutAttributes(
      indexPath: path, frame: element.frame, id: mayHaveID ? id(ofItemAt: path) : nil,
      children: element.children, pinRange: element.pinRange, hidden: element.hidden,
      card: series.category == .cell ? cardContent(ofItemAt: path) : nil,
      data: data(of: series, at: path),
      texts: series.category == .cell ? texts(ofItemAt: path) : nil,
      marks: series.category == .cell && marksCells ? marks(ofItemAt: path) : [])
  }
}
