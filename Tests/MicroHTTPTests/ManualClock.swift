import Synchronization
import System
import TestSupport

@testable import MicroHTTP

/// A clock that stands still until it is moved on.
final class ManualClock: Sendable {
  private let time = Atomic<Nanoseconds>(1)

  var now: @Sendable () -> Nanoseconds {
    { [self] in time.load(ordering: .acquiring) }
  }

  /// Moves the time on and has a daemon's deadlines checked.
  func advance(by duration: Duration, of daemon: Daemon) {
    time.wrappingAdd(duration.clampedNanoseconds, ordering: .releasing)
    daemon.core.checkConnections()
  }

  /// Moves the time on second by second until a daemon has so many connections: for those that it
  /// may only get to know meanwhile.
  ///
  /// - Returns: Whether that came to be.
  func advance(until count: Int, of daemon: Daemon) -> Bool {
    eventually {
      advance(by: .seconds(1), of: daemon)
      return daemon.connectionCount == count
    }
  }
}
