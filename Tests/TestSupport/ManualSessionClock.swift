public import LayoutSessions
import Synchronization

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
