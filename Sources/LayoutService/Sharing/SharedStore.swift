import CollectionLayout
import Dispatch
public import LayoutSessions
import MicroHTTP
import Synchronization
import WireFormat

/// What this server has in common with others: the log of all sessions, and copies of those that
/// it was asked for.
///
/// Queries are answered from the copies. What is heard of changes is a hint that a copy is behind;
/// the log is the truth. It is read by the workers, never by the serving threads.
///
/// Locks are never held inside each other: first that of a copy's id, or that of its changes.
public final class SharedStore: Sendable {
  private let log: any SessionLog
  private let sessions: SessionStore
  private let limits: LayoutService.Limits
  private let warn: @Sendable (String) -> Void

  /// Whether news come, and all copies have been looked after since they do.
  private let hears = Atomic(false)

  private struct State {
    /// Copies that are being made, and whether something was heard of them meanwhile.
    var loading: [SessionID: Bool] = [:]
    /// How often news have stopped.
    var silences = 0
    var lastTouch = Duration.zero
    var isCompacting: Set<SessionID> = []
    var statistics = Statistics()
  }

  /// Counts since the start.
  public struct Statistics: Sendable {
    /// Copies that were made from the log.
    public var loads = 0
    /// Changes that others made and this server made again.
    public var replays = 0
    /// Changes that had to be made again because others were faster.
    public var conflicts = 0
    /// Snapshots that replaced long logs.
    public var compactions = 0
  }

  private let state = Mutex(State())
  private let locks = (0..<64).map { _ in StoreLock() }
  private let background = DispatchQueue(label: "layoutd.store")
  private let compaction = DispatchQueue(label: "layoutd.compaction")

  /// How many changes are read at once.
  private static let pageLength = 64

  /// - Parameter warn: Told of what an operator should know.
  public init(
    _ log: any SessionLog, sessions: SessionStore,
    limits: LayoutService.Limits = LayoutService.Limits(),
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.log = log
    self.sessions = sessions
    self.limits = limits
    self.warn = warn
    log.listen { [weak self] in self?.hear($0) }
  }

  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// Whether news come. While they do not, copies may be behind.
  public var isHeard: Bool { hears.load(ordering: .acquiring) }

  /// Whoever waits for a copy waits on this.
  func lock(for id: SessionID) -> StoreLock { locks[Int(id.hashValue.magnitude % 64)] }

  // MARK: News

  private func hear(_ news: LogNews) {
    switch news {
    case .isSilent:
      state.withLock { state in
        state.silences += 1
        hears.store(false, ordering: .releasing)
      }
    case .isHeard:
      let silences = state.withLock { $0.silences }
      background.async { [weak self] in self?.lookAfterAll(after: silences) }
    case .hasMoved(let id, let head):
      let isLoading = state.withLock { state in
        guard state.loading[id] != nil else { return false }
        state.loading[id] = true
        return true
      }
      if !isLoading { sessions.hear(id, head) }
    }
  }

  /// Compares all copies with the log. News count as heard after that, unless they have stopped
  /// again: then whoever hears that they come begins anew.
  ///
  /// - Parameter silences: How often news had stopped when they came again.
  private func lookAfterAll(after silences: Int) {
    state.withLock { state in for id in state.loading.keys { state.loading[id] = true } }
    let ids = sessions.copies(usedSince: .zero)
    do throws(SessionLogError) {
      for start in stride(from: 0, to: ids.count, by: 1000) {
        let part = Array(ids[start..<min(start + 1000, ids.count)])
        for (id, head) in zip(part, try log.heads(of: part)) {
          sessions.hear(id, head, isNews: false)
        }
      }
      state.withLock { state in
        if state.silences == silences { hears.store(true, ordering: .releasing) }
      }
    } catch {
      // A single failure does not end the news.
      background.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
        guard let self, state.withLock({ $0.silences }) == silences else { return }
        lookAfterAll(after: silences)
      }
    }
  }

  /// Moves on the time at which used sessions end in the log, now and then.
  public func keepHouse() {
    let now = sessions.now
    let interval = sessions.idleTimeout / 4
    let since = state.withLock { state -> Duration? in
      guard now - state.lastTouch >= interval else { return nil }
      defer { state.lastTouch = now }
      return state.lastTouch
    }
    guard let since else { return }
    background.async { [self] in
      let ids = sessions.copies(usedSince: since)
      for start in stride(from: 0, to: ids.count, by: 1000) {
        do {
          try log.touch(Array(ids[start..<min(start + 1000, ids.count)]))
        } catch {
          // It is done again with the next ones.
          state.withLock { $0.lastTouch = since }
        }
      }
    }
  }

  // MARK: Copies

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

  private func catchUpSource(_ id: SessionID) throws(SharingError) {
    guard sessions.copy(of: id) != nil else { return try load(id) }
    try lock(for: id).withLock { () throws(SharingError) in try replay(id) }
  }

  /// Makes a copy.
  private func load(_ id: SessionID) throws(SharingError) {
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

  /// Replaces the copy of a session.
  ///
  /// - Precondition: The lock is held.
  /// - Returns: The record, if this is a view.
  private func loadSession(_ id: SessionID) throws(SharingError) -> ViewRecord? {
    while true {
      state.withLock { $0.loading[id] = false }
      defer { state.withLock { $0.loading[id] = nil } }
      guard let snapshot = try reading({ () throws(SessionLogError) in try log.snapshot(of: id) })
      else {
        sessions.forget(id)
        throw .isGone
      }
      if snapshot.kind == ViewRecord.kind {
        guard let view = ViewRecord(snapshot) else { throw unreadable(id) }
        return view
      }
      guard let (collection, position) = try replayed(snapshot, of: id) else { continue }
      // What was heard meanwhile would be lost.
      guard state.withLock({ $0.loading[id] == false }) else { continue }
      do throws(SessionStoreError) {
        try sessions.install(
          collection, as: id, at: position, createdUnixTime: snapshot.createdUnixTime)
      } catch {
        throw .tooLarge(error)
      }
      state.withLock { $0.statistics.loads += 1 }
      return nil
    }
  }

  /// The collection of a snapshot and all changes since; `nil` if another one took its place.
  private func replayed(
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
  private func replay(_ id: SessionID) throws(SharingError) {
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
  private func append(
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

  private func changes(
    of id: SessionID, after position: HistoryPosition
  ) throws(SharingError) -> [LoggedChange] {
    try reading { () throws(SessionLogError) in
      try log.changes(of: id, after: position, limit: Self.pageLength)
    }
  }

  /// The collection after a change, as it was made by whoever was asked for it.
  private func apply(
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

  // MARK: Views

  /// - Precondition: The lock is held.
  private func loadView(_ id: SessionID) throws(SharingError) {
    while true {
      state.withLock { $0.loading[id] = false }
      defer { state.withLock { $0.loading[id] = nil } }
      guard let snapshot = try reading({ () throws(SessionLogError) in try log.snapshot(of: id) })
      else {
        sessions.forget(id)
        throw .isGone
      }
      guard var view = ViewRecord(snapshot) else { throw unreadable(id) }
      var position = snapshot.position
      var isWhole = true
      while isWhole {
        let changes = try changes(of: id, after: position)
        if changes.isEmpty { break }
        for change in changes where isWhole {
          isWhole = position.leads(to: change.position, by: change.id)
          guard view.take(change) else { throw unreadable(id) }
          position = change.position
        }
      }
      guard isWhole, state.withLock({ $0.loading[id] == false }) else { continue }
      // If the source had to make room by now, the view is loaded when it is asked for again.
      _ = sessions.installView(
        view.layout, as: id, of: view.source, at: position, firstRevision: view.firstRevision,
        createdUnixTime: snapshot.createdUnixTime)
      return
    }
  }

  /// Brings the copy of a view's own layout up to date.
  ///
  /// - Precondition: The lock is held.
  private func replayView(_ id: SessionID) throws(SharingError) {
    guard let copy = sessions.copy(of: id), copy.source != nil else { return }
    let head = try reading { () throws(SessionLogError) in try log.heads(of: [id])[0] }
    if head == copy.position { return sessions.hasRead(id, upTo: copy.newsCount) }
    try loadView(id)
  }

  // MARK: Changes

  /// Keeps a new session, or ends it.
  func create(_ version: LayoutVersion) throws(ServiceError) {
    do throws(SessionLogError) {
      try log.create(version.id, snapshot(of: version))
    } catch {
      sessions.forget(version.id)
      throw unavailable(error)
    }
  }

  private func snapshot(of version: LayoutVersion) -> SessionSnapshot {
    if version.isView {
      let record = ViewRecord(
        source: version.collectionID,
        firstRevision: sessions.record(ofView: version.id)?.firstRevision
          ?? version.position.data.revision,
        layout: version.collection.layout)
      return SessionSnapshot(
        position: version.position, kind: ViewRecord.kind,
        createdUnixTime: version.createdUnixTime, body: record.body)
    }
    var encoder = CollectionEncoder()
    encoder.encode(version.collection)
    return SessionSnapshot(
      position: version.position, kind: version.collection.layout.kind.name,
      createdUnixTime: version.createdUnixTime, body: encoder.writer.bytes)
  }

  /// What has become of a change.
  enum Outcome {
    /// - Parameter isLong: As in ``LogOutcome``.
    case done(isLong: Bool)
    /// Others were faster: the copy is behind.
    case conflict
  }

  /// Adds a change of a version to the log.
  func append(
    _ operation: SharedOperation, _ body: [UInt8], to version: LayoutVersion,
    _ change: HistoryPosition.ChangeID, leadingTo position: HistoryPosition
  ) throws(ServiceError) -> Outcome {
    let logged = LoggedChange(
      id: change, position: position, operation: operation.rawValue, body: body)
    do throws(SessionLogError) {
      switch try log.append(logged, to: version.id, after: version.position) {
      case .done(let isLong): return .done(isLong: isLong)
      case .isElsewhere:
        sessions.hear(version.id, nil)
        state.withLock { $0.statistics.conflicts += 1 }
        return .conflict
      case .isGone:
        sessions.forget(version.id)
        throw SessionLogError(.unreadable, "gone")
      }
    } catch {
      if error.cause == .unreadable, error.reason == "gone" { throw .noSuchLayout }
      // It may have been added.
      if error.mayBeDone { sessions.hear(version.id, nil) }
      throw unavailable(error)
    }
  }

  /// Writes a new snapshot in the background, if nobody does.
  func compact(_ version: LayoutVersion) {
    let isFirst = state.withLock { $0.isCompacting.insert(version.id).inserted }
    guard isFirst else { return }
    compaction.async { [self] in
      defer { _ = state.withLock { $0.isCompacting.remove(version.id) } }
      do throws(SessionLogError) {
        try log.replaceSnapshot(of: version.id, by: snapshot(of: version))
        state.withLock { $0.statistics.compactions += 1 }
      } catch {
        warn("a long log stays long: \(error.reason)")
      }
    }
  }

  /// Where a session's or view's history ends; `nil` if there is none.
  func head(of id: SessionID) throws(ServiceError) -> HistoryPosition? {
    do throws(SessionLogError) {
      return try log.heads(of: [id])[0]
    } catch {
      throw unavailable(error)
    }
  }

  /// Ends a session or view for all servers.
  ///
  /// - Returns: False if it has moved on: the copy, if there is one, is behind.
  func remove(_ id: SessionID, at position: HistoryPosition) throws(ServiceError) -> Bool {
    do throws(SessionLogError) {
      switch try log.remove(id, at: position) {
      case .done:
        sessions.forget(id)
        return true
      case .isElsewhere:
        sessions.hear(id, nil)
        return false
      case .isGone: sessions.forget(id)
      }
    } catch {
      if error.mayBeDone { sessions.hear(id, nil) }
      throw unavailable(error)
    }
    throw .noSuchLayout
  }

  // MARK: Errors

  /// Why there is no copy.
  private enum SharingError: Error {
    case isGone
    case log(SessionLogError)
    case tooLarge(SessionStoreError)
  }

  private func reading<R>(_ body: () throws(SessionLogError) -> R) throws(SharingError) -> R {
    do throws(SessionLogError) {
      return try body()
    } catch {
      throw .log(error)
    }
  }

  private func reachingStore(_ body: () throws(SharingError) -> Void) throws(ServiceError) {
    do throws(SharingError) {
      try body()
    } catch {
      switch error {
      case .isGone: throw .noSuchLayout
      case .tooLarge(let error): throw ServiceError(error)
      case .log(let error): throw unavailable(error)
      }
    }
  }

  private func unavailable(_ error: SessionLogError) -> ServiceError {
    if error.cause == .unreadable { warn(error.reason) }
    return .storeUnavailable(isFull: error.cause == .full)
  }

  private func unreadable(_ id: SessionID) -> SharingError {
    .log(
      SessionLogError(
        .unreadable,
        "a layout in the store cannot be made here; do all servers have the same limits and version?"
      ))
  }

  /// Calls `body` with bytes as the decoders want them.
  static func withPadding<R>(
    _ bytes: [UInt8], _ body: (UnsafeMutableRawBufferPointer) throws(BodyError) -> R
  ) throws(BodyError) -> R {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + PrepareRequest.padding, alignment: 16)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    buffer.copyBytes(from: bytes)
    return try body(UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count]))
  }
}

/// A lock for the copies of some sessions, on which those who want one wait.
final class StoreLock: Sendable {
  private let mutex = Mutex(())

  func withLock<R: Sendable, E>(_ body: () throws(E) -> R) throws(E) -> R {
    try mutex.withLock { _ throws(E) in try body() }
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
