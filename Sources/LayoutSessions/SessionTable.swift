import CollectionLayout

/// Sessions and views, found by their ids, each in the order of their last use.
///
/// A view belongs to a session, its source, and to the frames of its layout, which equal views of
/// the source share. A use of a view is a use of its source and of its frames.
struct SessionTable {
  struct Session {
    var version: LayoutVersion?
    /// The bytes of the version in the statistics.
    var bytes: Int
    /// How often the data has changed.
    var revision = 0
    /// The slots of its views.
    var views: Set<Int> = []
    /// The slots of its views' frames, by the hashes of their layouts.
    var frames: [Int: [Int]] = [:]
    /// The slot of the frames of views that are the session's own.
    var ownFrames: Int?
    /// The bytes of the index of ids in the statistics.
    var indexBytes = 0
    /// Who may have the data of which revision.
    var holders: [Int: Set<DataHolder>] = [:]
    /// Earlier versions, by their numbers, with the revision of each.
    var past = KeptHistory<KeptVersion>()
    /// How the data came from each earlier revision to the next one, without a gap.
    var steps = KeptHistory<DataLineage>()
    var news = HeardNews()
  }

  /// What was heard of a session or view that others change, too.
  struct HeardNews {
    /// How often something was heard, and how much of that is known by now.
    var count = 0
    var readCount = 0
    /// Where the history ends by the last news.
    var head: HistoryPosition?

    var areUnread: Bool { count != readCount }
  }

  /// What is where under an id.
  enum Place {
    case session(Int)
    case view(Int)
  }

  /// The work that uses a version, and the bytes of the version if it is no longer a session's
  /// current one.
  private struct Pin {
    var uses = 0
    var bytesBeyondSessions = 0
  }

  var sessions: [Session] = []
  var views: [View] = []
  var frames: [Frames] = []
  var sessionOrder = UseOrder()
  var viewOrder = UseOrder()
  /// Frames without a collection are out of the order.
  var framesOrder = UseOrder()
  /// The sessions whose index of ids is built, with the same slots as in `sessionOrder`.
  var indexOrder = UseOrder()
  var places: [SessionID: Place] = [:]
  var historyOrder = HistoryOrder()
  var statistics = SessionStore.Statistics()
  private var pins: [ObjectIdentifier: Pin] = [:]

  func current(_ id: SessionID) -> LayoutVersion? {
    guard case .session(let slot)? = places[id] else { return nil }
    return sessions[slot].version
  }

  /// The session or view with an id. It looks at the last used ones first, because they are often
  /// the right ones, and all threads wait for this lock.
  private func find(_ id: SessionID) -> Place? {
    let (session, view) = (sessionOrder.newest, viewOrder.newest)
    if session >= 0, sessions[session].version?.id == id { return .session(session) }
    if view >= 0, views[view].id == id { return .view(view) }
    return places[id]
  }

  mutating func insert(_ version: LayoutVersion, bytes: Int, at now: Duration) {
    let session = Session(version: version, bytes: bytes, revision: version.revision)
    let slot = sessionOrder.add(at: now)
    let indexSlot = indexOrder.add(at: now)
    precondition(indexSlot == slot, "slots \(slot) and \(indexSlot) of one session")
    indexOrder.leave(slot)
    if slot == sessions.count { sessions.append(session) } else { sessions[slot] = session }
    places[version.id] = .session(slot)
    statistics.sessions += 1
    statistics.bytes += bytes
  }

  /// Where a session or view is that has not expired. This is a use of it.
  mutating func use(_ id: SessionID, at now: Duration, idleTimeout: Duration) -> Place? {
    guard let place = find(id) else { return nil }
    switch place {
    case .session(let slot):
      guard !isIdle(sessionOrder, slot, at: now, idleTimeout) || isSessionBeingChanged(slot) else {
        return nil
      }
      sessionOrder.use(slot, at: now)
    case .view(let slot):
      guard
        !isIdle(viewOrder, slot, at: now, idleTimeout) || views[slot].changeLock.isTaken
      else { return nil }
      viewOrder.use(slot, at: now)
      sessionOrder.use(views[slot].source, at: now)
      let frames = views[slot].frames
      if self.frames[frames].current != nil { framesOrder.use(frames, at: now) }
    }
    return place
  }

  /// The current version of a session. This is a use of it.
  mutating func useSession(
    _ id: SessionID, at now: Duration, idleTimeout: Duration
  ) -> LayoutVersion? {
    guard case .session(let slot)? = use(id, at: now, idleTimeout: idleTimeout) else { return nil }
    return sessions[slot].version
  }

  /// Whether nobody has used a slot for the timeout.
  private func isIdle(
    _ order: UseOrder, _ slot: Int, at now: Duration, _ idleTimeout: Duration
  ) -> Bool {
    now - order.lastUse(of: slot) >= idleTimeout
  }

  /// Whether a change is being made. A session is in use during a change.
  private func isSessionBeingChanged(_ slot: Int) -> Bool {
    sessions[slot].version?.changeLock.isTaken ?? false
  }

  /// Sets the version of its session, with its present size.
  ///
  /// - Parameter oldFrameBytes: What the frames of the version before take.
  mutating func replace(
    _ version: LayoutVersion, bytes: Int, oldFrameBytes: Int, releasing released: inout Released
  ) {
    guard case .session(let slot)? = places[version.id] else { return }
    if let old = sessions[slot].version, old !== version {
      keepCounting(old, bytes: sessions[slot].bytes)
      if old.collection.prepared !== version.collection.prepared {
        countOwnFrames(of: slot, bytes: oldFrameBytes)
      }
      // Views that are behind have the old names, too.
      if old.names !== version.names { released.add(old.names.forget()) }
    }
    statistics.bytes += bytes - sessions[slot].bytes
    sessions[slot].bytes = bytes
    sessions[slot].version = version
    countIndex(of: slot)
    if sessions[slot].news.head == version.position {
      sessions[slot].news.readCount = sessions[slot].news.count
    }
  }

  /// Counts the index of a session's ids as what it takes now.
  mutating func countIndex(of slot: Int) {
    let bytes = sessions[slot].version?.names.memoryBytes ?? 0
    statistics.bytes += bytes - sessions[slot].indexBytes
    sessions[slot].indexBytes = bytes
    if bytes == 0 {
      indexOrder.leave(slot)
    } else {
      indexOrder.use(slot, at: sessionOrder.lastUse(of: slot))
    }
  }

  /// Forgets the index of a session's ids. It is built again when it is needed again.
  mutating func dropIndex(of slot: Int, releasing released: inout Released) {
    released.add(sessions[slot].version?.names.forget())
    countIndex(of: slot)
  }

  /// Removes a session with its views and all that is kept of its past.
  ///
  /// - Parameter end: Why it ends; `nil` if another copy takes its place.
  mutating func removeSession(_ slot: Int, _ end: SessionEnd?, releasing released: inout Released) {
    guard let version = sessions[slot].version else { return }
    for view in sessions[slot].views { removeView(view, .sourceEnded, releasing: &released) }
    places[version.id] = nil
    if let end { released.ended.append((version.id, end)) }
    sessionOrder.free(slot)
    indexOrder.free(slot)
    keepCounting(version, bytes: sessions[slot].bytes)
    statistics.sessions -= 1
    statistics.bytes -= sessions[slot].bytes + sessions[slot].indexBytes
    forgetPast(of: slot, releasing: &released)
    released.add(version)
    sessions[slot] = Session(version: nil, bytes: 0)
  }

  mutating func pin(_ version: LayoutVersion) { pin(version.pinKey) }

  mutating func unpin(_ version: LayoutVersion) { unpin(version.pinKey) }

  mutating func pin(_ past: HeldCollection) { pin(ObjectIdentifier(past)) }

  mutating func unpin(_ past: HeldCollection) { unpin(ObjectIdentifier(past)) }

  private mutating func pin(_ key: ObjectIdentifier) { pins[key, default: Pin()].uses += 1 }

  private mutating func unpin(_ key: ObjectIdentifier) {
    guard var pin = pins[key] else { return }
    pin.uses -= 1
    if pin.uses == 0 { statistics.bytes -= pin.bytesBeyondSessions }
    pins[key] = pin.uses == 0 ? nil : pin
  }

  /// Counts a version while it is in use, even though it is no current one any more.
  private mutating func keepCounting(_ version: LayoutVersion, bytes: Int) {
    keepCounting(version.pinKey, bytes: bytes)
  }

  mutating func keepCounting(_ key: ObjectIdentifier, bytes: Int) {
    guard var pin = pins[key] else { return }
    statistics.bytes += bytes - pin.bytesBeyondSessions
    pin.bytesBeyondSessions = bytes
    pins[key] = pin
  }

  /// Removes what is idle, or as much of it as goes at once.
  mutating func expire(at now: Duration, idleTimeout: Duration) -> Released {
    var released = Released()
    while viewOrder.oldest >= 0, isIdle(viewOrder, viewOrder.oldest, at: now, idleTimeout) {
      if released.ended.count >= Self.evictionsAtOnce {
        released.isUnfinished = true
        return released
      }
      let slot = viewOrder.oldest
      if views[slot].changeLock.isTaken {
        viewOrder.use(slot, at: now)
        sessionOrder.use(views[slot].source, at: now)
        continue
      }
      removeView(slot, .expired, releasing: &released)
      statistics.expiries += 1
    }
    while sessionOrder.oldest >= 0,
      isIdle(sessionOrder, sessionOrder.oldest, at: now, idleTimeout)
    {
      if released.ended.count >= Self.evictionsAtOnce {
        released.isUnfinished = true
        return released
      }
      let slot = sessionOrder.oldest
      if isSessionBeingChanged(slot) {
        sessionOrder.use(slot, at: now)
        continue
      }
      removeSession(slot, .expired, releasing: &released)
      statistics.expiries += 1
    }
    return released
  }
}

/// What a table has given up. It is released after the lock.
struct Released {
  private var objects: [any AnyObject & Sendable] = []
  /// The sessions and views that have ended.
  var ended: [(id: SessionID, end: SessionEnd)] = []
  /// Whether there is more to do: others were to have the lock in between.
  var isUnfinished = false

  mutating func add(_ object: (any AnyObject & Sendable)?) {
    if let object { objects.append(object) }
  }
}

extension LayoutVersion {
  /// What is counted while somebody works with the version: for a view its frames, which others
  /// may have, too.
  fileprivate var pinKey: ObjectIdentifier {
    isView ? ObjectIdentifier(collection.prepared) : ObjectIdentifier(self)
  }
}
