import CollectionLayout
import TestSupport
import Testing

@testable import TextMeasure

/// Lines that are added up from packed segments are those of the whole text.
@Suite("shaped texts")
struct ShapedTextsTests {
  private static let library = FontLibrary(memory: ["made": TestFont.bytes()])

  private func shaped(
    _ texts: [String], _ style: ParagraphStyle, _ library: FontLibrary = library
  ) throws -> ShapedTexts {
    let prepared = try library.prepare(style)
    var builder = ShapedTextsBuilder(prepared, capacity: texts.count, bytes: 0)
    library.withWorkbench { bench in
      for text in texts {
        Array(text.utf8).withUnsafeBufferPointer { builder.add(utf8: $0, on: bench) }
      }
    }
    return builder.finish()
  }

  private func style(
    _ whiteSpace: ParagraphStyle.WhiteSpace = .normal, letterSpacing: Double = 0
  ) -> ParagraphStyle {
    ParagraphStyle(
      fonts: ["made"], size: 20, letterSpacing: letterSpacing,
      whiteSpace: whiteSpace)
  }

  @Test("words are added up to lines, and a text without a line has none")
  func words() throws {
    let texts = try shaped(["aa bb cc", "", "  ", "  aa \t\n bb  "], style())
    same(texts.lines(of: 0, width: 45)?.starts, [0, 6])
    same(texts.lines(of: 0, width: 45)?.width, 45)
    same(texts.lines(of: 0, width: 45 - 1 / 64)?.starts, [0, 6])
    same(texts.lines(of: 0, width: 45 - 2 / 64)?.starts, [0, 3, 6])
    same(texts.lineCount(of: 0, width: 20, upTo: 2), 2)
    same(texts.naturalWidth(of: 0), 70)
    #expect(texts.lineCount(of: 1, width: 45) == 0 && texts.lineCount(of: 2, width: 45) == 0)
    same(texts.lines(of: 3, width: 20)?.starts, [0, 8])
    same(texts.naturalWidth(of: 3), 45)
  }

  @Test(
    "a text is known to have a line, or none, without breaking it",
    arguments: ParagraphStyle.WhiteSpace.allCases)
  func hasLine(whiteSpace: ParagraphStyle.WhiteSpace) throws {
    // The last two are shaped again.
    let given = ["", " ", "\n", " \t\n ", "a", "\u{200b}", "\u{ad}", "aaaa", "a\u{5d0}"]
    let texts = try shaped(given, style(whiteSpace))
    let prepared = try Self.library.prepare(style(whiteSpace))
    Self.library.withWorkbench { bench in
      for (index, text) in given.enumerated() {
        bench.prepare(text, prepared)
        let lines = bench.lines(width: 20, prepared).starts
        same(texts.hasLine(index), !lines.isEmpty, "\(text.unicodeScalars)")
      }
    }
  }

  @Test("newlines that break, and blanks that stay")
  func whiteSpace() throws {
    let lines = try shaped(["aa\n\nbb  cc\n", "\n\na"], style(.preLine))
    same(lines.lines(of: 0, width: 100)?.starts, [0, 3, 4])
    same(lines.lines(of: 1, width: 100)?.starts, [0, 1, 2])
    same(lines.lineCount(of: 1, width: 100, upTo: 2), 2)
    let blanks = try shaped(["aa   bb  "], style(.preWrap))
    same(blanks.lines(of: 0, width: 20)?.starts, [0, 5])
    same(blanks.lines(of: 0, width: 20)?.width, 20)
    same(blanks.naturalWidth(of: 0), 65)
  }

  @Test("no more lines than were asked for, empty ones counted too")
  func maxLines() throws {
    let prepared = try Self.library.prepare(style(.preLine))
    Self.library.withWorkbench { bench in
      bench.prepare("a\n\n\nb", prepared)
      same(bench.lines(width: 100, prepared, upTo: 2).starts, [0, 2])
    }
  }

  @Test("a word that is too long is shaped again")
  func longWords() throws {
    let texts = try shaped(["a bbbb c"], style())
    same(texts.lineCount(of: 0, width: 39), nil)
    same(texts.lines(of: 0, width: 40)?.starts, [0, 2, 7])
  }

  @Test("texts that are taken over are the same")
  func copies() throws {
    let texts = try shaped(["aa bb", "c", "", "dd ee ff"], style())
    var builder = ShapedTextsBuilder(texts.style, capacity: 4, bytes: 0)
    builder.add(1..<4, of: texts)
    builder.add(0..<0, of: texts)
    builder.add(0..<1, of: texts)
    let copy = builder.finish()
    for (index, source) in [1, 2, 3, 0].enumerated() {
      for width in [10.0, 30, 45] {
        same(copy.lines(of: index, width: width), texts.lines(of: source, width: width))
      }
    }
  }

  @Test("short words take no more room than they need", arguments: [0, 1, 100_000])
  func room(reserved: Int) throws {
    let prepared = try Self.library.prepare(style())
    var builder = ShapedTextsBuilder(prepared, capacity: 1, bytes: reserved)
    let words = Array(repeatElement("a ", count: 1100).joined().utf8)
    Self.library.withWorkbench { bench in
      words.withUnsafeBufferPointer { builder.add(utf8: $0, on: bench) }
    }
    let texts = builder.finish()
    same(texts.entries.count, 1100)
    #expect(texts.entries.capacity <= 1100 * 9 / 8)
  }

  // MARK: Words

  /// Words, some of which look different beside spaces in one of the fonts: Inter turns `x` and
  /// brackets by what is around, Lato and Roboto kern with the space.
  private static let words = [
    "the", "pier", "at", "Harrow", "x", "3", "x4", "1x2", "tax", "(see", "above)", "first-class",
    "AV", "To", "VA", "office,", "waffle.", "fjord", "-5", "+", "--", "->", "=>", "A-B", "a/b", "?",
    "why?no",
    "it’s", "“So”", "„ja“", "«oui»", "façade", "Žižek", "–", "10–12", "…", "€5", "W.", "T", "Y",
    "extraordinarily-long-and-hyphenated", "a\u{301}", "naïve", "«", "!", "[x]", "{a}", "@home",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<random.integer(1...14) {
      if random.chance(5) { text += random.element(of: ["  ", "\n", "\t", " \r\n ", "\n\n"]) }
      text += random.element(of: words)
      if !random.chance(3) { text += " " }
    }
    return text
  }

  @Test(
    "words that were shaped by themselves make the lines of the whole text",
    .enabled(if: !RecordedParagraphs.present.isEmpty, "the fonts are not installed"),
    arguments: 0..<200)
  func wordsByThemselves(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let style = ParagraphStyle(
      fonts: [random.element(of: RecordedParagraphs.present.sorted())],
      size: random.number(9...40, isNice: random.chance(50)),
      letterSpacing: random.chance(20) ? 1.5 : 0,
      whiteSpace: random.element(of: ParagraphStyle.WhiteSpace.allCases))
    let given = (0..<20).map { _ in Self.text(&random) }
    try expectWholeTexts(given, style, &random, "seed \(seed)")
  }

  /// That texts are laid out as if nothing of them had been shaped before.
  private func expectWholeTexts(
    _ given: [String], _ style: ParagraphStyle, _ random: inout SeededGenerator, _ place: String
  ) throws {
    let texts = try shaped(given, style, RecordedParagraphs.library)
    let prepared = try RecordedParagraphs.library.prepare(style)
    RecordedParagraphs.library.withWorkbench { bench in
      for (index, text) in given.enumerated() {
        bench.prepare(text, prepared)
        let message = "\(place): \(style) \(text.debugDescription)"
        same(texts.isEstimated(index), bench.isEstimated, "\(message)")
        same(texts.naturalWidth(of: index), Double(bench.naturalWidth64()) / 64, "\(message)")
        for _ in 0..<4 {
          let width = random.number(20...500, isNice: random.chance(50))
          // More than the texts have, whatever the style says.
          guard let lines = texts.lines(of: index, width: width, upTo: 1_000) else { continue }
          same(lines, bench.lines(width: width, prepared, upTo: 1_000), "\(message) at \(width)")
        }
      }
    }
  }

  @Test(
    "words that look over a space are packed with their neighbours",
    .enabled(if: RecordedParagraphs.present.contains("inter-regular"), "Inter is not installed"),
    arguments: cases("ShapedTexts.joined", String.self))
  func joined(text: String) throws {
    let style = try RecordedParagraphs.library.prepare(
      ParagraphStyle(fonts: ["inter-regular"], size: 14))
    let bench = TextWorkbench()
    var builder = ShapedTextsBuilder(style, capacity: 1, bytes: 0)
    Array(text.utf8).withUnsafeBufferPointer { builder.add(utf8: $0, on: bench) }
    let shaped = builder.finish()
    bench.prepare(text, style)
    same(shaped.naturalWidth(of: 0), Double(bench.naturalWidth64()) / 64)
    for width in stride(from: 8.0, through: 120, by: 3.5) {
      guard let lines = shaped.lines(of: 0, width: width) else { continue }
      same(lines, bench.lines(width: width, style), "at \(width)")
    }
  }

  // MARK: Recorded paragraphs

  @Test(
    "each line begins where it does in Chromium, and is as wide",
    .enabled(if: !RecordedParagraphs.testable.isEmpty, "the fonts are not installed"))
  func recorded() throws {
    var again = 0
    for paragraph in RecordedParagraphs.testable where !paragraph.estimated {
      let texts = try shaped([paragraph.text], paragraph.style.style, RecordedParagraphs.library)
      #expect(!texts.isEstimated(0), "\(paragraph)")
      #expect(
        abs(texts.naturalWidth(of: 0) - paragraph.natural) <= 1 / 32,
        "\(paragraph) has \(texts.naturalWidth(of: 0))")
      guard let lines = texts.lines(of: 0, width: paragraph.width) else {
        again += 1
        continue
      }
      same(lines.starts, paragraph.starts, "\(paragraph) has \(lines)")
      #expect(abs(lines.width - paragraph.widest) <= 1 / 32, "\(paragraph) has \(lines)")
    }
    // Those with several directions, and with words that are too long.
    print("\(again) of \(RecordedParagraphs.testable.count) recorded paragraphs are shaped again")
    #expect(again < RecordedParagraphs.testable.count / 2)
  }

  @Test(
    "words of all scripts, in any order, make the lines of the whole text",
    .enabled(if: !RecordedParagraphs.testable.isEmpty, "the fonts are not installed"),
    arguments: 0..<60)
  func mixed(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let style = random.element(of: RecordedParagraphs.testable).style.style
    let given = (0..<12).map { _ in
      var words: [Substring] = []
      for _ in 0..<random.integer(1...4) {
        let source = random.element(of: RecordedParagraphs.testable).text.split(separator: " ")
        guard !source.isEmpty else { continue }
        let start = random.integer(0...source.count - 1)
        words += source[start..<min(source.count, start + random.integer(1...5))]
      }
      return words.joined(separator: " ")
    }
    try expectWholeTexts(given, style, &random, "seed \(seed)")
  }

  @Test(
    "at any width the lines are those of the whole text", arguments: 0..<4)
  func anyWidth(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    for (index, paragraph) in RecordedParagraphs.testable.enumerated() where index % 4 == seed {
      let style = try RecordedParagraphs.library.prepare(paragraph.style.style)
      let texts = try shaped([paragraph.text], paragraph.style.style, RecordedParagraphs.library)
      RecordedParagraphs.library.withWorkbench { bench in
        bench.prepare(paragraph.text, style)
        same(texts.isEstimated(0), bench.isEstimated)
        for _ in 0..<6 {
          let width = random.number(20...800, isNice: random.chance(50))
          let limit = random.chance(30) ? random.integer(1...4) : Int.max
          guard let lines = texts.lines(of: 0, width: width, upTo: limit) else { continue }
          let expected = bench.lines(width: width, style, upTo: limit)
          same(lines, expected, "seed \(seed): \(paragraph) at \(width)")
        }
      }
    }
  }
}
