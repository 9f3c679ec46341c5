import LayoutSessions
import System

/// The clocks of the machine.
struct SystemClock: SessionClock {
  func now() -> Duration { .nanoseconds(SystemTime.monotonic()) }

  func unixTime() -> Int { Int(SystemTime.unix() / 1_000_000_000) }
}
