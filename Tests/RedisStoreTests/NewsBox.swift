import LayoutSessions
import Synchronization
import TestSupport

/// The news that a log has told, for tests that wait for them.
final class NewsBox: Sendable {
  private let news = Mutex<[LogNews]>([])

  func add(_ one: LogNews) { news.withLock { $0.append(one) } }

  func clear() { news.withLock { $0 = [] } }

  func count(of one: LogNews) -> Int { news.withLock { $0.count { $0 == one } } }

  /// Waits until something is heard, and forgets it and what came before.
  func hears(_ one: LogNews) -> Bool {
    eventually {
      news.withLock { news in
        guard let index = news.firstIndex(of: one) else { return false }
        news.removeFirst(index + 1)
        return true
      }
    }
  }
}
