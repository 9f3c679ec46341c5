import System

/// A clock for sessions.
public protocol SessionClock: Sendable {
  /// The time since a fixed moment. It never goes back, and timeouts are measured with it.
  func now() -> Duration
  /// Whole seconds since 1970, UTC, for clients.
  func unixTime() -> Int
}

/// The clocks of the machine.
public struct SystemClock: SessionClock {
  public init() {}

  public func now() -> Duration { .nanoseconds(SystemTime.monotonic()) }

  public func unixTime() -> Int { Int(SystemTime.unix() / 1_000_000_000) }
}
