import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

/// A waterfall's body with these sections.
private func waterfall(_ sections: String) -> String {
  "{\"bounds\":{\"width\":320},\"sections\":[\(sections)]}"
}

@Suite("Prepare bodies: faults")
struct PrepareFaultsTests {
  @Test(
    "of faults deep in a body those are told whose pointers have 64 KiB, and 20 at the most",
    arguments: [(100, 20), (290, 20), (400, 15), (3000, 2), (6000, 1), (20_000, 1)])
  func deepFaults(depth: Int, count: Int) throws {
    let body =
      #"{"root":"# + String(repeating: #"{"children":["#, count: depth)
      + Array(repeating: #"{"x":1}"#, count: 30).joined(separator: ",")
      + String(repeating: "]}", count: depth) + "}"
    let members = try faults(in: body, as: "tree")
    // Of 11 bytes a level, beside the root's and the member's own.
    let level = String(repeating: "/children/0", count: depth - 1)
    same(members.map(\.pointer), (0..<count).map { "/root\(level)/children/\($0)/x" })
  }

  @Test("the contract's example of a fault is written as it stands there")
  func contractExample() throws {
    let rows = Array(repeating: "{}", count: 17).joined(separator: ",")
    try same(
      faults(
        in: waterfall("{\"items\":1},{\"items\":[]},{\"items\":[\(rows),{\"height\":-3}]}"),
        as: "waterfall"),
      [
        InvalidMember(
          pointer: "/sections/2/items/17/height", detail: "must be a finite number ≥ 0, was -3")
      ])
    let column = Array(repeating: "null", count: 17).joined(separator: ",")
    try same(
      faults(
        in: waterfall("{\"items\":1},{\"items\":[]},{\"items\":{\"height\":[\(column),-3]}}"),
        as: "waterfall"),
      [
        InvalidMember(
          pointer: "/sections/2/items/height/17", detail: "must be a finite number ≥ 0, was -3")
      ])
  }

  @Test(
    "an item's field that cannot be is pointed to, in rows and columns",
    arguments: cases("PrepareFaults.invalidFields", String.self, String.self, String.self))
  func invalidFields(field: String, value: String, requirement: String) throws {
    let detail = "must be \(requirement), was \(value)"
    try same(
      faults(
        in: waterfall("{\"items\":[{},{\"\(field)\":\(value)}]}"), as: "waterfall"),
      [InvalidMember(pointer: "/sections/0/items/1/\(field)", detail: detail)])
    try same(
      faults(
        in: waterfall("{\"items\":0},{\"items\":{\"\(field)\":[null,null,\(value)]}}"),
        as: "waterfall"), [InvalidMember(pointer: "/sections/1/items/\(field)/2", detail: detail)])
  }

  @Test("a name of more than 128 bytes is pointed to", arguments: ["a", "é", "😀"])
  func longNames(character: String) throws {
    let fits = String(repeating: character, count: 128 / character.utf8.count)
    #expect(
      try faults(in: waterfall("{\"items\":[{\"id\":\"\(fits)\"}]}"), as: "waterfall")
        .isEmpty)
    #expect(
      try faults(in: waterfall("{\"items\":{\"id\":[\"\(fits)\"]}}"), as: "waterfall")
        .isEmpty)
    for (items, pointer) in [
      ("[{\"id\":\"\(fits)x\"}]", "/sections/0/items/0/id"),
      ("{\"id\":[\"\(fits)x\"]}", "/sections/0/items/id/0"),
    ] {
      let members = try faults(in: waterfall("{\"items\":\(items)}"), as: "waterfall")
      same(members.map(\.pointer), [pointer])
    }
  }

  @Test("of a row's unknown name no more than 128 bytes are told", arguments: ["a", "é", "😀"])
  func longUnknownNames(character: String) throws {
    let whole = String(repeating: character, count: 128 / character.utf8.count)
    for (name, told) in [
      (whole, whole), (whole + character, whole + "…"), ("x" + whole, "x\(whole.dropLast())…"),
    ] {
      let members = try faults(
        in: waterfall("{\"items\":[{\"\(name)\":1}]}"), as: "waterfall")
      same(members.map(\.pointer), ["/sections/0/items/0/\(told)"])
    }
  }

  @Test(
    "what is not of the right shape is pointed to",
    arguments: cases("PrepareFaults.shapes", String.self, String.self))
  func shapes(body: String, pointer: String) throws {
    let members = try faults(in: body, as: "waterfall")
    same(members.map(\.pointer), [pointer], "\(members)")
    #expect(members.allSatisfy { !$0.detail.isEmpty })
  }

  @Test("what a value was is told in its own text, whatever follows it")
  func valuesOwnText() throws {
    for (value, text) in [
      ("[9]", "[9]"), ("{\"a\": [1]}", "{\"a\": [1]}"), ("\"9\"  ", "\"9\""), ("-1.50", "-1.50"),
    ] {
      let members = try faults(
        in: "{\"bounds\":{\"width\":\(value)},\"sections\":[]}", as: "grid")
      same(members.map(\.detail), ["must be a finite number > 0, was \(text)"])
    }
  }

  @Test("faults are told all at once")
  func several() throws {
    let body = #"""
      {"bounds":{"width":0},"sections":[{"items":[{"height":-1},{"id":""},{"z":1}]},{"items":"a"}],
       "options":{"columns":0,"y":1},"z":1}
      """#
    let pointers = Set(try faults(in: body, as: "waterfall").map(\.pointer))
    same(
      pointers,
      [
        "/bounds/width", "/sections/0/items/0/height", "/sections/0/items/1/id",
        "/sections/0/items/2/z", "/sections/1/items", "/options/columns", "/options/y", "/z",
      ])
  }

  @Test("no more than twenty faults are told")
  func cap() throws {
    let heights = Array(repeating: "-1", count: 30).joined(separator: ",")
    let rows = Array(repeating: "{\"height\":true}", count: 30).joined(separator: ",")
    for items in ["{\"height\":[\(heights)]}", "[\(rows)]"] {
      let members = try faults(
        in: waterfall("{\"items\":\(items)},{\"items\":\(items)},5,6,7"), as: "waterfall")
      same(members.count, 20)
      same(Set(members.map(\.pointer)).count, 20)
      #expect(members.allSatisfy { $0.pointer.hasPrefix("/sections/0/items/") })
    }
    let unknown = (0..<25).map { "\"x\($0)\":1" }.joined(separator: ",")
    let members = try faults(in: "{\(unknown)}", as: "grid")
    same(members.map(\.pointer), (0..<20).map { "/x\($0)" })
    let options = try faults(
      in: "{\"options\":{\"columns\":1,\"columns\":2,\(unknown)}}", as: "grid")
    same(options.map(\.pointer), ["/options/columns"] + (0..<19).map { "/options/x\($0)" })
  }

  @Test("columns of unequal length are told with their lengths")
  func unequalColumns() throws {
    let members = try faults(
      in: waterfall(#"{"items":{"height":[1,2,3],"id":["a"]}}"#), as: "waterfall")
    same(members.map(\.pointer), ["/sections/0/items"])
    let detail = try #require(members.first?.detail)
    #expect(detail.contains("height has 3") && detail.contains("id has 1"), "\(detail)")
  }

  @Test("an aspectRatio beside both width and height is pointed to, in rows and columns")
  func exclusiveFields() throws {
    let rows = try faults(
      in: waterfall(
        """
        {"items":[{"height":1},{"aspectRatio":2,"height":1},{"aspectRatio":2,"width":5},\
        {"height":1,"aspectRatio":2,"width":5},{"aspectRatio":2}]}
        """), as: "waterfall")
    let detail = "must be left out if width and height are given"
    same(rows, [InvalidMember(pointer: "/sections/0/items/3/aspectRatio", detail: detail)])
    let columns = try faults(
      in: waterfall(
        #"{"items":{"height":[1,1,null],"aspectRatio":[null,2,2],"width":[5,5,5]}}"#),
      as: "waterfall")
    same(columns, [InvalidMember(pointer: "/sections/0/items/aspectRatio/1", detail: detail)])
  }

  @Test(
    "rows beyond a block are pointed to by their index in their own list",
    arguments: [8191, 8192, 8193, 16_384])
  func indexesBeyondBlocks(count: Int) throws {
    let empty = Array(repeating: "{}", count: count).joined(separator: ",")
    let list = "{\"items\":[\(empty),{\"height\":true},{\"height\":-1},{\"z\":1}]}"
    // A list of whole blocks before it must not shift its rows.
    let body = waterfall("{\"items\":[\(empty)]},\(list)")
    let members = try faults(in: body, as: "waterfall")
    same(
      Set(members.map(\.pointer)),
      [
        "/sections/1/items/\(count)/height", "/sections/1/items/\(count + 1)/height",
        "/sections/1/items/\(count + 2)/z",
      ])
    let column = Array(repeating: "1", count: count).joined(separator: ",")
    let columns = waterfall(
      "{\"items\":{\"height\":[\(column)]}},{\"items\":{\"height\":[\(column),true,-1]}}")
    same(
      Set(try faults(in: columns, as: "waterfall").map(\.pointer)),
      [
        "/sections/1/items/height/\(count)", "/sections/1/items/height/\(count + 1)",
      ])
  }

  @Test(
    "a syntax error anywhere is told rather than what is wrong before it",
    arguments: cases("PrepareFaults.syntax", String.self))
  func syntax(body: String) throws {
    #expect(!JSONGrammarReference.accepts(Array(body.utf8)), "the case itself")
    let offsets = 0...body.utf8.count
    do {
      _ = try prepare(body, as: "waterfall")
      Issue.record("accepted")
    } catch BodyError.syntax(let offset) {
      #expect(offsets.contains(offset))
    }
  }

  @Test("a valid body that is cut anywhere is a syntax error at its end")
  func cutBodies() throws {
    let body = Array(
      #"{"bounds":{"width":9,"height":null},"options":{"contentInset":{"top":1}},"sections":[{"items":[{"id":"a","height":1}]},{"items":{"id":["a"],"height":[2]}}]}"#
        .utf8)
    _ = try prepare(body, as: "waterfall")
    for end in 0..<body.count {
      do {
        _ = try prepare(Array(body[..<end]), as: "waterfall")
        Issue.record("\(end) bytes are accepted")
      } catch BodyError.syntax(let offset) {
        // A literal or number that is cut is at fault itself.
        #expect(end - 4...end ~= offset, "\(end)")
      }
    }
  }
}

@Suite("Prepare bodies: limits")
struct PrepareLimitsTests {
  @Test(
    "as many items as may be stored are taken, and no more",
    arguments: cases("PrepareFaults.sections", String.self, String.self))
  func sections(kind: String, sections: String) throws {
    let body = "{\"bounds\":{\"width\":320},\"sections\":[\(sections)]}"
    _ = try prepare(body, as: kind, maxItems: 5).prepared()
    for limit in [4, 0] {
      #expect(throws: BodyError.tooManyItems(limit: limit)) {
        try prepare(body, as: kind, maxItems: limit).prepared()
      }
    }
  }

  @Test(
    "items without fields and names are not stored where frames are arithmetic",
    arguments: ["grid", "list", "waterfall", "flow", "frames"],
    ["1000000", "[{},{},{}]", "[{\"id\":null}]", "{\"height\":[null,null]}", "1000000000"])
  func uniform(kind: String, items: String) throws {
    let request = try prepare(
      "{\"bounds\":{\"width\":320},\"sections\":[{\"items\":\(items)}]}", as: kind, maxItems: 0)
    try same(request.prepared().storedItemCount, 0)
  }

  @Test("a count beyond all limits is too many")
  func hugeCounts() throws {
    for count in ["1000001", "1e15", "9007199254740991"] {
      #expect(throws: BodyError.tooManyItems(limit: 1_000_000)) {
        try prepare(
          "{\"bounds\":{\"width\":320},\"sections\":[{\"items\":\(count)}]}", as: "gallery"
        ).prepared()
      }
    }
  }

  @Test(
    "as many nodes as may be stored are taken, and no more",
    arguments: cases("PrepareFaults.nodes", String.self))
  func nodes(data: String) throws {
    let request = try prepare("{\(data)}", as: "tree", maxItems: 5)
    same(request.forest?.count, 5)
    #expect(throws: BodyError.tooManyItems(limit: 4)) {
      try prepare("{\(data)}", as: "tree", maxItems: 4)
    }
  }
}
