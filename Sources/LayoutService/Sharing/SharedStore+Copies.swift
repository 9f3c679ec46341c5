import CollectionLayout
import LayoutSessions
import Synchronization
import WireFormat

/// How copies come from the log, and come after it.
extension SharedStore {
  /// Makes the copy of a session or view what the log has, or makes one. May block.
  ///
  /// - Throws: ``ServiceError/noSuchLayout``, or ``ServiceError/storeUnavailable(isFull:)``.
  func catchUp(_ id: SessionID) throws(ServiceError) {
    try reachingStore { () throws(SharingError) in
      guard let copy = sessions.copy(of: id) else { return try load(id) }
      guard let source = copy.source else { return try catchUpSource(id) }
      try lock(for: id).withLock { () throws(SharingError) in try replayView(id) }
      try catchUpSource(source)
      // A source that has another history now is another copy, without views.
      if sessions.copy(of: id) == nil { try load(id) }
    }
  }

  func catchUpSource(_ id: SessionID) throws(SharingError) {
    guard sessions.copy(of: id) != nil else { return try load(id) }
    try lock(for: id).withLock { () throws(SharingError) in try replay(id) }
  }

  /// Makes a copy.
  func load(_ id: SessionID) throws(SharingError) {
    let view = try lock(for: id).withLock { () throws(SharingError) -> ViewRecord? in
      guard sessions.copy(of: id) == nil else { return nil }
      return try loadSession(id)
    }
    guard let view else { return }
    try catchUpSource(view.source)
    try lock(for: id).withLock { () throws(SharingError) in
      guard sessions.copy(of: id) == nil else { return }
      try loadView(id)
    }
  }

  /// What the log keeps of a session. If it keeps nothing, the copy is forgotten.
  func keptSnapshot(of id: SessionID) throws(SharingError) -> SessionSnapshot {
    guard let snapshot = try reading({ () throws(SessionLogError) in try log.snapshot(of: id) })
    else {
      sessions.forget(id)
      throw .isGone
    }
    return snapshot
  }

  /// Replaces the copy of a session.
  ///
  /// - Precondition: The lock is held.
  /// - Returns: The record, if this is a view.
  func loadSession(_ id: SessionID) throws(SharingError) -> ViewRecord? {
    while true {
      state.withLock { $0.loading[id] = false }
      defer { state.withLock { $0.loading[id] = nil } }
      let snapshot = try keptSnapshot(of: id)
      if snapshot.kind == ViewRecord.kind {
        guard let view = ViewRecord(snapshot) else { throw unreadable(id) }
        return view
      }
      guard let (collection, position) = try replayed(snapshot, of: id) else { continue }
      do throws(SessionStoreError) {
        try sessions.install(
          collection, as: id, at: position, createdUnixTime: snapshot.createdUnixTime)
      } catch {
        throw .tooLarge(error)
      }
      state.withLock { $0.statistics.loads += 1 }
      endLoading(id)
      return nil
    }
  }

  /// Passes on to a new copy that something was heard while it was made.
  func endLoading(_ id: SessionID) {
    let wasHeard = state.withLock { $0.loading.removeValue(forKey: id) }
    if wasHeard == true { sessions.hear(id, nil) }
  }

  /// The collection of a snapshot and all changes since; `nil` if another one took its place.
  func replayed(
    _ snapshot: SessionSnapshot, of id: SessionID
  ) throws(SharingError) -> (PreparedCollection, HistoryPosition)? {
    guard let kind = LayoutKind.named(snapshot.kind) else { throw unreadable(id) }
    var collection: PreparedCollection
    do {
      collection = try Self.withPadding(snapshot.body) { (bytes) throws(BodyError) in
        try PrepareRequest(bytes, kind: kind, maxItems: limits.maxItems).prepared()
      }
    } catch {
      throw unreadable(id)
    }
    var position = snapshot.position
    while true {
      let changes = try changes(of: id, after: position)
      if changes.isEmpty { return (collection, position) }
      for change in changes {
        guard position.leads(to: change.position, by: change.id) else { return nil }
        collection = try apply(change, to: collection, of: id).collection
        position = change.position
      }
    }
  }

  /// Brings the copy of a session up to date.
  ///
  /// - Precondition: The lock is held.
  func replay(_ id: SessionID) throws(SharingError) {
    while let copy = sessions.copy(of: id), copy.source == nil {
      let changes = try changes(of: id, after: copy.position)
      if changes.isEmpty {
        let head = try reading { () throws(SessionLogError) in try log.heads(of: [id])[0] }
        if head == copy.position { return sessions.hasRead(id, upTo: copy.newsCount) }
        guard head != nil else {
          sessions.forget(id)
          throw .isGone
        }
        // Something was added this moment, or this is a lost history.
        if try self.changes(of: id, after: copy.position).isEmpty { break }
        continue
      }
      guard try append(changes, to: id, at: copy.position) else { break }
    }
    _ = try loadSession(id)
  }

  /// Makes changes of others in a copy.
  ///
  /// - Returns: False if they do not begin where the copy is. True also if the copy has moved.
  func append(
    _ changes: [LoggedChange], to id: SessionID, at start: HistoryPosition
  ) throws(SharingError) -> Bool {
    var position = start
    for change in changes {
      guard position.leads(to: change.position, by: change.id) else { return false }
      guard let version = sessions.currentVersion(of: id) else { return true }
      let isDone = try version.changeLock.withLock { () throws(SharingError) -> Bool in
        guard let version = sessions.currentVersion(of: id), version.position == position else {
          return false
        }
        let (collection, step) = try apply(change, to: version.collection, of: id)
        do throws(SessionStoreError) {
          return try sessions.advance(version, to: collection, by: step, at: change.position)
            != nil
        } catch {
          throw .tooLarge(error)
        }
      }
      guard isDone else { return true }
      state.withLock { $0.statistics.replays += 1 }
      position = change.position
    }
    return true
  }

  func changes(
    of id: SessionID, after position: HistoryPosition
  ) throws(SharingError) -> [LoggedChange] {
    try reading { () throws(SessionLogError) in
      try log.changes(of: id, after: position, limit: Self.pageLength)
    }
  }

  /// The collection after a change, as it was made by whoever was asked for it.
  func apply(
    _ change: LoggedChange, to collection: PreparedCollection, of id: SessionID
  ) throws(SharingError) -> (collection: PreparedCollection, step: CollectionChange?) {
    do {
      return try Self.withPadding(change.body) { (bytes) throws(BodyError) in
        switch SharedOperation(rawValue: change.operation) {
        case .patch:
          let patched = try PatchRequest(bytes, merging: collection)
            .applied(to: collection, maxItems: limits.maxItems)
          return (patched.collection, patched.change)
        case .updates:
          let step = try UpdatesRequest(
            bytes, kind: collection.layout.kind, maxItems: limits.maxItems
          ).applied(to: collection, maxItems: limits.maxItems)
          return (step.next, step)
        case .layout, nil: throw BodyError.syntax(offset: 0)
        }
      }
    } catch {
      throw unreadable(id)
    }
  }
}

extension SessionStore {
  /// Replaces a version by the result of a change.
  func advance(
    _ version: LayoutVersion, to collection: PreparedCollection, by step: CollectionChange?,
    at position: HistoryPosition
  ) throws(SessionStoreError) -> LayoutVersion? {
    guard let step else { return try amend(version, to: collection, at: position) }
    return try advance(
      version, to: collection, touching: step.invalidatedRectBesidePins,
      keepsNames: step.keepsNames, lineage: step.lineage, at: position)
  }
}
