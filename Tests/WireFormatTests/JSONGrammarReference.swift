/// RFC 8259 as a recogniser that follows its grammar rule by rule, slow and plain: the judge of
/// what is JSON, independent of the reader.
struct JSONGrammarReference {
  private let bytes: [UInt8]
  private var place = 0

  static func accepts(_ bytes: [UInt8]) -> Bool {
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    // A byte order mark is ignored.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    var reference = JSONGrammarReference(bytes: text)
    return reference.isValue() && reference.place == text.count
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func take(anyOf characters: String) -> Bool {
    guard let next, characters.utf8.contains(next) else { return false }
    place += 1
    return true
  }

  private mutating func skipWhitespace() { while take(anyOf: " \t\n\r") {} }

  /// A value with the whitespace around it.
  private mutating func isValue() -> Bool {
    skipWhitespace()
    defer { skipWhitespace() }
    switch next {
    case UInt8(ascii: "{")?: return isObject()
    case UInt8(ascii: "[")?: return isArray()
    case UInt8(ascii: "\"")?: return isString()
    case UInt8(ascii: "t")?: return isLiteral("true")
    case UInt8(ascii: "f")?: return isLiteral("false")
    case UInt8(ascii: "n")?: return isLiteral("null")
    default: return isNumber()
    }
  }

  private mutating func isLiteral(_ literal: String) -> Bool {
    guard bytes[place...].starts(with: literal.utf8) else { return false }
    place += literal.utf8.count
    return true
  }

  private mutating func isObject() -> Bool {
    place += 1
    skipWhitespace()
    if take("}") { return true }
    repeat {
      skipWhitespace()
      guard isString() else { return false }
      skipWhitespace()
      guard take(":"), isValue() else { return false }
    } while take(",")
    return take("}")
  }

  private mutating func isArray() -> Bool {
    place += 1
    skipWhitespace()
    if take("]") { return true }
    repeat { guard isValue() else { return false } } while take(",")
    return take("]")
  }

  private mutating func isNumber() -> Bool {
    _ = take("-")
    if !take("0") {
      guard take(anyOf: "123456789") else { return false }
      while take(anyOf: "0123456789") {}
    }
    if take("."), !hasDigits() { return false }
    if take(anyOf: "eE") {
      _ = take(anyOf: "+-")
      return hasDigits()
    }
    return true
  }

  private mutating func hasDigits() -> Bool {
    guard take(anyOf: "0123456789") else { return false }
    while take(anyOf: "0123456789") {}
    return true
  }

  /// A string, of which every escaped surrogate has its partner.
  private mutating func isString() -> Bool {
    guard take("\"") else { return false }
    while let byte = next, byte >= 0x20 {
      if take("\"") { return true }
      place += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      if take(anyOf: "\"\\/bfnrt") { continue }
      guard take("u"), let unit = codeUnit() else { return false }
      switch unit {
      case 0xD800...0xDBFF:
        guard take("\\"), take("u"), let low = codeUnit(), 0xDC00...0xDFFF ~= low
        else { return false }
      case 0xDC00...0xDFFF: return false
      default: break
      }
    }
    return false
  }

  private mutating func codeUnit() -> Int? {
    guard place + 4 <= bytes.count else { return nil }
    let digits = bytes[place..<place + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    place += 4
    return Int(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
