/// The rules of RFC 8259 for the inside of tokens.
///
/// Texts end with padding, so looking one byte ahead is always safe.
enum JSONGrammar {
  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Whether a number or literal may end before this byte.
  @inline(__always)
  static func endsScalar(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      || isWhitespace(byte) || byte == UInt8(ascii: ":")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// The end of a number; `nil` if it is not a number.
  static func endOfNumber(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    var end = start
    if end.pointee == UInt8(ascii: "-") { end += 1 }
    guard isDigit(end.pointee) else { return nil }
    if end.pointee == UInt8(ascii: "0") {
      end += 1
    } else {
      while isDigit(end.pointee) { end += 1 }
    }
    if end.pointee == UInt8(ascii: ".") {
      end += 1
      guard isDigit(end.pointee) else { return nil }
      while isDigit(end.pointee) { end += 1 }
    }
    if end.pointee | 0x20 == UInt8(ascii: "e") {
      end += 1
      if end.pointee == UInt8(ascii: "+") || end.pointee == UInt8(ascii: "-") { end += 1 }
      guard isDigit(end.pointee) else { return nil }
      while isDigit(end.pointee) { end += 1 }
    }
    return end
  }

  /// The closing quote of a string, searched from its first byte; `nil` if an escape is wrong.
  ///
  /// - Parameter isRaw: Whether nobody evaluates the string. Then a surrogate may stand alone.
  static func endOfString(
    _ start: UnsafePointer<UInt8>, isRaw: Bool = false
  ) -> UnsafePointer<UInt8>? {
    var end = start
    while end.pointee != UInt8(ascii: "\"") {
      if end.pointee == UInt8(ascii: "\\") {
        if isRaw, end[1] == UInt8(ascii: "u"), hex4(end + 2) != nil {
          end += 6
          continue
        }
        guard let (_, next) = escape(end) else { return nil }
        end = next
      } else {
        end += 1
      }
    }
    return end
  }

  /// Appends a string, unescaped.
  ///
  /// - Returns: The closing quote; `nil` if an escape is wrong.
  static func unescape(
    _ start: UnsafePointer<UInt8>, into bytes: inout [UInt8]
  ) -> UnsafePointer<UInt8>? {
    var runStart = start
    var end = start
    while true {
      switch end.pointee {
      case UInt8(ascii: "\""):
        bytes.append(contentsOf: UnsafeBufferPointer(start: runStart, count: end - runStart))
        return end
      case UInt8(ascii: "\\"):
        bytes.append(contentsOf: UnsafeBufferPointer(start: runStart, count: end - runStart))
        guard let (scalar, next) = escape(end) else { return nil }
        bytes.append(contentsOf: UTF8.encode(scalar)!)
        end = next
        runStart = next
      default: end += 1
      }
    }
  }

  /// The scalar of an escape, and the place behind the escape.
  private static func escape(
    _ start: UnsafePointer<UInt8>
  ) -> (Unicode.Scalar, UnsafePointer<UInt8>)? {
    let simple: Unicode.Scalar
    switch start[1] {
    case UInt8(ascii: "\""): simple = "\""
    case UInt8(ascii: "\\"): simple = "\\"
    case UInt8(ascii: "/"): simple = "/"
    case UInt8(ascii: "b"): simple = "\u{8}"
    case UInt8(ascii: "f"): simple = "\u{C}"
    case UInt8(ascii: "n"): simple = "\n"
    case UInt8(ascii: "r"): simple = "\r"
    case UInt8(ascii: "t"): simple = "\t"
    case UInt8(ascii: "u"):
      guard let unit = hex4(start + 2) else { return nil }
      if let scalar = Unicode.Scalar(unit) { return (scalar, start + 6) }
      // A surrogate without its partner is not a character.
      guard unit < 0xDC00, start[6] == UInt8(ascii: "\\"), start[7] == UInt8(ascii: "u"),
        let low = hex4(start + 8), (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar((unit - 0xD800) << 10 + (low - 0xDC00) + 0x10000)
      else { return nil }
      return (scalar, start + 12)
    default: return nil
    }
    return (simple, start + 2)
  }

  private static func hex4(_ start: UnsafePointer<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = start[index]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 0x30
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        digit = (byte | 0x20) - 0x61 + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

/// Finds the place of an error. simdjson's first stage only says that there is one.
enum JSONFirstFault {
  /// The offset of the first byte that is not UTF-8, or that is a control character in a string. If
  /// a string does not end, it is the length of the text.
  ///
  /// - Complexity: O(*bytes*). Only broken texts cost this.
  static func offset(in text: UnsafeBufferPointer<UInt8>) -> Int {
    let invalid = firstInvalidUTF8(in: text) ?? text.count
    var isInString = false
    var index = 0
    while index < invalid {
      let byte = text[index]
      if isInString {
        if byte < 0x20 { return index }
        if byte == UInt8(ascii: "\\") {
          index += 1
          if index < invalid, text[index] < 0x20 { return index }
        }
      }
      if byte == UInt8(ascii: "\"") { isInString.toggle() }
      index += 1
    }
    return invalid
  }

  private static func firstInvalidUTF8(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    do {
      _ = try UTF8Span(validating: text.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
