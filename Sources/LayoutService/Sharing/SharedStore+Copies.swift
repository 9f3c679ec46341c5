import CollectionLayout
import LayoutSessions
import MicroHTTP
import Synchronization
import WireFormat

/// How copies come from the log, and come after it.
extension SharedStore {
  /// Makes the copy of a session or view what the log has, or makes one. May block.
  ///
  /// The copy is for all who ask for it, so it is made even if the first of them has left.
  ///
  /// - Throws: ``ServiceError/noSuchLayout``, or ``ServiceError/storeUnavailable(_:)``.
  func catchUp(_ id: SessionID) throws(ServiceError) {
    try CurrentWork.forEverybody { () throws(ServiceError) in
      try reachingStore(id) { () throws(SharingError) in try makeCurrent(id) }
    }
  }

  private func makeCurrent(_ id: SessionID) throws(SharingError) {
    guard let copy = sessions.copy(of: id) else { return try load(id) }
    let source = copy.documentID
    guard source != id else { return try catchUpSource(id) }
    try lock(for: id).withLock { () throws(SharingError) in try replayView(id) }
    try catchUpSource(source)
    // A source that has another history now is another copy, without views.
    if sessions.copy(of: id) == nil { try load(id) }
  }

  /// - Throws: ``SharingError/unreadable(_:)`` also for a view, which can be no source.
  private func catchUpSource(_ id: SessionID) throws(SharingError) {
    try lock(for: id).withLock { () throws(SharingError) in
      if let copy = sessions.copy(of: id) {
        guard copy.documentID == id else { throw .unreadable(Self.noSource) }
        return try replay(id)
      }
      guard try loadSession(id) == nil else { throw .unreadable(Self.noSource) }
    }
  }

  private static let noSource = "the source of a view is a view"

  /// Makes a copy.
  private func load(_ id: SessionID) throws(SharingError) {
    switch remembered(id) {
    case .isGone: throw .isGone
    case .isUnreadable: throw .unreadable("as before")
    case .isThere, nil: break
    }
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

  /// Calls `make` with what the log keeps of a session, and again while others replace it.
  ///
  /// - Parameter make: Makes the copy; returns false if what the log keeps has been replaced.
  func reloading(
    _ id: SessionID, _ make: (SessionSnapshot) throws(SharingError) -> Bool
  ) throws(SharingError) {
    var last: HistoryPosition?
    for _ in 0..<Self.maxAttempts {
      state.withLock { $0.loading[id] = false }
      defer { state.withLock { $0.loading[id] = nil } }
      let snapshot = try keptSnapshot(of: id)
      if try make(snapshot) { return endLoading(id) }
      guard snapshot.position != last else {
        throw .unreadable("its changes do not follow its snapshot")
      }
      last = snapshot.position
    }
    throw .unreadable("its snapshot is another one each time")
  }

  /// What the log keeps of a session. If it keeps nothing, the copy is forgotten.
  private func keptSnapshot(of id: SessionID) throws(SharingError) -> SessionSnapshot {
    do throws(SessionLogError) {
      if let snapshot = try log.snapshot(of: id) { return snapshot }
    } catch {
      guard error.cause == .lost else {
        return try reading { () throws(SessionLogError) in throw error }
      }
      guard case .at(let head) = try self.head(inLog: id), try removeLost(id, at: head) else {
        throw .unreadable(error.reason)
      }
    }
    sessions.forget(id)
    throw .isGone
  }

  /// Ends a session of which the log has lost a part.
  ///
  /// - Returns: False if it has lost nothing.
  private func removeLost(_ id: SessionID, at head: HistoryPosition) throws(SharingError) -> Bool {
    let outcome = try reading { () throws(SessionLogError) in try log.removeLost(id, at: head) }
    guard outcome != .isElsewhere else { return false }
    if case .done = outcome { warn("the store has lost a part of layout \(id), which has ended") }
    return true
  }

  private func head(inLog id: SessionID) throws(SharingError) -> LogHead {
    try reading { () throws(SessionLogError) in try log.heads(of: [id])[0] }
  }

  /// Replaces the copy of a session.
  ///
  /// - Precondition: The lock is held.
  /// - Returns: The record, if this is a view.
  private func loadSession(_ id: SessionID) throws(SharingError) -> ViewRecord? {
    var view: ViewRecord?
    try reloading(id) { (snapshot) throws(SharingError) in
      if snapshot.kind == ViewRecord.kind {
        view = ViewRecord(snapshot)
        guard view != nil else { throw .unreadable("its view is none") }
        return true
      }
      var collection = try collection(of: snapshot)
      let end = try replaying(id, after: snapshot.position, isOfDocument: true) {
        (change) throws(SharingError) in
        collection = try apply(change, to: collection).collection
      }
      guard let end else { return false }
      do throws(SessionStoreError) {
        try sessions.install(collection, as: id, at: end, createdUnixTime: snapshot.createdUnixTime)
      } catch {
        throw .tooLarge(error)
      }
      state.withLock { $0.statistics.loads += 1 }
      return true
    }
    return view
  }

  /// Passes on to a new copy that something was heard while it was made.
  private func endLoading(_ id: SessionID) {
    let wasHeard = state.withLock { $0.loading.removeValue(forKey: id) }
    if wasHeard == true { sessions.hear(id, nil) }
  }

  private func collection(
    of snapshot: SessionSnapshot
  ) throws(SharingError) -> PreparedCollection {
    guard let kind = LayoutKind.named(snapshot.kind) else {
      throw .unreadable("there is no kind \(snapshot.kind)")
    }
    do {
      return try Self.withPadding(snapshot.body) { (bytes) throws(BodyError) in
        try PrepareRequest(bytes, kind: kind, maxItems: limits.maxItems).prepared(
          typesetter: typesetter)
      }
    } catch {
      throw .unreadable(Self.unmakeable)
    }
  }

  private static let unmakeable =
    "it cannot be made here; do all servers have the same limits and version?"

  /// Calls `make` with all changes after a position.
  ///
  /// - Parameter isOfDocument: Whether they are of a document with its first layout.
  /// - Returns: Where the history ends; `nil` if the changes do not follow the position, or another
  ///   snapshot is kept by now.
  func replaying(
    _ id: SessionID, after start: HistoryPosition, isOfDocument: Bool,
    _ make: (LoggedChange) throws(SharingError) -> Void
  ) throws(SharingError) -> HistoryPosition? {
    var position = start
    while true {
      let page = try changes(of: id, after: position)
      for change in page.changes {
        guard position.leads(to: change.position, by: change.id, isOfDocument: isOfDocument)
        else { return nil }
        try make(change)
        position = change.position
      }
      guard let head = page.head else {
        sessions.forget(id)
        throw .isGone
      }
      if position == head { return position }
      guard page.changes.isEmpty else { continue }
      // The store has dropped the changes, or a snapshot has taken their place this moment.
      guard try removeLost(id, at: head) else { return nil }
      sessions.forget(id)
      throw .isGone
    }
  }

  /// Brings the copy of a session up to date.
  ///
  /// - Precondition: The lock is held.
  private func replay(_ id: SessionID) throws(SharingError) {
    while let copy = sessions.copy(of: id), copy.documentID == id {
      let page = try changes(of: id, after: copy.position)
      guard let head = page.head else {
        sessions.forget(id)
        throw .isGone
      }
      if head == copy.position { return sessions.hasRead(id, upTo: copy.newsCount) }
      // Without changes that follow, this is a lost history, or they are in the snapshot by now.
      guard !page.changes.isEmpty, try append(page.changes, to: id, at: copy.position) else {
        break
      }
      if sessions.copy(of: id)?.position == head {
        return sessions.hasRead(id, upTo: copy.newsCount)
      }
    }
    guard try loadSession(id) == nil else {
      sessions.forget(id)
      throw .unreadable("it was no view, and is one now")
    }
  }

  /// Makes changes of others in a copy.
  ///
  /// - Returns: False if they do not begin where the copy is. True also if the copy has moved.
  private func append(
    _ changes: [LoggedChange], to id: SessionID, at start: HistoryPosition
  ) throws(SharingError) -> Bool {
    var position = start
    for change in changes {
      guard position.leads(to: change.position, by: change.id, isOfDocument: true) else {
        return false
      }
      guard let version = sessions.currentVersion(of: id) else { return true }
      let isDone = try version.changeLock.withLock { () throws(SharingError) -> Bool in
        guard let version = sessions.currentVersion(of: id), version.position == position else {
          return false
        }
        let (collection, step) = try apply(change, to: version.collection)
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

  private func changes(
    of id: SessionID, after position: HistoryPosition
  ) throws(SharingError) -> LoggedChanges {
    try reading { () throws(SessionLogError) in
      try log.changes(of: id, after: position, limit: Self.pageLength)
    }
  }

  /// The collection after a change, as it was made by whoever was asked for it.
  private func apply(
    _ change: LoggedChange, to collection: PreparedCollection
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
        case .measurements:
          let step = try MeasurementsRequest(bytes)
            .applied(to: collection, maxItems: limits.maxItems)
          return (step.next, step)
        case .layout, nil: throw BodyError.syntax(offset: 0)
        }
      }
    } catch {
      throw .unreadable(Self.unmakeable)
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
      version, to: collection, touching: step.invalidatedRectsBesidePins,
      keepsNames: step.keepsNames, lineage: step.lineage, at: position)
  }
}
