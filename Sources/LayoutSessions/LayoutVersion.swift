public import CollectionLayout
import Synchronization

/// One version of a session's layout; all that clients see of it is immutable.
public final class LayoutVersion: Sendable {
  public let id: SessionID
  /// The id as it stands in answers.
  public let idText: [UInt8]
  /// Counts from 1.
  public let number: Int
  public let collection: PreparedCollection
  public let createdUnixTime: Int
  /// What changed lately, up to this version.
  public let history: ChangeHistory
  /// Built by the first request that needs it.
  private let idIndex = Mutex(IDIndexState.unbuilt)

  private enum IDIndexState {
    case unbuilt
    case built(ItemIDIndex?)
  }

  init(
    id: SessionID, number: Int, collection: PreparedCollection, createdUnixTime: Int,
    history: ChangeHistory = ChangeHistory()
  ) {
    self.id = id
    idText = id.text
    self.number = number
    self.collection = collection
    self.createdUnixTime = createdUnixTime
    self.history = history
  }

  /// What the version holds, with the index of names if it has been built.
  ///
  /// What it shares with versions before and after is counted in full.
  public var memoryBytes: Int {
    let index =
      idIndex.withLock { if case .built(let index) = $0 { index?.memoryBytes ?? 0 } else { 0 } }
    return collection.memoryBytes + index + 512
  }

  /// Whether the index of the items' names is there already.
  public var hasBuiltItemIDs: Bool {
    idIndex.withLock { if case .built = $0 { true } else { false } }
  }

  /// The index of the items' names; `nil` when no item has one.
  ///
  /// Built outside the lock, so that nobody waits for it who only asks for the version's size; two
  /// that come at once both build it.
  ///
  /// - Complexity: O(*n*) for the first call, O(1) after it.
  func itemIDs() -> ItemIDIndex? {
    if case .built(let index) = idIndex.withLock({ $0 }) { return index }
    let index = ItemIDIndex(collection.data)
    idIndex.withLock { $0 = .built(index) }
    return index
  }
}

/// Which areas the last changes of a layout touched.
public struct ChangeHistory: Sendable {
  /// How many changes are remembered.
  public static let capacity = 64

  /// The areas of the last changes, the latest last; `nil` for a change that touched nothing.
  private var areas: [Rect?] = []

  public init() {}

  /// The history after one more change.
  func adding(_ area: Rect?) -> ChangeHistory {
    var history = self
    if areas.count == Self.capacity { history.areas.removeFirst() }
    history.areas.append(area)
    return history
  }

  /// Whether any of the last `count` changes touched an area, or may have.
  public func touches(_ rect: Rect, inLast count: Int) -> Bool {
    guard count <= areas.count else { return true }
    return areas.suffix(count).contains { area in
      guard let area else { return false }
      // Edges count, so that an element of no height at the area's edge does too.
      return area.origin.x <= rect.maxX && rect.origin.x <= area.maxX
        && area.origin.y <= rect.maxY && rect.origin.y <= area.maxY
    }
  }
}
