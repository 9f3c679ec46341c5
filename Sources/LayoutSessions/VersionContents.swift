import CollectionLayout
import Dispatch
import Synchronization

/// What a version holds in memory: its collection, and the index of names once that is built.
final class VersionContents: Sendable {
  private let collection: PreparedCollection
  /// Built by the first request that needs it.
  private let idIndex = Mutex(IDIndexState.unbuilt)

  private enum IDIndexState {
    case unbuilt
    case built(ItemIDIndex?)
  }

  init(_ collection: PreparedCollection) {
    self.collection = collection
  }

  var memoryBytes: Int {
    let index =
      idIndex.withLock { if case .built(let index) = $0 { index?.memoryBytes ?? 0 } else { 0 } }
    return collection.memoryBytes + index + 512
  }

  var hasBuiltItemIDs: Bool {
    idIndex.withLock { if case .built = $0 { true } else { false } }
  }

  func itemIDs() -> ItemIDIndex? {
    if case .built(let index) = idIndex.withLock({ $0 }) { return index }
    let index = ItemIDIndex(collection.data)
    idIndex.withLock { $0 = .built(index) }
    return index
  }
}

/// The contents of a version for as long as it lives.
///
/// A million sections take half a second to free, and the last who refers to a version may be a
/// thread that serves others: it deletes the session, evicts it, or has answered the last query. So
/// large contents are freed by a thread of their own, and small ones at once.
///
/// What waits for that thread is counted nowhere any more: where all sessions end at once, and as
/// many come in their place, the process holds twice what their limits say for a while. It is one
/// thread for all, but takes about an eighth of the time to free a million sections that a worker
/// took to prepare them. So it takes more workers than that, busy with nothing but layouts that end
/// at once, to get ahead of it for good.
struct OwnedContents: ~Copyable, Sendable {
  /// Retained by the initializer. No reference but this one is given up by the other thread, so
  /// that none is left here that could turn out to be the last.
  private let contents: Unmanaged<VersionContents>

  init(_ collection: PreparedCollection) {
    contents = .passRetained(VersionContents(collection))
  }

  deinit {
    guard borrowed({ $0.memoryBytes }) > Self.smallBytes else { return contents.release() }
    Self.disposal.async { [contents] in contents.release() }
  }

  borrowing func borrowed<R>(_ body: (VersionContents) -> R) -> R {
    contents._withUnsafeGuaranteedRef(body)
  }

  /// What takes up to some hundred microseconds to free.
  private static let smallBytes = 1 << 20
  private static let disposal = DispatchQueue(label: "layoutd.disposal")
}
