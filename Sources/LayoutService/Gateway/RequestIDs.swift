import MicroHTTP
import Synchronization

/// Ids of requests: the client's own, or a random number of this process and a count.
final class RequestIDs: Sendable {
  private let process = UInt64.random(in: .min ... .max)
  private let count = Atomic<UInt64>(0)

  /// What the client sent, if it is 1 to 128 visible ASCII characters.
  static func usable(_ given: String?) -> RequestID? {
    guard let given, (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return .given(given)
  }

  /// - Parameter given: What the client sent; taken if it is usable.
  func id(given: String?) -> RequestID {
    Self.usable(given)
      ?? .made(process: process, number: count.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}
