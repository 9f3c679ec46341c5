public import LayoutSessions
import Synchronization

/// A clock that stands still until it is advanced.
public final class ManualSessionClock: SessionClock {
  private let elapsed = Mutex(Duration.zero)
  private let startUnixTime: Int
  /// Called the next time somebody reads the time since the start, in the middle of whatever that
  /// is.
  private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

  public init(startUnixTime: Int = 0) {
    self.startUnixTime = startUnixTime
  }

  public func advance(by duration: Duration) {
    elapsed.withLock { $0 += duration }
  }

  public func interrupt(_ body: (@Sendable () -> Void)?) { interruption.withLock { $0 = body } }

  public func now() -> Duration {
    interruption.withLock { $0.take() }?()
    return elapsed.withLock { $0 }
  }

  public func unixTime() -> Int { startUnixTime + Int(now().components.seconds) }
}
