public import CollectionLayout

/// The last changes of a layout: what they touched, and which versions they began with.
public struct ChangeHistory: Sendable {
  /// The number of changes that are stored.
  public static let capacity = 64

  private struct Change: Sendable {
    /// What the change touched, without pinned elements.
    let area: InvalidatedRects
    /// The hash in the tag of the version before; `nil` if nobody was shown that version.
    let hash: UInt32?
  }

  /// The last changes, the latest last.
  private var changes: [Change] = []

  init() {}

  /// The memory of the changes, in bytes.
  var memoryBytes: Int { changes.count * MemoryLayout<Change>.stride + areaBytes }

  /// The memory of what the changes touched, in bytes: all but a list that has a bound.
  var areaBytes: Int { changes.reduce(0) { $0 + $1.area.memoryBytes } }

  /// The history after one more change.
  ///
  /// - Parameter hash: Of the tag of the version before.
  func adding(_ area: InvalidatedRects, after hash: UInt32?) -> ChangeHistory {
    var history = self
    if changes.count == Self.capacity { history.changes.removeFirst() }
    history.changes.append(Change(area: area, hash: hash))
    return history
  }

  /// This history, followed by the last changes of another history. If the other history does not
  /// have so many, the result is empty.
  ///
  /// - Parameter hash: The hash in the tag of the version before. Nobody was shown the versions
  ///   between.
  func adding(last count: Int, of other: ChangeHistory, after hash: UInt32?) -> ChangeHistory {
    guard other.knows(last: count) else { return ChangeHistory() }
    var (history, hash) = (self, hash)
    for change in other.changes.suffix(count) {
      history = history.adding(change.area, after: hash)
      hash = nil
    }
    return history
  }

  /// The hash in the tag of the version before the last `count` changes, ≥ 1; `nil` if it is not
  /// known.
  public func hash(beforeLast count: Int) -> UInt32? {
    count <= changes.count ? changes[changes.count - count].hash : nil
  }

  /// Whether the areas of the last `count` changes are stored.
  public func knows(last count: Int) -> Bool { count <= changes.count }

  /// What the last `count` changes touched.
  ///
  /// - Precondition: They are stored.
  public func area(ofLast count: Int) -> InvalidatedRects {
    .union(changes.suffix(count).lazy.map(\.area))
  }

  /// Whether a frame that changed in one of the last `count` changes may intersect a rect. The
  /// answer is true if that many changes are not stored.
  ///
  /// - Parameter values: With which of an item or a section its frame changes, too.
  public func touches(
    _ rect: Rect, with values: [ValueKind] = [], inLast count: Int
  ) -> Bool {
    count > changes.count
      || changes.suffix(count).contains { $0.area.touch(rect, with: values) }
  }
}
