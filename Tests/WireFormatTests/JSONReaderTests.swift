import TestSupport
import Testing

@testable import WireFormat

@Suite("JSON reader: values")
struct JSONReaderValueTests {
  @Test(
    "every type is read",
    arguments: [
      ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)), ("12", .number(12)),
      ("\"a\"", .string(Array("a".utf8))), ("[]", .array([])), ("{}", .object([:])),
      ("[1,[2],{}]", .array([.number(1), .array([.number(2)]), .object([:])])),
      (
        "{\"a\":{\"b\":[null]},\"c\":\"\"}",
        .object([
          Array("a".utf8): .object([Array("b".utf8): .array([.null])]),
          Array("c".utf8): .string([]),
        ])
      ),
      (" \t\r\n[ 1 ,\n2 ]\t", .array([.number(1), .number(2)])),
    ] as [(String, JSON)])
  func everyType(text: String, value: JSON) throws {
    try same(read(text), value)
  }

  @Test(
    "the type of the next value is told before it is read",
    arguments: [
      ("null", .null), ("false", .boolean), ("-1", .number), ("\"\"", .string), ("{}", .object),
      ("[]", .array),
    ] as [(String, JSONType)])
  func nextType(text: String, type: JSONType) throws {
    try withReader(text) { reader in
      try same(reader.nextType(), type)
      try reader.skipValue()
      try reader.finish()
    }
  }

  @Test("members come in the order of the text, repeated ones too")
  func memberOrder() throws {
    try withReader("{\"b\":1,\"a\":[2],\"b\":3}") { reader in
      var names: [String] = []
      try reader.openObject()
      while let name = try reader.nextField() {
        names.append(name)
        try reader.skipValue()
      }
      try reader.finish()
      same(names, ["b", "a", "b"])
    }
  }

  @Test("strings are appended to what is there already")
  func appendedString() throws {
    var bytes = Array("x".utf8)
    try withReader("\"y\\nz\"") { try $0.readString(appendingTo: &bytes) }
    same(bytes, Array("xy\nz".utf8))
  }

  @Test("a text without memory is no JSON")
  func noMemory() {
    #expect(throws: BodyError.syntax(offset: 0)) {
      _ = try JSONReader(UnsafeMutableRawBufferPointer(start: nil, count: 0)).count
    }
  }

  @Test(
    "the text behind the last byte plays no part",
    arguments: ["1", "-1.5e3", "true", "null", "[1]", "\"a\""])
  func padding(text: String) throws {
    // The helper pads with digits, which would make another number or no literal of these.
    _ = try read(text)
    try skip(Array(text.utf8))
  }
}

@Suite("JSON reader: strings")
struct JSONReaderStringTests {
  @Test(
    "escapes stand for their characters",
    arguments: cases("JSONReader.escapes", String.self, String.self))
  func escapes(text: String, expected: String) throws {
    try same(read(text), .string(Array(expected.utf8)))
    let key = try withReader("{\(text):1}") { reader in
      try reader.openObject()
      return try reader.nextField()
    }
    same(key.map { Array($0.utf8) }, Array(expected.utf8))
  }

  @Test(
    "a surrogate without its partner is an error, in values and names",
    arguments: cases("JSONReader.loneSurrogates", String.self))
  func loneSurrogates(text: String) throws {
    for text in ["[\(text)]", "{\(text):1}"] {
      let bytes = Array(text.utf8)
      #expect(throws: BodyError.self) { try read(bytes) }
      #expect(throws: BodyError.self) { try skip(bytes) }
    }
  }

  @Test("wrong escapes are errors", arguments: cases("JSONReader.wrongEscapes", String.self))
  func wrongEscapes(text: String) {
    for text in ["[\(text)]", "{\(text):1}"] {
      let bytes = Array(text.utf8)
      #expect(throws: BodyError.self) { try read(bytes) }
      #expect(throws: BodyError.self) { try skip(bytes) }
    }
  }

  @Test("control characters must be escaped; DEL need not", arguments: 0..<0x20 as Range<UInt8>)
  func controlCharacters(byte: UInt8) throws {
    let text = Array("[\"ab".utf8) + [byte] + Array("\"]".utf8)
    try same(faultOffset(text), 4)
    #expect(throws: BodyError.syntax(offset: 4)) { try skip(text) }
    try same(read("[\"\u{7F}\"]"), .array([.string([0x7F])]))
  }

  @Test("only UTF-8 is text", arguments: cases("JSONReader.invalidUTF8", [UInt8].self))
  func invalidUTF8(bytes: [UInt8]) throws {
    // At the end of the text too, where a scan of whole blocks may have stopped.
    for length in [1, 30, 62, 63, 64, 65] {
      let before = [UInt8(ascii: "\"")] + [UInt8](repeating: 0x61, count: length)
      try same(faultOffset(before + bytes + [UInt8(ascii: "\"")]), before.count)
      try same(faultOffset(before + bytes), before.count)
    }
  }

  @Test(
    "the first and last scalars of each length are text",
    arguments: cases("JSONReader.validUTF8", String.self))
  func validUTF8(text: String) throws {
    try same(read("\"\(text)\""), .string(Array(text.utf8)))
  }

  @Test("strings of every length around a block's are read", arguments: 0..<200)
  func lengths(length: Int) throws {
    let string = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
    try same(
      read("[\"\(string)\",\"\\n\(string)\"]"),
      .array([.string(Array(string.utf8)), .string([10] + string.utf8)]))
  }
}

@Suite("JSON reader: numbers")
struct JSONReaderNumberTests {
  @Test(
    "numbers are read as the nearest double", arguments: cases("JSONReader.nearest", String.self))
  func nearest(text: String) throws {
    let expected = try #require(Double(text))
    for text in [text, "[\(text)]", " \(text) ", "[\(text),1]"] {
      let value = try withReader(text) { reader in
        if try reader.nextType() == .array {
          try reader.openArray()
          _ = try reader.nextElement()
        }
        return try reader.readNumber()
      }
      same(value.bitPattern, expected.bitPattern, "\(text): \(value)")
    }
  }

  @Test(
    "what is larger than any double is infinite",
    arguments: [
      "1e309", "1e999", "1.7976931348623159e308", "2e308", "1e9999999999999999999",
      "1e99999999999999999999", "1e18446744073709551617", "1e9223372036854775808",
      "1" + String(repeating: "0", count: 400), "0." + String(repeating: "0", count: 50) + "1e9999",
    ])
  func overflow(text: String) throws {
    try same(read(text), .number(.infinity))
    try same(read("[-\(text)]"), .array([.number(-.infinity)]))
  }

  @Test("many digits do not make a small number large")
  func longTinyNumbers() throws {
    let zeros = String(repeating: "0", count: 1000)
    try same(read("0.\(zeros)1"), .number(0))
    try same(read("0.\(zeros)123456789012345678901234567890e-5"), .number(0))
    try same(read("0.\(zeros)1e1001"), .number(1))
    try same(read("1\(zeros)e-1000"), .number(1))
    try same(read("\(String(repeating: "9", count: 1000))e-1000"), .number(1))
    try same(read("12345678901234567890123e-400"), .number(0))
  }

  @Test(
    "what RFC 8259 does not allow is no number",
    arguments: cases("JSONReader.noNumber", String.self))
  func noNumber(text: String) {
    for text in ["[\(text)]", "{\"a\":\(text)}", text] {
      let bytes = Array(text.utf8)
      #expect(throws: BodyError.self) { try read(bytes) }
      #expect(throws: BodyError.self) { try skip(bytes) }
    }
  }

  @Test("random numbers are rounded as Swift rounds them", arguments: 0..<100)
  func randomNumbers(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    func digits(_ count: ClosedRange<Int>) -> String {
      (0..<Int.random(in: count, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }.joined()
    }
    let texts = (0..<30).map { index in
      let sign = Bool.random(using: &generator) ? "-" : ""
      if index % 5 == 0 {
        let random = Double(bitPattern: generator.next())
        return sign + (random.isFinite ? abs(random) : 1.5).description
      }
      let whole = "\(Int.random(in: 1...9, using: &generator))" + digits(0...25)
      let fraction = Bool.random(using: &generator) ? "." + digits(1...40) : ""
      let exponent =
        Bool.random(using: &generator) ? "e\(Int.random(in: -340...290, using: &generator))" : ""
      return sign + (index % 3 == 0 ? "0" : whole) + fraction + exponent
    }
    guard case .array(let values) = try read("[\(texts.joined(separator: ", "))]") else {
      Issue.record("not an array")
      return
    }
    for (text, value) in zip(texts, values) {
      let expected = Double(text)
      same(expected.map { .number($0) }, value, "\(text)")
    }
  }

  @Test("a number halfway between two doubles goes to the even one", arguments: 0..<50)
  func halfway(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    // Integers of 54 bits that are odd lie exactly between two doubles.
    let odd = Int.random(in: 1 << 53..<1 << 54, using: &generator) | 1
    let lower = Double(odd - 1)
    let expected = lower.significandBitPattern % 2 == 0 ? lower : Double(odd + 1)
    try same(read("\(odd)"), .number(expected))
    try same(read("\(odd).000000000000000000000000000"), .number(expected))
    try same(read("\(odd).00000000000000000000000000001"), .number(Double(odd + 1)))
    try same(read("\(odd - 1).99999999999999999999999999999"), .number(lower))
  }
}

@Suite("JSON reader: structure")
struct JSONReaderStructureTests {
  @Test(
    "an error is at the first byte that cannot stand where it stands",
    arguments: cases("JSONReader.offsets", String.self, Int.self))
  func offsets(text: String, offset: Int) throws {
    let bytes = Array(text.utf8)
    try same(faultOffset(bytes), offset)
    #expect(throws: BodyError.syntax(offset: offset)) { try skip(bytes) }
  }

  @Test(
    "an error within a token is at the token or in it",
    arguments: [
      ("[01]", 1...2), ("[tru]", 1...4), ("[nulll]", 1...5), ("[12, 1.]", 5...7),
      ("[true, falsy]", 7...11), (#"["a", "\q"]"#, 6...8), (#"{"a":1, "\q":2}"#, 8...10),
      (#"["\ud800"]"#, 1...8), ("[1, nan]", 4...5), ("[-]", 1...2), ("[1, tRue]", 4...5),
    ])
  func offsetsInTokens(text: String, offsets: ClosedRange<Int>) throws {
    let bytes = Array(text.utf8)
    #expect(offsets.contains(try #require(try faultOffset(bytes))))
    #expect(throws: BodyError.self) { try skip(bytes) }
  }

  @Test("a control character behind a backslash is found where it is")
  func escapedControlCharacter() throws {
    try same(faultOffset(Array("[\"\\\n\"]".utf8)), 3)
  }

  @Test(
    "only the three literals are there, and whole",
    arguments: cases("JSONReader.literals", String.self))
  func literals(text: String) {
    for text in [text, "[\(text)]", "{\"a\":\(text)}"] {
      let bytes = Array(text.utf8)
      #expect(throws: BodyError.self) { try read(bytes) }
      #expect(throws: BodyError.self) { try skip(bytes) }
    }
  }

  @Test("a million arrays in one another are read without recursion")
  func deepArrays() throws {
    let depth = 1_000_000
    let text =
      [UInt8](repeating: UInt8(ascii: "["), count: depth)
      + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    try skip(text)
    #expect(throws: BodyError.syntax(offset: 2 * depth - 1)) { try skip(text.dropLast()) }
    #expect(throws: BodyError.syntax(offset: 2 * depth)) {
      try skip(text + [UInt8(ascii: "]")])
    }
  }

  @Test("a million objects in one another are read without recursion")
  func deepObjects() throws {
    let depth = 1_000_000
    let opening = Array("{\"\":".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(depth * 5 + 1)
    for _ in 0..<depth { text += opening }
    text.append(UInt8(ascii: "1"))
    for _ in 0..<depth { text.append(UInt8(ascii: "}")) }
    try skip(text)
    text[text.count - 1] = UInt8(ascii: "]")
    #expect(throws: BodyError.syntax(offset: text.count - 1)) { try skip(text) }
  }

  @Test("passing over a value leaves the reader behind it")
  func skippedValues() throws {
    let text = #"[{"a":[1,{"b":"}"}]},[[],{}],"]",-1e5,true,7]"#
    try withReader(text) { reader in
      try reader.openArray()
      for _ in 0..<5 {
        #expect(try reader.nextElement())
        try reader.skipValue()
      }
      #expect(try reader.nextElement())
      try same(reader.readNumber(), 7)
      #expect(try !reader.nextElement())
      try reader.finish()
    }
  }

  @Test(
    "passing over a value checks all of it",
    arguments: cases("JSONReader.skippedFaults", String.self))
  func skippedFaults(text: String) throws {
    try withReader("[0,\(text)]") { reader in
      try reader.openArray()
      _ = try reader.nextElement()
      try reader.skipValue()
      _ = try reader.nextElement()
      #expect(throws: BodyError.self) { try reader.skipValue() }
    }
  }
}

@Suite("JSON reader: texts for messages")
struct JSONReaderMessageTests {
  private static let blanks = String(repeating: " ", count: 50)

  @Test(
    "a value's own text is its text and no more",
    arguments: [
      ("12", "12"), (" -1.50 ", "-1.50"), ("\"a b\" ", "\"a b\""), ("null", "null"),
      ("\"a,b]}\"", "\"a,b]}\""), ("1e999", "1e999"), (#""\u0041""#, #""\u0041""#),
      ("[]", "[]"), ("{}", "{}"), ("[1, [2]]", "[1, [2]]"), ("{\"a\": {}}", "{\"a\": {}}"),
      ("[\"]\"]", "[\"]\"]"), ("-1" + blanks, "-1"), ("[\(blanks)1]", "[…"),
    ])
  func valueText(text: String, expected: String) throws {
    let shown = try withReader(text) { try $0.skipValueText() }
    same(shown, expected)
    try withReader("{\"a\":\(text)  , \"b\":[1]}") { reader in
      try reader.openObject()
      _ = try reader.nextField()
      let shown = try reader.skipValueText()
      same(shown, expected)
    }
    try withReader("[[\(text)]]") { reader in
      try reader.openArray()
      _ = try reader.nextElement()
      try reader.openArray()
      _ = try reader.nextElement()
      let shown = try reader.skipValueText()
      same(shown, expected)
    }
  }

  @Test("a long value's text is cut between characters", arguments: 30..<60)
  func cutText(length: Int) throws {
    for character in ["a", "é", "€", "😀"] {
      let string = "\"" + String(repeating: "x", count: length) + character + character + "y\""
      let text = try withReader("[\(string)]") { reader in
        try reader.openArray()
        _ = try reader.nextElement()
        return try reader.skipValueText()
      }
      if text.hasSuffix("…") {
        #expect(string.hasPrefix(text.dropLast()))
        #expect((37...40).contains(text.utf8.count - "…".utf8.count))
      } else {
        same(text, string)
      }
    }
  }

  @Test("a long container's text is cut")
  func cutContainer() throws {
    let text = "[" + (0..<100).map { "\($0)" }.joined(separator: ",") + "]"
    let shown = try withReader(text) { try $0.skipValueText() }
    #expect(shown.hasSuffix("…"))
    #expect(text.hasPrefix(shown.dropLast()))
    #expect((30...45).contains(shown.utf8.count))
  }

  @Test("a value is cut behind 40 bytes, and no shorter one", arguments: 35..<50)
  func cutAt40(length: Int) throws {
    let value = "\"" + String(repeating: "x", count: length - 2) + "\""
    let text = try withReader("[\(value)]") { reader in
      try reader.openArray()
      _ = try reader.nextElement()
      return try reader.skipValueText()
    }
    same(text, (length <= 40 ? value : String(value.prefix(40)) + "…"))
  }
}
