import CollectionLayout
import TestSupport
import Testing

/// A typesetter for tests: a character is half as wide as the size, and lines break at spaces.
final class PlainTypesetter: TextTypesetter {
  func setting(of style: ParagraphStyle) throws(TypesetterFault) -> any TextSetting {
    PlainSetting(style)
  }

  static func lineCount(_ text: String, _ size: Double, width: Double, upTo limit: Int) -> Int {
    var (lines, used) = (0, Double.infinity)
    for word in text.split(separator: " ") {
      let length = Double(word.count) * size / 2
      if used + size / 2 + length <= width {
        used += size / 2 + length
      } else {
        lines += 1
        used = length
      }
    }
    return min(lines, limit)
  }
}

private final class PlainSetting: TextSetting {
  let style: ParagraphStyle
  var memoryBytes: Int { 0 }

  init(_ style: ParagraphStyle) { self.style = style }

  func paragraphs(
    of column: TextColumn, known: [KnownParagraphs]
  ) throws(LayoutError) -> any Paragraphs {
    let texts = (0..<column.count).map { String(decoding: column.text(of: $0), as: UTF8.self) }
    for known in known {
      guard let other = known.paragraphs as? PlainParagraphs else { continue }
      for (offset, place) in known.places.enumerated() {
        same(texts[place], other.texts[known.first + offset], "what is known is the same")
      }
    }
    return PlainParagraphs(texts, style.size)
  }
}

private final class PlainParagraphs: Paragraphs {
  let texts: [String]
  private let size: Double

  init(_ texts: [String], _ size: Double) {
    self.texts = texts
    self.size = size
  }

  func hasLine(_ text: Int) -> Bool { texts[text].contains { $0 != " " } }

  func lineCount(of text: Int, width: Double, upTo limit: Int) -> Int {
    PlainTypesetter.lineCount(texts[text], size, width: width, upTo: limit)
  }

  func lines(of text: Int, width: Double, upTo limit: Int) -> ParagraphLines {
    let count = lineCount(of: text, width: width, upTo: limit)
    return ParagraphLines(starts: (0..<Int32(count)).map { $0 }, width: 0)
  }

  func naturalWidth(of text: Int) -> Double {
    Double(texts[text].split(separator: " ").joined(separator: " ").count) * size / 2
  }
  func isEstimated(_ text: Int) -> Bool { false }
  var memoryBytes: Int { texts.reduce(0) { $0 + $1.utf8.count + 16 } }
}
