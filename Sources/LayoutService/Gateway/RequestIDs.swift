import Synchronization

/// Ids of requests: the client's own, or a random prefix of this process and a count.
final class RequestIDs: Sendable {
  private let prefix = UInt64.random(in: .min ... .max)
  private let count = Atomic<UInt64>(0)

  /// - Parameter given: What the client sent; taken if it is 1 to 128 visible ASCII characters.
  func id(given: String?) -> String {
    if let given, (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    {
      return given
    }
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    // Sixteen hexadecimal digits, a hyphen and those of the number without leading zeros. By hand,
    // since each answer has one.
    let length = max(1, (67 - number.leadingZeroBitCount) / 4)
    return String(unsafeUninitializedCapacity: 17 + length) { text in
      Self.write(prefix, to: text, 0..<16)
      text[16] = UInt8(ascii: "-")
      Self.write(number, to: text, 17..<17 + length)
      return 17 + length
    }
  }

  private static func write(
    _ number: UInt64, to text: UnsafeMutableBufferPointer<UInt8>, _ places: Range<Int>
  ) {
    var rest = number
    for place in places.reversed() {
      let digit = UInt8(truncatingIfNeeded: rest & 15)
      text[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
      rest >>= 4
    }
  }
}
