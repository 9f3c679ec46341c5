import CollectionLayout
import Synchronization

/// What was given of a layout: kind, bounds and options. All equal layouts of a document share it,
/// and with it their frames.
///
/// To hash and to compare options may take long. So both are done outside of the lock of the
/// sessions, which knows equal ones by their object.
final class Given: Sendable {
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
  static let none = Given(GivenLayout(kind: LayoutKind.all[0]))
}

extension SessionStore {
  /// The object for what was given: that of equal layouts of a document, or a new one.
  ///
  /// - Parameter id: Of the document.
  func given(_ layout: GivenLayout, in id: SessionID) -> Given {
    let given = Given(layout)
    let known = state.withLock { state in
      state.places[id].flatMap { state.documents[state.layouts[$0].document].frames[given.hash] }?
        .map { state.frames[$0].given } ?? []
    }
    return known.first { !$0.isOwn && $0.layout == layout } ?? given
  }

  /// The object for what was given of a layout after a change.
  ///
  /// - Parameter isOfData: Whether the change leaves the layout's own.
  func given(
    _ collection: PreparedCollection, after current: LayoutVersion, isOfData: Bool
  ) -> Given {
    guard collection.hasOwnState else {
      return given(collection.layout, in: current.documentID)
    }
    let last = state.withLock { state in
      state.places[current.id].map { state.frames[state.layouts[$0].frames].given }
    }
    if isOfData, let last, last.isOwn, last.layout == collection.layout { return last }
    return Given(collection.layout, isOwn: true)
  }
}
