/// Writes strings as JSON text (RFC 8259, section 7).
enum StringText {
  static func maxLength(of count: Int) -> Int { 6 * count + 2 }

  /// Writes UTF-8 with quotes. It escapes only what must be escaped.
  static func write(
    _ string: UnsafeBufferPointer<UInt8>, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var end = start
    func put(_ byte: UInt8) {
      end.pointee = byte
      end += 1
    }
    put(UInt8(ascii: "\""))
    for byte in string {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        put(UInt8(ascii: "\\"))
        put(byte)
      case 0..<0x20:
        for escape in "\\u00".utf8 { put(escape) }
        put(hexDigit(byte >> 4))
        put(hexDigit(byte & 15))
      default: put(byte)
      }
    }
    put(UInt8(ascii: "\""))
    return end
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
