import MicroHTTP
import System

/// Ids of requests: the client's own id, or a random number of the thread with a count.
enum RequestIDs {
  /// The client's id, if it has 1 to 128 visible ASCII characters.
  static func usable(_ given: String?) -> RequestID? {
    guard let given, (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return .given(given)
  }

  /// - Parameter given: The client's id, which is used if it is usable.
  static func id(given: String?) -> RequestID {
    usable(given) ?? series { $0.next() }
  }

  /// One series for each thread. With a common count, every request would wait for the cache line
  /// from another processor.
  private static let series = PerThread { Series() }

  private final class Series {
    private let name = UInt64.random(in: .min ... .max)
    // Only its own thread uses this.
    @exclusivity(unchecked) private var count: UInt64 = 0

    func next() -> RequestID {
      count += 1
      return .made(series: name, number: count)
    }
  }
}
