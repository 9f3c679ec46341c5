import Synchronization

/// Ids of requests: the client's own, or a random prefix of this process and a count.
final class RequestIDs: Sendable {
  private let prefix: String
  private let count = Atomic(0)

  init() {
    let random = UInt64.random(in: .min ... .max)
    let digits = String(random, radix: 16)
    prefix = String(repeating: "0", count: 16 - digits.count) + digits + "-"
  }

  /// - Parameter given: What the client sent; taken if it is 1 to 128 visible ASCII characters.
  func id(given: String?) -> String {
    if let given, (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    {
      return given
    }
    return prefix + String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 16)
  }
}
