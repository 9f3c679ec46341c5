import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

private let fields = [
  JSONField(name: "id", type: .string), JSONField(name: "height", type: .number),
  JSONField(name: "parent", type: .index),
]

/// A row as it should be read.
private struct Row: Equatable {
  var id: String?
  var height: Double?
  var parent: Int32?
}

/// Reads the rows of the array that comes next, a block at a time.
private func readRows(
  _ reader: inout JSONReader, blocksOf max: Int, faults: inout JSONFaults
) throws -> [Row] {
  reader.blockRows = max
  try reader.openArray()
  var rows: [Row] = []
  while let block = try reader.readRows(fields: fields, faults: &faults) {
    #expect(1...max ~= block.rowCount)
    for row in 0..<block.rowCount {
      let height = block.columns[1].numbers?[row] ?? .nan
      let parent = block.columns[2].indexes[row]
      rows.append(
        Row(
          id: block.columns[0].idColumn?[row]?.string, height: height.isNaN ? nil : height,
          parent: parent == -1 ? nil : parent))
    }
  }
  return rows
}

private func readRows(_ text: String) throws -> (rows: [Row], faults: [JSONFault]) {
  try withReader(text) { reader in
    var faults = JSONFaults(capacity: 20)
    let rows = try readRows(&reader, blocksOf: 8192, faults: &faults)
    try reader.finish()
    return (rows, faults.items)
  }
}

@Suite("JSON rows")
struct JSONRowsTests {
  @Test(
    "fields may come in any order, be null or missing, and have escapes in their names",
    arguments: [
      ("[]", []), ("[{}]", [Row()]), ("[ { } , { } ]", [Row(), Row()]),
      (#"[{"id":"a","height":1.5,"parent":0}]"#, [Row(id: "a", height: 1.5, parent: 0)]),
      (#"[{"parent":7,"height":2,"id":"b"}]"#, [Row(id: "b", height: 2, parent: 7)]),
      (
        #"[{"height":3,"id":"c"},{"parent":2147483647}]"#,
        [Row(id: "c", height: 3), Row(parent: .max)]
      ),
      (#"[{"id":null,"height":null,"parent":null}]"#, [Row()]),
      (
        #"[{"\u0069d":"a","heigh\u0074":-4e1,"p\u0061rent":1.0}]"#,
        [Row(id: "a", height: -40, parent: 1)]
      ),
      (#"[{"id":"\u0041\n"},{"id":"é😀"}]"#, [Row(id: "A\n"), Row(id: "é😀")]),
      (
        #"[{"height":0},{"height":1e-400},{"height":1e1}]"#,
        [Row(height: 0), Row(height: 0), Row(height: 10)]
      ),
      ("[\n\t{ \"height\" : 1 ,\r\n \"id\" : \"x\" }\n]", [Row(id: "x", height: 1)]),
    ] as [(String, [Row])])
  fileprivate func values(text: String, expected: [Row]) throws {
    let (rows, faults) = try readRows(text)
    same(rows, expected)
    #expect(faults.isEmpty)
  }

  @Test(
    "names have 1 to 128 bytes of UTF-8",
    arguments: [
      ("", false), ("a", true), (String(repeating: "a", count: 128), true),
      (String(repeating: "a", count: 129), false), (String(repeating: "é", count: 64), true),
      (String(repeating: "é", count: 64) + "a", false), (String(repeating: "😀", count: 32), true),
      (String(repeating: "😀", count: 32) + "é", false),
    ])
  func nameLengths(name: String, isAllowed: Bool) throws {
    let escaped = name.utf16.map { unit in
      let hex = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }.joined()
    for text in [name, escaped] {
      let (rows, faults) = try readRows("[{\"id\":\"z\"},{\"id\":\"\(text)\",\"height\":1}]")
      same(rows, [Row(id: "z"), Row(id: isAllowed ? name : nil, height: 1)])
      same(faults.map(\.row), (isAllowed ? [] : [1]))
      same(faults.map(\.field), (isAllowed ? [] : [0]))
    }
  }

  @Test(
    "a value of the wrong type or beyond the range is a fault, and as if missing",
    arguments: cases("JSONRows.wrongValues", String.self, String.self))
  func wrongValues(field: String, value: String) throws {
    let index = try #require(fields.firstIndex { $0.name == field })
    let text = "[{},{\"\(field)\":\(value)},{\"height\":1}]"
    let (rows, faults) = try readRows(text)
    same(rows, [Row(), Row(), Row(height: 1)])
    let fault = try #require(faults.first)
    same(faults.count, 1)
    same(fault.row, 1)
    same(fault.field, index)
    same(fault.code, .wrongType)
    #expect(fault.text.hasPrefix(value))
  }

  @Test(
    "a row that is no object is a fault", arguments: ["1", "null", "\"a\"", "[]", "[{}]", "true"])
  func wrongRows(row: String) throws {
    let (rows, faults) = try readRows("[{\"height\":1},\(row),{\"height\":2}]")
    same(rows, [Row(height: 1), Row(), Row(height: 2)])
    same(faults.count, 1)
    same(faults.first?.row, 1)
    same(faults.first?.field, nil)
    same(faults.first?.code, .wrongType)
  }

  @Test(
    "an unknown field is a fault with its name unescaped",
    arguments: cases("JSONRows.unknownFields", String.self, String.self))
  func unknownFields(text: String, name: String) throws {
    let (rows, faults) = try readRows(
      "[{},{\"height\":1,\"\(text)\":[{\"id\":\"x\"}],\"id\":\"a\"}]")
    same(rows, [Row(), Row(id: "a", height: 1)])
    same(faults.map(\.row), [1])
    same(faults.map(\.code), [.unknownField])
    same(faults.map(\.name), [name])
  }

  @Test(
    "a field that is given twice is a fault, whatever its values",
    arguments: cases("JSONRows.duplicateFields", String.self))
  func duplicateFields(row: String) throws {
    let faults = try readRows("[{},\(row)]").faults
    same(faults.map(\.row), [1])
    same(faults.map(\.field), [1])
    same(faults.map(\.code), [.duplicateField])
  }

  @Test("no more faults are kept than there is room for")
  func faultCapacity() throws {
    let text =
      "[" + Array(repeating: "{\"height\":true,\"x\":1}", count: 50).joined(separator: ",") + "]"
    try withReader(text) { reader in
      var faults = JSONFaults(capacity: 7)
      let rows = try readRows(&reader, blocksOf: 8, faults: &faults)
      try reader.finish()
      same(rows, Array(repeating: Row(), count: 50))
      same(faults.items.map(\.row), [0, 0, 1, 1, 2, 2, 3])
    }
  }

  @Test(
    "broken rows are syntax errors", arguments: cases("JSONRows.brokenRows", String.self, Int.self))
  func brokenRows(text: String, offset: Int) {
    #expect(throws: BodyError.syntax(offset: offset)) { _ = try readRows(text) }
  }

  @Test(
    "wrong tokens in rows are syntax errors, in every kind of field",
    arguments: cases("JSONRows.wrongTokens", String.self))
  func wrongTokens(token: String) {
    for name in ["id", "height", "parent", "x", ""] {
      #expect(throws: BodyError.self) { _ = try readRows("[{\"\(name)\":\(token)}]") }
    }
    #expect(throws: BodyError.self) { _ = try readRows("[\(token)]") }
    #expect(throws: BodyError.self) { _ = try readRows("[{\"\\q\":1}]") }
  }

  @Test(
    "several arrays of any length are read one after another, block by block", arguments: 0..<100)
  func manyArrays(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    var expected: [[Row]] = []
    var expectedFaults: [[Int]] = []
    var arrays: [String] = []
    for _ in 0..<6 {
      var rows: [Row] = []
      var texts: [String] = []
      var faultyRows: [Int] = []
      for index in 0..<Int.random(in: 0...13, using: &generator) {
        var row = Row()
        var members: [String] = []
        if Bool.random(using: &generator) {
          row.id = "n\(Int.random(in: 0...99, using: &generator))"
          members.append("\"id\":\"\(row.id!)\"")
        }
        if Bool.random(using: &generator) {
          row.height = Double(Int.random(in: 0...400, using: &generator)) / 4
          members.append("\"height\":\(row.height!)")
        } else if generator.once(in: 4) {
          members.append("\"height\":\"x\"")
          faultyRows.append(index)
        }
        if Bool.random(using: &generator) {
          row.parent = Int32.random(in: 0...99, using: &generator)
          members.append("\"parent\":\(row.parent!)")
        }
        rows.append(row)
        texts.append("{" + members.shuffled(using: &generator).joined(separator: ",") + "}")
      }
      expected.append(rows)
      expectedFaults.append(faultyRows)
      arrays.append("[" + texts.joined(separator: ",") + "]")
    }
    try withReader("[" + arrays.joined(separator: ",") + "]") { reader in
      try reader.openArray()
      for (rows, faultyRows) in zip(expected, expectedFaults) {
        #expect(try reader.nextElement())
        var faults = JSONFaults(capacity: 20)
        try same(readRows(&reader, blocksOf: 4, faults: &faults), rows)
        same(faults.items.map(\.row), faultyRows)
      }
      #expect(try !reader.nextElement())
      try reader.finish()
    }
  }

  @Test("a fault's row counts from the start of its own array", arguments: 0...9)
  func faultAfterFullBlocks(count: Int) throws {
    let first = Array(repeating: "{}", count: count).joined(separator: ",")
    try withReader("[[\(first)],[{},{\"height\":true}]]") { reader in
      try reader.openArray()
      _ = try reader.nextElement()
      var faults = JSONFaults(capacity: 20)
      _ = try readRows(&reader, blocksOf: 4, faults: &faults)
      _ = try reader.nextElement()
      _ = try readRows(&reader, blocksOf: 4, faults: &faults)
      same(faults.items.map(\.row), [1])
    }
  }
}

@Suite("JSON columns")
struct JSONColumnTests {
  private func readColumn(
    _ reader: inout JSONReader, _ type: JSONColumnType, faults: inout JSONFaults
  ) throws -> JSONColumn {
    reader.blockRows = 4
    try reader.openArray()
    var whole = JSONColumn(type: type)
    var count = 0
    while try reader.readColumn(&whole, faults: &faults) {
      #expect(1...4 ~= whole.count - count)
      count = whole.count
    }
    same(whole.count, count)
    return whole
  }

  @Test("columns of every length are read one after another", arguments: 0..<60)
  func manyColumns(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let columns = (0..<6).map { _ in
      (0..<Int.random(in: 0...13, using: &generator)).map { _ -> Int? in
        Bool.random(using: &generator) ? Int.random(in: 0...999, using: &generator) : nil
      }
    }
    func text(_ cell: (Int) -> String) -> String {
      columns.map { column in
        "[" + column.map { $0.map(cell) ?? "null" }.joined(separator: ",") + "]"
      }.joined(separator: ",")
    }
    let body = "[\(text { "\($0)" }),\(text { "\"\($0)\"" }),\(text { "\($0).5" })]"
    try withReader(body) { reader in
      var faults = JSONFaults(capacity: 20)
      try reader.openArray()
      for column in columns {
        _ = try reader.nextElement()
        let read = try readColumn(&reader, .index, faults: &faults)
        same(read.indexes, column.map { Int32($0 ?? -1) })
        same(read.count, column.count)
      }
      for column in columns {
        _ = try reader.nextElement()
        let read = try readColumn(&reader, .string, faults: &faults)
        same((read.idColumn == nil), column.allSatisfy { $0 == nil })
        same(column.indices.map { read.idColumn?[$0]?.string }, column.map { $0.map { "\($0)" } })
      }
      for column in columns {
        _ = try reader.nextElement()
        let read = try readColumn(&reader, .number, faults: &faults)
        same((read.numbers == nil), column.allSatisfy { $0 == nil })
        let numbers = read.numbers ?? Array(repeating: .nan, count: column.count)
        same(numbers.map { $0.isNaN ? nil : $0 }, column.map { $0.map { Double($0) + 0.5 } })
      }
      #expect(try !reader.nextElement())
      try reader.finish()
      #expect(faults.items.isEmpty)
    }
  }

  @Test("a column's fault is at its index", arguments: 0...9)
  func faults(index: Int) throws {
    var cells = Array(repeating: "1", count: 10)
    cells[index] = "\"x\""
    let text = "[\(cells.joined(separator: ","))]"
    try withReader("[\(text),\(text)]") { reader in
      try reader.openArray()
      for _ in 0..<2 {
        _ = try reader.nextElement()
        var faults = JSONFaults(capacity: 20)
        let column = try readColumn(&reader, .number, faults: &faults)
        same(faults.items.map(\.row), [index])
        same(faults.items.map(\.text), ["\"x\""])
        same(column.numbers?[index].isNaN, true)
        same(column.count, 10)
      }
    }
  }

  @Test(
    "broken columns are syntax errors",
    arguments: [
      ("[1,]", 3), ("[1 2]", 3), ("[,1]", 1), ("[1}", 2), ("[1", 2), ("[1,,2]", 3), ("[:]", 1),
    ])
  func brokenColumns(text: String, offset: Int) {
    for type in [JSONColumnType.number, .index, .string] {
      #expect(throws: BodyError.syntax(offset: offset)) {
        try withReader(text) { reader in
          var faults = JSONFaults(capacity: 20)
          _ = try readColumn(&reader, type, faults: &faults)
        }
      }
    }
  }
}
