import CollectionLayout
import Synchronization

/// What frames are made by, beside the data: kind, bounds and options. All layouts of a document
/// that have the same key share their frames.
///
/// To hash and to compare options may take long. So both are done outside of the lock of the
/// sessions. Under the lock, a key is known by its object.
final class FramesKey: Sendable {
  let layout: GivenLayout
  /// Of the layout. Nobody outside of this process can tell which layouts have the same hash.
  let hash: Int
  let memoryBytes: Int
  /// No other object has it.
  let id = lastID.add(1, ordering: .relaxed).newValue
  /// Whether sizes were measured in the layout, or something is folded. Then it is the only one:
  /// nobody compares that.
  let isOwn: Bool

  init(_ layout: GivenLayout, isOwn: Bool = false) {
    self.layout = layout
    self.isOwn = isOwn
    hash = layout.hashValue
    memoryBytes = layout.memoryBytes + 96
  }

  private static let lastID = Atomic(0)

  /// That of slots without frames.
  static let none = FramesKey(GivenLayout(kind: LayoutKind.all[0]))
}

extension SessionStore {
  /// The key of a layout's frames: that of equal layouts of a document, or a new one.
  ///
  /// - Parameter id: Of the document.
  func framesKey(_ layout: GivenLayout, in id: SessionID) -> FramesKey {
    let key = FramesKey(layout)
    let known = state.withLock { state in
      state.places[id].flatMap { state.documents[state.layouts[$0].document].frames[key.hash] }?
        .map { state.frames[$0].key } ?? []
    }
    return known.first { !$0.isOwn && $0.layout == layout } ?? key
  }

  /// The key of a layout's frames after a change.
  ///
  /// - Parameter isOfData: Whether the change leaves the layout's own.
  func framesKey(
    _ collection: PreparedCollection, after current: LayoutVersion, isOfData: Bool
  ) -> FramesKey {
    guard collection.hasOwnState else {
      return framesKey(collection.layout, in: current.documentID)
    }
    let last = state.withLock { state in
      state.places[current.id].map { state.frames[state.layouts[$0].frames].key }
    }
    if isOfData, let last, last.isOwn, last.layout == collection.layout { return last }
    return FramesKey(collection.layout, isOwn: true)
  }
}
