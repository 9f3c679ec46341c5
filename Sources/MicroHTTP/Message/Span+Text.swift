import Glibc

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
