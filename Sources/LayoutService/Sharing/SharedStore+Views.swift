import CollectionLayout
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
      guard var end else { return false }
      let found = measured(in: view)
      // The source's copy is behind; it is read first when the view is asked for again.
      if let found, let last = view.measured.last, found.revision < last.revision { return true }
      if found?.isLost ?? false {
        // All servers must show the same: nobody has these sizes any more.
        guard let next = try dropMeasured(of: id, view, at: end) else { return false }
        end = next
      }
      // If the source had to make room by now, or has moved on, the view is loaded when it is asked
      // for again.
      _ = sessions.installView(
        view.layout, as: id, of: view.source, at: end, bornAt: view.firstRevision,
        createdUnixTime: snapshot.createdUnixTime,
        measured: found.map { ($0.items, $0.revision) })
      return true
    }
  }

  /// What was measured in a view, of the data of its source as that is now here. It is lost if
  /// nobody here knows how the data came to be what it is.
  ///
  /// - Returns: `nil` if nothing was measured, or there is no copy of the source.
  private func measured(
    in view: ViewRecord
  ) -> (items: MeasuredItems, revision: Int, isLost: Bool)? {
    var items = MeasuredItems()
    var last: Int?
    for sizes in view.measured {
      if let last, last != sizes.revision, !items.isEmpty, !sizes.replacesAll {
        guard let way = sessions.lineage(of: view.source, from: last, to: sizes.revision) else {
          return sessions.lineage(of: view.source, since: sizes.revision).map {
            (MeasuredItems(), $0.revision, true)
          }
        }
        items = items.following(way)
      }
      if sizes.replacesAll { items = MeasuredItems() }
      items.apply(sizes.sizes)
      last = sizes.revision
    }
    guard let last, !items.isEmpty,
      let (way, revision) = sessions.lineage(of: view.source, since: last)
    else { return nil }
    return way.map { (items.following($0), revision, false) } ?? (MeasuredItems(), revision, true)
  }

  /// Says in the log that what was measured in a view is gone.
  ///
  /// - Returns: Where its history ends then; `nil` if others have changed it.
  private func dropMeasured(
    of id: SessionID, _ view: ViewRecord, at end: HistoryPosition
  ) throws(SharingError) -> HistoryPosition? {
    guard let source = sessions.currentVersion(of: view.source) else { return nil }
    let change = HistoryPosition.ChangeID.random()
    let next = end.advanced(by: change, isOfData: false, over: source.position.data)
    let sizes = ViewSizes(revision: source.revision, replacesAll: true, sizes: [])
    let logged = LoggedChange(
      id: change, position: next, operation: SharedOperation.measurements.rawValue,
      body: sizes.body)
    let outcome = try reading { () throws(SessionLogError) in
      try log.append(logged, to: id, after: end)
    }
    if case .done = outcome { return next }
    return nil
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
