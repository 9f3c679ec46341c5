public import CollectionLayout

/// The last changes of a layout: what they touched, and which versions they began with.
public struct ChangeHistory: Sendable {
  /// The number of changes that are stored.
  public static let capacity = 64

  private struct Change: Sendable {
    /// `nil` for a change without an area.
    let area: Rect?
    /// The hash in the tag of the version before; `nil` if nobody was shown that version.
    let hash: UInt32?
  }

  /// The last changes, the latest last.
  private var changes: [Change] = []

  init() {}

  /// The memory of the changes, in bytes.
  var memoryBytes: Int { changes.count * MemoryLayout<Change>.stride }

  /// The history after one more change.
  ///
  /// - Parameter hash: Of the tag of the version before.
  func adding(_ area: Rect?, after hash: UInt32?) -> ChangeHistory {
    var history = self
    if changes.count == Self.capacity { history.changes.removeFirst() }
    history.changes.append(Change(area: area, hash: hash))
    return history
  }

  /// The hash in the tag of the version before the last `count` changes, ≥ 1; `nil` if it is not
  /// known.
  public func hash(beforeLast count: Int) -> UInt32? {
    count <= changes.count ? changes[changes.count - count].hash : nil
  }

  /// Whether the areas of the last `count` changes are stored.
  public func knows(last count: Int) -> Bool { count <= changes.count }

  /// A rect that holds the areas of the last `count` changes; `nil` if they have none.
  ///
  /// - Precondition: They are stored.
  public func area(ofLast count: Int) -> Rect? {
    changes.suffix(count).reduce(nil) { union, change in
      guard let area = change.area else { return union }
      guard let union else { return area }
      let x = min(union.origin.x, area.origin.x)
      let y = min(union.origin.y, area.origin.y)
      return Rect(
        x: x, y: y, width: max(union.maxX, area.maxX) - x, height: max(union.maxY, area.maxY) - y)
    }
  }

  /// Whether a frame that changed in one of the last `count` changes may intersect a rect. The
  /// answer is true if that many changes are not stored.
  public func touches(_ rect: Rect, inLast count: Int) -> Bool {
    guard count <= changes.count else { return true }
    return changes.suffix(count).contains { change in
      guard let area = change.area else { return false }
      // A frame in the area may have no extent and lie at the area's far edges.
      return !rect.horizontal.ends(before: area.origin.x) && rect.origin.x <= area.maxX
        && !rect.vertical.ends(before: area.origin.y) && rect.origin.y <= area.maxY
    }
  }
}
