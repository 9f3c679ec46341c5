/// The difference between two versions of a collection.
public struct CollectionChange: Sendable {
  /// The version before.
  public let previous: PreparedCollection
  /// The version after.
  public let next: PreparedCollection
  /// Rects that hold the old and the new frame of every element whose attributes or index path
  /// differ. A pinned element counts with all positions. An item that comes, goes or changes its
  /// place always differs, even if an equal one is where it was.
  public let invalidatedRects: InvalidatedRects
  /// Like ``invalidatedRects``, but without pinned elements. Clients get those with every answer.
  public let invalidatedRectsBesidePins: InvalidatedRects
  /// The smallest rect that holds all ``invalidatedRects``; `nil` if nothing differs.
  public var invalidatedRect: Rect? { invalidatedRects.boundingBox }
  /// Whether every item with an id still has the same id and index path. Then an ``ItemIDIndex`` of
  /// the previous version also serves the next one. It may be false although this is the case.
  public let keepsIDs: Bool
  /// Which item of the version after is which of the version before.
  public let lineage: DataLineage
  /// The ids that no item had, each once, of updates that do nothing then; `nil` without any such
  /// update.
  public let missing: [String]?

  /// The change from one version of a collection to a later one, whose layouts may differ.
  ///
  /// - Parameters:
  ///   - lineage: Which item of the later version is which of the earlier one.
  ///   - keepsIDs: As ``keepsIDs``.
  ///   - compared: Which items may differ, if the lineage of the data does not say so.
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs of items; O(*n*) for *n*
  ///   nodes.
  public init(
    from previous: PreparedCollection, to next: PreparedCollection, by lineage: DataLineage,
    keepsIDs: Bool = false, comparing compared: DataLineage? = nil, missing: [String]? = nil
  ) {
    self.missing = missing
    self.previous = previous
    self.next = next
    self.lineage = lineage
    self.keepsIDs = keepsIDs || lineage.isSame
    let area = Self.area(previous, next, compared ?? lineage)
    invalidatedRects = area.rects
    invalidatedRectsBesidePins = area.rectsBesidePins
  }

  private static func area(
    _ previous: PreparedCollection, _ next: PreparedCollection, _ lineage: DataLineage
  ) -> InvalidatedArea {
    if lineage.isSame, previous.content.isEqual(to: next.content) { return InvalidatedArea() }
    switch (previous.content, next.content) {
    case (.sections(let old), .sections(let new)):
      return StackComparison(old, new, origins: lineage.sections).area
    case (.forest(let old), .forest(let new))
    where previous.layout.kind == next.layout.kind:
      return new.area(from: old, lineage.nodes)
    case (.forest, _), (.sections, .forest):
      // Of one nothing is in the other.
      var area = InvalidatedArea()
      area.include(previous.prepared.contentFrame)
      area.include(next.prepared.contentFrame)
      return area
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
    return TransitionSearch(from: previous, to: next, by: lineage)
      .forEach(in: rect, within: searched, visiting: budget, body)
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
