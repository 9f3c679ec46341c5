import TestSupport
import Testing

@testable import WireFormat

@Suite("Short decimals")
struct ShortDecimalTests {
  /// The number at the start of the text, which other digits follow in memory.
  private func read(_ text: String) -> Double? {
    withPadding(Array(text.utf8)) {
      ShortDecimal.read($0.baseAddress!.assumingMemoryBound(to: UInt8.self))
    }
  }

  private func readInteger(_ text: String) -> UInt32? {
    withPadding(Array(text.utf8)) {
      ShortDecimal.readInteger($0.baseAddress!.assumingMemoryBound(to: UInt8.self))
    }
  }

  @Test("numbers of two decimals below 10,000 are the doubles that Swift reads")
  func allHundredths() {
    var wrong: [String] = []
    // Every seventh has all fractions, too.
    for number in stride(from: 0, to: 1_000_000, by: Extent.isWide ? 1 : 7) {
      let fraction = String(number % 100)
      let text = "\(number / 100)." + (fraction.utf8.count < 2 ? "0" : "") + fraction
      if read(text + ",")?.bitPattern != Double(text)!.bitPattern { wrong.append(text) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("up to seven characters are read, wherever the point is", arguments: 1...7, 0...7)
  func everyLength(length: Int, point: Int) {
    var text = "9876543".prefix(length)
    if point > 0 && point < length - 1 {
      let place = text.index(text.startIndex, offsetBy: point)
      text.replaceSubrange(place...place, with: ".")
    }
    for end in [",", "}", "]", ":", " ", "\n", "\t", "\r"] {
      same(read(text + end), Double(text))
      same(readInteger(text + end), UInt32(text))
    }
  }

  @Test(
    "what is longer, no number, or ends where no number may is left to others",
    arguments: cases("ShortDecimal.refused", String.self))
  func refused(text: String) {
    same(read(text), nil)
    same(readInteger(text), nil)
  }

  @Test("what is read is what the grammar and Swift read", arguments: 0..<50)
  func agreement(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let bytes = Array("0123456789012345678901234567890123456789.....eE-+,,,}] :\"\u{80}".utf8)
    for _ in 0..<2000 {
      // The grammar has to come to an end; a reader's text is followed by spaces.
      let text = (0..<10).map { _ in bytes.randomElement(using: &generator)! } + [UInt8(ascii: " ")]
      withPadding(text) {
        let start = UnsafePointer($0.baseAddress!.assumingMemoryBound(to: UInt8.self))
        let end = JSONGrammar.endOfNumber(start).flatMap {
          JSONGrammar.endsScalar($0.pointee) ? $0 : nil
        }
        let number = end.map {
          String(decoding: UnsafeBufferPointer(start: start, count: $0 - start), as: UTF8.self)
        }
        let isShort = number.map { $0.utf8.count < 8 && !$0.contains { "eE-".contains($0) } }
        let expected = isShort == true ? Double(number!) : nil
        same(ShortDecimal.read(start), expected, "\(text)")
        same(ShortDecimal.readInteger(start), (isShort == true ? UInt32(number!) : nil))
      }
    }
  }
}
