/// The difference between two versions of a collection.
public struct CollectionChange: Sendable {
  /// The version before.
  public let previous: PreparedCollection
  /// The version after.
  public let next: PreparedCollection
  /// A rect that holds the old and the new frame of every element whose attributes or index path
  /// differ. A pinned element counts with all positions. The edges are whole numbers.
  ///
  /// It is `nil` if no element differs. There are two exceptions, in which there is a rect although
  /// nothing differs: moves of an item and of its section that cancel each other, and a deleted
  /// item that an equal one replaces.
  public let invalidatedRect: Rect?
  /// Like ``invalidatedRect``, but without pinned elements. Clients get those with every answer.
  public let invalidatedRectBesidePins: Rect?
  /// Whether every item with an id still has the same id and index path. Then an ``ItemIDIndex`` of
  /// the previous version also serves the next one. It may be false although this is the case.
  public let keepsNames: Bool
  /// Which item of the version after is which of the version before.
  public let lineage: DataLineage
  private let search: TransitionSearch

  /// The change from one version of a collection to a later one, whose layouts may differ.
  ///
  /// - Parameters:
  ///   - lineage: Which item of the later version is which of the earlier one.
  ///   - keepsNames: As ``keepsNames``.
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs of items; O(*n*) for *n*
  ///   nodes.
  public init(
    from previous: PreparedCollection, to next: PreparedCollection, by lineage: DataLineage,
    keepsNames: Bool = false
  ) {
    self.previous = previous
    self.next = next
    self.lineage = lineage
    self.keepsNames = keepsNames || lineage.isSame
    let area = Self.area(previous, next, lineage)
    search = TransitionSearch(from: previous, to: next, by: lineage)
    invalidatedRect = area.rect
    invalidatedRectBesidePins = area.rectBesidePins
  }

  private static func area(
    _ previous: PreparedCollection, _ next: PreparedCollection, _ lineage: DataLineage
  ) -> InvalidatedArea {
    switch lineage.content {
    case .same:
      let isEqual = previous.prepared.isEqual(to: next.prepared)
      return isEqual ? .none : InvalidatedArea(previous.prepared, next.prepared)
    case .sections(let origins):
      guard let old = previous.prepared as? SectionStack,
        let new = next.prepared as? SectionStack
      else { preconditionFailure("sections are laid out by a stack") }
      return old.metrics == new.metrics
        ? InvalidatedArea(old, new, origins: origins) : InvalidatedArea(old, new)
    case .forest(let toPrevious):
      guard let old = previous.prepared as? any PreparedTree,
        let new = next.prepared as? any PreparedTree
      else { preconditionFailure("a forest is laid out by a tree") }
      return old.layout == new.layout
        ? InvalidatedArea(
          old, new, toPrevious: toPrevious, toNext: toPrevious.inverse(count: old.forest.count))
        : InvalidatedArea(old, new)
    }
  }

  /// An element that appears, disappears or moves.
  ///
  /// This is the answer to `initialLayoutAttributesForAppearingItem` and its counterparts.
  public enum Transition: Sendable {
    case appearing(ElementSeries, to: LayoutAttributes)
    case disappearing(ElementSeries, from: LayoutAttributes)
    case moving(ElementSeries, from: LayoutAttributes, to: LayoutAttributes)
  }

  /// Calls `body` with the transition of each element that intersects the rect before or after. The
  /// elements that intersect it after the change come first, in the order of delivery.
  ///
  /// - Parameter budget: The largest number of elements to visit, unchanged ones included.
  /// - Returns: True if all transitions were found: `body` never returned false, and the budget was
  ///   enough.
  public func forEachTransition(
    in rect: Rect, visiting budget: Int = .max, _ body: (Transition) -> Bool
  ) -> Bool {
    // All differences lie in the invalidated rect, before and after.
    guard let searched = invalidatedRect?.searchArea(within: rect) else { return true }
    return search.forEach(in: rect, within: searched, visiting: budget, body)
  }
}

extension Rect {
  /// The part of another rect in which to look for frames that this rect holds; `nil` if there can
  /// be none. It is at least one point wider than needed, because a frame at the edge may have no
  /// extent.
  fileprivate func searchArea(within other: Rect) -> Rect? {
    let x = max((origin.x - 1).roundedDownForSearch, other.origin.x)
    let y = max((origin.y - 1).roundedDownForSearch, other.origin.y)
    let width = min((maxX + 1).roundedUpForFrames, other.maxX) - x
    let height = min((maxY + 1).roundedUpForFrames, other.maxY) - y
    return width >= 0 && height >= 0 ? Rect(x: x, y: y, width: width, height: height) : nil
  }
}
