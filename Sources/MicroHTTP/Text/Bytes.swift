import Glibc

// Bytes as text: what they are, what they spell, and where something is in them.

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

  package var isDigit: Bool { self &- 0x30 < 10 }

  var isHexDigit: Bool { hexValue != nil }

  /// The value of a hexadecimal digit, in upper or lower case.
  package var hexValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let letter = asciiLowercase &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// The hexadecimal digit of a number below 16.
  ///
  /// - Parameter ten: The digit of 10, `a` or `A`.
  static func hexDigit(_ value: UInt8, ten: UInt8 = UInt8(ascii: "a")) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : ten + value - 10
  }
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

  /// Whether any byte is below `limit` (at most 128), equals `first` or `second`, or, if requested,
  /// is not ASCII.
  ///
  /// It tests eight bytes at a time. Each step finds exactly whether there is such a byte, but not
  /// where.
  @inline(__always)
  func hasByte(
    below limit: UInt8, or first: UInt8, or second: UInt8, orAboveASCII: Bool = false
  ) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func repeated(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }
    @inline(__always)
    func hasZero(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let (limits, firsts, seconds) = (repeated(limit), repeated(first), repeated(second))
    @inline(__always)
    func hits(_ word: UInt64) -> UInt64 {
      (word &- limits) & ~word | hasZero(word ^ firsts) | hasZero(word ^ seconds)
        | (orAboveASCII ? word : 0)
    }
    guard let base = UnsafeRawPointer(baseAddress) else { return false }
    var found: UInt64 = 0
    var offset = 0
    while offset + 8 <= count {
      found |= hits(base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    while offset < count {
      found |= hits(repeated(self[offset]))
      offset += 1
    }
    return found & repeated(0x80) != 0
  }
}

extension Span<UInt8> {
  /// The bytes as text. Invalid UTF-8 is replaced.
  package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

  /// The bytes as text for a comparison with known names; `nil` if they are not ASCII. Known names
  /// are ASCII, and comparing other texts takes quadratic time in the number of adjacent combining
  /// characters.
  package var word: String? {
    indices.allSatisfy { self[$0] < 0x80 } ? text : nil
  }

  /// The end of spaces and tabs that begin at an index; the index itself if there are none.
  package func endOfBlanks(from start: Int) -> Int {
    var end = start
    while end < count, self[end] == 0x20 || self[end] == 0x09 { end += 1 }
    return end
  }

  /// A range without spaces and tabs at both ends.
  package func rangeWithoutBlanks(_ range: Range<Int>) -> Range<Int> {
    let start = min(endOfBlanks(from: range.lowerBound), range.upperBound)
    var end = range.upperBound
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// Whether the bytes are those of a text. This is a hot path, so there is no generic comparison.
  package func spells(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && starts(with: text)
  }

  /// Whether the bytes are those of a lowercase text, ignoring case.
  package func spells(lowercase text: StaticString) -> Bool {
    withUnsafeBufferPointer { $0.spells(lowercase: text) }
  }

  /// Whether the first bytes are those of a text.
  package func starts(with text: StaticString) -> Bool {
    starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Whether the first bytes are equal to others.
  package func starts(with other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count >= other.count, !other.isEmpty else { return other.isEmpty }
    return withUnsafeBufferPointer {
      memcmp($0.baseAddress!, other.baseAddress!, other.count) == 0
    }
  }

  /// The first index of a byte, from an index on.
  package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, start < bytes.count,
        let place = memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(place) - UnsafeRawPointer(base)
    }
  }

  /// The end of a quoted text that begins at an index, with its quotes; the index itself if there
  /// is none.
  package func endOfQuoted(from start: Int) -> Int {
    let quote = UInt8(ascii: "\"")
    guard start < count, self[start] == quote else { return start }
    return firstIndex(of: quote, from: start + 1).map { $0 + 1 } ?? start
  }
}

extension String {
  /// Text from ASCII bytes. Each other byte becomes U+FFFD.
  ///
  /// The bytes are not decoded as UTF-8, because comparing and hashing strings takes quadratic time
  /// in the number of adjacent combining characters.
  init(ascii bytes: some Collection<UInt8>) {
    // Decoding as UTF-8 is faster.
    self =
      bytes.allSatisfy { $0 < 0x80 }
      ? String(decoding: bytes, as: UTF8.self) : String(decoding: bytes, as: Unicode.ASCII.self)
  }

  /// The text. If it has more than `limit` bytes of UTF-8, it is the beginning that fits, with an
  /// ellipsis.
  ///
  /// It is used for parts of a request that an answer quotes. The answer must not grow with them.
  package func shortened(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at both ends.
  package func withoutBlanksAround() -> Substring {
    var text = Substring(self)
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
