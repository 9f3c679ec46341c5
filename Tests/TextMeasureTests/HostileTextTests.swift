import CollectionLayout
import TestSupport
import Testing

@testable import TextMeasure

/// A text costs what its length costs. What is counted is work, for times differ by machine: the
/// UTF-16 units that HarfBuzz is given to shape.
@Suite("hostile texts")
struct HostileTextTests {
  private static let made = FontLibrary(memory: ["made": TestFont.bytes()])

  /// A text that is a piece, many times.
  struct Repeated: CustomTestStringConvertible, Sendable {
    var piece: String
    var count: Int
    var testDescription: String {
      "\(count) × \(piece.unicodeScalars.map { String($0.value, radix: 16) })"
    }
    var text: String { String(repeating: piece, count: count) }
  }

  static let texts = [
    Repeated(piece: "a", count: 6553), Repeated(piece: "-", count: 2000),
    Repeated(piece: "(", count: 2000), Repeated(piece: "x ", count: 2000),
    Repeated(piece: "3 x ", count: 1000), Repeated(piece: "AV", count: 2000),
    Repeated(piece: "\u{e9}", count: 3000), Repeated(piece: "f", count: 2000),
    Repeated(piece: "\u{301}", count: 6000), Repeated(piece: "a\u{301}\u{323}", count: 2000),
    Repeated(piece: "\u{202b}\u{202a}", count: 400), Repeated(piece: "\u{5d0}a", count: 2000),
    Repeated(piece: "\u{628}", count: 3000), Repeated(piece: "\u{628} ", count: 2000),
    Repeated(piece: "\u{200d}\u{1f469}", count: 1600),
    Repeated(piece: " \u{3000}", count: 2000), Repeated(piece: "\u{915}\u{94d}", count: 2000),
  ]

  /// The font that tests make, and those that are installed of some that kern, join and look over
  /// spaces.
  static let fonts =
    ["made"]
    + ["inter-regular", "lato-regular", "notosansarabic-regular", "notosansdevanagari-regular"]
    .filter { RecordedParagraphs.present.contains($0) }

  @Test("what is shaped is as long as the text, times a constant", arguments: fonts, texts)
  func work(font: String, repeated: Repeated) throws {
    let library = font == "made" ? Self.made : RecordedParagraphs.library
    let style = try library.prepare(ParagraphStyle(fonts: [font], size: 20))
    let text = Array(repeated.text.utf8)
    let length = repeated.text.utf16.count
    let bench = TextWorkbench()
    var builder = ShapedTextsBuilder(style, capacity: 1, bytes: text.count)
    text.withUnsafeBufferPointer { builder.add(utf8: $0, on: bench) }
    // Once as a whole, and again at places where lines may end. Up to four words are tried as one.
    let limit = (TextWorkbench.reshapingPerUnit + 10) * length + 10_000
    #expect(bench.shapedUnits <= limit)
    let shaped = builder.finish()
    for width in [1.0, 100, 10_000] {
      bench.shapedUnits = 0
      let (lines, isEstimated) = text.withUnsafeBufferPointer {
        bench.lines(ofUTF8: $0, widths: [width], style)!
      }
      #expect(bench.shapedUnits <= 2 * limit, "at \(width)")
      #expect(zip(lines[0].starts, lines[0].starts.dropFirst()).allSatisfy(<), "at \(width)")
      same(isEstimated, shaped.isEstimated(0))
      if let packed = shaped.lines(of: 0, width: width) { same(packed, lines[0]) }
    }
  }

  /// A run or an item for each letter or two, and no place where a line may end.
  static let runs = [
    Repeated(piece: "\u{5d0}1", count: 4000), Repeated(piece: "\u{3b1}a", count: 4000),
    Repeated(piece: "\u{5d0}a", count: 4000), Repeated(piece: "\u{1f600}a", count: 4000),
  ]

  @Test("each item of a text is added up a few times", arguments: runs)
  func items(repeated: Repeated) throws {
    let style = try Self.made.prepare(ParagraphStyle(fonts: ["made"], size: 20))
    let bench = TextWorkbench()
    bench.prepare(repeated.text, style)
    for width in [0.5, 100, 1e9] {
      bench.addedItems = 0
      _ = bench.lines(width: width, style)
      #expect(bench.addedItems <= 4 * bench.text.runs.count + 100, "at \(width)")
    }
  }

  @Test("what nobody waits for is given up before the next width")
  func unwanted() throws {
    let style = try Self.made.prepare(ParagraphStyle(fonts: ["made"], size: 20))
    var asked = 0
    let lines = Array("a b c".utf8).withUnsafeBufferPointer {
      TextWorkbench().lines(ofUTF8: $0, widths: [1, 2, 3], style) {
        asked += 1
        return asked < 2
      }
    }
    #expect(lines == nil)
    same(asked, 2)
  }

  @Test("a million combining marks are shaped once")
  func marks() throws {
    let style = try Self.made.prepare(ParagraphStyle(fonts: ["made"], size: 20))
    let marks = [UInt16](repeating: 0x301, count: 1_000_000)
    let bench = TextWorkbench()
    marks.withUnsafeBufferPointer { bench.prepare($0, style) }
    same(bench.shapedUnits, marks.count)
    // The font has no such character.
    #expect(bench.isEstimated)
    same(bench.lines(width: 1e9, style).starts, [0])
  }

  /// Pieces of which random texts are made: letters, and what HarfBuzz takes as a part of a letter.
  private static let letters = [
    "a", "\u{3b1}", "\u{5d0}", "\u{628}", "\u{915}", "\u{e01}", "(", " ",
  ]
  private static let parts = [
    "\u{301}", "\u{323}", "\u{5b0}", "\u{64b}", "\u{93e}", "\u{e33}", "\u{e48}", "\u{e33}\u{e48}",
    "\u{102b}", "\u{1d165}", "\u{ad}", "\u{200d}", "\u{200c}", "\u{2060}", "\u{200e}", "\u{fe0f}",
    "\u{e0100}", "\u{e0061}", "\u{3164}", "\u{180b}", "\u{34f}", "`", "\u{384}", "\u{915}\u{94d}",
    "\u{1780}\u{17d2}", "\u{1000}\u{1039}",
  ]

  /// How many units in a row are parts of one letter at most.
  private func longestChain(_ units: ArraySlice<UInt16>) -> Int {
    var (longest, length, isLinked) = (0, 0, false)
    for scalar in String(decoding: units, as: UTF16.self).unicodeScalars {
      let properties = scalar.properties
      let isPart =
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .modifierSymbol: true
        default: properties.isDefaultIgnorableCodePoint || scalar == "\u{e33}"
        }
      length = isPart || isLinked ? length + (scalar.value > 0xffff ? 2 : 1) : 0
      longest = max(longest, length)
      isLinked = properties.canonicalCombiningClass == .virama
    }
    return longest
  }

  @Test("of a letter's marks and the like, HarfBuzz gets some hundred at once", arguments: 0..<100)
  func chains(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let font = random.element(of: Self.fonts)
    let library = font == "made" ? Self.made : RecordedParagraphs.library
    let style = try library.prepare(
      ParagraphStyle(
        fonts: [font], size: 20, letterSpacing: random.chance(30) ? 1 : 0,
        whiteSpace: random.element(of: [.normal, .preLine, .preWrap])))
    var text = ""
    for _ in 0..<random.integer(1...6) {
      let letters = (0..<random.integer(0...3)).map { _ in random.element(of: Self.letters) }
      let parts = (0..<random.integer(1...3)).map { _ in random.element(of: Self.parts) }
      for _ in 0..<random.integer(1...random.element(of: [2, 60, 4000])) {
        text += random.chance(2) ? letters.joined() : random.element(of: parts)
      }
    }
    let place = "seed \(seed)"
    let bench = TextWorkbench()
    bench.prepare(text, style)
    let units = bench.text.units
    let longest = bench.text.runs.map { longestChain(units[$0.units]) }.max() ?? 0
    #expect(longest <= 130, "\(place)")
    same(
      bench.text.runs.reduce(0) { $0 + $1.units.count }, units.filter { $0 != 0x0a }.count,
      "\(place)")
    let chains = bench.text.hardLines.map { longestChain(units[$0.units]) }
    if chains.contains(where: { $0 > 130 }) { #expect(bench.isEstimated, "\(place)") }
    let limit = (TextWorkbench.reshapingPerUnit + 1) * text.utf16.count + 10_000
    for width in [1.0, 30, 1e9] {
      bench.shapedUnits = 0
      let lines = Array(text.utf8).withUnsafeBufferPointer {
        bench.lines(ofUTF8: $0, widths: [width], style)!.lines[0]
      }
      #expect(bench.shapedUnits <= 2 * limit, "\(place) at \(width)")
      #expect(zip(lines.starts, lines.starts.dropFirst()).allSatisfy(<), "\(place) at \(width)")
    }
  }

  @Test("a hundred marks on a letter are laid out as ever, a thousand are estimated")
  func fewMarks() throws {
    let library = FontLibrary(memory: ["made": TestFont.bytes(characters: 0x20...0x37f)])
    let style = try library.prepare(ParagraphStyle(fonts: ["made"], size: 20))
    for (count, isEstimated) in [(100, false), (1000, true)] {
      let bench = TextWorkbench()
      bench.prepare("a" + String(repeating: "\u{323}", count: count) + " b", style)
      same(bench.isEstimated, isEstimated)
      same(bench.lines(width: 1e9, style).starts, [0])
    }
  }

  @Test("of a line's brackets, some thousand count for its directions")
  func brackets() throws {
    let library = FontLibrary(memory: ["made": TestFont.bytes(characters: 0x20...0x5ff)])
    let style = try library.prepare(ParagraphStyle(fonts: ["made"], size: 20))
    for (count, isEstimated) in [(2000, false), (3000, true)] {
      let (open, closed) = (repeatElement("(a", count: count), repeatElement("]b", count: count))
      let bench = TextWorkbench()
      bench.prepare("\u{5d0}" + open.joined() + closed.joined(), style)
      same(bench.isEstimated, isEstimated)
    }
  }

  @Test("words that repeat are shaped once")
  func words() throws {
    let style = try Self.made.prepare(ParagraphStyle(fonts: ["made"], size: 20))
    let bench = TextWorkbench()
    var builder = ShapedTextsBuilder(style, capacity: 1, bytes: 0)
    let text = Array(String(repeating: "word ", count: 10_000).utf8)
    text.withUnsafeBufferPointer { builder.add(utf8: $0, on: bench) }
    // With the space in front and two behind, and as the last word.
    same(bench.shapedUnits, 7 + 5)
  }
}
