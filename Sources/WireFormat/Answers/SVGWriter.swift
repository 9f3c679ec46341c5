/// Writes SVG into one growing array of bytes.
struct SVGWriter: Sendable {
  /// The bytes written so far, in UTF-8.
  private(set) var bytes: [UInt8]

  /// - Parameter buffer: Memory for the text.
  init(into buffer: consuming [UInt8] = []) {
    bytes = buffer
  }

  /// Writes markup unchanged.
  mutating func write(_ markup: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
  }

  /// Writes a length or place as JSON says coordinates. It must be finite.
  mutating func write(_ pixels: Double) {
    var text = JSONWriter(into: bytes)
    bytes = []
    text.write(coordinate: pixels)
    bytes = text.bytes
  }

  /// Writes ` name="number"`.
  mutating func write(_ name: StaticString, _ pixels: Double) {
    write(" ")
    write(name)
    write("=\"")
    write(pixels)
    write("\"")
  }

  /// Writes text between tags. Markup is escaped. XML has no control characters; their pictures are
  /// written instead.
  ///
  /// Source: Extensible Markup Language (XML) 1.0, section 2.2
  mutating func write(text: String) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: write("&amp;")
      case 0x3c: write("&lt;")
      case 0x3e: write("&gt;")
      case 0..<0x20: append(Unicode.Scalar(0x2400 + scalar.value))
      case 0x7f: append(Unicode.Scalar(0x2421))
      case 0x80..<0xa0, 0xfffe, 0xffff: append("\u{fffd}")
      default: append(scalar)
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar?) {
    if let scalar { bytes += UTF8.encode(scalar).map { Array($0) } ?? [] }
  }
}
