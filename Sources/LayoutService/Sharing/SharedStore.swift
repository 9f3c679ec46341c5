import Dispatch
public import LayoutSessions
import Synchronization
public import TextMeasure

/// What this server has in common with others: the log of all sessions, and copies of those that
/// it was asked for.
///
/// Queries are answered from the copies. What is heard of changes is a hint that a copy is behind;
/// the log is the truth. It is read by the workers, never by the serving threads.
///
/// Locks are never held inside each other: first that of a copy's id, or that of its changes.
public final class SharedStore: Sendable {
  let log: any SessionLog
  let sessions: SessionStore
  let limits: LayoutService.Limits
  let warn: @Sendable (String) -> Void
  let typesetter: CardTypesetter

  /// Whether news come, and all copies have been looked after since they do.
  let hears = Atomic(false)

  struct State {
    /// Copies that are being made, and whether something was heard of them meanwhile.
    var loading: [SessionID: Bool] = [:]
    /// How often news have stopped.
    var silences = 0
    var lastTouch = Duration.zero
    var isCompacting: Set<SessionID> = []
    /// Ids that are going to be looked up.
    var awaited: Set<SessionID> = []
    var memory = ShortMemory()
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

  let state = Mutex(State())
  private let locks = (0..<64).map { _ in StoreLock() }
  /// Whoever looks ids up waits on this.
  let lookUps = StoreLock()
  let background = DispatchQueue(label: "layoutd.store")
  let compaction = DispatchQueue(label: "layoutd.compaction")

  /// How many changes are read at once.
  static let pageLength = 64
  /// How often something is read anew that others change meanwhile.
  static let maxAttempts = 8
  /// The most ids that are looked up at once.
  static let maxAwaited = 1024

  /// - Parameters:
  ///   - fonts: The fonts of the service.
  ///   - warn: Told of what an operator should know.
  public init(
    _ log: any SessionLog, sessions: SessionStore,
    limits: LayoutService.Limits = LayoutService.Limits(),
    fonts: FontLibrary = FontLibrary(folders: []),
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.log = log
    self.sessions = sessions
    self.limits = limits
    typesetter = CardTypesetter(fonts)
    self.warn = warn
    sessions.holdCopies()
    log.listen { [weak self] in self?.hear($0) }
  }

  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// Whether news come. While they do not, copies may be behind.
  public var isHeard: Bool { hears.load(ordering: .acquiring) }

  /// Whoever waits for a copy waits on this.
  func lock(for id: SessionID) -> StoreLock { locks[Int(id.hashValue.magnitude % 64)] }
}

/// A lock for the copies of some sessions, on which those who want one wait.
final class StoreLock: Sendable {
  private let mutex = Mutex(())

  func withLock<R: Sendable, E>(_ body: () throws(E) -> R) throws(E) -> R {
    try mutex.withLock { _ throws(E) in try body() }
  }
}
