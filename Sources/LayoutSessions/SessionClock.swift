import Synchronization

/// A clock for sessions. Tests have one that they set themselves.
public protocol SessionClock: Sendable {
  /// The time since a fixed moment. It never goes back, and timeouts are measured with it.
  func now() -> Duration
  /// Whole seconds since 1970, UTC, for clients.
  func unixTime() -> Int
}

/// A clock that stands still until it is advanced.
public final class ManualSessionClock: SessionClock {
  private let elapsed = Mutex(Duration.zero)
  private let startUnixTime: Int

  public init(startUnixTime: Int = 0) {
    self.startUnixTime = startUnixTime
  }

  public func advance(by duration: Duration) {
    elapsed.withLock { $0 += duration }
  }

  public func now() -> Duration { elapsed.withLock { $0 } }

  public func unixTime() -> Int { startUnixTime + Int(now().components.seconds) }
}
