import CollectionLayout
import Dispatch
import Synchronization

/// What a version holds in memory: its collection, and the index of names once that is built.
final class VersionContents: Sendable {
  private let collection: PreparedCollection
  let names: ItemNames

  /// - Parameter names: Those of the version before, where they are the same; `nil` for others.
  init(_ collection: PreparedCollection, names: ItemNames? = nil) {
    self.collection = collection
    self.names = names ?? ItemNames()
  }

  var memoryBytes: Int { collection.memoryBytes + names.memoryBytes + 512 }
}

/// The index of items' names, built by the first who needs it: the versions of a session have it in
/// common until names change. It holds no collection, since it may outlive that of its first
/// version.
final class ItemNames: Sendable {
  private enum IndexState {
    case unbuilt
    case built(ItemIDIndex?)
  }

  private let state = Mutex(IndexState.unbuilt)
  /// Held while the index is being built.
  private let building = Mutex(())

  var memoryBytes: Int {
    state.withLock { if case .built(let index) = $0 { index?.memoryBytes ?? 0 } else { 0 } }
  }

  var hasIndex: Bool {
    state.withLock { if case .built = $0 { true } else { false } }
  }

  /// The index; `nil` when no item has a name.
  ///
  /// Of those who come at once one builds it, and the others wait for that one. The lock on the
  /// state is not held meanwhile, so that nobody waits who only asks for its size.
  ///
  /// - Parameter data: The names are the same in all versions.
  func index(of data: CollectionData) -> ItemIDIndex? {
    if case .built(let index) = state.withLock({ $0 }) { return index }
    return building.withLock { _ in
      switch state.withLock({ $0 }) {
      case .built(let index): return index
      case .unbuilt:
        let index = ItemIDIndex(data)
        state.withLock { $0 = .built(index) }
        return index
      }
    }
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

  init(_ collection: PreparedCollection, names: ItemNames?) {
    contents = .passRetained(VersionContents(collection, names: names))
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
