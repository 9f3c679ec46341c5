public import CollectionLayout

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
    /// The largest sum of `LayoutVersion.memoryBytes` of all sessions, in bytes.
    public var maxBytes: Int
    /// The time after which an unused session expires, > 0.
    public var idleTimeout: Duration

    public init(
      maxSessions: Int = 10_000, maxBytes: Int = 1 << 30, idleTimeout: Duration = .seconds(900)
    ) {
      self.maxSessions = maxSessions
      self.maxBytes = maxBytes
      self.idleTimeout = idleTimeout
    }
  }

  /// Counts since the start, and the present state.
  public struct Statistics: Equatable, Sendable {
    /// The number of sessions now, with expired ones that are not removed yet.
    public var sessions = 0
    /// The sum of `LayoutVersion.memoryBytes` of the sessions, and of earlier versions that are
    /// still in use.
    public var bytes = 0
    /// The number of sessions that were evicted to make room, since the start.
    public var evictions = 0
    /// The number of sessions that expired, since the start.
    public var expiries = 0
  }

  private let limits: Limits
  private let clock: any SessionClock
  private let state = BriefLock(State())

  public init(limits: Limits, clock: any SessionClock) {
    self.limits = limits
    self.clock = clock
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
      id: .random(), number: 1, collection: collection, createdUnixTime: clock.unixTime())
    let bytes = try size(of: version)
    let now = clock.now()
    let released = state.withLock { state in
      state.insert(version, bytes: bytes, at: now)
      return state.evict(to: limits)
    }
    withExtendedLifetime(released) {}
    return version
  }

  /// The current version of a session; `nil` if the session does not exist (any more). This is a
  /// use of the session.
  public func version(of id: SessionID) -> LayoutVersion? {
    let now = clock.now()
    return state.withLock { $0.use(id, at: now, idleTimeout: limits.idleTimeout) }
  }

  /// Calls `body` with the current version of a session, for long work. The version is `nil` if the
  /// session does not exist (any more). Until `body` returns, the version counts in the statistics,
  /// even if another version has replaced it. This is a use of the session.
  public func withVersion<R, E>(
    of id: SessionID, _ body: (LayoutVersion?) throws(E) -> R
  ) throws(E) -> R {
    let now = clock.now()
    let version = state.withLock {
      let version = $0.use(id, at: now, idleTimeout: limits.idleTimeout)
      if let version { $0.pin(version) }
      return version
    }
    defer { if let version { state.withLock { $0.unpin(version) } } }
    return try body(version)
  }

  /// Replaces `current` by the result of a change, as the next version.
  ///
  /// - Parameters:
  ///   - area: The area of the change, without pinned elements; `nil` if there is none.
  ///   - keepsNames: Whether every item with an id still has the same id and index path. Then the
  ///     index of ids is kept.
  /// - Returns: The new version; `nil` if `current` is not the session's version any more, or if
  ///   the session is gone.
  /// - Throws: ``SessionStoreError/layoutTooLarge(bytes:limit:)``. Nothing is changed then.
  public func advance(
    _ current: LayoutVersion, to collection: PreparedCollection, touching area: Rect?,
    keepsNames: Bool = false
  ) throws(SessionStoreError) -> LayoutVersion? {
    try replace(
      current,
      with: LayoutVersion(
        after: current, number: current.number + 1, collection: collection,
        history: current.history.adding(area), keepsNames: keepsNames))
  }

  /// Replaces options and bounds of `current` by others that change no attribute. The version keeps
  /// its number.
  ///
  /// - Returns: Like ``advance(_:to:touching:keepsNames:)``.
  public func amend(
    _ current: LayoutVersion, to collection: PreparedCollection
  ) throws(SessionStoreError) -> LayoutVersion? {
    try replace(
      current,
      with: LayoutVersion(
        after: current, number: current.number, collection: collection, history: current.history,
        keepsNames: true))
  }

  private func replace(
    _ current: LayoutVersion, with next: LayoutVersion
  ) throws(SessionStoreError) -> LayoutVersion? {
    let bytes = try size(of: next)
    let now = clock.now()
    let (isReplaced, released) = state.withLock { state in
      guard state.use(current.id, at: now, idleTimeout: limits.idleTimeout) === current else {
        return (false, [LayoutVersion]())
      }
      state.replace(next, bytes: bytes)
      return (true, state.evict(to: limits))
    }
    withExtendedLifetime(released) {}
    return isReplaced ? next : nil
  }

  /// The memory of a version in the store. It throws if it exceeds the limit.
  private func size(of version: LayoutVersion) throws(SessionStoreError) -> Int {
    let bytes = version.memoryBytes
    guard bytes <= limits.maxBytes else {
      throw .layoutTooLarge(bytes: bytes, limit: limits.maxBytes)
    }
    waitForRoom(bytes)
    return bytes
  }

  /// Waits if too much is not freed yet. What is kept and what is not freed, with so many bytes
  /// more, must not exceed the limit by more than a quarter.
  private func waitForRoom(_ bytes: Int) {
    let waitingBytes = OwnedContents.waitingBytes
    guard waitingBytes > 0 else { return }
    if statistics.bytes + waitingBytes + bytes > limits.maxBytes + limits.maxBytes / 4 {
      OwnedContents.waitForDisposal()
    }
  }

  /// The index of a version's ids; `nil` if no item has one. The first call builds it. Its memory
  /// counts from then on, which may evict other sessions.
  public func itemIDs(of version: LayoutVersion) -> ItemIDIndex? {
    let index = version.itemIDs()
    let bytes = version.memoryBytes
    let released = state.withLock { state in
      guard state.current(version.id) === version else { return [LayoutVersion]() }
      state.replace(version, bytes: bytes)
      return state.evict(to: limits)
    }
    withExtendedLifetime(released) {}
    return index
  }

  /// Removes a session.
  ///
  /// - Returns: Whether `version` was still the current one.
  public func remove(_ version: LayoutVersion) -> Bool {
    let now = clock.now()
    return state.withLock { state in
      guard state.use(version.id, at: now, idleTimeout: limits.idleTimeout) === version else {
        return false
      }
      state.remove(version.id)
      return true
    }
  }

  /// Removes every session that has been idle for too long.
  ///
  /// - Complexity: O(*k*) for *k* idle sessions, removed or not. A session that is being changed is
  ///   not removed.
  public func removeExpiredSessions() {
    let now = clock.now()
    let released = state.withLock { $0.expire(at: now, idleTimeout: limits.idleTimeout) }
    withExtendedLifetime(released) {}
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

/// Slots that are linked from the most to the least recently used, and a dictionary that finds
/// them.
private struct State {
  private struct Slot {
    var version: LayoutVersion?
    /// The bytes of the version in the statistics.
    var bytes: Int
    var lastUse: Duration
    /// The next slot towards the most recently used; −1 at the front.
    var newer: Int
    /// The next slot towards the least recently used; −1 at the back.
    var older: Int
  }

  /// The work that uses a version, and the bytes of the version if it is no longer a session's
  /// current one.
  private struct Pin {
    var uses = 0
    var bytesBeyondSessions = 0
  }

  private var slots: [Slot] = []
  private var pins: [ObjectIdentifier: Pin] = [:]
  private var freeSlots: [Int] = []
  private var slotsByID: [SessionID: Int] = [:]
  private var newest = -1
  private var oldest = -1
  private(set) var statistics = SessionStore.Statistics()

  func current(_ id: SessionID) -> LayoutVersion? {
    slotsByID[id].flatMap { slots[$0].version }
  }

  /// The slot of a session. It looks at the last used slot first, because it is often the right
  /// one, and all threads wait for this lock.
  private func find(_ id: SessionID) -> Int? {
    newest >= 0 && slots[newest].version?.id == id ? newest : slotsByID[id]
  }

  mutating func insert(_ version: LayoutVersion, bytes: Int, at now: Duration) {
    let slot = Slot(version: version, bytes: bytes, lastUse: now, newer: -1, older: -1)
    let index: Int
    if let free = freeSlots.popLast() {
      index = free
      slots[index] = slot
    } else {
      index = slots.count
      slots.append(slot)
    }
    slotsByID[version.id] = index
    linkAtFront(index)
    statistics.sessions += 1
    statistics.bytes += bytes
  }

  mutating func use(_ id: SessionID, at now: Duration, idleTimeout: Duration) -> LayoutVersion? {
    guard let index = find(id),
      !isIdle(index, at: now, idleTimeout: idleTimeout) || isBeingChanged(index)
    else { return nil }
    markUsed(index, at: now)
    return slots[index].version
  }

  private mutating func markUsed(_ index: Int, at now: Duration) {
    slots[index].lastUse = now
    if newest != index {
      unlink(index)
      linkAtFront(index)
    }
  }

  /// Whether nobody has used a session for the timeout.
  private func isIdle(_ index: Int, at now: Duration, idleTimeout: Duration) -> Bool {
    now - slots[index].lastUse >= idleTimeout
  }

  /// Whether a change is being made. A session is in use during a change.
  private func isBeingChanged(_ index: Int) -> Bool {
    slots[index].version?.changeLock.isTaken ?? false
  }

  /// Sets the version of its session, with its present size.
  mutating func replace(_ version: LayoutVersion, bytes: Int) {
    guard let index = slotsByID[version.id] else { return }
    if slots[index].version !== version { keepCounting(index) }
    statistics.bytes += bytes - slots[index].bytes
    slots[index].bytes = bytes
    slots[index].version = version
  }

  @discardableResult
  mutating func remove(_ id: SessionID) -> LayoutVersion? {
    guard let index = slotsByID.removeValue(forKey: id) else { return nil }
    unlink(index)
    keepCounting(index)
    let version = slots[index].version
    slots[index].version = nil
    freeSlots.append(index)
    statistics.sessions -= 1
    statistics.bytes -= slots[index].bytes
    return version
  }

  mutating func pin(_ version: LayoutVersion) {
    pins[ObjectIdentifier(version), default: Pin()].uses += 1
  }

  mutating func unpin(_ version: LayoutVersion) {
    let key = ObjectIdentifier(version)
    guard var pin = pins[key] else { return }
    pin.uses -= 1
    if pin.uses == 0 { statistics.bytes -= pin.bytesBeyondSessions }
    pins[key] = pin.uses == 0 ? nil : pin
  }

  /// Counts the version of a slot while it is in use, even after it has left the slot.
  private mutating func keepCounting(_ index: Int) {
    guard let version = slots[index].version else { return }
    let key = ObjectIdentifier(version)
    guard var pin = pins[key] else { return }
    pin.bytesBeyondSessions = slots[index].bytes
    pins[key] = pin
    statistics.bytes += pin.bytesBeyondSessions
  }

  /// Removes sessions from the back until the limits are kept, but never the newest.
  mutating func evict(to limits: SessionStore.Limits) -> [LayoutVersion] {
    var released: [LayoutVersion] = []
    while statistics.sessions > limits.maxSessions || statistics.bytes > limits.maxBytes,
      oldest != newest, let version = slots[oldest].version
    {
      remove(version.id)
      released.append(version)
      statistics.evictions += 1
    }
    return released
  }

  mutating func expire(at now: Duration, idleTimeout: Duration) -> [LayoutVersion] {
    var released: [LayoutVersion] = []
    while oldest >= 0, isIdle(oldest, at: now, idleTimeout: idleTimeout),
      let version = slots[oldest].version
    {
      if isBeingChanged(oldest) {
        markUsed(oldest, at: now)
        continue
      }
      remove(version.id)
      released.append(version)
      statistics.expiries += 1
    }
    return released
  }

  private mutating func linkAtFront(_ index: Int) {
    slots[index].newer = -1
    slots[index].older = newest
    if newest >= 0 { slots[newest].newer = index }
    newest = index
    if oldest < 0 { oldest = index }
  }

  private mutating func unlink(_ index: Int) {
    let (newer, older) = (slots[index].newer, slots[index].older)
    if newer >= 0 { slots[newer].older = older } else { newest = older }
    if older >= 0 { slots[older].newer = newer } else { oldest = newer }
  }
}
