import Glibc

/// A time of one of the system's clocks, or a duration, in nanoseconds. It fits in an atomic.
public typealias Nanoseconds = Int64

/// The clocks of the machine. Whoever needs time is given a clock, so that tests can set it.
public enum SystemTime {
  /// The time since a fixed moment. It never goes back.
  public static func monotonic() -> Nanoseconds { nanoseconds(CLOCK_MONOTONIC) }

  /// The time since 1970, UTC.
  public static func unix() -> Nanoseconds { nanoseconds(CLOCK_REALTIME) }

  /// The time since the machine was started.
  public static func sinceBoot() -> Nanoseconds { nanoseconds(CLOCK_BOOTTIME) }

  private static func nanoseconds(_ clock: clockid_t) -> Nanoseconds {
    var time = timespec()
    clock_gettime(clock, &time)
    return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
  }
}
