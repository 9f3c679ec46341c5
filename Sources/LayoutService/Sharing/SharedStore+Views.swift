import LayoutSessions
import Synchronization

/// How copies of views come from the log. A view needs a copy of its source.
extension SharedStore {
  /// - Precondition: The lock is held.
  func loadView(_ id: SessionID) throws(SharingError) {
    try reloading(id) { (snapshot) throws(SharingError) in
      guard var view = ViewRecord(snapshot) else {
        sessions.forget(id)
        throw .unreadable("it was a view, and is none now")
      }
      let end = try replaying(id, after: snapshot.position, isOfDocument: false) {
        (change) throws(SharingError) in
        guard view.take(change) else { throw .unreadable("a change of the view is none") }
      }
      guard let end else { return false }
      // If the source had to make room by now, the view is loaded when it is asked for again.
      _ = sessions.installView(
        view.layout, as: id, of: view.source, at: end, bornAt: view.firstRevision,
        createdUnixTime: snapshot.createdUnixTime)
      return true
    }
  }

  /// Brings the copy of a view's own layout up to date.
  ///
  /// - Precondition: The lock is held.
  func replayView(_ id: SessionID) throws(SharingError) {
    guard let copy = sessions.copy(of: id), copy.documentID != id else { return }
    let head = try reading { () throws(SessionLogError) in try log.heads(of: [id])[0] }
    if head == .at(copy.position) { return sessions.hasRead(id, upTo: copy.newsCount) }
    try loadView(id)
  }
}
