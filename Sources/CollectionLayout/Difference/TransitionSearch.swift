/// Finds the elements that appear, disappear or move between two versions of a collection.
public struct TransitionSearch: Sendable {
  private let previous: PreparedCollection
  private let next: PreparedCollection
  /// Where the elements of the later version were, and where those of the earlier one are.
  private let before: ElementPlaces
  private let after: ElementPlaces

  /// - Parameters:
  ///   - previous: The earlier version, whose layout may differ.
  ///   - lineage: Which item of the later version is which of the earlier one.
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs of items or nodes.
  public init(
    from previous: PreparedCollection, to next: PreparedCollection, by lineage: DataLineage
  ) {
    self.previous = previous
    self.next = next
    switch (lineage.content, previous.content, next.content) {
    case (.same, _, _): (before, after) = (.same, .same)
    case (.sections(let origins), _, _):
      before = .sections(origins)
      after = .sections(origins.inverse(findingReplaced: true))
    case (.arranged(_, let places), _, _):
      before = .arranged(places)
      after = .arranged(places.inverse)
    case (.forest(let origins), .forest(let old), .forest(let new)):
      before = .forest(origins, from: new.forest, to: old.forest)
      after = .forest(
        origins.inverse(count: old.forest.count), from: old.forest, to: new.forest)
    case (.forest, .sections, _), (.forest, _, .sections):
      // Of one nothing is in the other.
      (before, after) = (.sections([]), .sections([]))
    }
  }

  /// Calls `body` with the transition of each element that intersects the rect before or after. The
  /// elements that intersect it after the change come first, in the order of delivery.
  ///
  /// - Parameters:
  ///   - searched: A part of the rect outside of which nothing differs; `nil` for all of it.
  ///   - categories: Only elements of these.
  ///   - values: Elements differ that have other ones of these.
  ///   - budget: The largest number of elements to visit, unchanged ones included.
  /// - Returns: True if all transitions were found: `body` never returned false, and the budget was
  ///   enough.
  public func forEach(
    in rect: Rect, within searched: Rect? = nil, of categories: ElementCategories = .all,
    comparing values: [ValueKind] = [.data, .text], visiting budget: Int = .max,
    _ body: (CollectionChange.Transition) -> Bool
  ) -> Bool {
    var budgetLeft = budget
    func visit(
      _ collection: PreparedCollection,
      _ body: (ElementSeries, ElementIdentity, LayoutAttributes) -> Bool
    ) -> Bool {
      let prepared = collection.prepared
      return prepared.series.enumerated().allSatisfy { index, series in
        guard categories.contains(ElementCategories(series.category)) else { return true }
        return prepared.forEachElement(of: index, in: searched ?? rect) { attributes in
          guard budgetLeft > 0 else { return false }
          budgetLeft -= 1
          guard prepared.sweptFrame(of: attributes).intersects(rect) else { return true }
          return body(series, prepared.identity(of: index, at: attributes.indexPath), attributes)
        }
      }
    }
    let isComplete = visit(next) { series, identity, to in
      guard let path = before.place(of: to.indexPath, identity),
        let from = previous.attributes(of: series, identity, at: path)
      else { return body(.appearing(series, to: to)) }
      var last = from
      if !values.contains(.data) { last.data = to.data }
      if !values.contains(.text) { last.texts = to.texts }
      return last == to || body(.moving(series, from: from, to: to))
    }
    guard isComplete else { return false }
    return visit(previous) { series, identity, from in
      guard let path = after.place(of: from.indexPath, identity),
        let to = next.attributes(of: series, identity, at: path)
      else { return body(.disappearing(series, from: from)) }
      return next.prepared.sweptFrame(of: to).intersects(rect)
        || body(.moving(series, from: from, to: to))
    }
  }
}

extension PreparedCollection {
  /// The element of a series at an index path, if there is one and it belongs to `identity`.
  fileprivate func attributes(
    of series: ElementSeries, _ identity: ElementIdentity, at indexPath: IndexPath
  ) -> LayoutAttributes? {
    guard let index = prepared.series.firstIndex(of: series),
      prepared.identity(of: index, at: indexPath) == identity
    else { return nil }
    return prepared.attributes(of: index, at: indexPath)
  }
}
