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
      .post, target, json: body)
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
