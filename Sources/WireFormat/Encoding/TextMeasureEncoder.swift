public import TextMeasure

/// Writes what texts measure, one text after the other.
public struct TextMeasureEncoder {
  private var writer: JSONWriter
  private var isFirst = true

  /// - Parameter engine: What laid the texts out.
  public init(engine: String) {
    writer = JSONWriter(capacity: 4096)
    writer.write("{\"engine\":")
    writer.write(string: engine)
    writer.write(",\"texts\":[")
  }

  /// The length so far, in bytes.
  public var count: Int { writer.bytes.count }

  /// Adds a text.
  ///
  /// - Parameters:
  ///   - lines: What it has at each width.
  ///   - height: The height of a number of lines, in CSS pixels.
  public mutating func add(
    _ lines: [TextLines], height: (Int) -> Double, isEstimated: Bool, withStarts: Bool
  ) {
    writer.write(isFirst ? "{" : ",{")
    isFirst = false
    list("\"lines\":", lines) { $0.write($1.starts.count) }
    list(",\"height\":", lines) { $0.write(height($1.starts.count)) }
    list(",\"widest\":", lines) { $0.write($1.widest) }
    if withStarts {
      list(",\"starts\":", lines) { writer, lines in
        writer.write("[")
        for (index, start) in lines.starts.enumerated() {
          if index > 0 { writer.write(",") }
          writer.write(Int(start))
        }
        writer.write("]")
      }
    }
    writer.write(",\"estimated\":")
    writer.write(isEstimated)
    writer.write("}")
  }

  private mutating func list(
    _ name: StaticString, _ lines: [TextLines], _ write: (inout JSONWriter, TextLines) -> Void
  ) {
    writer.write(name)
    writer.write("[")
    for (index, lines) in lines.enumerated() {
      if index > 0 { writer.write(",") }
      write(&writer, lines)
    }
    writer.write("]")
  }

  /// The answer, as JSON text in UTF-8.
  public consuming func finish() -> [UInt8] {
    writer.write("]}")
    return writer.bytes
  }
}

/// The list of the fonts of a server.
public enum FontList {
  /// The fonts as JSON text in UTF-8.
  ///
  /// - Parameter prefix: Under which the service is reached: what addresses begin with.
  public static func encoded(
    _ fonts: [FontLibrary.Entry], engine: String, prefix: String = ""
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 256 + fonts.count * 256)
    writer.write("{\"engine\":")
    writer.write(string: engine)
    writer.write(",\"fonts\":[")
    for (index, font) in fonts.enumerated() {
      writer.write(index == 0 ? "{\"name\":" : ",{\"name\":")
      writer.write(string: font.name)
      writer.write(",\"family\":")
      writer.write(string: font.family)
      writer.write(",\"style\":")
      writer.write(string: font.style)
      writer.write(",\"weight\":")
      writer.write(font.weight)
      writer.write(",\"italic\":")
      writer.write(font.isItalic)
      writer.write(",\"url\":")
      writer.write(string: "\(prefix)/fonts/\(font.sha256)")
      writer.write(",\"bytes\":")
      writer.write(font.bytes)
      writer.write("}")
    }
    writer.write("]}")
    return writer.bytes
  }
}
