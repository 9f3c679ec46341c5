import Synchronization

/// What an operator should know, each message at most once a second.
///
/// Whoever is refused for want of something comes again, and others with them. There are few
/// messages: all of them come from this module, and none has anything in it that a client sent.
final class WarningLog: Sendable {
  private static let pause: Nanoseconds = 1_000_000_000

  private let write: @Sendable (String) -> Void
  private let now: @Sendable () -> Nanoseconds
  /// When each message may be written again.
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
