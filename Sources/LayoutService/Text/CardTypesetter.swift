import CollectionLayout
import Synchronization
import TextMeasure

/// Lays out the texts of cards with the fonts of a library.
final class CardTypesetter: TextTypesetter {
  private let fonts: FontLibrary

  init(_ fonts: FontLibrary) {
    self.fonts = fonts
  }

  func find(
    _ question: TextQuestion, in column: TextColumn, _ texts: Range<Int>, _ body: (Int) -> Void
  ) {
    let pattern = TextPattern(question.text, isExact: question.isExact)
    column.withBytes { bytes in
      pattern.forEachMatch(in: bytes, texts: texts, end: { column.place(of: $0).upperBound }) {
        text, _ in
        body(text)
        return true
      }
    }
  }

  func setting(of style: ParagraphStyle) throws(TypesetterFault) -> any TextSetting {
    do throws(FontLibrary.Fault) {
      return CardTextSetting(style, try fonts.prepare(style), fonts)
    } catch {
      throw fonts.fault(error)
    }
  }
}

extension FontLibrary {
  /// Why there is no setting, as cards say it.
  func fault(_ fault: Fault) -> TypesetterFault {
    switch fault {
    case .unknownFont(let name): isEmpty ? .noFonts : .unknownFont(name)
    case .fixedWeight(let name): .fixedWeight(name)
    }
  }
}

private final class CardTextSetting: TextSetting {
  let style: ParagraphStyle
  private let prepared: PreparedStyle
  private let fonts: FontLibrary

  init(_ style: ParagraphStyle, _ prepared: PreparedStyle, _ fonts: FontLibrary) {
    self.style = style
    self.prepared = prepared
    self.fonts = fonts
  }

  var memoryBytes: Int { prepared.memoryBytes }

  func paragraphs(
    of column: TextColumn, known: [KnownParagraphs]
  ) throws(LayoutError) -> any Paragraphs {
    var builder = ShapedTextsBuilder(prepared, capacity: column.count, bytes: 0)
    func shape(upTo end: Int) throws(LayoutError) {
      guard builder.count < end else { return }
      let pieces = PieceShaping(builder.count..<end, of: column, prepared, fonts)
      for piece in try pieces.shaped(threads: PieceShaping.processors) {
        builder.add(0..<piece.count, of: piece)
      }
    }
    for known in known {
      guard let shaped = known.paragraphs as? CardParagraphs else { continue }
      try shape(upTo: known.places.lowerBound)
      builder.add(known.first..<known.first + known.places.count, of: shaped.texts)
    }
    try shape(upTo: column.count)
    return CardParagraphs(builder.finish(), of: column, fonts)
  }
}

private final class CardParagraphs: Paragraphs {
  let texts: ShapedTexts
  private let column: TextColumn
  private let fonts: FontLibrary

  init(_ texts: ShapedTexts, of column: TextColumn, _ fonts: FontLibrary) {
    (self.texts, self.column, self.fonts) = (texts, column, fonts)
  }

  func hasLine(_ text: Int) -> Bool { texts.hasLine(text) }

  func lineCount(of text: Int, width: Double, upTo limit: Int) -> Int {
    texts.lineCount(of: text, width: width, upTo: limit)
      ?? shapedAgain(text, width, limit).starts.count
  }

  func lines(of text: Int, width: Double, upTo limit: Int) -> ParagraphLines {
    texts.lines(of: text, width: width, upTo: limit) ?? shapedAgain(text, width, limit)
  }

  private func shapedAgain(_ text: Int, _ width: Double, _ limit: Int) -> ParagraphLines {
    fonts.withWorkbench {
      $0.lines(of: text, in: texts, column.text(of: text), width: width, upTo: limit)
    }
  }

  func naturalWidth(of text: Int) -> Double { texts.naturalWidth(of: text) }
  func isEstimated(_ text: Int) -> Bool { texts.isEstimated(text) }
  var memoryBytes: Int { texts.memoryBytes }
}
