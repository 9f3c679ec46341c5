public import CollectionLayout

/// Which areas the last changes of a layout touched.
public struct ChangeHistory: Sendable {
  /// How many changes are remembered.
  public static let capacity = 64

  /// The areas of the last changes, the latest last; `nil` for a change that touched nothing.
  private var areas: [Rect?] = []

  init() {}

  /// The history after one more change.
  func adding(_ area: Rect?) -> ChangeHistory {
    var history = self
    if areas.count == Self.capacity { history.areas.removeFirst() }
    history.areas.append(area)
    return history
  }

  /// Whether a frame that any of the last `count` changes made another may intersect a rect.
  public func touches(_ rect: Rect, inLast count: Int) -> Bool {
    guard count <= areas.count else { return true }
    return areas.suffix(count).contains { area in
      guard let area else { return false }
      // A frame in the area may have no extent, and lie at its far edges.
      return !rect.horizontal.ends(before: area.origin.x) && rect.origin.x <= area.maxX
        && !rect.vertical.ends(before: area.origin.y) && rect.origin.y <= area.maxY
    }
  }
}
