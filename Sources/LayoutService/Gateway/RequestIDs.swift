import MicroHTTP

/// Ids of requests: the client's own, or a random number of the thread and a count.
enum RequestIDs {
  /// What the client sent, if it is 1 to 128 visible ASCII characters.
  static func usable(_ given: String?) -> RequestID? {
    guard let given, (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return .given(given)
  }

  /// - Parameter given: What the client sent; taken if it is usable.
  static func id(given: String?) -> RequestID {
    usable(given) ?? series { $0.next() }
  }

  /// One for each thread: for one count, each request's thread would wait until its cache line has
  /// come over from another processor.
  private static let series = PerThread { Series() }

  private final class Series {
    private let name = UInt64.random(in: .min ... .max)
    // Only its own thread is in here.
    @exclusivity(unchecked) private var count: UInt64 = 0

    func next() -> RequestID {
      count += 1
      return .made(series: name, number: count)
    }
  }
}
