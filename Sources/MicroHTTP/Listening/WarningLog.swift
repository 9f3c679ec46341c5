import Synchronization
import System

/// Messages for the operator, each at most once a second.
///
/// Clients that are refused because something is short come again. There are few different
/// messages: all come from this module, and none contains anything that a client sent.
final class WarningLog: Sendable {
  private static let pause: Nanoseconds = 1_000_000_000

  private let write: @Sendable (String) -> Void
  private let now: @Sendable () -> Nanoseconds
  /// The time at which each message may be written again.
  private let pauses = Mutex<[String: Nanoseconds]>([:])

  init(
    now: @escaping @Sendable () -> Nanoseconds,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.now = now
    self.write = write
  }

  func warn(_ message: String) {
    let now = now()
    let isDue = pauses.withLock {
      guard $0[message, default: .min] <= now else { return false }
      $0[message] = now + Self.pause
      return true
    }
    if isDue { write(message) }
  }
}
