import Synchronization

/// The messages of libmicrohttpd while it starts.
///
/// Later messages are dropped. They are about clients that left or sent no HTTP, so clients could
/// fill the log with them.
final class StartLog: Sendable {
  /// `nil` once it has started.
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
