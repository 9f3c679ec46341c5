import Glibc
import Synchronization

/// Wakes a thread that waits, be it for time to pass or for a socket.
final class WakeUp: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() {
    var ends: [Int32] = [-1, -1]
    let status = pipe(&ends)
    precondition(status == 0, "pipe: errno \(errno)")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  /// Ends the wait that is going on, or else the next one.
  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(ends.write, &byte, 1)
  }

  /// Waits until it is woken, there is something to read, or the time is over.
  ///
  /// - Returns: Whether there is something to read, or the other side has closed.
  func wait(_ duration: Duration, reading descriptor: Int32 = -1) -> Bool {
    var waiting = [
      pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // One more, since a part of a millisecond would be none.
    let milliseconds = min(max(duration.milliseconds + 1, 0), Int(Int32.max))
    guard poll(&waiting, 2, Int32(milliseconds)) > 0 else { return false }
    if waiting[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(ends.read, &bytes, bytes.count) > 0 {}
    }
    return waiting[1].revents != 0
  }
}
