import TestSupport
import Testing

@testable import WireFormat

private func text(_ string: String) -> [UInt8] {
  var writer = JSONWriter()
  writer.write(string: string)
  return writer.bytes
}

@Suite("String text")
struct StringTextTests {
  @Test(
    "strings are written with only what must be escaped escaped",
    arguments: [
      ("", #""""#), ("a b", #""a b""#), ("é€😀", #""é€😀""#), ("\"", #""\"""#), ("\\", #""\\""#),
      ("/", #""/""#), ("\u{7F}", "\"\u{7F}\""), ("\u{2028}", "\"\u{2028}\""),
      ("must be ≥ 0", #""must be ≥ 0""#),
    ])
  func knownTexts(string: String, expected: String) {
    same(String(decoding: text(string), as: UTF8.self), expected)
  }

  @Test("every ASCII character reads back", arguments: 0..<128 as Range<UInt8>)
  func asciiCharacters(byte: UInt8) throws {
    let string = "a" + String(Unicode.Scalar(byte)) + "0"
    let written = text(string)
    #expect(JSONGrammarReference.accepts(written))
    try same(FoundationJSON.read(written), .string(Array(string.utf8)))
    if byte < 0x20 { #expect(written.contains(UInt8(ascii: "\\"))) }
  }

  @Test("random strings read back", arguments: 0..<100)
  func randomStrings(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    var string = ""
    for _ in 0..<Int.random(in: 0...200, using: &generator) {
      let range: Range<UInt32> = [0..<0x30, 0x20..<0x7F, 0x80..<0xD800, 0xE000..<0x11_0000]
        .randomElement(using: &generator)!
      string.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &generator))!)
    }
    let written = text(string)
    #expect(JSONGrammarReference.accepts(written))
    try same(FoundationJSON.read(written), .string(Array(string.utf8)))
  }

  @Test("the longest escapes fit")
  func manyEscapes() throws {
    let string = String(repeating: "\u{1}", count: 10_000)
    try same(FoundationJSON.read(text(string)), .string(Array(string.utf8)))
  }
}
