import CGlibc
import Glibc

/// Ends the wait of a thread that waits for sockets or for time to pass.
public final class WakeUp: Sendable {
  /// An eventfd, which is readable when somebody has called ``wake()``; −1 if the system had none.
  public let descriptor: Int32
  private let failure: Int32

  public init() {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    failure = descriptor < 0 ? errno : 0
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Says whether it can be used.
  public func check() throws(SystemError) {
    guard failure == 0 else { throw SystemError(call: "eventfd", number: failure) }
  }

  /// Ends the wait that is going on, or else the next one.
  public func wake() {
    eventfd_write(descriptor, 1)
  }

  /// Takes notice: who calls ``wake()`` from now on ends the next wait.
  public func clear() {
    var number: eventfd_t = 0
    eventfd_read(descriptor, &number)
  }

  /// Waits until it is woken, there is something to read, or the time is over.
  ///
  /// - Parameters:
  ///   - duration: Any; a negative one is none.
  ///   - other: Another descriptor; −1 for none.
  /// - Returns: Whether there is something to read at the other descriptor, or its other side has
  ///   closed.
  public func wait(_ duration: Duration, reading other: Int32 = -1) -> Bool {
    var waiting = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // One more, since a part of a millisecond would be none.
    let milliseconds = min(duration.clampedNanoseconds / 1_000_000 + 1, Nanoseconds(Int32.max))
    guard poll(&waiting, 2, Int32(milliseconds)) > 0 else { return false }
    if waiting[0].revents != 0 { clear() }
    return waiting[1].revents != 0
  }
}
