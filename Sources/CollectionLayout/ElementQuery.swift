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
  /// Calls `body` with the elements that the query selects, in the order of delivery, some dozens of
  /// one series at a time.
  ///
  /// - Parameters:
  ///   - budget: The most elements to visit, those that are known included.
  ///   - begin: Called with each series before its elements, if it may have any.
  ///   - body: Returns how many of the elements it took, the first ones; when not all, that is the limit.
  public func forEachBatch(
    in query: ElementQuery, visiting budget: Int = .max, begin: (ElementSeries) -> Void,
    _ body: (Span<PlacedElement>) -> Int
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
      let take = { (found: UnsafeMutableBufferPointer<PlacedElement>) in
        let visited = min(found.count, patience)
        patience -= visited
        let wanted = query.known.map { found.keep(first: visited, outside: $0) } ?? visited
        let offered = min(wanted, remaining)
        let taken = offered == 0 ? 0 : body(found.extracting(..<offered).span)
        remaining -= taken
        if taken < wanted {
          end = .limitReached(ElementPosition(series: index, indexPath: found[taken].indexPath))
        } else if visited < found.count {
          end = .budgetSpent(ElementPosition(series: index, indexPath: found[visited].indexPath))
        }
        return end == .complete
      }
      let isComplete = ElementSink.collect(
        { forEachElement(of: index, in: query.rect, from: start, into: &$0) }, take)
      if !isComplete { break }
    }
    return end
  }

  /// Calls `body` with each element that the query selects and its series, in the order of delivery.
  public func forEachElement(
    in query: ElementQuery, visiting budget: Int = .max,
    _ body: (ElementSeries, LayoutAttributes) -> Void
  ) -> QueryEnd {
    var series = ElementSeries.cells
    return forEachBatch(
      in: query, visiting: budget, begin: { series = $0 },
      { elements in
        for index in elements.indices { body(series, attributes(elements[index], in: series)) }
        return elements.count
      })
  }

  /// Calls `body` with each element of a series that intersects the rect, by ascending index path.
  ///
  /// - Parameters:
  ///   - series: An index into ``series``.
  ///   - start: Elements before this index path are left out.
  ///   - body: Returns whether to go on.
  /// - Returns: Whether `body` let it run to the end.
  func forEachElement(
    of series: Int, in rect: Rect, from start: IndexPath, _ body: (LayoutAttributes) -> Bool
  ) -> Bool {
    ElementSink.collect(
      { forEachElement(of: series, in: rect, from: start, into: &$0) },
      { $0.allSatisfy { body(attributes($0, in: self.series[series])) } })
  }

  private func attributes(
    _ element: PlacedElement, in series: ElementSeries
  ) -> LayoutAttributes {
    let mayHaveID = series.category == .cell && hasIDs(inSection: element.indexPath.section)
    return LayoutAttributes(element, id: mayHaveID ? id(ofItemAt: element.indexPath) : nil)
  }
}

extension UnsafeMutableBufferPointer<PlacedElement> {
  /// Moves those of the first elements that do not intersect a rect to the front.
  ///
  /// - Returns: How many they are.
  fileprivate func keep(first count: Int, outside known: Rect) -> Int {
    var kept = 0
    for index in 0..<count where !self[index].frame.intersects(known) {
      self[kept] = self[index]
      kept += 1
    }
    return kept
  }
}
