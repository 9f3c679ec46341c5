import CollectionLayout

/// What was measured in copies of layouts: the log says it of the data of some revision.
extension SessionStore {
  /// After how many changes of the data a server says anew what it knows of views: before others,
  /// which come from the log, do not know any more how the data came from there.
  static let renewal = ChangeHistory.capacity / 2

  /// The views of a document that have something of their own, and what it takes to make them.
  func viewsWithOwn(of documentID: SessionID) -> [(SessionTable.Layout, PendingVersion)] {
    state.withLock { state in
      guard let first = state.places[documentID], state.isFirst(first) else { return [] }
      return state.documents[state.layouts[first].document].frames.values.joined().compactMap {
        guard state.frames[$0].key.isOwn, let slot = state.frames[$0].layouts.first,
          slot != first
        else { return nil }
        return state.pending(slot).map { (state.layouts[slot], $0) }
      }
    }
  }

  /// Says in the log what is measured and folded in the views of a document, of the data of now.
  func renewOwn(of documentID: SessionID) {
    for (view, work) in viewsWithOwn(of: documentID) {
      guard let own = work.ownNow, let birth = view.birth else { continue }
      let record = LayoutRecord(
        documentID: documentID, birth: birth, given: work.layout, access: view.access, own: own,
        revision: work.source.revision)
      // If it cannot be said, the log says it of older data.
      try? log.replaceSnapshot(
        of: view.id,
        by: SnapshotSource(
          position: view.position, kind: LayoutRecord.kind, createdUnixTime: view.createdUnixTime
        ) { [bodies] take in take(record.body(bodies!)) })
    }
  }

  /// Says in the log that what was measured and folded in a view is gone.
  ///
  /// - Returns: Where its history ends then; `nil` if others have changed it.
  func dropOwn(
    of id: SessionID, _ view: LayoutRecord, at end: HistoryPosition
  ) throws(SessionsError) -> HistoryPosition? {
    guard let source = source(view.documentID) else { return nil }
    let change = HistoryPosition.ChangeID.random()
    let next = end.advanced(by: change, isOfData: false, over: source.position.data)
    let sizes = ViewSizes(revision: source.revision, replacesAll: true, sizes: [])
    let logged = LoggedChange(
      id: change, position: next, operation: LoggedChange.measurements,
      body: sizes.body)
    let outcome = try reading(id) { () throws(LogError) in
      try log.append(logged, to: id, after: end)
    }
    if case .done = outcome { return next }
    return nil
  }
}
