import CollectionLayout

extension SessionStore {
  /// Makes changes of others in a copy of a view that somebody was shown, as long as the data here
  /// is that of which they were made. So who follows the copy is told what they touch. What is not
  /// made here is loaded.
  func apply(
    _ changes: [LoggedChange], toView id: SessionID, of documentID: SessionID
  ) throws(SessionsError) {
    for change in changes {
      if let source = source(documentID), source.revision < change.position.data.revision {
        try catchUpDocument(documentID)
      }
      guard let version = shown(id), let source = source(of: version),
        version.data == change.position.data,
        version.position.leads(to: change.position, by: change.id, isOfDocument: false),
        let changed = try? applying(change, to: version.collection, from: source),
        (changed.change == nil) == (change.position.own == version.position.own)
      else { return }
      // Who changes the copy may wait for what is made here.
      let next = try? version.changeLock.withLockIfAvailable { () throws(SessionsError) in
        try advance(version, by: changed, at: change.position)
      }
      guard let next, next != nil else { return }
      logged.withLock { $0.statistics.replays += 1 }
    }
  }

  /// The version of a copy whose frames somebody has asked for, of the data that is here now.
  private func shown(_ id: SessionID) -> LayoutVersion? {
    switch findHere(id) {
    case .current(let version): return version
    case .pending(let work) where work.last != nil: return (try? makeVersion(of: id)) ?? nil
    case .pending, .behind, .unknown, nil: return nil
    }
  }

  private func applying(
    _ change: LoggedChange, to view: PreparedCollection, from source: PreparedCollection
  ) throws -> ChangedCollection? {
    if change.operation == LoggedChange.patch {
      let (folds, body) = ViewFolds.split(change.body)
      let layout = try bodies.layout(body, changing: view.layout)
      let made = try view.changing(
        layout, from: source, folds: folds?.folds, itemLimit: limits.maxItems)
      return ChangedCollection(made.collection, made.change)
    }
    guard let sizes = ViewSizes(change.body[...]), !sizes.replacesAll else { return nil }
    let axis: Measurement.Axis = view.layout.isHorizontal ? .width : .height
    let measured = sizes.sizes.compactMap { size in
      view.indexPath(ofSource: size.path).map { Measurement(.path($0), axis, size.size) }
    }
    guard measured.count == sizes.sizes.count else { return nil }
    let made = try view.measuring(measured, itemLimit: limits.maxItems)
    return ChangedCollection(made, of: view)
  }
}
