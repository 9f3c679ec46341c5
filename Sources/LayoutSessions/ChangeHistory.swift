public import CollectionLayout

/// The areas of the last changes of a layout.
public struct ChangeHistory: Sendable {
  /// The number of changes that are stored.
  public static let capacity = 64

  /// The areas of the last changes, the latest last; `nil` for a change without an area.
  private var areas: [Rect?] = []

  init() {}

  /// The history after one more change.
  func adding(_ area: Rect?) -> ChangeHistory {
    var history = self
    if areas.count == Self.capacity { history.areas.removeFirst() }
    history.areas.append(area)
    return history
  }

  /// Whether a frame that changed in one of the last `count` changes may intersect a rect. The
  /// answer is true if that many changes are not stored.
  public func touches(_ rect: Rect, inLast count: Int) -> Bool {
    guard count <= areas.count else { return true }
    return areas.suffix(count).contains { area in
      guard let area else { return false }
      // A frame in the area may have no extent and lie at the area's far edges.
      return !rect.horizontal.ends(before: area.origin.x) && rect.origin.x <= area.maxX
        && !rect.vertical.ends(before: area.origin.y) && rect.origin.y <= area.maxY
    }
  }
}
