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
