public import CollectionLayout

/// Writes what texts measure, one text after the other.
public struct TextMeasureEncoder {
  private let engine: String
  private var texts = JSONArray(capacity: 4096)

  /// - Parameter engine: What laid the texts out.
  public init(engine: String) {
    self.engine = engine
  }

  /// The length so far, in bytes.
  public var byteCount: Int { texts.byteCount }

  /// Adds a text.
  ///
  /// - Parameters:
  ///   - lines: What it has at each width.
  ///   - height: The height of a number of lines, in CSS pixels.
  public mutating func add(
    _ lines: [ParagraphLines], height: (Int) -> Double, isEstimated: Bool, withStarts: Bool
  ) {
    texts.append { writer in
      writer.object {
        $0["lines"] = lines.map(\.starts.count)
        $0["height"] = lines.map { height($0.starts.count) }
        $0["widest"] = lines.map(\.width)
        $0["starts"] = withStarts ? lines.map { $0.starts.map { Int($0) } } : nil
        if lines.contains(where: { $0.end != nil }) {
          var ends = JSONArray(capacity: 64)
          for line in lines { ends.append(line.end.map { Int($0) }) }
          $0["end"] = ends
          $0["cut"] = lines.map { $0.end != nil }
        }
        $0["estimated"] = isEstimated
      }
    }
  }

  /// The answer, as JSON text in UTF-8.
  public func finish() -> [UInt8] {
    JSONWriter.text(capacity: texts.byteCount + 128) {
      $0["engine"] = engine
      $0["texts"] = texts
    }
  }
}
