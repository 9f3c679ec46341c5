import LayoutSessions
import Synchronization

/// How copies of views come from the log. A view needs a copy of its source.
extension SharedStore {
  /// - Precondition: The lock is held.
  func loadView(_ id: SessionID) throws(SharingError) {
    while true {
      state.withLock { $0.loading[id] = false }
      defer { state.withLock { $0.loading[id] = nil } }
      let snapshot = try keptSnapshot(of: id)
      guard var view = ViewRecord(snapshot) else { throw unreadable(id) }
      var position = snapshot.position
      var isWhole = true
      while isWhole {
        let changes = try changes(of: id, after: position)
        if changes.isEmpty { break }
        for change in changes where isWhole {
          isWhole = position.leads(to: change.position, by: change.id)
          guard view.take(change) else { throw unreadable(id) }
          position = change.position
        }
      }
      guard isWhole else { continue }
      // If the source had to make room by now, the view is loaded when it is asked for again.
      _ = sessions.installView(
        view.layout, as: id, of: view.source, at: position, firstRevision: view.firstRevision,
        createdUnixTime: snapshot.createdUnixTime)
      endLoading(id)
      return
    }
  }

  /// Brings the copy of a view's own layout up to date.
  ///
  /// - Precondition: The lock is held.
  func replayView(_ id: SessionID) throws(SharingError) {
    guard let copy = sessions.copy(of: id), copy.source != nil else { return }
    let head = try reading { () throws(SessionLogError) in try log.heads(of: [id])[0] }
    if head == copy.position { return sessions.hasRead(id, upTo: copy.newsCount) }
    try loadView(id)
  }
}
