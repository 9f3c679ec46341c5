import Glibc

/// A time of the monotonic clock, in nanoseconds. It fits in an atomic.
typealias Nanoseconds = Int64

func monotonicNow() -> Nanoseconds {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
}
