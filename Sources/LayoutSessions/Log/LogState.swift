import Synchronization

extension SessionStore {
  /// What is known of the log beside the copies.
  struct LogState {
    /// Copies that are being made, and whether something was heard of them meanwhile.
    var loading: [SessionID: Bool] = [:]
    /// How often news have stopped.
    var silences = 0
    /// How often a copy that is behind had to do.
    var failures = 0
    var lastTouch = Duration.zero
    var isCompacting: Set<SessionID> = []
    /// Ids that are going to be looked up.
    var awaited: Set<SessionID> = []
    var memory = ShortMemory()
    var statistics = LogStatistics()
  }

  /// What was done with the log since the start.
  public struct LogStatistics: Sendable {
    /// Copies that were made from the log.
    public var loads = 0
    /// Changes that others made and this server made again.
    public var replays = 0
    /// Changes that had to be made again because others were faster.
    public var conflicts = 0
    /// Snapshots that replaced long logs.
    public var compactions = 0

    public init() {}
  }

  /// How many changes are read at once.
  static let pageLength = 64
  /// How often something is read anew that others change meanwhile.
  static let maxAttempts = 8
  /// The most ids that are looked up at once.
  static let maxAwaited = 1024
  /// How often a change is made again because others are faster.
  static let maxConflicts = 100

  public var logStatistics: LogStatistics { logged.withLock { $0.statistics } }

  /// Whether news come. While they do not, copies may be behind.
  public var isHeard: Bool { hears.load(ordering: .acquiring) }

  /// Is the same before and after some work if all copies were what the log has meanwhile, as far
  /// as news say; `nil` while news do not come.
  public var hearing: Int? {
    guard mayBlock else { return 0 }
    return logged.withLock { isHeard ? $0.silences + $0.failures : nil }
  }

  /// Whether the log can be reached; `nil` if there is none that keeps layouts.
  public var isLogReachable: Bool? { log == nil ? nil : isHeard }

  /// Whoever waits for a copy waits on this.
  public func lock(for id: SessionID) -> ChangeLock { Self.lock(for: id, in: copyLocks) }

  /// Held while the copy of a view is changed. It is never taken by who holds a lock of
  /// ``lock(for:)``.
  func viewLock(for id: SessionID) -> ChangeLock { Self.lock(for: id, in: viewLocks) }

  /// Whoever asks for a document by its name waits on this.
  public func nameLock(for name: String) -> ChangeLock {
    nameLocks[Int(name.hashValue.magnitude % UInt(nameLocks.count))]
  }

  private static func lock(for id: SessionID, in locks: [ChangeLock]) -> ChangeLock {
    locks[Int(id.hashValue.magnitude % UInt(locks.count))]
  }
}
