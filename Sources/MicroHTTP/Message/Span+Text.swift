import Glibc

extension Span<UInt8> {
  /// The bytes as text, mended where they are no UTF-8.
  package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

  /// The bytes as a text to be compared with names of ours; `nil` where they are none, since these
  /// are ASCII, and comparing what is not takes time by the square of the combining characters that
  /// stand together.
  package var word: String? {
    indices.allSatisfy { self[$0] < 0x80 } ? text : nil
  }

  /// Where spaces and tabs end that begin at an index; the index itself when there are none.
  package func endOfBlanks(from start: Int) -> Int {
    var end = start
    while end < count, self[end] == 0x20 || self[end] == 0x09 { end += 1 }
    return end
  }

  /// A range without the spaces and tabs at both ends.
  package func rangeWithoutBlanks(_ range: Range<Int>) -> Range<Int> {
    let start = min(endOfBlanks(from: range.lowerBound), range.upperBound)
    var end = range.upperBound
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  /// Whether the bytes are those of a text; on the hot path, so without any generic comparison.
  package func spells(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && starts(with: text)
  }

  /// Whether the bytes are those of a text in lowercase, whatever their own case.
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

  /// Where a byte is, from an index on.
  package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, start < bytes.count,
        let place = memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(place) - UnsafeRawPointer(base)
    }
  }

  /// Where a quoted text that begins at an index ends, its quotes included; the index itself when
  /// none does.
  package func endOfQuoted(from start: Int) -> Int {
    let quote = UInt8(ascii: "\"")
    guard start < count, self[start] == quote else { return start }
    return firstIndex(of: quote, from: start + 1).map { $0 + 1 } ?? start
  }
}
