import CollectionLayout

/// A layout that views have, which all equal views of a collection share.
///
/// To hash and to compare options may take long. So both are done outside of the lock of the
/// sessions, which knows equal layouts by their object.
final class ViewLayout: Sendable {
  let given: GivenLayout
  /// Of the layout. Nobody outside of this process can tell which layouts have the same hash.
  let hash: Int
  let memoryBytes: Int

  init(_ given: GivenLayout) {
    self.given = given
    hash = given.hashValue
    memoryBytes = given.memoryBytes + 96
  }

  /// That of slots without frames.
  static let none = ViewLayout(GivenLayout(kind: LayoutKind.all[0]))
}

extension SessionStore {
  /// The object for a layout: that of equal views of a session, or a new one.
  func viewLayout(_ given: GivenLayout, of session: SessionID) -> ViewLayout {
    let layout = ViewLayout(given)
    let known = state.withLock { $0.layouts(of: session, hash: layout.hash) }
    return known.first { $0.given == given } ?? layout
  }
}

extension SessionTable {
  /// The layouts with a hash that views of a session have.
  fileprivate func layouts(of session: SessionID, hash: Int) -> [ViewLayout] {
    guard case .session(let slot)? = places[session] else { return [] }
    return (sessions[slot].frames[hash] ?? []).map { frames[$0].layout }
  }
}
