import Synchronization

/// libmicrohttpd's own messages while it starts.
///
/// Later ones are dropped: they tell of clients that left or sent what is no HTTP, as often as
/// clients like.
final class StartLog: Sendable {
  /// Nil once it has started.
  private let collected = Mutex<[String]?>([])

  var messages: [String] { collected.withLock { $0 } ?? [] }

  func append(_ message: UnsafePointer<CChar>) {
    collected.withLock {
      guard $0 != nil else { return }
      var text = String(cString: message)
      while text.last?.isNewline == true { text.removeLast() }
      $0?.append(text)
    }
  }

  func end() {
    collected.withLock { $0 = nil }
  }
}
