public import CollectionLayout
import Synchronization

/// Every session there is, by id: the only mutable state that requests share.
///
/// Sessions stand in a list from the most to the least recently used. A use moves one to the
/// front; what is idle for too long, or too much by the bounds, goes from the back. Under the
/// lock only references move; a layout that goes is released after it.
public final class SessionStore: Sendable {
  public struct Bounds: Sendable {
    public var maxSessions: Int
    /// The sum of what the sessions hold, by `LayoutVersion.memoryBytes`.
    public var maxBytes: Int
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
    public var sessions = 0
    public var bytes = 0
    public var evictions = 0
    public var expiries = 0
  }

  public let bounds: Bounds
  private let clock: any SessionClock
  private let state = Mutex(State())

  public init(bounds: Bounds, clock: any SessionClock) {
    self.bounds = bounds
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
    guard version.memoryBytes <= bounds.maxBytes else {
      throw .layoutTooLarge(bytes: version.memoryBytes, limit: bounds.maxBytes)
    }
    let now = clock.now()
    let released = state.withLock { state in
      state.insert(version, at: now)
      return state.evict(to: bounds)
    }
    withExtendedLifetime(released) {}
    return version
  }

  /// The current version of a session, which counts as a use; `nil` when there is none (any more).
  public func version(of id: SessionID) -> LayoutVersion? {
    let now = clock.now()
    return state.withLock { $0.use(id, at: now, idleTimeout: bounds.idleTimeout) }
  }

  /// Puts the next version in the place of `current`.
  ///
  /// - Returns: The new version; `nil` when the session's version is another by now, or it is gone.
  /// - Throws: ``SessionStoreError/layoutTooLarge(bytes:limit:)``, with nothing changed.
  public func replace(
    _ current: LayoutVersion, with collection: PreparedCollection
  ) throws(SessionStoreError) -> LayoutVersion? {
    let next = LayoutVersion(
      id: current.id, number: current.number + 1, collection: collection,
      createdUnixTime: current.createdUnixTime)
    guard next.memoryBytes <= bounds.maxBytes else {
      throw .layoutTooLarge(bytes: next.memoryBytes, limit: bounds.maxBytes)
    }
    let now = clock.now()
    let (isReplaced, released) = state.withLock { state in
      guard state.use(current.id, at: now, idleTimeout: bounds.idleTimeout) === current else {
        return (false, [LayoutVersion]())
      }
      state.replace(next)
      return (true, state.evict(to: bounds))
    }
    withExtendedLifetime(released) {}
    return isReplaced ? next : nil
  }

  /// Ends a session.
  ///
  /// - Returns: Whether `version` was still the current one.
  public func remove(_ version: LayoutVersion) -> Bool {
    state.withLock { state in
      guard state.current(version.id) === version else { return false }
      state.remove(version.id)
      return true
    }
  }

  /// Ends every session that has been idle for too long.
  ///
  /// - Complexity: O(*k*) for *k* sessions that end.
  public func removeExpiredSessions() {
    let deadline = clock.now() - bounds.idleTimeout
    let released = state.withLock { $0.expire(lastUsedBy: deadline) }
    withExtendedLifetime(released) {}
  }

  /// When a session that is used now would end, in whole seconds since 1970.
  public func expiryUnixTime() -> Int {
    clock.unixTime() + Int(bounds.idleTimeout.components.seconds)
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
    var lastUse: Duration
    /// Towards the most recently used; −1 at the front.
    var newer: Int
    /// Towards the least recently used; −1 at the back.
    var older: Int
  }

  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var slotsByID: [SessionID: Int] = [:]
  private var newest = -1
  private var oldest = -1
  private(set) var statistics = SessionStore.Statistics()

  func current(_ id: SessionID) -> LayoutVersion? {
    slotsByID[id].flatMap { slots[$0].version }
  }

  mutating func insert(_ version: LayoutVersion, at now: Duration) {
    let slot = Slot(version: version, lastUse: now, newer: -1, older: -1)
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
    statistics.bytes += version.memoryBytes
  }

  mutating func use(_ id: SessionID, at now: Duration, idleTimeout: Duration) -> LayoutVersion? {
    guard let index = slotsByID[id] else { return nil }
    guard now - slots[index].lastUse < idleTimeout else { return nil }
    slots[index].lastUse = now
    if newest != index {
      unlink(index)
      linkAtFront(index)
    }
    return slots[index].version
  }

  mutating func replace(_ version: LayoutVersion) {
    guard let index = slotsByID[version.id] else { return }
    statistics.bytes += version.memoryBytes - (slots[index].version?.memoryBytes ?? 0)
    slots[index].version = version
  }

  @discardableResult
  mutating func remove(_ id: SessionID) -> LayoutVersion? {
    guard let index = slotsByID.removeValue(forKey: id) else { return nil }
    unlink(index)
    let version = slots[index].version
    slots[index].version = nil
    freeSlots.append(index)
    statistics.sessions -= 1
    statistics.bytes -= version?.memoryBytes ?? 0
    return version
  }

  /// Removes from the back until the bounds are kept; never the newest.
  mutating func evict(to bounds: SessionStore.Bounds) -> [LayoutVersion] {
    var released: [LayoutVersion] = []
    while statistics.sessions > bounds.maxSessions || statistics.bytes > bounds.maxBytes,
      oldest != newest, let version = slots[oldest].version
    {
      remove(version.id)
      released.append(version)
      statistics.evictions += 1
    }
    return released
  }

  mutating func expire(lastUsedBy deadline: Duration) -> [LayoutVersion] {
    var released: [LayoutVersion] = []
    while oldest >= 0, slots[oldest].lastUse <= deadline, let version = slots[oldest].version {
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
