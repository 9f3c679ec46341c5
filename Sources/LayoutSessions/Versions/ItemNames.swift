import CollectionLayout
import Synchronization

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
