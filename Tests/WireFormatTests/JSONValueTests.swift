import TestSupport
import Testing

@testable import CollectionLayout
@testable import WireFormat

@Suite("JSON values read as a whole")
struct JSONValueTests {
  /// Whether a value is taken; what follows it must be read in either case.
  private func isTaken(_ value: String) throws -> Bool {
    try withReader("[\(value),5]") { reader in
      try reader.openList()
      _ = try reader.nextInList()
      let isTaken = try reader.readOption() != nil
      #expect(try reader.nextInList())
      try same(reader.readNumber(), 5)
      #expect(try !reader.nextInList())
      try reader.finish()
      same(
        reader.faults.members,
        (isTaken
          ? []
          : [
            InvalidMember(
              pointer: "/0", detail: "must have at most 100000 values in at most 64 levels")
          ]))
      return isTaken
    }
  }

  private func nested(_ depth: Int, _ open: String, _ close: String) -> String {
    String(repeating: open, count: depth) + String(repeating: close, count: depth)
  }

  @Test("64 levels are taken, and no more", arguments: [("[", "]"), ("[{\"a\":", "}]")])
  func depth(open: String, close: String) throws {
    let levels = open.count == 1 ? 1 : 2
    let inner = levels == 1 ? "" : "[]"
    func value(_ depth: Int) -> String {
      String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }
    // The innermost value is a level, too.
    let most = levels == 1 ? 64 : 31
    #expect(try isTaken(value(most)))
    #expect(try !isTaken(value(most + 1)))
    #expect(try !isTaken(value(200_000)))
  }

  @Test("100,000 values are taken, the outermost included, and no more")
  func count() throws {
    for (start, element, end) in [("[", "1", "]"), ("[", "null", "]"), ("[", "[]", "]")] {
      func value(_ count: Int) -> String {
        start + Array(repeating: element, count: count).joined(separator: ",") + end
      }
      #expect(try isTaken(value(99_999)))
      #expect(try !isTaken(value(100_000)))
    }
    let members = (0..<100_000).map { "\"\($0)\":1" }
    #expect(try isTaken("{\(members.dropLast().joined(separator: ","))}"))
    #expect(try !isTaken("{\(members.joined(separator: ","))}"))
  }

  @Test("what is no JSON is a syntax error, however deep it is")
  func syntax() throws {
    for depth in [1, 63, 64, 65, 1000] {
      let text = nested(depth, "[", "]").replacing("[]", with: "[01]")
      #expect(throws: BodyError.self) { try isTaken(text) }
    }
  }

  @Test("options that are too large are pointed to, with what else is wrong")
  func options() throws {
    let deep = nested(70, "[", "]")
    try same(
      faults(
        in: "{\"bounds\":{\"width\":0},\"options\":{\"columns\":\(deep)},\"sections\":[]}",
        as: "grid"
      ).map(\.pointer), ["/bounds/width", "/options"])
  }

  @Test("a name that a group has twice is pointed to, however deep it is")
  func duplicates() throws {
    let body = """
      {"bounds":{"width":9},"sections":[],"options":{"group":{"direction":"horizontal",\
      "direction":"vertical","width":{"absolute":9,"absolute":8},"height":{"absolute":9},\
      "subitems":[{"width":{"absolute":1},"height":{"absolute":1}},{"width":{"absolute":1},\
      "height":{"absolute":1},"width":null}]}}}
      """
    try same(
      faults(in: body, as: "group").filter { $0.detail == "must be given once only" }
        .map(\.pointer),
      [
        "/options/group/direction", "/options/group/width/absolute",
        "/options/group/subitems/1/width",
      ])
  }

  @Test("an object of as many members as a value may have is read in one go")
  func manyMembers() throws {
    let members = (0..<90_000).map { "\"\($0)\":1" }.joined(separator: ",")
    try same(
      faults(
        in: "{\"bounds\":{\"width\":9},\"sections\":[],\"options\":{\"group\":{\(members)}}}",
        as: "group"
      ).map(\.pointer), ["/options/group/0"])
  }
}
