import CollectionLayout
import Synchronization

/// How copies come from the log, and come after it.
extension SessionStore {
  /// Makes the copy of a layout what the log has, or makes one. May block.
  ///
  /// - Throws: ``SessionsError/noSuchLayout``, or ``SessionsError/unavailable(_:)``.
  public func catchUp(_ id: SessionID) throws(SessionsError) {
    do throws(SessionsError) {
      try makeCurrent(id)
    } catch {
      // Of a view, it may be its document that is gone.
      if error == .noSuchLayout { remember(.isGone, of: id) }
      if error == .unavailable(.unreadable) { remember(.isUnreadable, of: id) }
      throw error
    }
  }

  private func makeCurrent(_ id: SessionID) throws(SessionsError) {
    guard let copy = self.copy(of: id) else { return try load(id) }
    let documentID = copy.documentID
    guard documentID != id else { return try catchUpDocument(id) }
    try catchUpBases(copy.access, of: id)
    try viewLock(for: id).withLock { () throws(SessionsError) in try replayLayout(id) }
    try catchUpDocument(documentID)
    // A document that has another history now is another copy, without other layouts.
    if self.copy(of: id) == nil { try load(id) }
  }

  /// Looks whether the read-only views are there of which a view was made. Without them it is gone.
  private func catchUpBases(_ access: LayoutAccess, of id: SessionID) throws(SessionsError) {
    guard let base = access.bases.last else { return }
    do throws(SessionsError) {
      try catchUp(base)
    } catch {
      if error == .noSuchLayout { forget(id) }
      throw error
    }
  }

  /// - Throws: ``SessionsError/unavailable(_:)`` also for a view, which is no document.
  func catchUpDocument(_ id: SessionID) throws(SessionsError) {
    try lock(for: id).withLock { () throws(SessionsError) in
      if let copy = self.copy(of: id) {
        guard copy.documentID == id else { throw noDocument(id) }
        return try replay(id)
      }
      guard try loadDocument(id) == nil else { throw noDocument(id) }
    }
  }

  /// What there is of a source is right, but the view that names it is not.
  private func noDocument(_ id: SessionID) -> SessionsError {
    warn("layout \(id) in the store is a view, but another view names it as its source")
    return .unavailable(.unreadable)
  }

  /// Makes a copy.
  private func load(_ id: SessionID) throws(SessionsError) {
    switch remembered(id) {
    case .isGone: throw .noSuchLayout
    case .isUnreadable: throw .unavailable(.unreadable)
    case .isThere, nil: break
    }
    let record = try lock(for: id).withLock { () throws(SessionsError) -> LayoutRecord? in
      guard copy(of: id) == nil else { return nil }
      return try loadDocument(id)
    }
    guard let record else { return }
    try catchUpDocument(record.documentID)
    try catchUpBases(record.access, of: id)
    try viewLock(for: id).withLock { () throws(SessionsError) in
      guard copy(of: id) == nil else { return }
      try loadLayout(id)
    }
  }

  /// Calls `make` with what the log keeps of a session, and again while others replace it.
  ///
  /// - Parameter make: Makes the copy; returns false if what the log keeps has been replaced.
  private func reloading(
    _ id: SessionID, _ make: (SessionSnapshot) throws(SessionsError) -> Bool
  ) throws(SessionsError) {
    var last: HistoryPosition?
    for _ in 0..<Self.maxAttempts {
      logged.withLock { $0.loading[id] = false }
      defer { logged.withLock { $0.loading[id] = nil } }
      let snapshot = try keptSnapshot(of: id)
      if try make(snapshot) { return endLoading(id) }
      guard snapshot.position != last else {
        throw unreadable(id, "its changes do not follow its snapshot")
      }
      last = snapshot.position
    }
    throw unreadable(id, "its snapshot is another one each time")
  }

  /// What the log keeps of a session. If it keeps nothing, the copy is forgotten.
  private func keptSnapshot(of id: SessionID) throws(SessionsError) -> SessionSnapshot {
    do throws(LogError) {
      if let snapshot = try log.snapshot(of: id) { return snapshot }
    } catch {
      guard error.cause == .lost else { throw unavailable(error, id) }
      guard case .at(let head) = try self.head(inLog: id), try removeLost(id, at: head) else {
        throw unreadable(id, error.reason)
      }
    }
    throw gone(id)
  }

  /// Forgets the copy of a session that there is not any more.
  private func gone(_ id: SessionID) -> SessionsError {
    forget(id)
    return .noSuchLayout
  }

  /// Ends a session of which the log has lost a part.
  ///
  /// - Returns: False if it has lost nothing.
  private func removeLost(_ id: SessionID, at head: HistoryPosition) throws(SessionsError) -> Bool {
    let outcome = try reading(id) { () throws(LogError) in try log.removeLost(id, at: head) }
    guard outcome != .isElsewhere else { return false }
    if case .done = outcome { warn("the store has lost a part of layout \(id), which has ended") }
    return true
  }

  func head(inLog id: SessionID) throws(SessionsError) -> LogHead {
    try reading(id) { () throws(LogError) in try log.heads(of: [id])[0] }
  }

  /// Replaces the copy of a document.
  ///
  /// - Precondition: The lock is held.
  /// - Returns: The record, if this is another layout of a document.
  private func loadDocument(_ id: SessionID) throws(SessionsError) -> LayoutRecord? {
    var record: LayoutRecord?
    try reloading(id) { (snapshot) throws(SessionsError) in
      if snapshot.kind == LayoutRecord.kind {
        record = LayoutRecord(snapshot, bodies)
        guard record != nil else { throw unreadable(id, "its view is none") }
        return true
      }
      guard let kind = LayoutKind.named(snapshot.kind) else {
        throw unreadable(id, "there is no kind \(snapshot.kind)")
      }
      var collection = try readingBody(id) { () throws(UnreadableBody) in
        try bodies.collection(snapshot.body, of: kind)
      }
      var past: SessionTable.Past = (snapshot.position.data, [])
      let end = try replaying(id, after: snapshot.position, isOfDocument: true) {
        (change) throws(SessionsError) in
        let changed = try readingBody(id) { () throws(UnreadableBody) in
          try bodies.applying(change, to: collection)
        }
        collection = changed.collection
        if let step = changed.change?.lineage, !step.isSame {
          past.steps.append((change.position.data, step))
        }
      }
      guard let end else { return false }
      let version = try install(
        collection, as: id, named: snapshot.name, at: end, past,
        createdUnixTime: snapshot.createdUnixTime)
      tell(.hasMoved(version))
      logged.withLock { $0.statistics.loads += 1 }
      return true
    }
    return record
  }

  /// Replaces the copy of another layout of a document of which there is a copy.
  ///
  /// - Precondition: The view's lock is held.
  private func loadLayout(_ id: SessionID) throws(SessionsError) {
    try reloading(id) { (snapshot) throws(SessionsError) in
      guard var record = LayoutRecord(snapshot, bodies) else {
        forget(id)
        throw unreadable(id, "it was a view, and is none now")
      }
      let documentID = record.documentID
      let way = { self.lineage(of: documentID, from: $0, to: $1) }
      let end = try replaying(id, after: snapshot.position, isOfDocument: false) {
        (change) throws(SessionsError) in
        guard record.take(change, bodies, way) else {
          throw unreadable(id, "a change of the view is none")
        }
      }
      guard var end else { return false }
      // The document's copy is behind; it is read first when the layout is asked for again.
      guard let source = source(documentID), source.revision >= record.revision else { return true }
      record.lead(to: source.revision, way)
      if record.isLost {
        // All servers must show the same: nobody has these sizes any more.
        guard let next = try dropOwn(of: id, record, at: end) else { return false }
        end = next
      }
      // If the document had to make room by now, or has moved on, the layout is loaded when it is
      // asked for again.
      _ = installView(
        record.given, as: id, of: documentID, at: end, bornAt: record.birth,
        createdUnixTime: snapshot.createdUnixTime, record.access,
        own: record.own.isEmpty ? nil : (record.own, record.revision))
      return true
    }
  }

  /// Brings the copy of a layout up to date in its own history.
  ///
  /// - Precondition: The view's lock is held.
  private func replayLayout(_ id: SessionID) throws(SessionsError) {
    guard let copy = self.copy(of: id), copy.documentID != id else { return }
    let page = try changes(of: id, after: copy.position)
    if page.head != copy.position { try apply(page.changes, toView: id, of: copy.documentID) }
    guard self.copy(of: id)?.position == page.head else { return try loadLayout(id) }
    hasRead(id, upTo: copy.newsCount)
  }

  /// Passes on to a new copy that something was heard while it was made.
  private func endLoading(_ id: SessionID) {
    let wasHeard = logged.withLock { $0.loading.removeValue(forKey: id) }
    if wasHeard == true { hear(id, nil) }
  }

  private func readingBody<R>(
    _ id: SessionID, _ body: () throws(UnreadableBody) -> R
  ) throws(SessionsError) -> R {
    do throws(UnreadableBody) {
      return try body()
    } catch {
      throw unreadable(
        id,
        "it cannot be made here; do all servers have the same limits, fonts and version?")
    }
  }

  /// Calls `make` with all changes after a position.
  ///
  /// - Parameter isOfDocument: Whether they are of a document with its first layout.
  /// - Returns: Where the history ends; `nil` if the changes do not follow the position, or another
  ///   snapshot is kept by now.
  private func replaying(
    _ id: SessionID, after start: HistoryPosition, isOfDocument: Bool,
    _ make: (LoggedChange) throws(SessionsError) -> Void
  ) throws(SessionsError) -> HistoryPosition? {
    var position = start
    while true {
      let page = try changes(of: id, after: position)
      for change in page.changes {
        guard position.leads(to: change.position, by: change.id, isOfDocument: isOfDocument)
        else { return nil }
        try make(change)
        position = change.position
      }
      guard let head = page.head else { throw gone(id) }
      if position == head { return position }
      guard page.changes.isEmpty else { continue }
      // The store has dropped the changes, or a snapshot has taken their place this moment.
      guard try removeLost(id, at: head) else { return nil }
      throw gone(id)
    }
  }

  /// Brings the copy of a document up to date.
  ///
  /// - Precondition: The lock is held.
  private func replay(_ id: SessionID) throws(SessionsError) {
    while let copy = self.copy(of: id), copy.documentID == id {
      let page = try changes(of: id, after: copy.position)
      guard let head = page.head else { throw gone(id) }
      if head == copy.position { return hasRead(id, upTo: copy.newsCount) }
      // Without changes that follow, this is a lost history, or they are in the snapshot by now.
      guard !page.changes.isEmpty, try apply(page.changes, to: id, from: copy.position) else {
        break
      }
      if self.copy(of: id)?.position == head {
        return hasRead(id, upTo: copy.newsCount)
      }
    }
    guard try loadDocument(id) == nil else {
      forget(id)
      throw unreadable(id, "it was no view, and is one now")
    }
  }

  /// Makes changes of others in a copy.
  ///
  /// - Returns: False if they do not begin where the copy is. True also if the copy has moved.
  private func apply(
    _ changes: [LoggedChange], to id: SessionID, from start: HistoryPosition
  ) throws(SessionsError) -> Bool {
    var position = start
    for change in changes {
      guard position.leads(to: change.position, by: change.id, isOfDocument: true) else {
        return false
      }
      guard let version = source(id) else { return true }
      let isDone = try version.changeLock.withLock { () throws(SessionsError) -> Bool in
        guard let version = source(id), version.position == position else {
          return false
        }
        let changed = try readingBody(id) { () throws(UnreadableBody) in
          try bodies.applying(change, to: version.collection)
        }
        return try advance(
          version, by: changed, at: change.position,
          mostBodyBytes: mostBodyBytes(after: changed, askedWith: change.body.count, version))
          != nil
      }
      guard isDone else { return true }
      logged.withLock { $0.statistics.replays += 1 }
      position = change.position
    }
    return true
  }

  private func changes(
    of id: SessionID, after position: HistoryPosition
  ) throws(SessionsError) -> LoggedChanges {
    try reading(id) { () throws(LogError) in
      try log.changes(of: id, after: position, limit: Self.pageLength)
    }
  }
}
