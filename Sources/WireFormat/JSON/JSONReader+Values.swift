import CSimdJSON
import CollectionLayout

extension JSONReader {
  /// The type of the next value.
  func nextType() throws(BodyError) -> JSONType {
    switch byte(cursor) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: throw syntaxError(at: cursor)
    }
  }

  /// - Precondition: The next value is a boolean.
  mutating func readBoolean() throws(BodyError) -> Bool {
    let value = byte(cursor) == UInt8(ascii: "t")
    try checkLiteral(value ? "true" : "false")
    try advance(by: 1)
    return value
  }

  /// Reads a number as the nearest double. It is infinite if it is too large for a double.
  ///
  /// - Precondition: The next value is a number.
  mutating func readNumber() throws(BodyError) -> Double {
    let value = try number(at: cursor)
    try advance(by: 1)
    return value
  }

  @inline(__always)
  func number(at token: Int) throws(BodyError) -> Double {
    let start = offset(token)
    if let value = Double.plain(text + start, length: UInt32(end(token) - start)) { return value }
    return try unusualNumber(at: token)
  }

  /// The largest number of characters of a number that simdjson converts. Version 3.0 misreads some
  /// longer numbers: those with 20 or more digits after "0.", and those with an exponent of 19.
  static let plainNumberLength = 20

  /// Reads a number that is long or too large for a double. It throws if it is not a number.
  @inline(never)
  private func unusualNumber(at token: Int) throws(BodyError) -> Double {
    let start = UnsafePointer(text + offset(token))
    guard let end = JSONGrammar.endOfNumber(start), JSONGrammar.endsScalar(end.pointee) else {
      throw syntaxError(at: token)
    }
    var value = 0.0
    if end - start <= Self.plainNumberLength, csimdjson_number(start, &value) { return value }
    let digits = UnsafeBufferPointer(start: start, count: end - start)
    guard let value = Double(String(decoding: digits, as: UTF8.self)) else {
      throw syntaxError(at: token)
    }
    return value
  }

  /// Reads a string that will be compared with known words.
  ///
  /// - Precondition: A string comes next.
  mutating func readWord() throws(BodyError) -> String {
    var bytes: [UInt8] = []
    try readString(appendingTo: &bytes)
    return Self.shortenedWord(bytes)
  }

  /// The text of a word. If it has more bytes than any known word, it is the beginning with an
  /// ellipsis.
  ///
  /// Comparing and hashing a string takes quadratic time in the number of adjacent combining
  /// characters. For a megabyte of them that would be minutes.
  static func shortenedWord(_ bytes: [UInt8]) -> String {
    guard bytes.count > maxWordLength else { return String(decoding: bytes, as: UTF8.self) }
    var end = maxWordLength
    while bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }

  private static let maxWordLength = 128

  /// Reads a string and appends it, unescaped.
  ///
  /// - Precondition: A string comes next.
  mutating func readString(appendingTo bytes: inout [UInt8]) throws(BodyError) {
    try appendString(at: offset(cursor), to: &bytes)
    try advance(by: 1)
  }

  func appendString(at offset: Int, to bytes: inout [UInt8]) throws(BodyError) {
    guard JSONGrammar.unescape(text + offset + 1, into: &bytes) != nil else {
      throw .syntax(offset: offset)
    }
  }

  /// Skips a value like ``skipValue()`` and returns its text for a message.
  mutating func skipValueText() throws(BodyError) -> String {
    let start = position
    try skipValue()
    return text(from: start)
  }

  /// Skips a value that nobody evaluates, and appends its text as it was sent.
  ///
  /// - Returns: False if it is longer than ``maxItemData``. Then nothing was appended.
  mutating func readData(appendingTo bytes: inout [UInt8]) throws(BodyError) -> Bool {
    let start = position
    try skipValue(isRaw: true)
    let end = endOfValue(from: start)
    guard end - start <= maxItemData else { return false }
    bytes.append(contentsOf: UnsafeBufferPointer(start: text + start, count: end - start))
    return true
  }

  /// The rule for a value of an item, as the end of a sentence.
  func requirement(of kind: ValueKind) -> String {
    kind == .data ? "a JSON value of at most \(maxItemData) bytes" : kind.valueRequirement
  }

  /// Where the last value ends, without the blanks behind it.
  private func endOfValue(from start: Int) -> Int {
    var end = min(position, count)
    while end > start, JSONGrammar.isWhitespace(text[end - 1]) { end -= 1 }
    return end
  }

  /// The text of the last value for a message, cut to about 40 bytes.
  ///
  /// - Parameter start: The offset at which the value begins.
  func text(from start: Int) -> String {
    var end = endOfValue(from: start)
    func trim() { while end > start, JSONGrammar.isWhitespace(text[end - 1]) { end -= 1 } }
    let isCut = end - start > 40
    if isCut {
      end = start + 40
      while end > start, text[end] & 0xC0 == 0x80 { end -= 1 }
      trim()
    }
    let bytes = UnsafeBufferPointer(start: text + start, count: end - start)
    return String(decoding: bytes, as: UTF8.self) + (isCut ? "…" : "")
  }

  func checkLiteral(_ literal: StaticString) throws(BodyError) {
    let start = text + offset(cursor)
    for index in 0..<literal.utf8CodeUnitCount where start[index] != literal.utf8Start[index] {
      throw syntaxError(at: cursor)
    }
    guard JSONGrammar.endsScalar(start[literal.utf8CodeUnitCount]) else {
      throw syntaxError(at: cursor)
    }
  }
}
