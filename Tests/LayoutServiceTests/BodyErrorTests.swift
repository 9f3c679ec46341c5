import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct BodyErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var kind: String
    var body: String
    var pointer: String
    /// What the detail says, beside what was given.
    var says: String

    init(_ kind: String, _ body: String, _ pointer: String, _ says: String) {
      self.kind = kind
      self.body = body
      self.pointer = pointer
      self.says = says
    }

    var testDescription: String { "\(kind) \(body)" }
  }

  private static let bounds = #""bounds": {"width": 320}"#
  private static func grid(_ sections: String) -> String {
    "{\(bounds), \"sections\": \(sections)}"
  }
  private static func options(_ options: String) -> String {
    "{\(bounds), \"options\": \(options), \"sections\": []}"
  }

  static let members: [Case] = [
    Case("grid", "[]", "", "must be an object, was []"),
    Case("grid", "7", "", "must be an object, was 7"),
    Case("grid", #"{"sections": []}"#, "/bounds", "must be given"),
    Case("grid", "{\(bounds)}", "/sections", "must be given"),
    Case(
      "grid", #"{\#(bounds), "sections": [], "nodes": []}"#, "/nodes", "bounds, options, sections"),
    Case("grid", #"{\#(bounds), "sections": [], "sections": []}"#, "/sections", "once only"),
    Case("grid", #"{\#(bounds), "a/b~c": 1, "sections": []}"#, "/a~1b~0c", "is unknown"),
    Case("grid", #"{"bounds": 320, "sections": []}"#, "/bounds", "must be an object, was 320"),
    Case("grid", #"{"bounds": {}, "sections": []}"#, "/bounds/width", "must be given"),
    Case("grid", #"{"bounds": {"width": 0}, "sections": []}"#, "/bounds/width", "> 0, was 0"),
    Case("grid", #"{"bounds": {"width": -1}, "sections": []}"#, "/bounds/width", "> 0, was -1"),
    Case("grid", #"{"bounds": {"width": 1e999}, "sections": []}"#, "/bounds/width", "finite"),
    Case("grid", #"{"bounds": {"width": "1"}, "sections": []}"#, "/bounds/width", "was \"1\""),
    Case("grid", #"{"bounds": {"width": null}, "sections": []}"#, "/bounds/width", "must be given"),
    Case(
      "grid", #"{"bounds": {"width": 1, "height": -1}, "sections": []}"#, "/bounds/height", "≥ 0"),
    Case(
      "grid", #"{"bounds": {"width": 1, "x": 1}, "sections": []}"#, "/bounds/x", "width, height"),

    Case("grid", options("[1]"), "/options", "must be an object, was [1]"),
    Case("grid", options("3"), "/options", "must be an object, was 3"),
    Case("grid", options(#"{"colums": 3}"#), "/options/colums", "known: scrollDirection, "),
    Case("grid", options(#"{"columns": 0}"#), "/options/columns", "an integer from 1"),
    Case("grid", options(#"{"columns": 2.5}"#), "/options/columns", "was 2.5"),
    Case("grid", options(#"{"columns": "3"}"#), "/options/columns", "was \"3\""),
    Case("grid", options(#"{"columns": {}}"#), "/options/columns", "an integer"),
    Case(
      "grid", options(#"{"columns": 9007199254740992}"#), "/options/columns", "9007199254740991"),
    Case("grid", options(#"{"columns": 2, "columns": 3}"#), "/options/columns", "once only"),
    Case("grid", options(#"{"rowHeight": 0}"#), "/options/rowHeight", "> 0, was 0"),
    Case(
      "grid", options(#"{"rowSpacing": 50}"#), "/options/rowSpacing", "less than the rows' height"),
    Case("grid", options(#"{"columns": 100}"#), "/options/columns", "few enough"),
    Case(
      "grid", options(#"{"background": "cell"}"#), "/options/background",
      #""none", "section", "body", "item", "row""#),
    Case("waterfall", options(#"{"contentInset": 3}"#), "/options/contentInset", "an object"),
    Case(
      "waterfall", options(#"{"contentInset": {"top": -1}}"#), "/options/contentInset/top", "≥ 0"),
    Case(
      "waterfall", options(#"{"contentInset": {"up": 1}}"#), "/options/contentInset/up", "unknown"),
    Case(
      "waterfall", options(#"{"contentInset.top": 1}"#), "/options/contentInset.top", "unknown"),
    Case(
      "waterfall", options(#"{"contentInset": {"left": 320}}"#), "/options/contentInset", "width"),
    Case("waterfall", options(#"{"cellPadding": 80}"#), "/options/columns", "few enough"),
    Case(
      "gallery", options(#"{"maximumItemWidth": 100}"#), "/options/maximumItemWidth",
      "at least minimumItemWidth, 150"),
    Case("gallery", options(#"{"headerHeight": -1}"#), "/options/headerHeight", "≥ 0, was -1"),
    Case("gallery", options(#"{"headerHeight": "a"}"#), "/options/headerHeight", "was \"a\""),
    Case("gallery", options(#"{"seed": -1}"#), "/options/seed", "an integer from 0"),
    Case("tree", #"{"options": {"connectors": 1}, "nodes": 1}"#, "/options/connectors", "true"),

    Case("grid", grid("7"), "/sections", "must be an array, was 7"),
    Case("grid", grid("[7]"), "/sections/0", "must be an object, was 7"),
    Case("grid", grid("[{}]"), "/sections/0/items", "must be given"),
    Case(
      "grid", grid(#"[{"items": 1, "title": ""}]"#), "/sections/0/title",
      "known: id, options, items"),
    Case("grid", grid(#"[{"items": -1}]"#), "/sections/0/items", "0 to 9007199254740991, was -1"),
    Case("grid", grid(#"[{"items": 1.5}]"#), "/sections/0/items", "was 1.5"),
    Case("grid", grid(#"[{"items": "x"}]"#), "/sections/0/items", "a count, an array of items"),
    Case("grid", grid(#"[{"items": null}]"#), "/sections/0/items", "was null"),
    Case("grid", grid(#"[{"items": [{}, 3]}]"#), "/sections/0/items/1", "must be an object"),
    Case("grid", grid(#"[{"items": [{"depth": 3}]}]"#), "/sections/0/items/0/depth", "unknown"),
    Case("grid", grid(#"[{"items": [{"id": ""}]}]"#), "/sections/0/items/0/id", "1 to 128 bytes"),
    Case("grid", grid(#"[{"items": [{"id": 7}]}]"#), "/sections/0/items/0/id", "was 7"),
    Case(
      "grid", grid(#"[{"items": [{"id": "\#(String(repeating: "ü", count: 65))"}]}]"#),
      "/sections/0/items/0/id", "1 to 128 bytes"),
    Case("grid", grid(#"[{"items": {}}]"#), "/sections/0/items", "at least one column"),
    Case("grid", grid(#"[{"items": {"id": "a"}}]"#), "/sections/0/items/id", "must be an array"),
    Case("grid", grid(#"[{"items": {"id": ["a", ""]}}]"#), "/sections/0/items/id/1", "128"),
    Case(
      "waterfall", grid(#"[{"items": {"height": [1, 2], "id": ["a"]}}]"#), "/sections/0/items",
      "same length: height has 2, id has 1"),
    Case(
      "waterfall", grid(#"[{"items": 1}, {"items": [{}, {"height": -3}]}]"#),
      "/sections/1/items/1/height", "must be a finite number ≥ 0, was -3"),
    Case(
      "waterfall", grid(#"[{"items": {"height": [1, null, -3]}}]"#),
      "/sections/0/items/height/2", "must be a finite number ≥ 0, was -3"),
    Case(
      "waterfall", grid(#"[{"items": [{"height": "tall"}]}]"#), "/sections/0/items/0/height",
      "was \"tall\""),
    Case(
      "waterfall", grid(#"[{"items": [{"height": 1, "height": 2}]}]"#),
      "/sections/0/items/0/height", "once only"),
    Case(
      "waterfall", grid(#"[{"items": [{"aspectRatio": 0}]}]"#), "/sections/0/items/0/aspectRatio",
      "> 0, was 0"),
    Case(
      "waterfall", grid(#"[{"items": {"height": [1e308, 1e308, 1e308]}}]"#), "", "1e300"),

    Case("tree", "{}", "/nodes", "or root"),
    Case("tree", #"{"nodes": 1, "root": {}}"#, "/root", "together"),
    Case("tree", #"{"root": {}, "nodes": 1}"#, "/nodes", "together"),
    Case("tree", #"{"sections": [], "nodes": 1}"#, "/sections", "bounds, options, nodes, root"),
    Case("tree", #"{"bounds": {"width": 0}, "nodes": 1}"#, "/bounds/width", "> 0, was 0"),
    Case("tree", #"{"nodes": true}"#, "/nodes", "a count, an array of nodes"),
    Case("tree", #"{"nodes": [{"parent": 1}]}"#, "/nodes/0/parent", "0 to 0, or null, was 1"),
    Case("tree", #"{"nodes": [{"parent": -1}]}"#, "/nodes/0/parent", "was -1"),
    Case("tree", #"{"nodes": [{"parent": 0.5}]}"#, "/nodes/0/parent", "was 0.5"),
    Case("tree", #"{"nodes": [{"parent": 0}]}"#, "/nodes/0/parent", "cycle"),
    Case("tree", #"{"nodes": {"parent": [null, 2, 1]}}"#, "/nodes/parent/1", "cycle"),
    Case("tree", #"{"nodes": {"parent": [null, 9]}}"#, "/nodes/parent/1", "0 to 1, or null"),
    Case("tree", #"{"nodes": {"parent": [null], "id": []}}"#, "/nodes", "same length"),
    Case("tree", #"{"nodes": [{"name": "a"}]}"#, "/nodes/0/name", "known: id, parent"),
    Case("tree", #"{"root": []}"#, "/root", "must be an object, was []"),
    Case("tree", #"{"root": {"name": "a"}}"#, "/root/name", "known: id, width, height, children"),
    Case("tree", #"{"root": {"children": {}}}"#, "/root/children", "must be an array"),
    Case(
      "tree", #"{"root": {"children": [{}, {"children": [{"id": ""}]}]}}"#,
      "/root/children/1/children/0/id", "1 to 128 bytes"),
    Case("tree", #"{"root": {"children": [{}, 7]}}"#, "/root/children/1", "an object, was 7"),
  ]

  @Test("a member that cannot be used is pointed at", arguments: members)
  func member(_ example: Case) {
    let service = TestService()
    let answer = service.prepare(example.kind, example.body)
    answer.expectProblem(422, "invalid-body", saying: example.says)
    same(answer.faults.count, 1, "\(answer.text)")
    same(answer.faults.first?.pointer, example.pointer)
    same(answer.faults.first?.detail.contains(example.says), true, "\(answer.text)")
    #expect(service.isUntouched)
  }

  @Test("what is quoted of a container is the container alone")
  func quotedContainer() {
    let body = #"{"bounds": {"width": 320}, "options": [ ], "sections": []}"#
    let answer = TestService().prepare("grid", body)
    same(answer.faults, [.init(pointer: "/options", detail: "must be an object, was [ ]")])
  }

  @Test(
    "all members that are missing are told at once, and beside others that are wrong",
    arguments: [
      ("{}", ["/bounds", "/sections"]),
      (#"{"bounds": {"width": -1}}"#, ["/bounds/width", "/sections"]),
      (#"{"options": {"columns": 0}}"#, ["/options/columns", "/bounds", "/sections"]),
      (#"{"sections": 3}"#, ["/sections", "/bounds"]),
      (#"{"bounds": {"width": 1}, "section": []}"#, ["/section", "/sections"]),
      (
        #"{"bounds": null, "sections": [{"x": 1}]}"#,
        ["/sections/0/x", "/sections/0/items", "/bounds"]
      ),
    ])
  func missingMembers(body: String, pointers: [String]) {
    same(TestService().prepare("grid", body).faults.map(\.pointer), pointers)
  }

  @Test("so it is with changes")
  func missingMembersOfChanges() {
    let service = TestService()
    let path = service.path("grid", Sample.grid)
    func pointers(_ method: Method, _ path: String, _ body: String) -> [String] {
      service.send(
        method, path, headers: [(.contentType, "application/json")], body: Array(body.utf8)
      ).faults.map(\.pointer)
    }
    same(
      pointers(.patch, path, #"{"bounds": null, "options": {"columns": 0}}"#),
      ["/bounds", "/options/columns"])
    same(
      pointers(.post, "\(path)/updates", #"{"updates": [{"insert": {"at": "x"}}, {}]}"#),
      ["/updates/0/insert/at", "/updates/0/insert/items", "/updates/1"])
  }

  @Test("faults of items come in their order, whatever they are, and the first 20 of all")
  func orderOfFaults() {
    func pointers(_ items: String) -> [String] {
      TestService().prepare("waterfall", Self.grid("[{\"items\": \(items)}]")).faults.map {
        String($0.pointer.dropFirst("/sections/0/items".count))
      }
    }
    same(
      pointers(
        """
        [{"height": "x"}, {"height": -1}, {"width": 1, "height": 1, "aspectRatio": 1},
         {"aspectRatio": 0}, 7, {"height": -2, "z": 1}]
        """),
      [
        "/0/height", "/1/height", "/2/aspectRatio", "/3/aspectRatio", "/4", "/5/height", "/5/z",
      ])
    same(
      pointers(#"{"height": ["x", -1, 1], "aspectRatio": [0, "y", 2], "width": [1, 1, 1]}"#),
      ["/height/0", "/height/1", "/aspectRatio/0", "/aspectRatio/1", "/aspectRatio/2"])
    let many = String(repeating: #", {"height": -1}"#, count: 10_000)
    same(
      pointers(#"[{"heigt": 1}, {"aspectRatio": 0}\#(many)]"#),
      ["/0/heigt", "/1/aspectRatio"] + (2..<20).map { "/\($0)/height" })
  }

  // Comparing two strings takes time by the square of the combining characters that stand together:
  // of these, hours.
  @Test(
    "a word of a million combining characters is refused like any other",
    arguments: [
      (#"{"*": 1}"#, "/*…"), (#"{"options": {"*": 1}}"#, "/options/*…"),
      (#"{"options": {"*.a": 1}}"#, "/options/*…"),
      (#"{"options": {"background": "*"}}"#, "/options/background"),
      (#"{"bounds": {"width": 1, "*": 1}}"#, "/bounds/*…"),
      (#"{"sections": [{"items": {"*": []}}]}"#, "/sections/0/items/*…"),
    ])
  func combiningCharacters(body: String, pointer: String) {
    let marks = String(repeating: "\u{301}\u{323}", count: 500_000)
    let answer = TestService().prepare("grid", body.replacing("*", with: "x" + marks))
    // Cut at 128 bytes, which is within a character of two.
    let start = "x" + String(repeating: "\u{301}\u{323}", count: 31) + "\u{301}"
    same(answer.status, 422)
    #expect(answer.faults.map(\.pointer).contains(pointer.replacing("*", with: start)))
  }

  @Test("an option is unknown among its object's own")
  func nestedOption() {
    let body = #"""
      {"bounds": {"width": 1}, "sections": [],
       "options": {"contentInset.left": 1, "contentInset": {"lft": 1}}}
      """#
    same(
      TestService().prepare("waterfall", body).faults,
      [
        .init(
          pointer: "/options/contentInset.left",
          detail: "is unknown; known: scrollDirection, layoutDirection, contentInset, "
            + "sectionSpacing, emptySections, contentAlignment, estimates, headerHeight, "
            + "footerHeight, pinHeaders, pinFooters, sectionInset, background, "
            + "backgroundInset, integral, columns, minimumColumnWidth, maximumColumns, "
            + "columnSpacing, rowSpacing, cellPadding, itemHeight, placement, tolerance, card"),
        .init(
          pointer: "/options/contentInset/lft",
          detail: "is unknown; known: top, left, bottom, right"),
      ])
  }

  @Test("all faults are told, up to 20")
  func manyFaults() {
    let service = TestService()
    let heights = (0..<30).map { "\($0 % 2 == 0 ? -1 : 1)" }.joined(separator: ",")
    let some = service.prepare(
      "waterfall",
      """
      {"bounds": {"width": 0}, "options": {"columns": 0, "rows": 1},
       "sections": [{"items": {"height": [\(heights)]}}]}
      """)
    some.expectProblem(422, "invalid-body", saying: "18 members")
    same(some.faults.count, 18)
    same(
      some.faults.prefix(4).map(\.pointer),
      [
        "/bounds/width", "/options/columns", "/options/rows", "/sections/0/items/height/0",
      ])
    let many = (0..<30).map { _ in #"{"z": 1}"# }.joined(separator: ",")
    let answer = service.prepare(
      "grid", #"{"bounds": {"width": 1}, "sections": [{"items": [\#(many)]}]}"#)
    answer.expectProblem(422, "invalid-body")
    same(answer.faults.count, 20)
    same(answer.faults.last?.pointer, "/sections/0/items/19/z")
    #expect(service.isUntouched)
  }

  @Test(
    "what is no JSON is told with the offset of the first fault",
    arguments: [
      ("", 0), ("   ", 3), ("{", 1), ("nul", 0), (#"{"bounds": {"width": 320,}}"#, 25),
      (#"{"bounds": {"width": 01}}"#, 21), ("{} x", 3), (#"{"bounds": "\x"}"#, 11),
      ("{'bounds': 1}", 1), (#"{"bounds": NaN}"#, 11),
    ])
  func syntax(body: String, offset: Int) {
    let service = TestService()
    let answer = service.prepare("grid", body)
    answer.expectProblem(400, "not-json", saying: "byte offset")
    let digits = answer.json["detail"].string?.filter(\.isNumber) ?? ""
    let told = Int(digits) ?? -1
    // The token at fault or a byte of it: which one is not promised.
    #expect((offset...offset + 2).contains(told), "\(answer.text)")
    #expect(service.isUntouched)
  }

  @Test("text that is not UTF-8 is no JSON")
  func invalidUTF8() {
    let service = TestService()
    let answer = service.send(
      .post, "/layouts/tree/prepare", headers: [(.contentType, "application/json")],
      body: Array(#"{"root": {"id": ""#.utf8) + [0xC3, 0x28] + Array(#""}}"#.utf8))
    answer.expectProblem(400, "not-json", saying: "17.")
    #expect(service.isUntouched)
  }

  @Test("a request without a body is no JSON")
  func noBody() {
    let service = TestService()
    service.send(.post, "/layouts/grid/prepare", headers: [(.contentType, "application/json")])
      .expectProblem(400, "not-json")
    #expect(service.isUntouched)
  }

  @Test(
    "more items than may be stored are refused",
    arguments: [
      ("justified", #"{"bounds": {"width": 1}, "sections": [{"items": 60}, {"items": 41}]}"#),
      ("gallery", #"{"bounds": {"width": 100}, "sections": [{"items": 9007199254740991}]}"#),
      ("tree", #"{"nodes": 101}"#),
      (
        "tree",
        #"{"nodes": {"id": [\#(Array(repeating: "null", count: 101).joined(separator: ","))]}}"#
      ),
      (
        "tree",
        #"{"root": {"children": [\#(Array(repeating: "{}", count: 100).joined(separator: ","))]}}"#
      ),
      (
        "grid",
        """
        {"bounds": {"width": 320}, "sections": [{"items": {"id":
         [\(Array(repeating: "\"a\"", count: 101).joined(separator: ","))]}}]}
        """
      ),
    ])
  func tooManyItems(kind: String, body: String) {
    let service = TestService(limits: LayoutService.Limits(maxItems: 100))
    service.prepare(kind, body).expectProblem(413, "too-many-items", saying: "100 items")
    #expect(service.isUntouched)
  }

  @Test(
    "sections are a tenth as many as items, or a thousand",
    arguments: [(maxItems: 100, most: 1000), (maxItems: 20_000, most: 2000)])
  func tooManySections(maxItems: Int, most: Int) {
    let test = TestService(limits: LayoutService.Limits(maxItems: maxItems))
    func body(_ count: Int) -> String {
      let sections = Array(repeating: #"{"items": 5}"#, count: count).joined(separator: ",")
      return #"{"bounds": {"width": 320}, "sections": [\#(sections)]}"#
    }
    test.prepare("grid", body(most + 1)).expectProblem(
      413, "too-many-items", saying: "\(most) sections")
    #expect(test.isUntouched)
    let grid = test.path("grid", body(most))
    let insert = #"[{"insertSections": {"at": 0, "sections": [{"items": 1}]}}]"#
    test.update(grid, insert).expectProblem(413, "too-many-items", saying: "\(most) sections")
    same(test.get(grid).json["version"], 1)
    same(test.update(grid, #"[{"moveSection": {"from": 0, "to": 1}}]"#).status, 200)
  }

  @Test("items of a grid that are not stored are not counted")
  func uniformItems() {
    let service = TestService(limits: LayoutService.Limits(maxItems: 100))
    let answer = service.prepare(
      "grid", #"{"bounds": {"width": 320}, "sections": [{"items": 1000000000}]}"#)
    same(answer.status, 201, "\(answer.text)")
    same(answer.json["contentSize"], ["width": 320, "height": 24_999_999_995])
  }

  @Test("items of a grid that are given as nulls are not stored in any form")
  func nullItems() {
    let service = TestService(limits: LayoutService.Limits(maxItems: 100))
    let rows = Array(repeating: "{}", count: 150).joined(separator: ",")
    let nulls = Array(repeating: "null", count: 150).joined(separator: ",")
    for items in ["150", "[\(rows)]", #"{"id": [\#(nulls)]}"#] {
      let answer = service.prepare(
        "grid", #"{"bounds": {"width": 320}, "sections": [{"items": \#(items)}]}"#)
      same(answer.status, 201, "\(answer.text)")
      same(answer.json["counts"]["cells"], 150)
    }
  }

  @Test("a layout that would not fit even alone is refused")
  func layoutTooLarge() {
    let service = TestService(sessionLimits: .init(maxBytes: 4096))
    let kept = service.path("grid", Sample.grid)
    let before = service.sessions.statistics
    let heights = (0..<1000).map { "\($0)" }.joined(separator: ",")
    service.prepare(
      "waterfall",
      #"{"bounds": {"width": 320}, "sections": [{"items": {"height": [\#(heights)]}}]}"#
    ).expectProblem(413, "layout-too-large", saying: "4096")
    same(service.sessions.statistics, before)
    same(service.get(kept).status, 200)
  }
}
