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

  @Test("by id or index path; the answer says the absolute rect")
  func vertical() {
    let path = service.path("list", Self.list)
    for anchor in ["gull", "0,1", "%67ull"] {
      let answer = elements(path, "anchor=\(anchor)&rect=0,-50,300,100").json
      same(OpenAPI.faults(of: answer, as: "Elements"), [])
      same(answer["rect"], [0, 50, 300, 100])
      same(answer["elements"].array.map { $0["id"] }, ["harbour", "gull"])
    }
    same(elements(path, "anchor=a%20b&rect=0,0,300,10").json["rect"], [0, 300, 300, 10])
    // What is read stays where it is, whatever comes before it.
    _ = service.update(path, #"[{"insert": {"at": [0, 0], "items": 3}}]"#)
    same(elements(path, "anchor=gull&rect=0,-50,300,100").json["rect"], [0, 350, 300, 100])
    same(elements(path, "anchor=0,1&rect=0,-50,300,100").json["rect"], [0, 50, 300, 100])
  }

  @Test("two integers with a comma are an index path, whatever ids there are")
  func precedence() {
    let path = service.path("list", Self.list)
    same(elements(path, "anchor=0,1&rect=0,0,1,1").json["rect"][1], 100)
    elements(path, "anchor=3,4&rect=0,0,1,1")
      .expectProblem(404, "no-such-element", saying: "[3, 4]")
    elements(path, "anchor=03,4&rect=0,0,1,1")
      .expectProblem(404, "no-such-element", saying: "id \"03,4\"")
  }

  @Test("an item that is not there is 404; an id that several have, and no id at all, are 400")
  func faults() {
    let path = service.path("list", Self.list)
    for anchor in ["kite", "0,8", "1,0", "9007199254740991,0"] {
      elements(path, "anchor=\(anchor)&rect=0,0,1,1").expectProblem(404, "no-such-element")
    }
    elements(path, "anchor=twin&rect=0,0,1,1")
      .expectProblem(400, "invalid-anchor", saying: "several", "index path")
    elements(path, "anchor=&rect=0,0,1,1").expectProblem(400, "invalid-anchor")
    elements(path, "anchor=%FF&rect=0,0,1,1").expectProblem(400, "invalid-anchor")
    elements(path, "anchor=gull").expectProblem(400, "invalid-rect")
    let plain = service.path("list", #"{"bounds": {"width": 300}, "sections": [{"items": 9}]}"#)
    elements(plain, "anchor=gull&rect=0,0,1,1").expectProblem(404, "no-such-element")
    let far = #"{"bounds": {"width": 300}, "sections": [{"items": [{"y": -1e299}]}]}"#
    elements(service.path("frames", far), "anchor=0,0&rect=0,-1.7976931348623157e308,1,0")
      .expectProblem(400, "invalid-rect", saying: "anchor")
  }

  @Test("along the scroll direction alone, and in a tree along both")
  func directions() {
    let body =
      #"{"bounds": {"width": 300, "height": 200}, "options": {"itemHeight": 100, OPTIONS},"#
      + #" "sections": [{"items": 6}]}"#
    for (options, rect) in [
      (#""scrollDirection": "horizontal""#, [207.0, 5, 30, 40]),
      // From right to left, the first item ends where the bounds end. The rect is relative to the
      // right edge of the third, at 100.
      (#""scrollDirection": "horizontal", "layoutDirection": "rightToLeft""#, [107, 5, 30, 40]),
      (#""layoutDirection": "rightToLeft", "contentInset": {"left": 20}"#, [7, 205, 30, 40]),
    ] {
      let path = service.path("list", body.replacing("OPTIONS", with: options))
      let answer = elements(path, "anchor=0,2&rect=7,5,30,40").json
      same(answer["rect"], .array(rect.map { .number($0) }), "\(options)")
    }
    let tree = service.path("tree", #"{"nodes": {"parent": [null, 0, 0], "id": ["a", "b", "c"]}}"#)
    let frame = service.get("\(tree)/items?id=c").json["frame"]
    let answer = elements(tree, "anchor=c&rect=-10,-20,30,40").json
    same(answer["rect"][0].number, frame[0].number! - 10)
    same(answer["rect"][1].number, frame[1].number! - 20)
    #expect(frame[0] != 0 && frame[1] != 0)
  }

  @Test("known stays absolute, a next link goes on, and since and version hold")
  func others() {
    let path = service.path("list", Self.list)
    let known = elements(path, "anchor=gull&rect=0,-50,300,200&known=0,0,300,100").json
    same(known["elements"].array.map { $0["id"] }, ["gull", "pier"])
    let first = elements(path, "anchor=gull&rect=0,-50,300,200&limit=1").json
    same(first["elements"].array.map { $0["id"] }, ["harbour"])
    let second = service.get(first["next"].string ?? "").json
    same(second["rect"], [0, 50, 300, 200])
    same(second["elements"].array.map { $0["id"] }, ["gull"])
    same(second["next"].string?.contains("anchor=gull"), true)

    _ = service.update(path, #"[{"insert": {"at": [0, 0], "items": 1}}]"#)
    let query = "anchor=gull&rect=0,-50,300,200"
    service.get(second["next"].string ?? "").expectProblem(410, "version-gone")
    let since = elements(path, "\(query)&since=1&transitions=true").json
    same(since["rect"], [0, 150, 300, 200])
    same(since["transitions"]["moving"].array.count, 4)
    let reset = elements(path, "\(query)&since=1&known=0,50,300,200").json
    same(reset["reset"], true)
    let named = elements(path, "\(query)&version=2")
    named.expectLayoutHeaders(version: 2, cacheControl: "private, max-age=31536000, immutable")
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
    "an anchored query is the query at that place", arguments: RandomLayouts.kinds, 0..<5)
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
