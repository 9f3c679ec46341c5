import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite("rects that are relative to an item")
struct AnchorTests {
  private let service = TestService()
  private static let list = """
    {"bounds": {"width": 300, "height": 200}, "options": {"itemHeight": 100},
     "sections": [{"items": {"id": ["harbour", "gull", "pier", "a b", "3,4", "0,1", "twin", "twin"]}}]}
    """

  private func elements(_ path: String, _ query: String) -> Answer {
    service.get("\(path)/elements?\(query)")
  }

  @Test("an answer that names its version never changes")
  func caching() {
    let path = service.path("list", Self.list)
    let query = "anchor=gull&rect=0,-50,300,200"
    let named = elements(path, "\(query)&version=1")
    named.expectLayoutHeaders(cacheControl: "private, max-age=31536000, immutable")
    same(service.get("\(path)/elements?\(query)", ifNoneMatch: named["ETag"]).status, 304)
  }

  @Test("the workers look for an id in a large layout, once; views have it, too")
  func deferred() {
    let ids = (0..<2000).map { "\"i\($0)\"" }.joined(separator: ",")
    let path = service.path(
      "list", #"{"bounds": {"width": 300}, "sections": [{"items": {"id": [\#(ids)]}}]}"#)
    let view = service.view(of: path, #"{"options": {"itemHeight": 10}}"#)["Location"] ?? ""
    let answer = elements(path, "anchor=i1500&rect=0,0,300,10")
    #expect(answer.wasDeferred)
    same(answer.json["elements"].array.map { $0["id"] }, ["i1500"])
    #expect(!elements(path, "anchor=i1501&rect=0,0,300,10").wasDeferred)
    let other = elements(view, "anchor=i1500&rect=0,0,300,10")
    #expect(!other.wasDeferred)
    same(other.json["rect"], [0, 15000, 300, 10])
    same(elements(view, "anchor=nobody&rect=0,0,1,1").status, 404)
  }

  @Test(
    "an anchored query is the query at that place", arguments: RandomLayouts.kinds,
    Extent.seeds(2, of: 5))
  func random(kind: String, seed: Int) {
    var layouts = RandomLayouts(seed: seed &* 19 &+ kind.utf8.count)
    let body = layouts.body(of: kind)
    let path = service.path(kind, body.text)
    let isHorizontal = body["options"]["scrollDirection"] == "horizontal"
    let isRightToLeft = body["options"]["layoutDirection"] == "rightToLeft"
    let all = elements(path, "rect=-1e7,-1e7,2e7,2e7&limit=100000&category=cell").json["elements"]
    for _ in 0..<20 where !all.array.isEmpty {
      let cell = all[layouts.integer(0...all.array.count - 1)]
      let at = cell["indexPath"]
      let anchor = cell["id"].string ?? "\(at[0].integer!),\(at[1].integer!)"
      var window = Window(
        x: Double(layouts.integer(-300...300)), y: Double(layouts.integer(-300...300)), width: 200,
        height: 150)
      let answer = elements(path, "anchor=\(anchor)&rect=\(window.text)").json
      let frame = cell["frame"].window
      if isHorizontal || kind == "tree" { window.x += frame.x }
      // From right to left, the leading edge of an item is the right one.
      if isHorizontal, isRightToLeft { window.x += frame.width }
      if !isHorizontal || kind == "tree" { window.y += frame.y }
      let rect: JSON = [
        .number(window.x), .number(window.y), .number(window.width), .number(window.height),
      ]
      same(answer["rect"], rect.readable)
      let expected = elements(path, "rect=\(window.text)").json
      same(answer["elements"], expected["elements"], "\(anchor)")
    }
  }
}
