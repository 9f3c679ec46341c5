/// Percent-encoding (RFC 3986, section 2.1). A plus sign is a plus sign.
package enum PercentCoding {
  /// The decoded bytes; `nil` if two hexadecimal digits are missing after a percent sign.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if let octet = encodedOctet(in: text, at: index) {
        decoded.append(octet)
        index += 3
      } else if text[index] != UInt8(ascii: "%") {
        decoded.append(text[index])
        index += 1
      } else {
        return nil
      }
    }
    return decoded
  }

  /// The text with letters, digits and `-._~` decoded (RFC 3986, section 2.3), and everything else
  /// unchanged.
  package static func decodeUnreserved(_ text: Span<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if let octet = encodedOctet(in: text, at: index), octet.isUnreserved {
        decoded.append(octet)
        index += 3
      } else {
        decoded.append(text[index])
        index += 1
      }
    }
    return decoded
  }

  /// The text with every byte encoded that is not a visible ASCII character.
  package static func encodeInvisible(_ text: some Collection<UInt8>) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.count)
    for byte in text {
      if (0x21...0x7E).contains(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 15] {
          encoded.append(UInt8.hexDigit(digit, ten: UInt8(ascii: "A")))
        }
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func encodedOctet(in text: Span<UInt8>, at index: Int) -> UInt8? {
    guard text[index] == UInt8(ascii: "%"), index + 2 < text.count,
      let high = text[index + 1].hexValue, let low = text[index + 2].hexValue
    else { return nil }
    return high << 4 | low
  }
}
