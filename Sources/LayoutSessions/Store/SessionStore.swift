public import CollectionLayout
import Dispatch
import Synchronization
import System

/// All documents and their layouts, by id. This is the only mutable state that requests share.
///
/// It is the only door to layouts, whether or not other servers share them. Where they do, what is
/// here are copies of what the ``Log`` has: queries are answered from them, and what is heard of
/// changes is a hint that a copy is behind. Only what says so may block: workers call it, and never
/// the serving threads.
///
/// Locks are never held inside each other: first that of a copy's id, or that of its changes.
///
/// Layouts are in lists from the most to the least recently used. A use moves a layout and its
/// document to the front. What is idle for too long or exceeds the limits is removed from the back.
/// Only references move under the lock. Collections are released after it.
public final class SessionStore: Sendable {
  /// The limits of the store.
  public struct Limits: Sendable {
    /// The largest number of documents, ≥ 1. The newest document always stays.
    public var maxSessions = 10_000
    /// The largest memory of all documents with their indexes of ids, and of their layouts, in
    /// bytes.
    public var maxBytes = 1 << 30
    /// The time after which an unused layout expires, > 0.
    public var idleTimeout: Duration = .seconds(900)
    /// The largest number of layouts beside the first of each document, ≥ 1. The newest of them
    /// always stays.
    public var maxViews = 100_000
    /// The largest memory of earlier versions and of the steps between them, in bytes, beside
    /// `maxBytes`. Earlier data counts here, whoever has it.
    public var maxHistoryBytes = 64 << 20
    /// The largest number of items that a layout may store.
    public var maxItems: Int = .max

    /// The defaults.
    public static let standard = Self()
  }

  /// Counts since the start, and the present state.
  public struct Statistics: Equatable, Sendable {
    /// The number of documents now, with expired ones that are not removed yet.
    public var sessions = 0
    /// The memory of the documents with their indexes of ids, and of their layouts.
    public var bytes = 0
    /// The number of layouts that were evicted to make room, since the start.
    public var evictions = 0
    /// The number of layouts that expired, since the start.
    public var expiries = 0
    /// The number of layouts beside the first of each document now, with expired ones that are not
    /// removed yet.
    public var views = 0
    /// How often frames had to make room, since the start.
    public var framesDropped = 0
    /// The memory of earlier versions and of the steps between them, in bytes.
    public var historyBytes = 0
  }

  /// Who hears of new versions and ends. A `Mutex` of nothing but a closure would wrap the closure
  /// once more whenever somebody looks at it, and each call would go through all the wrappers.
  private struct Listener {
    var hear: (@Sendable (SessionNotice) -> Void)?
  }

  public let limits: Limits
  let clock: any SessionClock
  let makeChangeID: @Sendable () -> HistoryPosition.ChangeID
  let state: BriefLock<SessionTable>
  private let listener = Mutex(Listener())

  /// What all servers have in common that share their layouts; it is the truth. `nil` if what is
  /// in memory is all that there is: then nobody is ever behind, and nobody asks a log.
  let log: (any Log)!
  let bodies: (any LoggedBodies)!
  let warn: @Sendable (String) -> Void
  /// Whether the log may block, so that work with layouts is for workers.
  public let mayBlock: Bool
  let logged = Mutex(LogState())
  /// Whether news of the log come, and all copies have been looked after since they do.
  let hears: Atomic<Bool>
  let copyLocks = (0..<64).map { _ in ChangeLock() }
  /// Views have locks of their own: who holds a view's may take that of its source.
  let viewLocks = (0..<64).map { _ in ChangeLock() }
  /// Held while a document of a name is made, outside of all others.
  let nameLocks = (0..<64).map { _ in ChangeLock() }
  /// Whoever looks ids up waits on this.
  let lookUps = ChangeLock()
  let background = DispatchQueue(label: "layoutd.store")
  let compaction = DispatchQueue(label: "layoutd.compaction")

  /// - Parameters:
  ///   - log: What other servers have in common with this one; `nil` for nothing.
  ///   - bodies: Reads and writes what the log has.
  ///   - warn: Told of what an operator should know.
  ///   - makeChangeID: Gives each change its random id; tests know theirs beforehand.
  public init(
    limits: Limits, clock: any SessionClock, log: (any Log)? = nil,
    bodies: (any LoggedBodies)? = nil, warn: @escaping @Sendable (String) -> Void = { _ in },
    makeChangeID: @escaping @Sendable () -> HistoryPosition.ChangeID = { .random() }
  ) {
    self.limits = limits
    self.clock = clock
    self.log = log
    self.bodies = bodies
    self.warn = warn
    self.makeChangeID = makeChangeID
    mayBlock = log != nil
    // What a log keeps are copies here, which may be behind until it tells.
    state = BriefLock(SessionTable(limits, holdsCopies: log != nil))
    hears = Atomic(log == nil)
    log?.listen { [weak self] in self?.take($0) }
  }

  /// The current version of a layout; `nil` if it does not exist (any more), or must be made first.
  /// Others may have changed it. This is a use of it.
  public func version(of id: SessionID) -> LayoutVersion? {
    if case .current(let version)? = findHere(id) { version } else { nil }
  }

  /// Replaces `current` by the result of a change.
  ///
  /// - Parameters:
  ///   - names: The index of ids after the change, if it is known.
  ///   - area: The area of the change, without pinned elements.
  ///   - lineage: Which item is which of the version before; `nil` if nobody knows: then nothing of
  ///     the past is kept.
  /// - Returns: The new version; `nil` if `current` is not the current version any more, or if the
  ///   layout is gone.
  /// - Throws: ``SessionsError/tooLarge(bytes:limit:)``. Nothing is changed then.
  func replace(
    _ current: LayoutVersion, by collection: PreparedCollection, _ names: ItemNames?,
    mostBodyBytes: Int? = nil, touching area: InvalidatedRects, _ lineage: DataLineage?,
    at position: HistoryPosition
  ) throws(SessionsError) -> LayoutVersion? {
    let source = current.isFirst ? nil : source(current.documentID)
    let held = HeldCollection(
      collection, viewOf: source, names: names, mostBodyBytes: mostBodyBytes)
    try makeRoom(for: held, beside: source)
    let old = current.collection
    let isOfData = position.data.revision > current.revision
    let change = MadeChange(
      current: current, position: position, held: held,
      key: framesKey(collection, after: current, isOfData: isOfData), area: area, lineage: lineage,
      pastBytes: (
        old.frameBytes(besides: collection) + HeldCollection.overhead,
        isOfData ? old.dataBytes(besides: collection) : 0
      ))
    let version = self.change { state in
      let version = state.commit(change)
      if version != nil { state.evict() }
      return version
    }
    if let version, version.number != current.number { tell(.hasMoved(version)) }
    if mayBlock, isOfData, let version, version.revision.isMultiple(of: Self.renewal) {
      compaction.async { [weak self] in self?.renewOwn(of: version.id) }
    }
    return version
  }

  /// The place in its history after a change of a version.
  ///
  /// - Parameters:
  ///   - change: `nil` if the version stays as it is.
  ///   - id: That of the change.
  func nextPosition(
    after current: LayoutVersion, by change: CollectionChange?, _ id: HistoryPosition.ChangeID
  ) -> HistoryPosition {
    guard let change else { return current.position.amended(by: id, over: current.data) }
    return current.position.advanced(
      by: id, isOfData: current.isFirst && !change.lineage.isSame, over: current.data)
  }

  /// Tells of every new version and every end from now on, on the thread on which it happens, and
  /// not under a lock. There is one listener; another one replaces it.
  ///
  /// What two threads tell may come in another order than it happened.
  public func listen(_ hear: @escaping @Sendable (SessionNotice) -> Void) {
    listener.withLock { $0.hear = hear }
  }

  func tell(_ notice: SessionNotice) { listener.withLock { $0.hear }?(notice) }

  /// Uses and changes the table. After the lock, what the table has given up is released, and the
  /// listener hears which layouts have ended. If there is much to give up, others have the lock in
  /// between.
  func change<R>(_ body: (inout SessionTable) -> R) -> R {
    let now = clock.now()
    var (result, released) = state.withLock { state in
      state.now = now
      let result = body(&state)
      return (result, state.takeReleased())
    }
    while true {
      if !released.ended.isEmpty || !released.moved.isEmpty,
        let hear = listener.withLock({ $0.hear })
      {
        for (id, end) in released.ended { hear(.hasLeft(id, end)) }
        for id in released.moved { hear(.isBehind(id)) }
      }
      guard released.isUnfinished else { return result }
      released = state.withLock { state in
        state.evict()
        return state.takeReleased()
      }
    }
  }

  /// The current version of the first layout of a document; `nil` if there is no document with the
  /// id. This is no use of it.
  func source(_ documentID: SessionID) -> LayoutVersion? {
    state.withLock { $0.source(documentID) }
  }

  /// The index of a version's ids; `nil` if no item has one. The first call builds it. Its memory
  /// counts from then on, which may evict other documents.
  ///
  /// The index is a cache: it goes where it would be in the way of its own document.
  public func itemIDs(of version: LayoutVersion) -> ItemIDIndex? {
    let index = version.itemIDs()
    change { state in
      // All layouts of a document have the index in common.
      guard let slot = state.places[version.documentID],
        state.layouts[slot].version?.names === version.names
      else {
        // The document has other ids by now, so nobody counts it.
        return state.released.add(version.names.forget())
      }
      state.count(document: state.layouts[slot].document)
      state.evict()
    }
    return index
  }

  /// The time at which a layout that is used now would expire, in whole seconds since 1970.
  public func expiryUnixTime() -> Int {
    clock.unixTime() + Int(limits.idleTimeout.components.seconds)
  }

  public var statistics: Statistics { state.withLock { $0.statistics } }
}
