extension UInt8 {
  package var asciiLowercase: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// Whether this byte may stand in a token (RFC 9110, section 5.6.2).
  var isTokenByte: Bool {
    if (self | 0x20) &- 0x61 < 26 || isDigit { return true }
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      return true
    default: return false
    }
  }

  /// Whether this byte is `unreserved` (RFC 3986, section 2.3).
  package var isUnreserved: Bool {
    (self | 0x20) &- 0x61 < 26 || isDigit || "-._~".utf8.contains(self)
  }

  var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are those of a lowercase text, ignoring case.
  package func spells(lowercase: StaticString) -> Bool {
    guard count == lowercase.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index].asciiLowercase != lowercase.utf8Start[index] {
      return false
    }
    return true
  }
}
