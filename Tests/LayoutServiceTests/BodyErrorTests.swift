import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import LayoutSessions

@Suite struct BodyErrorTests {
  private static let bounds = #""bounds": {"width": 320}"#
  private static func grid(_ sections: String) -> String {
    "{\(bounds), \"sections\": \(sections)}"
  }

  @Test(
    "a member that cannot be used is pointed at",
    arguments: cases("BodyError.member", String.self, String.self, String.self, String.self))
  func member(kind: String, body: String, pointer: String, says: String) {
    let service = TestService()
    let answer = service.prepare(kind, body)
    answer.expectProblem(422, "invalid-body", saying: says)
    same(answer.faults.map(\.pointer), [pointer], "\(answer.text)")
    same(answer.faults.first?.detail.contains(says), true, "\(answer.text)")
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
    arguments: cases("BodyError.missingMembers", String.self, [String].self))
  func missingMembers(body: String, pointers: [String]) {
    same(TestService().prepare("grid", body).faults.map(\.pointer), pointers)
  }

  @Test("so it is with changes")
  func missingMembersOfChanges() {
    let service = TestService()
    let path = service.path("grid", Sample.grid)
    func pointers(_ method: Method, _ path: String, _ body: String) -> [String] {
      service.send(
        method, path, json: body
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
    arguments: cases("BodyError.combiningCharacters", String.self, String.self))
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
            + "sectionSpacing, sectionPlacement, sectionColumnSpacing, minimumSectionWidth, "
            + "emptySections, contentAlignment, estimates, headerHeight, "
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
    arguments: cases("BodyError.syntax", String.self, Int.self))
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
