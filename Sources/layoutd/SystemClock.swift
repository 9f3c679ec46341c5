import Glibc
import LayoutSessions

/// The clocks of the machine.
struct SystemClock: SessionClock {
  func now() -> Duration {
    let time = Self.time(CLOCK_MONOTONIC)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  func unixTime() -> Int { Self.time(CLOCK_REALTIME).tv_sec }

  private static func time(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
