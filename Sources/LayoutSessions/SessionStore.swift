public import CollectionLayout
import Synchronization

/// All sessions, by id. This is the only mutable state that requests share.
///
/// Sessions are in a list from the most to the least recently used. A use moves a session to the
/// front. Sessions that are idle for too long or exceed the limits are removed from the back. Only
/// references move under the lock. Layouts are released after it.
public final class SessionStore: Sendable {
  /// The limits of the store.
  public struct Limits: Sendable {
    /// The largest number of sessions, ≥ 1. The newest session always stays.
    public var maxSessions: Int
    /// The largest memory of all sessions with their indexes of ids, and of their views, in bytes.
    public var maxBytes: Int
    /// The time after which an unused session or view expires, > 0.
    public var idleTimeout: Duration
    /// The largest number of views of all sessions together, ≥ 1. The newest view always stays.
    public var maxViews: Int
    /// The largest memory of earlier versions and of the steps between them, in bytes, beside
    /// `maxBytes`. Earlier data counts here, whoever has it.
    public var maxHistoryBytes: Int

    public init(
      maxSessions: Int = 10_000, maxBytes: Int = 1 << 30, idleTimeout: Duration = .seconds(900),
      maxViews: Int = 100_000, maxHistoryBytes: Int = 64 << 20
    ) {
      self.maxSessions = maxSessions
      self.maxBytes = maxBytes
      self.idleTimeout = idleTimeout
      self.maxViews = maxViews
      self.maxHistoryBytes = maxHistoryBytes
    }
  }

  /// Counts since the start, and the present state.
  public struct Statistics: Equatable, Sendable {
    /// The number of sessions now, with expired ones that are not removed yet.
    public var sessions = 0
    /// The memory of the sessions with their indexes of ids, of their views, and of earlier
    /// versions that are still in use.
    public var bytes = 0
    /// The number of sessions and views that were evicted to make room, since the start.
    public var evictions = 0
    /// The number of sessions and views that expired, since the start.
    public var expiries = 0
    /// The number of views now, with expired ones that are not removed yet.
    public var views = 0
    /// How often the frames of views had to make room, since the start.
    public var framesDropped = 0
    /// The memory of earlier versions and of the steps between them, in bytes.
    public var historyBytes = 0
  }

  /// Who hears of new versions and ends. A `Mutex` of nothing but a closure would wrap the closure
  /// once more whenever somebody looks at it, and each call would go through all the wrappers.
  private struct Listener {
    var hear: (@Sendable (SessionNews) -> Void)?
  }

  let limits: Limits
  let clock: any SessionClock
  let makeChangeID: @Sendable () -> HistoryPosition.ChangeID
  let state = BriefLock(SessionTable())
  private let listener = Mutex(Listener())

  /// - Parameter makeChangeID: Gives each change its random id; tests know theirs beforehand.
  public init(
    limits: Limits, clock: any SessionClock,
    makeChangeID: @escaping @Sendable () -> HistoryPosition.ChangeID = { .random() }
  ) {
    self.limits = limits
    self.clock = clock
    self.makeChangeID = makeChangeID
  }

  /// Stores a new layout in a new session. The least recently used sessions are evicted to make
  /// room.
  ///
  /// - Throws: ``SessionStoreError/layoutTooLarge(bytes:limit:)`` if it would not fit even alone.
  ///   Nothing is changed then.
  public func insert(
    _ collection: PreparedCollection
  ) throws(SessionStoreError) -> LayoutVersion {
    let version = LayoutVersion(
      id: .random(), at: .beginning(makeChangeID()), collection: collection,
      createdUnixTime: clock.unixTime())
    let bytes = try size(of: version)
    let now = clock.now()
    let released = state.withLock { state in
      state.insert(version, bytes: bytes, at: now)
      return state.evict(to: limits)
    }
    settle(released)
    return version
  }

  /// The current version of a session; `nil` if the session does not exist (any more). This is a
  /// use of the session.
  public func version(of id: SessionID) -> LayoutVersion? {
    let now = clock.now()
    return state.withLock { $0.useSession(id, at: now, idleTimeout: limits.idleTimeout) }
  }

  /// Calls `body` with the current version of a session or view, for long work. This is a use.
  ///
  /// The version is `nil` if it does not exist (any more), or must be made first. Until `body`
  /// returns, the version counts in the statistics, even if another version has replaced it.
  public func withVersion<R, E>(
    of id: SessionID, _ body: (LayoutVersion?) throws(E) -> R
  ) throws(E) -> R {
    let now = clock.now()
    let version = state.withLock { state -> LayoutVersion? in
      var version: LayoutVersion?
      switch state.use(id, at: now, idleTimeout: limits.idleTimeout) {
      case nil: break
      case .session(let slot): version = state.sessions[slot].version
      case .view(let slot):
        if case .current(let current)? = state.find(view: slot) { version = current }
      }
      if let version { state.pin(version) }
      return version
    }
    defer { if let version { state.withLock { $0.unpin(version) } } }
    return try body(version)
  }

  /// Replaces `current` by the result of a change, as the next version.
  ///
  /// - Parameters:
  ///   - area: The area of the change, without pinned elements.
  ///   - keepsNames: Whether every item with an id still has the same id and index path. Then the
  ///     index of ids is kept.
  ///   - lineage: Which item is which of the version before; `nil` if nobody knows: then nothing of
  ///     the past is kept.
  ///   - position: Of the next version, if others know it already.
  /// - Returns: The new version; `nil` if `current` is not the current version any more, or if the
  ///   session or view is gone.
  /// - Throws: ``SessionStoreError/layoutTooLarge(bytes:limit:)``. Nothing is changed then.
  public func advance(
    _ current: LayoutVersion, to collection: PreparedCollection, touching area: InvalidatedRects,
    keepsNames: Bool = false, lineage: DataLineage? = nil, at position: HistoryPosition? = nil
  ) throws(SessionStoreError) -> LayoutVersion? {
    let position = position ?? nextPosition(after: current, isNewVersion: true, lineage)
    if current.isView {
      return try change(current, to: collection, touching: area, at: position)
    }
    let isKept = lineage != nil
    let pastBytes = isKept ? current.collection.frameBytes(besides: collection) + 512 : 0
    let dataBytes = isKept ? current.collection.dataBytes(besides: collection) : 0
    return try replace(
      current,
      with: LayoutVersion(
        after: current, at: position, collection: collection,
        history: current.history.adding(area, after: current.tag.hash), keepsNames: keepsNames,
        lineage: lineage)
    ) { state, released in
      state.keepPast(
        current, bytes: pastBytes, dataBytes: dataBytes, step: lineage, releasing: &released)
    }
  }

  /// Replaces options and bounds of `current` by others that change no attribute. The version keeps
  /// its number.
  ///
  /// - Returns: Like ``advance(_:to:touching:keepsNames:lineage:)``.
  public func amend(
    _ current: LayoutVersion, to collection: PreparedCollection, at position: HistoryPosition? = nil
  ) throws(SessionStoreError) -> LayoutVersion? {
    let position = position ?? nextPosition(after: current, isNewVersion: false, .same)
    if current.isView {
      return try change(current, to: collection, touching: .none, at: position)
    }
    return try replace(
      current,
      with: LayoutVersion(
        after: current, at: position, collection: collection, history: current.history,
        keepsNames: true))
  }

  /// The place in its history after a change of a version.
  ///
  /// - Parameters:
  ///   - change: The id of the change.
  ///   - lineage: As for ``advance(_:to:touching:keepsNames:lineage:at:)``.
  public func nextPosition(
    after current: LayoutVersion, isNewVersion: Bool, _ lineage: DataLineage?,
    by change: HistoryPosition.ChangeID? = nil
  ) -> HistoryPosition {
    let change = change ?? makeChangeID()
    if current.isView {
      return current.position.changed(
        by: change, ofViewOf: current.data, isNewVersion: isNewVersion)
    }
    return isNewVersion
      ? current.position.advanced(by: change, isOfData: !(lineage?.isSame ?? false))
      : current.position.amended(by: change)
  }

  /// Tells of every new version and every end from now on, on the thread on which it happens, and
  /// not under a lock. There is one listener; another one replaces it.
  ///
  /// The news of two threads may come in another order than it happened.
  public func listen(_ hear: @escaping @Sendable (SessionNews) -> Void) {
    listener.withLock { $0.hear = hear }
  }

  func tell(_ news: SessionNews) { listener.withLock { $0.hear }?(news) }

  /// Releases what a table has given up, and tells which sessions have ended. Makes the rest of the
  /// room, if there was much to give up.
  func settle(_ released: Released) {
    var released = released
    while true {
      if !released.ended.isEmpty, let hear = listener.withLock({ $0.hear }) {
        for (id, end) in released.ended { hear(.hasEnded(id, end)) }
      }
      guard released.isUnfinished else { return }
      released = state.withLock { $0.evict(to: limits) }
    }
  }

  func settle(_ released: (Released, Released)) {
    settle(released.0)
    settle(released.1)
  }

  private func replace(
    _ current: LayoutVersion, with next: LayoutVersion,
    keeping keepPast: (inout SessionTable, inout Released) -> Void = { _, _ in }
  ) throws(SessionStoreError) -> LayoutVersion? {
    let bytes = try size(of: next)
    let oldFrameBytes = current.collection.frameBytes
    let now = clock.now()
    let (isReplaced, released) = state.withLock { state in
      var released = Released()
      guard
        state.useSession(current.id, at: now, idleTimeout: limits.idleTimeout) === current
      else { return (false, (released, Released())) }
      keepPast(&state, &released)
      state.replace(next, bytes: bytes, oldFrameBytes: oldFrameBytes, releasing: &released)
      return (true, (released, state.evict(to: limits)))
    }
    settle(released)
    guard isReplaced else { return nil }
    if next.number != current.number { tell(.hasMoved(next)) }
    return next
  }

  /// The memory of a version in the store, without the index of ids. It throws if it exceeds the
  /// limit.
  func size(of version: LayoutVersion) throws(SessionStoreError) -> Int {
    let bytes = version.bytesWithoutNames
    guard bytes <= limits.maxBytes else {
      throw .layoutTooLarge(bytes: bytes, limit: limits.maxBytes)
    }
    waitForRoom(bytes)
    return bytes
  }

  /// Waits if too much is not freed yet. What is kept and what is not freed, with so many bytes
  /// more, must not exceed the limit by more than a quarter.
  func waitForRoom(_ bytes: Int) {
    let waitingBytes = OwnedContents.waitingBytes
    guard waitingBytes > 0 else { return }
    if statistics.bytes + waitingBytes + bytes > limits.maxBytes + limits.maxBytes / 4 {
      OwnedContents.waitForDisposal()
    }
  }

  /// The index of a version's ids; `nil` if no item has one. The first call builds it. Its memory
  /// counts from then on, which may evict other sessions.
  ///
  /// The index is a cache: it goes where it would be in the way of its own session.
  public func itemIDs(of version: LayoutVersion) -> ItemIDIndex? {
    let index = version.itemIDs()
    let released = state.withLock { state in
      // A view has the index in common with its source.
      guard case .session(let slot)? = state.places[version.collectionID],
        state.sessions[slot].version?.names === version.names
      else {
        // The session has other ids by now, so nobody counts it.
        var released = Released()
        released.add(version.names.forget())
        return released
      }
      state.countIndex(of: slot)
      return state.evict(to: limits)
    }
    settle(released)
    return index
  }

  /// Removes a session with its views.
  ///
  /// - Returns: Whether `version` was still the current one.
  public func remove(_ version: LayoutVersion) -> Bool {
    remove(version.id) { state, place in
      guard case .session(let slot) = place else { return false }
      return state.sessions[slot].version === version
    }
  }

  /// Removes a session with its views, or a view, if its current version has a tag.
  public func remove(_ id: SessionID, at tag: VersionTag) -> Bool {
    remove(id) { state, place in state.tag(at: place) == tag }
  }

  private func remove(
    _ id: SessionID, if isMeant: (SessionTable, SessionTable.Place) -> Bool
  ) -> Bool {
    let now = clock.now()
    let (isRemoved, released) = state.withLock { state in
      var released = Released()
      guard let place = state.use(id, at: now, idleTimeout: limits.idleTimeout),
        isMeant(state, place)
      else { return (false, released) }
      switch place {
      case .session(let slot): state.removeSession(slot, .deleted, releasing: &released)
      case .view(let slot): state.removeView(slot, .deleted, releasing: &released)
      }
      return (true, released)
    }
    settle(released)
    return isRemoved
  }

  /// Removes every session that has been idle for too long.
  ///
  /// - Complexity: O(*k*) for *k* idle sessions, removed or not. A session that is being changed is
  ///   not removed.
  public func removeExpiredSessions() {
    let now = clock.now()
    var isFinished = false
    while !isFinished {
      var released = state.withLock { $0.expire(at: now, idleTimeout: limits.idleTimeout) }
      isFinished = !released.isUnfinished
      released.isUnfinished = false
      settle(released)
    }
  }

  /// The time at which a session that is used now would expire, in whole seconds since 1970.
  public func expiryUnixTime() -> Int {
    clock.unixTime() + Int(limits.idleTimeout.components.seconds)
  }

  public var statistics: Statistics { state.withLock { $0.statistics } }
}

/// The reason why a layout is not stored.
public enum SessionStoreError: Error, Equatable, Sendable {
  case layoutTooLarge(bytes: Int, limit: Int)
}
