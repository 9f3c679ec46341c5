import CollectionLayout

/// What was measured in copies of layouts: the log says it of the data of some revision.
extension SessionStore {
  /// What was measured and folded in a view, of the data of its source as that is now here. It is
  /// lost if nobody here knows how the data came to be what it is.
  ///
  /// - Returns: `nil` if there is nothing, or no copy of the source.
  func own(of view: LayoutRecord) -> (state: OwnState, revision: Int, isLost: Bool)? {
    let folds = view.folds.flatMap { $0.folds.isEmpty ? nil : $0 }
    let sizes = measured(in: view)
    guard let folds else { return sizes }
    guard let (way, revision) = lineage(of: view.documentID, from: folds.revision),
      sizes == nil || sizes?.revision == revision
    else { return nil }
    var state = sizes?.state ?? OwnState()
    let isLost =
      sizes?.isLost ?? false || way == nil && folds.folds.ofGroups != folds.folds
    state.folds =
      isLost ? folds.folds.ofGroups : way.map { folds.folds.following($0) } ?? folds.folds
    return (isLost ? OwnState(state.folds) : state, revision, isLost)
  }

  private func measured(
    in view: LayoutRecord
  ) -> (state: OwnState, revision: Int, isLost: Bool)? {
    var items = OwnState()
    var last: Int?
    for sizes in view.measured {
      if let last, last != sizes.revision, !items.isEmpty, !sizes.replacesAll {
        guard let way = lineage(of: view.documentID, from: last, to: sizes.revision)?.way else {
          return lineage(of: view.documentID, from: sizes.revision).map {
            (OwnState(), $0.revision, true)
          }
        }
        items = items.following(way)
      }
      if sizes.replacesAll { items = OwnState() }
      items.apply(sizes.sizes)
      last = sizes.revision
    }
    guard let last, !items.isEmpty,
      let (way, revision) = lineage(of: view.documentID, from: last)
    else { return nil }
    return way.map { (items.following($0), revision, false) } ?? (OwnState(), revision, true)
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
