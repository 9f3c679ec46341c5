public import CollectionLayout

/// Every session there is, by id: the only mutable state that requests share.
///
/// Sessions stand in a list from the most to the least recently used. A use moves one to the
/// front; what is idle for too long, or too much by the limits, goes from the back. Under the
/// lock only references move; a layout that goes is given up after it.
public final class SessionStore: Sendable {
  /// How much is kept, and how long.
  public struct Limits: Sendable {
    /// How many sessions there may be, ≥ 1; the newest stays in any case.
    public var maxSessions: Int
    /// How much the sessions may hold together, in bytes, by `LayoutVersion.memoryBytes`.
    public var maxBytes: Int
    /// How long a session lives that nobody uses, > 0.
    public var idleTimeout: Duration

    public init(
      maxSessions: Int = 10_000, maxBytes: Int = 1 << 30, idleTimeout: Duration = .seconds(900)
    ) {
      self.maxSessions = maxSessions
      self.maxBytes = maxBytes
      self.idleTimeout = idleTimeout
    }
  }

  /// What has been counted since the start, and what there is now.
  public struct Statistics: Equatable, Sendable {
    /// The sessions that there are now, those included that have expired and are not swept yet.
    public var sessions = 0
    /// What they hold, in bytes, by `LayoutVersion.memoryBytes`, and what earlier versions hold
    /// that are still being worked with.
    public var bytes = 0
    /// How many have had to make room since the start.
    public var evictions = 0
    /// How many have been swept since the start because nobody used them.
    public var expiries = 0
  }

  private let limits: Limits
  private let clock: any SessionClock
  private let state = BriefLock(State())

  public init(limits: Limits, clock: any SessionClock) {
    self.limits = limits
    self.clock = clock
  }

  /// Keeps a new layout; the least recently used sessions go to make room.
  ///
  /// - Throws: ``SessionStoreError/layoutTooLarge(bytes:limit:)``, with nothing changed, when it
  ///   would not fit even alone.
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

  /// The current version of a session, which counts as a use; `nil` when there is none (any more).
  public func version(of id: SessionID) -> LayoutVersion? {
    let now = clock.now()
    return state.withLock { $0.use(id, at: now, idleTimeout: limits.idleTimeout) }
  }

  /// Calls `body` with the current version of a session, `nil` when there is none (any more), for
  /// work that takes long: until it is done the version counts, though another one may have taken
  /// its place. This is a use of the session.
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

  /// Puts the result of a change in the place of `current`, as the next version.
  ///
  /// - Parameters:
  ///   - area: What the change touched, pinned elements apart; `nil` for nothing.
  ///   - keepsNames: Whether each item that has a name is where it was, with the same name: then
  ///     their index stays.
  /// - Returns: The new version; `nil` when the session's version is another by now, or it is gone.
  /// - Throws: ``SessionStoreError/layoutTooLarge(bytes:limit:)``, with nothing changed.
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

  /// Puts options and bounds that make no difference to any attribute in the place of those of
  /// `current`; the version keeps its number.
  ///
  /// - Returns: As ``advance(_:to:touching:)``.
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

  /// What a version takes of the store's memory, which must not be more than there is.
  private func size(of version: LayoutVersion) throws(SessionStoreError) -> Int {
    let bytes = version.memoryBytes
    guard bytes <= limits.maxBytes else {
      throw .layoutTooLarge(bytes: bytes, limit: limits.maxBytes)
    }
    return bytes
  }

  /// The index of the names of a version's items, built by the first call; `nil` when no item has a
  /// name. What it takes counts from then on, and may cost others their place.
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

  /// Ends a session.
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

  /// Ends every session that has been idle for too long.
  ///
  /// - Complexity: O(*k*) for *k* sessions that end, or would if no change of them were being made.
  public func removeExpiredSessions() {
    let now = clock.now()
    let released = state.withLock { $0.expire(at: now, idleTimeout: limits.idleTimeout) }
    withExtendedLifetime(released) {}
  }

  /// When a session that is used now would end, in whole seconds since 1970.
  public func expiryUnixTime() -> Int {
    clock.unixTime() + Int(limits.idleTimeout.components.seconds)
  }

  public var statistics: Statistics { state.withLock { $0.statistics } }
}

/// Why a layout is not kept.
public enum SessionStoreError: Error, Equatable, Sendable {
  case layoutTooLarge(bytes: Int, limit: Int)
}

/// Slots linked from the most to the least recently used, and a dictionary that finds them.
private struct State {
  private struct Slot {
    var version: LayoutVersion?
    /// What the version counts as in the statistics.
    var bytes: Int
    var lastUse: Duration
    /// Towards the most recently used; −1 at the front.
    var newer: Int
    /// Towards the least recently used; −1 at the back.
    var older: Int
  }

  /// Work that is being done with a version, and what the version counts as when it is not the
  /// current one of a session any more.
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

  /// The slot of a session, most often the one that was used last: to look there first makes the
  /// time short for which all threads wait for one.
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

  /// Whether nothing has asked for a session for so long.
  private func isIdle(_ index: Int, at now: Duration, idleTimeout: Duration) -> Bool {
    now - slots[index].lastUse >= idleTimeout
  }

  /// Whether a change is being made, all through which a session is in use.
  private func isBeingChanged(_ index: Int) -> Bool {
    slots[index].version?.changeLock.isTaken ?? false
  }

  /// Puts a version in its session's place, with what it takes now.
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

  /// Counts a slot's version for as long as it is worked with, though it leaves the slot.
  private mutating func keepCounting(_ index: Int) {
    guard let version = slots[index].version else { return }
    let key = ObjectIdentifier(version)
    guard var pin = pins[key] else { return }
    pin.bytesBeyondSessions = slots[index].bytes
    pins[key] = pin
    statistics.bytes += pin.bytesBeyondSessions
  }

  /// Removes from the back until the limits are kept; never the newest.
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
