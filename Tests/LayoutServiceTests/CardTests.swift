import MicroHTTP
import ServiceSupport
import TestSupport
import Testing
import TextMeasure

@testable import LayoutService

/// Cards in a font whose characters are 10 px wide at 20 px, and whose space is 5 px.
@Suite("cards over HTTP")
struct CardTests {
  private let service = TestService(fonts: FontLibrary(memory: ["made": TestFont.bytes()]))

  private static let style = #""font": "made", "size": 20, "lineHeight": 24"#
  /// Padding 10, spacing 4, a picture that bleeds, a title of at most two lines, a body, 30 points.
  private static let card = #"""
    {"padding": 10, "spacing": 4, "parts": [
      {"media": true, "bleed": true}, {"text": "title", \#(style), "maxLines": 2},
      {"text": "body", \#(style)}, {"height": 30}]}
    """#

  private func post(_ target: String, _ body: String) -> Answer {
    service.send(
      .post, target, headers: [(.contentType, "application/json")], body: Array(body.utf8))
  }

  private func prepare(
    _ kind: String, width: Double, options: String, items: String
  ) throws -> String {
    let answer = post(
      "/layouts/\(kind)/prepare",
      #"{"bounds": {"width": \#(width)}, "options": \#(options), "sections": [{"items": \#(items)}]}"#
    )
    #expect(answer.status == 201 && answer.wasDeferred, "\(answer.text)")
    return try #require(answer.json["id"].string)
  }

  private func elements(_ id: String) -> [JSON] {
    let answer = service.get("/layouts/\(id)/elements?rect=-1000,0,2000,10000&parts=true")
    same(OpenAPI.faults(of: answer.json, as: "Elements"), [], "\(answer.text)")
    return answer.json["elements"].array
  }

  private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test("a page with parts ends after an eighth of the longest answer, and the next goes on")
  func pagesOfParts() throws {
    let service = TestService(
      limits: LayoutService.Limits(maxResponseBytes: 64_000),
      fonts: FontLibrary(memory: ["made": TestFont.bytes()]))
    let text = Array(repeating: "aa", count: 60).joined(separator: " ")
    let items = Array(repeating: #"{"text": {"body": "\#(text)"}}"#, count: 200)
      .joined(separator: ", ")
    let path = service.path(
      "list",
      #"{"bounds": {"width": 100}, "options": {"card": \#(Self.card)},"#
        + #" "sections": [{"items": [\#(items)]}]}"#)
    var target: String? = "\(path)/elements?rect=0,0,100,1e9&parts=true"
    var (count, pages) = (0, 0)
    while let next = target {
      let answer = service.get(next)
      #expect(answer.body.count < 64_000 / 8 + 2048)
      count += answer.json["elements"].array.count
      pages += 1
      target = answer.json["next"].string
    }
    same(count, 200)
    #expect(pages > 3)
  }

  @Test("a list's rows are as high as their cards, whose parts are told")
  func list() throws {
    // 80 points for texts: "aa bb cc" is 70 px wide, "aa bb cc dd" breaks into two lines.
    let id = try prepare(
      "list", width: 100, options: #"{"itemHeight": 7, "card": \#(Self.card)}"#,
      items: #"""
        [{"id": "x", "text": {"title": "aa bb cc", "body": "aa bb cc dd"}},
         {"aspectRatio": 2, "text": {"title": "a bbbbbbb cccccccc d"}},
         {"aspectRatio": 4}, {"height": 33, "text": {"other": "a"}}, {"text": {"body": "  "}}]
        """#)
    let cells = elements(id)
    // 10 + 24 + 4 + 48 + 4 + 30 + 10; 50 + 4 + 48 + 4 + 30 + 10; 25 + 4 + 30 + 10.
    same(
      cells.map { $0["frame"] },
      [
        try json("[0, 0, 100, 130]"), try json("[0, 130, 100, 146]"),
        try json("[0, 276, 100, 69]"), try json("[0, 345, 100, 33]"), try json("[0, 378, 100, 7]"),
      ])
    same(
      cells[0]["parts"],
      (try json(
        """
        [{"part": 1, "frame": [10, 10, 80, 24], "lines": [0], "width": 70},
         {"part": 2, "frame": [10, 38, 80, 48], "lines": [0, 9], "width": 70},
         {"part": 3, "frame": [10, 90, 80, 30]}]
        """)))
    same(
      cells[1]["parts"],
      (try json(
        """
        [{"part": 0, "frame": [0, 0, 100, 50]},
         {"part": 1, "frame": [10, 54, 80, 48], "lines": [0, 2], "width": 70,
          "end": 10, "cut": true},
         {"part": 3, "frame": [10, 106, 80, 30]}]
        """)))
    #expect(cells[3]["parts"] == .null && cells[4]["parts"] == .null)
    for path in ["items/0/0", "items"] {
      let query = path == "items" ? "?id=x&parts=true" : "?parts=true"
      same(service.get("/layouts/\(id)/\(path)\(query)").json["parts"], cells[0]["parts"])
    }
    let two = service.get("/layouts/\(id)/items?id=x&id=y&parts=true").json
    same(two["elements"].array.first?["parts"], cells[0]["parts"])
    same(service.get("/layouts/\(id)/items/0/0").json["parts"], .null)
  }

  @Test("columns of a waterfall, cells of a grid and buttons of a flow have heights by cards")
  func kinds() throws {
    let card = #"{"padding": 5, "parts": [{"text": "t", \#(Self.style)}]}"#
    let texts = #"{"text": {"t": ["aa bb", "aaaa bbbb", "c"]}}"#
    // Two columns of 60: 50 for texts. "aa bb" is 45 wide.
    let waterfall = try prepare(
      "waterfall", width: 120, options: #"{"cellPadding": 0, "card": \#(card)}"#, items: texts)
    same(
      elements(waterfall).map { $0["frame"] },
      [
        try json("[0, 0, 60, 34]"), try json("[60, 0, 60, 58]"), try json("[0, 34, 60, 34]"),
      ])
    let grid = try prepare(
      "grid", width: 120,
      options: #"""
        {"columns": 2, "columnSpacing": 0, "rowSpacing": 0, "rowSizing": "tallest",
         "itemAlignment": "start", "card": \#(card)}
        """#, items: texts)
    same(
      elements(grid).map { $0["frame"] },
      [
        try json("[0, 0, 60, 34]"), try json("[60, 0, 60, 58]"), try json("[0, 58, 60, 34]"),
      ])
    let flow = try prepare(
      "flow", width: 120, options: #"{"alignment": "start", "card": \#(card)}"#, items: texts)
    same(
      elements(flow).map { $0["frame"] },
      [
        try json("[0, 0, 55, 34]"), try json("[0, 44, 95, 34]"), try json("[0, 88, 20, 34]"),
      ])
  }

  @Test("the room beside texts, the least height, and parts from right to left")
  func room() throws {
    let card = #"""
      {"padding": {"left": 4, "right": 6, "top": 1, "bottom": 2}, "leading": 30, "trailing": 10,
       "minimumHeight": 60, "parts": [{"text": "t", \#(Self.style)}, {"media": true}]}
      """#
    let items = #"[{"aspectRatio": 10, "text": {"t": "a"}}]"#
    let id = try prepare("list", width: 100, options: #"{"card": \#(card)}"#, items: items)
    same(elements(id)[0]["frame"], (try json("[0, 0, 100, 60]")))
    same(
      elements(id)[0]["parts"],
      (try json(
        """
        [{"part": 0, "frame": [34, 1, 50, 24], "lines": [0], "width": 10},
         {"part": 1, "frame": [4, 25, 90, 9]}]
        """)))
    let mirrored = try prepare(
      "list", width: 100, options: #"{"layoutDirection": "rightToLeft", "card": \#(card)}"#,
      items: items)
    same(
      elements(mirrored)[0]["parts"],
      (try json(
        """
        [{"part": 0, "frame": [16, 1, 50, 24], "lines": [0], "width": 10},
         {"part": 1, "frame": [6, 25, 90, 9]}]
        """)))
  }

  @Test("texts are set by their names, exported, and laid out for another width in views")
  func changes() throws {
    let id = try prepare(
      "list", width: 100, options: #"{"card": \#(Self.card)}"#,
      items: #"[{"text": {"title": "aa", "body": "aa bb cc dd"}}, {"height": 9}]"#)
    let set = post(
      "/layouts/\(id)/updates?rect=0,0,100,1000",
      #"{"updates": [{"set": {"at": [0, 0], "items": [{"text": {"title": "bb"}}]}}]}"#)
    // The frame stays, and the cell differs all the same.
    same(set.json["transitions"]["moving"].array.count, 1, "\(set.text)")
    #expect(set.json["invalidatedRect"] != .null)
    let taken = post(
      "/layouts/\(id)/updates",
      #"{"updates": [{"set": {"at": [0, 0], "items": {"text": {"body": [null]}}}}]}"#)
    same(taken.status, 200)
    same(elements(id)[0]["frame"], (try json("[0, 0, 100, 78]")))
    let export = service.get("/layouts/\(id)/collection")
    same(
      export.json["sections"].array[0]["items"],
      (try json(#"{"text": {"title": ["bb", null]}, "height": [null, 9]}"#)))
    let again = post("/layouts/list/prepare", export.text)
    let copy = try #require(again.json["id"].string)
    same(elements(copy), elements(id))
    let view = post("/layouts/\(id)/views", #"{"bounds": {"width": 30}}"#)
    let viewID = try #require(view.json["id"].string)
    // 10 points for texts: a line for each letter, at most two.
    same(elements(viewID)[0]["frame"], (try json("[0, 0, 30, 102]")))
    _ = post(
      "/layouts/\(id)/updates",
      #"{"updates": [{"replace": {"at": [0, 0], "items": [{"text": {"body": "a"}}]}}]}"#)
    same(elements(viewID)[0]["frame"], (try json("[0, 0, 30, 78]")))
  }

  @Test("parts of long texts are left to the workers")
  func longParts() throws {
    for (count, isDeferred) in [(100, false), (10_000, true)] {
      let text = String(repeating: "a", count: count)
      let id = try prepare(
        "list", width: 100, options: #"{"card": \#(Self.card)}"#,
        items: #"[{"id": "x", "text": {"body": "\#(text)"}}]"#)
      let lines = (count + 7) / 8
      for target in [
        "elements?rect=0,0,100,10", "items/0/0?", "items?id=x", "items?ordinal=0",
      ] {
        let answer = service.get("/layouts/\(id)/\(target)&parts=true")
        same(answer.wasDeferred, isDeferred, "\(target)")
        let cell = answer.json["elements"].array.first ?? answer.json
        same(cell["parts"].array[0]["lines"].array.count, lines, "\(answer.text)")
        #expect(!service.get("/layouts/\(id)/\(target)").wasDeferred, "\(target)")
      }
    }
  }

  @Test("columns in CBOR have the parts as JSON text")
  func cbor() throws {
    let id = try prepare(
      "list", width: 100, options: #"{"card": \#(Self.card)}"#,
      items: #"[{}, {"text": {"title": "\u0001"}}]"#)
    let answer = service.get("/layouts/\(id)/elements?rect=0,0,100,1000&parts=true&f=cbor")
    let columns = try CBORValue(answer.body)["elements"]
    let parts = try #require(columns?["parts"])
    guard case .array(let values) = parts, values.count == 2, case .text(let text) = values[1]
    else {
      Issue.record("parts are \(parts)")
      return
    }
    same(values[0], .null)
    try same(json(text), elements(id)[1]["parts"])
    same(elements(id)[1]["estimated"], .boolean(true))
  }

  @Test(
    "a card that cannot be is refused with a pointer and a sentence",
    arguments: cases("Card.refusals", String.self, String.self))
  func refusals(card: String, pointer: String) {
    let answer = post(
      "/layouts/list/prepare",
      #"{"bounds": {"width": 100}, "options": {"card": \#(card)}, "sections": []}"#)
    answer.expectProblem(422, "invalid-body")
    let found = answer.json["errors"].array.first?["pointer"].string ?? ""
    #expect(found.hasSuffix(pointer), "\(answer.text)")
  }

  @Test("without fonts a card with texts is refused, and everything else works")
  func withoutFonts() {
    let bare = TestService()
    func prepare(_ options: String) -> Answer {
      bare.send(
        .post, "/layouts/list/prepare", headers: [(.contentType, "application/json")],
        body: Array(
          #"{"bounds": {"width": 100}, "options": \#(options), "sections": [{"items": [{"text": {"t": "a"}}]}]}"#
            .utf8))
    }
    same(prepare("{}").status, 201)
    same(prepare(#"{"card": {"parts": [{"media": true}]}}"#).status, 201)
    let answer = prepare(#"{"card": {"parts": [{"text": "t", \#(Self.style)}]}}"#)
    answer.expectProblem(422, "invalid-body")
    #expect(answer.text.contains("this server has no fonts"))
  }

  @Test("a layout has texts of at most eight names, each of at most 64 KiB")
  func limits() {
    func pointer(_ items: String) -> String? {
      post(
        "/layouts/list/prepare",
        #"{"bounds": {"width": 100}, "sections": [{"items": \#(items)}]}"#
      ).json["errors"].array.first?["pointer"].string
    }
    let names = (0..<9).map { "\"n\($0)\": \"a\"" }.joined(separator: ", ")
    same(pointer("[{\"text\": {\(names)}}]"), "/sections/0/items/0/text/n8")
    let long = String(repeating: "a", count: 64 << 10)
    same(pointer("[{\"text\": {\"t\": \"\(long)\"}}]"), nil)
    same(pointer("[{\"text\": {\"t\": \"\(long)a\"}}]"), "/sections/0/items/0/text/t")
    same(pointer(#"{"text": {"t": ["a", 1]}}"#), "/sections/0/items/text/t/1")
    same(pointer(#"[{"text": {"t": "a", "t": "b"}}]"#), "/sections/0/items/0/text/t")
    same(pointer(#"[{"text": "a"}]"#), "/sections/0/items/0/text")
  }
}
