import CollectionLayout
import TestSupport
import Testing

@testable import TextMeasure

/// Lines in a font whose characters are 10 px wide, and whose space is 5 px.
@Suite("lines")
struct LineTests {
  static let folder = FontFolder(["Made.otf": TestFont.bytes()])
  static let library = FontLibrary(folders: [folder.path])

  private func lines(
    _ text: String, _ width: Double?, _ whiteSpace: ParagraphStyle.WhiteSpace = .normal,
    letterSpacing: Double = 0, maxLines: Int = .max
  ) throws -> (starts: [Int32], widest: Double, natural: Double) {
    let style = try Self.library.prepare(
      ParagraphStyle(
        fonts: ["made"], size: 20, letterSpacing: letterSpacing,
        whiteSpace: whiteSpace))
    return Self.library.withWorkbench { bench in
      bench.prepare(text, style)
      let lines = bench.lines(width: width, style, upTo: maxLines)
      return (lines.starts, lines.width, Double(bench.naturalWidth64()) / 64)
    }
  }

  @Test("as many words as fit are in a line, and the space at its end does not count")
  func words() throws {
    try same(lines("aa bb cc", 45).starts, [0, 6])
    try same(lines("aa bb cc", 45).widest, 45)
    // One step of 1/64 px more than the width still fits, two do not.
    try same(lines("aa bb cc", 45 - 1 / 64).starts, [0, 6])
    try same(lines("aa bb cc", 45 - 2 / 64).starts, [0, 3, 6])
    try same(lines("aa bb cc", nil).starts, [0])
    try same(lines("aa bb cc", nil).natural, 70)
  }

  @Test("a word that is too long breaks at the last grapheme that fits, at the first at least")
  func longWords() throws {
    try same(lines("aaaaa b", 25).starts, [0, 2, 4])
    try same(lines("aaaaa b", 1).starts, [0, 1, 2, 3, 4, 6])
    try same(lines("b aaaaa", 25).starts, [0, 2, 4, 6])
  }

  @Test("blanks collapse, and lines begin with what is laid out")
  func collapsing() throws {
    try same(lines("  aa \t\n bb  ", 20).starts, [0, 8])
    try same(lines("  aa \t\n bb  ", nil).natural, 45)
    try same(lines(" \n ", 20).starts, [])
    try same(lines("", 20).starts, [])
  }

  @Test("newlines break in preLine and take the blanks around them along")
  func preLine() throws {
    try same(lines("a \n  b\n\nc\n", 100, .preLine).starts, [0, 5, 7, 8])
    try same(lines("\n", 100, .preLine).starts, [0])
    try same(lines("a\n ", 100, .preLine).starts, [0])
  }

  @Test("blanks stay in preWrap, and hang at the end of a line")
  func preWrap() throws {
    try same(lines("  a  b", 20, .preWrap).starts, [0, 5])
    try same(lines("a   ", 10, .preWrap).starts, [0])
    try same(lines("a   ", nil, .preWrap).natural, 25)
    try same(lines("a\r\n\nb", 100, .preWrap).starts, [0, 3, 4])
  }

  @Test("letter spacing is added to every character, also the last of a line")
  func letterSpacing() throws {
    try same(lines("aa bb", nil, letterSpacing: 2).natural, 55)
    try same(lines("aa bb", 24, letterSpacing: 2).starts, [0, 3])
    try same(lines("aa bb", 23, letterSpacing: 2).starts, [0, 1, 3, 4])
  }

  @Test("no more lines count than maxLines")
  func maxLines() throws {
    try same(lines("aaaaa b", 25, maxLines: 2).starts, [0, 2])
    try same(lines("a\n\n\nb", 25, .preLine, maxLines: 3).starts, [0, 2, 3])
  }

  @Test(
    "between ASCII characters lines break as browsers' table says",
    arguments: cases("Line.table", String.self, [Int32].self))
  func table(text: String, starts: [Int32]) throws {
    try same(lines(text, 30).starts, starts)
  }

  @Test("a lone surrogate is one unit that has no glyph")
  func surrogates() throws {
    let style = try Self.library.prepare(
      ParagraphStyle(fonts: ["made"], size: 20))
    let units: [UInt16] = [0x61, 0xd83d, 0x20, 0xde00, 0x61]
    Self.library.withWorkbench { bench in
      units.withUnsafeBufferPointer { bench.prepare($0, style) }
      #expect(bench.isEstimated)
      same(bench.lines(width: 25, style).starts, [0, 3])
    }
  }

  /// A long text costs what its length costs; a test that takes minutes fails by itself.
  @Test(
    "hostile texts are laid out",
    arguments: [
      String(repeating: "\u{301}", count: 50_000), String(repeating: "a", count: 20_000),
      String(repeating: "\u{202b}\u{202a}", count: 4_000) + "a",
      String(repeating: "\u{5d0}a", count: 20_000), String(repeating: "(", count: 20_000),
      String(repeating: "\u{200d}\u{1f469}", count: 16_000),
      String(repeating: " \u{3000}", count: 20_000), String(repeating: "-", count: 20_000),
    ])
  func hostile(text: String) throws {
    for width in [1.0, 100, nil] { _ = try lines(text, width) }
  }

  @Test("lines cover the text, none is too wide that could be narrower", arguments: 0..<200)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("aaabbb  \n-?(.")
    let text = String((0..<generator.integer(0...80)).map { _ in generator.element(of: alphabet) })
    let width = Double(generator.integer(10...120))
    let whiteSpace = generator.element(of: ParagraphStyle.WhiteSpace.allCases)
    let (starts, widest, natural) = try lines(text, width, whiteSpace)
    #expect(zip(starts, starts.dropFirst()).allSatisfy(<), "seed \(seed)")
    #expect(starts.allSatisfy { $0 >= 0 && $0 < text.utf16.count }, "seed \(seed)")
    #expect(widest <= width + 1 / 64 && widest <= natural, "seed \(seed)")
    // Room for all needs no line but those that newlines make.
    let hard = try lines(text, nil, whiteSpace).starts
    try same(lines(text, natural + 1, whiteSpace).starts, hard, "seed \(seed)")
    #expect(Set(starts).isSuperset(of: hard), "seed \(seed)")
  }
}
