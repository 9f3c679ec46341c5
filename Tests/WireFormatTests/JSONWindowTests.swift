import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

/// Texts that are read in windows say what they say when all their tokens are known at once.
@Suite("JSON reader: windows")
struct JSONWindowTests {
  /// The shortest windows that there are, some longer ones, and the whole text as one.
  private static let windowBytes = [1, 700, 3000, .max]

  /// What a text says, or its first fault.
  private func outcome(
    _ bytes: [UInt8], windowBytes: Int,
    _ read: (inout JSONReader) throws -> JSON = { try readValue(&$0) }
  ) -> Result<JSON, BodyError> {
    withPadding(bytes) { text in
      do throws(BodyError) {
        var reader = try JSONReader(text, windowBytes: windowBytes)
        do {
          let value = try read(&reader)
          try reader.finish()
          return .success(value)
        } catch {
          try reader.checkRest()
          return .failure(error as! BodyError)
        }
      } catch {
        return .failure(error)
      }
    }
  }

  /// Some hundred documents in one array.
  private func manyDocuments(_ random: inout RandomJSON) -> [UInt8] {
    let documents = (0..<150).map { _ in random.document(depth: 3).text }
    return Array("[\(documents.joined(separator: ","))]".utf8)
  }

  @Test("random documents say the same in windows of any length", arguments: 0..<60)
  func randomDocuments(seed: Int) {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    let text = manyDocuments(&random)
    let value = outcome(text, windowBytes: .max)
    #expect(throws: Never.self) { try value.get() }
    for length in Self.windowBytes {
      same(outcome(text, windowBytes: length), value)
      let skipped = outcome(text, windowBytes: length) { reader in
        try reader.skipValue()
        return .null
      }
      same(skipped, .success(.null))
    }
  }

  @Test("the first fault of a changed document is the same in windows", arguments: 0..<80)
  func changedDocuments(seed: Int) {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    let original = manyDocuments(&random)
    for _ in 0..<6 {
      let text = random.mutate(original)
      let whole = outcome(text, windowBytes: .max)
      for length in Self.windowBytes {
        same(outcome(text, windowBytes: length), whole, "\(text)")
      }
    }
  }

  @Test(
    "what decides where a window can end may lie anywhere in it",
    arguments: [
      "\"a,b\"", "\"\\\",\\\",\"", "\"\\\\\"", "\"\\\\\\\\\",\"\"", "\",,,,,,\"", "\"é,é,日,本\"",
      "\"\(String(repeating: ",", count: 500))\"", "\"\(String(repeating: "\\\\,", count: 300))\"",
      "\"\(String(repeating: "é", count: 300))\"", "{\"a,\":\",\"}", "-1.5e3", "[[],[]]", "true",
    ])
  func windowEnds(value: String) {
    // The values themselves lie at many places of a window, so a third of the shifts has all.
    for shift in stride(from: 0, to: 70, by: Extent.isWide ? 1 : 3) {
      let spaces = String(repeating: " ", count: shift)
      let text = Array("[\(spaces)\((0..<400).map { _ in value }.joined(separator: ","))]".utf8)
      let whole = outcome(text, windowBytes: .max)
      #expect(throws: Never.self) { try whole.get() }
      same(outcome(text, windowBytes: 1), whole)
    }
  }

  @Test(
    "windows stay short where there are no commas",
    arguments: ["[", "]", "{\"a\":", "{\"a\":[", "}", "\"a\":", "[[]", ":"])
  func nesting(part: String) throws {
    try withPadding(Array(String(repeating: part, count: 50_000).utf8)) { text in
      let text = UnsafeBufferPointer(text.assumingMemoryBound(to: UInt8.self))
      let window = TokenWindow(of: text, byteCount: 4096, leastTokens: 64)
      var start = 0
      while start < text.count {
        try window.move(to: start)
        #expect(window.end - start <= 4096)
        start = window.end
      }
    }
  }

  @Test(
    "what is wrong with the encoding of a later window is told, whatever is wrong before it",
    arguments: [Array("\"\n\"".utf8), [0xFF], [0xE2, 0x82]],
    [#"{"height":1}"#, #"{"height":"1"}"#, "[1}"])
  func brokenLater(fault: [UInt8], row: String) {
    let rows = Array(repeating: row, count: 20_000).joined(separator: ",")
    let start = Array(#"{"bounds":{"width":1},"sections":[{"items":[\#(rows),"#.utf8)
    let offset = start.count + (fault[0] == UInt8(ascii: "\"") ? 1 : 0)
    // Once near the end of the text, once several windows before it.
    for end in [[], Array(",\(rows)".utf8)] {
      #expect(throws: BodyError.syntax(offset: offset)) {
        try prepare(start + fault + end, as: "waterfall")
      }
    }
  }

  private static let rows = (0..<2000).map {
    switch $0 % 7 {
    case 5: #"{"id":"n,\#($0)","height":\#($0).25}"#
    case 6: #"{"height":null}"#
    default: #"{"height":\#($0).5}"#
    }
  }

  /// Reads an array of rows or of numbers, and says what each has.
  private func readItems(_ reader: inout JSONReader, asRows: Bool) throws -> JSON {
    reader.blockRows = 300
    var faults = JSONFaults(capacity: 20)
    var values: [JSON] = []
    try reader.openArray()
    if asRows {
      let fields = [
        JSONField(name: "id", type: .string), JSONField(name: "height", type: .number),
      ]
      while let block = try reader.readRows(fields: fields, faults: &faults) {
        let ids = block.columns[0].idColumn
        let heights = block.columns[1].numbers
        for row in 0..<block.rowCount {
          let height = heights?[row] ?? .nan
          values.append(height.isNaN ? .null : .number(height))
          values.append((ids?[row]?.string).map { .string(Array($0.utf8)) } ?? .null)
        }
      }
    } else {
      var column = JSONColumn(type: .number)
      while try reader.readColumn(&column, faults: &faults) {}
      values = (column.numbers ?? []).map { $0.isNaN ? .null : .number($0) }
    }
    let texts = faults.items.map { JSON.string(Array("\($0.row) \($0.text)".utf8)) }
    return .array([.array(values), .array(texts)])
  }

  @Test("rows and their faults are the same in windows", arguments: 0..<40)
  func rows(seed: Int) {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    let original = Array("[\(Self.rows.joined(separator: ", "))]".utf8)
    for text in seed == 0 ? [original] : (0..<4).map({ _ in random.mutate(original) }) {
      let whole = outcome(text, windowBytes: .max) { try readItems(&$0, asRows: true) }
      for length in Self.windowBytes {
        same(outcome(text, windowBytes: length) { try readItems(&$0, asRows: true) }, whole)
      }
    }
  }

  @Test("columns and their faults are the same in windows", arguments: 0..<40)
  func columns(seed: Int) {
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    let numbers = (0..<3000).map { $0 % 11 == 3 ? "null" : "\($0 * 37 % 5000).\($0 % 10)" }
    let original = Array("[\(numbers.joined(separator: ","))]".utf8)
    for text in seed == 0 ? [original] : (0..<4).map({ _ in random.mutate(original) }) {
      let whole = outcome(text, windowBytes: .max) { try readItems(&$0, asRows: false) }
      for length in Self.windowBytes {
        same(outcome(text, windowBytes: length) { try readItems(&$0, asRows: false) }, whole)
      }
    }
  }

  @Test("a fault of the encoding far behind is told rather than what is wrong before it")
  func lateEncodingFault() {
    let rows = Array(repeating: #"{"height":1.5}"#, count: 30_000).joined(separator: ",")
    let start = #"{"bounds":{"width":-1},"sections":[{"items":[{"height":tru},"#
    let body = Array((start + rows).utf8) + [0xFF] + Array("]}]}".utf8)
    let offset = start.utf8.count + rows.utf8.count
    #expect(throws: BodyError.syntax(offset: offset)) {
      _ = try prepare(body, as: "waterfall")
    }
    #expect(throws: BodyError.syntax(offset: offset)) {
      _ = try prepare(body, as: "waterfall", maxItems: 10)
    }
  }
}
