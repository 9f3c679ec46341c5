import Synchronization

/// Ids of requests: the client's own, or a random prefix of this process and a count.
final class RequestIDs: Sendable {
  /// Sixteen hexadecimal digits and a hyphen.
  private let prefix: InlineArray<17, UInt8>
  private let count = Atomic<UInt64>(0)

  init() {
    var prefix = InlineArray<17, UInt8>(repeating: UInt8(ascii: "-"))
    let random = UInt64.random(in: .min ... .max)
    for place in 0..<16 { prefix[place] = Self.digit(random >> (60 - 4 * place)) }
    self.prefix = prefix
  }

  /// What the client sent, if it is 1 to 128 visible ASCII characters.
  static func usable(_ given: String?) -> String? {
    guard let given, (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return given
  }

  /// - Parameter given: What the client sent; taken if it is usable.
  func id(given: String?) -> String {
    if let given = Self.usable(given) { return given }
    // By hand, since each answer has one: the number's digits without leading zeros.
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let digits = max(1, (67 - number.leadingZeroBitCount) / 4)
    return String(unsafeUninitializedCapacity: prefix.count + digits) { text in
      for place in prefix.indices { text[place] = prefix[place] }
      for place in 0..<digits {
        text[prefix.count + place] = Self.digit(number >> (4 * (digits - 1 - place)))
      }
      return prefix.count + digits
    }
  }

  /// The hexadecimal digit of a number's lowest four bits.
  private static func digit(_ number: UInt64) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: number & 15)
    return value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
  }
}
