import CollectionLayout
import Dispatch
import Synchronization

/// The memory of a collection with its frames, and the index of ids once it is built.
final class VersionContents: Sendable {
  private let collection: PreparedCollection
  let names: ItemNames

  init(_ collection: PreparedCollection, names: ItemNames) {
    self.collection = collection
    self.names = names
  }

  var memoryBytes: Int { collection.memoryBytes + HeldCollection.overhead + names.memoryBytes }
}

/// The index of the items' ids. It is built when it is first needed. The versions of a session
/// share it until ids change; then the next one begins with what a built index becomes. It holds no
/// collection, because it may outlive that of its first version.
///
/// It is a cache: it can be forgotten at any time, and is built again when it is needed again.
final class ItemNames: Sendable {
  private enum IndexState {
    case unbuilt
    case built(ItemIDIndex?)
  }

  private let state: Mutex<IndexState>
  /// This is locked while the index is being built.
  private let building = Mutex(())

  init() {
    state = Mutex(.unbuilt)
  }

  private init(_ index: ItemIDIndex) {
    state = Mutex(.built(index))
  }

  /// The names after a change of ids; `nil` if the index was not built, or must be built anew.
  ///
  /// - Parameters:
  ///   - lineage: Which item of `data` is which of the version before.
  ///   - data: The collection after the change.
  func following(_ lineage: DataLineage, in data: CollectionData) -> ItemNames? {
    guard case .built(let index?) = state.withLock({ $0 }) else { return nil }
    return index.following(lineage, in: data).map { ItemNames($0) }
  }

  var memoryBytes: Int {
    state.withLock { if case .built(let index) = $0 { index?.memoryBytes ?? 0 } else { 0 } }
  }

  /// Forgets the index.
  ///
  /// - Returns: What to release when nobody waits, because that may take long.
  func forget() -> ItemIDIndex? {
    state.withLock { state in
      guard case .built(let index) = state else { return nil }
      state = .unbuilt
      return index
    }
  }

  var hasIndex: Bool {
    state.withLock { if case .built = $0 { true } else { false } }
  }

  /// The index; `nil` if no item has an id.
  ///
  /// If several threads call this at once, one builds the index and the others wait. The lock of
  /// the state is not held meanwhile, so a thread that only asks for the size does not wait.
  ///
  /// - Parameter data: The collection of any version; the ids are the same in all of them.
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

/// The contents of a held collection, owned by it.
///
/// Freeing a very large collection takes long, and the last reference may belong to a thread that
/// serves others: it deletes or evicts the session, or has answered the last query. So a separate
/// thread frees large contents. Small contents are freed at once.
///
/// Contents that wait for that thread do not count in a session. So the store looks at
/// ``waitingBytes`` before it keeps more. It rarely has to wait: freeing is several times faster
/// than preparing.
struct OwnedContents: ~Copyable, Sendable {
  /// Retained by the initializer. The other thread releases only this reference, so this thread
  /// never has the last one.
  private let contents: Unmanaged<VersionContents>

  init(_ collection: PreparedCollection, names: ItemNames) {
    contents = .passRetained(VersionContents(collection, names: names))
  }

  deinit {
    let bytes = borrowed { $0.memoryBytes }
    guard bytes > Self.smallBytes else { return contents.release() }
    Self.waiting.add(bytes, ordering: .relaxed)
    Self.disposal.async { [contents] in
      contents.release()
      Self.waiting.subtract(bytes, ordering: .relaxed)
    }
  }

  borrowing func borrowed<R>(_ body: (VersionContents) -> R) -> R {
    contents._withUnsafeGuaranteedRef(body)
  }

  /// The size up to which contents are freed at once, in bytes.
  private static let smallBytes = 1 << 20
  private static let disposal = DispatchQueue(label: "layoutd.disposal")
  private static let waiting = Atomic(0)

  /// The memory of contents that are not freed yet, of all stores, in bytes.
  static var waitingBytes: Int { waiting.load(ordering: .relaxed) }

  /// Waits until all contents are freed that wait now.
  static func waitForDisposal() {
    disposal.sync {}
  }
}
