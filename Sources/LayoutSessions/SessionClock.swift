import Synchronization

/// The time as sessions need it; tests bring one that they set themselves.
public protocol SessionClock: Sendable {
  /// Time since some fixed moment, never going back: what timeouts are measured by.
  func now() -> Duration
  /// Whole seconds since 1970, UTC: what clients are told.
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
