/// What a client asks of a prepared layout.
public struct ElementQuery: Sendable {
  /// What is shown, in points, in the content's coordinates.
  public var rect: Rect
  /// A rect whose elements the client has already: they are left out.
  public var known: Rect?
  /// The kinds of elements that are wanted.
  public var categories: ElementCategories
  /// At most so many elements; ≥ 0.
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

extension ElementQuery {
  /// Calls `body` with the elements of a layout that the query selects, in the order of delivery,
  /// some dozens of one series at a time.
  ///
  /// - Parameters:
  ///   - budget: The most elements to visit, those that are known included; ≥ 0.
  ///   - begin: Called with each series before its elements, if it may have any.
  ///   - body: Returns how many of the elements it took, the first; if not all, that is the limit.
  public func forEachBatch(
    of layout: any PreparedLayout, visiting budget: Int = .max, begin: (ElementSeries) -> Void,
    _ body: (Span<PlacedElement>) -> Int
  ) -> QueryEnd {
    precondition(limit >= 0, "a limit is no less than 0, was \(limit)")
    precondition(budget >= 0, "a budget is no less than 0, was \(budget)")
    if let known, known.covers(rect), !layout.hasPinnedElements { return .complete }
    // Of what lies before the first section or item there is nothing.
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
  /// Calls `body` with each element the query selects and its series, in the order of delivery.
  ///
  /// - Parameter budget: The most elements to visit, those that are known included; ≥ 0.
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

  /// Calls `body` with each element of a series that intersects the rect, by ascending index path.
  ///
  /// - Parameters:
  ///   - series: An index into ``series``.
  ///   - body: Returns whether to go on.
  /// - Returns: Whether `body` let it run to the end.
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

  private func attributes(
    _ element: PlacedElement, in series: ElementSeries
  ) -> LayoutAttributes {
    let mayHaveID = series.category == .cell && hasIDs(inSection: element.indexPath.section)
    return LayoutAttributes(element, id: mayHaveID ? id(ofItemAt: element.indexPath) : nil)
  }
}
