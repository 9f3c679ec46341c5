public import CollectionLayout

/// What a store has of sessions that other servers have, too: copies, which may be behind.
///
/// The truth is in a ``SessionLog``. A copy can be removed at any time, and made again from there.
extension SessionStore {
  /// Where a copy of a session or view is.
  public struct Copy: Sendable {
    /// In its own history.
    public let position: HistoryPosition
    /// Of a view.
    public let source: SessionID?
    /// How much was heard of it, for ``hasRead(_:upTo:)``.
    public let newsCount: Int
    public let isBehind: Bool
  }

  /// The copy with an id; `nil` if there is none. This is no use of it.
  public func copy(of id: SessionID) -> Copy? {
    state.withLock { state in
      switch state.places[id] {
      case nil: nil
      case .session(let slot):
        state.sessions[slot].version.map {
          Copy(
            position: $0.position, source: nil, newsCount: state.sessions[slot].news.count,
            isBehind: state.sessions[slot].news.areUnread)
        }
      case .view(let slot):
        Copy(
          position: state.views[slot].position,
          source: state.sessions[state.views[slot].source].version?.id,
          newsCount: state.views[slot].news.count, isBehind: state.views[slot].news.areUnread)
      }
    }
  }

  /// The current version of a session; this is no use of it.
  public func currentVersion(of id: SessionID) -> LayoutVersion? {
    state.withLock { $0.current(id) }
  }

  /// Notes where a session's or view's history is said to end; `nil` if it is said to have ended.
  ///
  /// - Parameter isNews: Whether it may be late news of what is known. What the log says is none: a
  ///   store may have lost changes.
  /// - Returns: Whether there is a copy that is behind now.
  @discardableResult
  public func hear(_ id: SessionID, _ head: HistoryPosition?, isNews: Bool = true) -> Bool {
    let isBehind = state.withLock { state in
      switch state.places[id] {
      case nil: return false
      case .session(let slot):
        guard let version = state.sessions[slot].version else { return false }
        if let head {
          if head == version.position { return false }
          if isNews, head.isBehind(version.position), version.knows(head.tag) { return false }
        }
        state.sessions[slot].news.count += 1
        state.sessions[slot].news.head = head
      case .view(let slot):
        if head == state.views[slot].position { return false }
        state.views[slot].news.count += 1
        state.views[slot].news.head = head
      }
      return true
    }
    if isBehind { tell(.isBehind(id)) }
    return isBehind
  }

  /// Notes that a copy is as the log has it, as far as was heard.
  public func hasRead(_ id: SessionID, upTo newsCount: Int) {
    state.withLock { state in
      switch state.places[id] {
      case nil: break
      case .session(let slot):
        state.sessions[slot].news.readCount = max(state.sessions[slot].news.readCount, newsCount)
      case .view(let slot):
        state.views[slot].news.readCount = max(state.views[slot].news.readCount, newsCount)
      }
    }
  }

  /// The ids of copies of sessions and views that were used at or after a time.
  ///
  /// - Complexity: O(*n*) for *n* copies, under the lock.
  public func copies(usedSince time: Duration) -> [SessionID] {
    state.withLock { state in
      state.places.compactMap { id, place in
        switch place {
        case .session(let slot): state.sessionOrder.lastUse(of: slot) >= time ? id : nil
        case .view(let slot): state.viewOrder.lastUse(of: slot) >= time ? id : nil
        }
      }
    }
  }

  /// Refuses a collection that would not fit even alone.
  public func checkSize(of collection: PreparedCollection, isView: Bool) throws(SessionStoreError) {
    let bytes = isView ? collection.frameBytes : collection.memoryBytes + 512
    guard bytes <= limits.maxBytes else {
      throw .layoutTooLarge(bytes: bytes, limit: limits.maxBytes)
    }
  }

  /// The time by the store's clock.
  public var now: Duration { clock.now() }

  public var idleTimeout: Duration { limits.idleTimeout }

  /// Puts a copy of a session in the place of the one that there is, if there is one.
  ///
  /// - Throws: ``SessionStoreError/layoutTooLarge(bytes:limit:)``.
  public func install(
    _ collection: PreparedCollection, as id: SessionID, at position: HistoryPosition,
    createdUnixTime: Int
  ) throws(SessionStoreError) {
    let version = LayoutVersion(
      id: id, at: position, collection: collection, createdUnixTime: createdUnixTime,
      doubts: currentVersion(of: id).map { DoubtfulNumbers(replacing: $0) } ?? .none)
    let bytes = try size(of: version)
    let now = clock.now()
    let released = state.withLock { state in
      var released = Released()
      if case .session(let slot)? = state.places[id] {
        state.removeSession(slot, nil, releasing: &released)
      }
      state.insert(version, bytes: bytes, at: now)
      return (released, state.evict(to: limits))
    }
    settle(released)
    tell(.hasMoved(version))
  }

  /// Puts a copy of a view in the place of the one that there is, if there is one.
  ///
  /// - Parameters:
  ///   - position: In the view's own history.
  ///   - firstRevision: The revision of the data at which the first version was.
  /// - Returns: Whether there is a copy of the source.
  public func installView(
    _ layout: GivenLayout, as id: SessionID, of source: SessionID, at position: HistoryPosition,
    firstRevision: Int, createdUnixTime: Int
  ) -> Bool {
    let layout = viewLayout(layout, of: source)
    let now = clock.now()
    let (isThere, released) = state.withLock { state in
      var released = Released()
      guard case .session(let sourceSlot)? = state.places[source] else {
        return (false, (released, Released()))
      }
      var doubtfulNumber = 0
      if case .view(let slot)? = state.places[id] {
        doubtfulNumber = max(state.number(ofView: slot), state.views[slot].doubtfulNumber)
        state.removeView(slot, nil, releasing: &released)
      }
      state.insertView(
        id, of: sourceSlot, layout, at: position, createdUnixTime: createdUnixTime, now: now)
      if case .view(let slot)? = state.places[id] {
        state.countOn(view: slot, from: firstRevision, doubtingUpTo: doubtfulNumber)
      }
      return (true, (released, state.evict(to: limits)))
    }
    settle(released)
    if isThere { tell(.isBehind(id)) }
    return isThere
  }

  /// The revision of the data at which a view's first version was, and its layout.
  public func record(ofView id: SessionID) -> (firstRevision: Int, layout: GivenLayout)? {
    state.withLock { state in
      guard case .view(let slot)? = state.places[id] else { return nil }
      return (state.views[slot].firstRevision, state.frames[state.views[slot].frames].layout.given)
    }
  }

  /// Removes the copy of a session with its views, or of a view.
  public func forget(_ id: SessionID) {
    let released = state.withLock { state in
      var released = Released()
      switch state.places[id] {
      case nil: break
      case .session(let slot): state.removeSession(slot, .deleted, releasing: &released)
      case .view(let slot): state.removeView(slot, .deleted, releasing: &released)
      }
      return released
    }
    settle(released)
  }
}

extension SessionTable {
  /// Gives a view the number that it has everywhere: one for its first version, and one more for
  /// each change of its own and of the data.
  ///
  /// - Parameter replaced: Up to which number a copy that this one replaces has come; 0 for none.
  fileprivate mutating func countOn(
    view slot: Int, from firstRevision: Int, doubtingUpTo replaced: Int
  ) {
    views[slot].firstRevision = firstRevision
    views[slot].isMade = true
    // A store that has lost changes of the data may have kept a view of them.
    views[slot].number = max(
      1, views[slot].position.version + views[slot].revision - firstRevision)
    views[slot].firstNumber = views[slot].number
    // A copy of the source that was replaced had its views with it.
    let revision = sessions[views[slot].source].version?.doubts.revision ?? -1
    views[slot].doubtfulNumber = max(
      replaced,
      revision < firstRevision ? 0 : views[slot].position.version + revision - firstRevision)
  }
}
