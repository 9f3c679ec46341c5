import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct PictureTests {
  private let service = TestService()

  private func picture(_ path: String, _ query: String = "") -> Picture {
    let answer = service.get("\(path)/picture\(query.isEmpty ? "" : "?" + query)")
    same(answer.status, 200, "\(answer.text)")
    return Picture(answer)
  }

  // MARK: Places

  /// Where a frame is in a picture of a rect, as the contract says.
  private func box(_ frame: [Double], in rect: [Double]) -> [Double] {
    let scale = min(1, 2000 / max(rect[2], rect[3]))
    func placed(_ place: Double, _ axis: Int) -> Double {
      min(max((place - rect[axis]) * scale, -8), rect[axis + 2] * scale + 8)
    }
    let (left, top) = (placed(frame[0], 0), placed(frame[1], 1))
    return [
      left, top, placed(frame[0] + frame[2], 0) - left, placed(frame[1] + frame[3], 1) - top,
    ]
  }

  @Test(
    "every element is where the answer for elements has it", arguments: Sample.all.map(\.kind),
    ["0,0,320,480", "-30,110.5,200,77.25", "0,0,4000,3000"])
  func places(kind: String, rect: String) throws {
    let path = service.path(kind, try #require(Sample.all.first { $0.kind == kind }).body)
    let elements = service.get("\(path)/elements?rect=\(rect)").json["elements"].array
    let picture = picture(path, "rect=\(rect)")
    let sides = rect.split(separator: ",").compactMap { Double($0) }
    let scale = min(1, 2000 / max(sides[2], sides[3]))
    same(picture.size, [sides[2] * scale, sides[3] * scale])
    same(picture.note, nil)
    let shapes = picture.shapes.filter { $0.tag != "text" && $0.classes != ["content"] }
    same(shapes.count, elements.count)
    for (shape, element) in zip(shapes, elements) {
      let isConnector = element["kind"].string == "connector"
      same(shape.tag, (isConnector ? "path" : "rect"))
      let name = isConnector ? "connector" : element["category"].string ?? ""
      same(shape.classes.first, Substring(name))
      let section = element["indexPath"].array[0].integer ?? 0
      same(shape.classes.contains("odd"), (section % 2 == 1))
      guard !isConnector else { continue }
      let expected = box(element["frame"].array.compactMap(\.number), in: sides)
      for (actual, should) in zip(shape.box, expected) {
        #expect(abs(actual - should) <= 0.011, "\(kind) \(element): \(shape.box), not \(expected)")
      }
    }
  }

  @Test("a place millions of points away is as exact as one at the top")
  func farAway() {
    let path = service.path(
      "list",
      #"{"bounds": {"width": 300}, "options": {"itemHeight": 30.5}, "sections": [{"items": 1000000000}]}"#
    )
    let picture = picture(path, "rect=0,30000000010,300,61")
    // Of item 983,606,557, which ends at 983,606,558 × 30.5, 9 points are in sight: too few for a
    // name.
    same(picture.boxes("cell").map(\.box).prefix(2), [[0, -8, 300, 17], [0, 9, 300, 30.5]])
    same(picture.names.first, "0, 983606558")
  }

  @Test("without a rect the picture has the first part of the content")
  func firstPart() {
    let grid = service.path("grid", Sample.grid)
    same(picture(grid).size, [320, 1000])
    same(picture(service.path("tree", #"{"nodes": 1}"#)).size, [220, 88])
    let empty = service.path("grid", #"{"bounds": {"width": 320}, "sections": []}"#)
    same(picture(empty).size, [320, 1])
    let wide = service.path(
      "list",
      """
      {"bounds": {"width": 300, "height": 100}, "options": {"itemHeight": 50,
       "scrollDirection": "horizontal", "layoutDirection": "rightToLeft"},
       "sections": [{"items": 1000}]}
      """)
    let picture = picture(wide)
    same(picture.size, [2000, 100])
    same(picture.title, "list: -1700, 0, 2000, 100")
    same(picture.boxes("cell").first?.box, [1950, 0, 50, 100])
    same(picture.boxes("content").map(\.box), [[-8, 0, 2008, 100]])
  }

  @Test("a pinned header and footer are where a client keeps them")
  func pinned() {
    let path = service.path(
      "list",
      """
      {"bounds": {"width": 300, "height": 200}, "options": {"headerHeight": 20, "footerHeight": 10,
       "pinHeaders": true, "pinFooters": true, "itemHeight": 50},
       "sections": [{"items": 6}, {"items": 2}]}
      """)
    // The first section ends at 330, with its footer from 320 on; the second one ends at 460.
    func boxes(_ y: Int) -> [[Double]] {
      picture(path, "rect=0,\(y),300,200").boxes("supplementary").map(\.box)
    }
    same(boxes(0), [[0, 190, 300, 10], [0, 0, 300, 20]])
    same(boxes(100), [[0, 190, 300, 10], [0, 0, 300, 20]])
    // The footer of the first section has come to its place, and that of the second is kept behind
    // its header. The header of the first section is pushed out by the end of its items.
    same(boxes(310), [[0, 10, 300, 10], [0, 140, 300, 10], [0, -8, 300, 18], [0, 20, 300, 20]])
  }

  // MARK: Lines

  @Test("lines go from a node to its children")
  func lines() {
    let nodes = #""nodes": [{"id": "a"}, {"id": "b", "parent": 0}, {"id": "c", "parent": 0}]"#
    func paths(_ options: String, _ query: String = "") -> [String] {
      picture(service.path("tree", "{\(nodes), \"options\": {\(options)}}"), query).shapes
        .filter { $0.tag == "path" }.map { $0.attributes["d"] ?? "" }
    }
    // Nodes of 180 × 48, 40 apart, the rows 88 apart, 20 from the edges.
    let rows = #""spacing": "rows""#
    same(paths(rows), ["M200 44H220M220 44V132M220 44H240M220 132H240"])
    same(paths(rows + #", "direction": "left""#), ["M240 44H220M220 44V132M220 44H200M220 132H200"])
    same(paths(rows + #", "direction": "down""#), ["M110 68V88M110 88H330M110 88V108M330 88V108"])
    same(paths(rows + #", "direction": "up""#), ["M110 108V88M110 88H330M110 88V68M330 88V68"])
    // In a pile of leaves, a line goes from each to the next, and through none.
    let pile = #""spacing": "compact", "leaves": "stacked""#
    same(paths(pile + #", "direction": "down""#), ["M110 68V108M110 156V196"])
    same(paths(pile + #", "direction": "left""#), ["M460 44H420M240 44H200"])
    // Of a line to a child outside there is nothing.
    same(paths(rows, "rect=200,20,40,40"), ["M0 24H20M20 24V48M20 24H40"])
  }

  @Test("a node with very many children has the lines that are visible")
  func manyChildren() {
    let path = service.path(
      "tree",
      """
      {"options": {"spacing": "rows", "itemSize": {"width": 50, "height": 10}},
       "nodes": {"parent": [null\(String(repeating: ",0", count: 100_000))]}}
      """)
    let rect = service.get("\(path)/items/1/50000").json["frame"].array.compactMap(\.number)
    let picture = picture(path, "rect=\(rect[0] - 30),\(rect[1] + 1),80,5&limit=20")
    let lines = picture.shapes.filter { $0.tag == "path" }.map { $0.attributes["d"] ?? "" }
    same(lines.count, 1)
    same(lines.first?.count { $0 == "M" }, 3)
    same(picture.boxes("cell").count, 1)
  }

  // MARK: Names

  @Test("a name is written where there is room, or its beginning")
  func names() {
    func names(_ id: String, width: Int, height: Int = 40) -> [String] {
      picture(
        service.path(
          "frames",
          """
          {"bounds": {"width": 300}, "sections": [{"items": [{"id": \(JSON.string(id).text),
           "x": 0, "y": 0, "width": \(width), "height": \(height)}]}]}
          """)
      ).names
    }
    same(names("harbour", width: 100), ["harbour"])
    same(names("harbour", width: 40), ["har…"])
    same(names("harbour", width: 20), [])
    same(names("harbour", width: 100, height: 12), [])
    same(names("港の灯台", width: 300), ["港の灯台"])
    same(names("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", width: 70).first?.hasSuffix("…"), true)
    let grid = picture(service.path("grid", Sample.grid), "rect=0,0,320,100")
    same(grid.names, ["0, 0", "0, 1", "0, 2", "header"])
  }

  @Test("a cell is called by the title or name in its data")
  func titles() {
    let data = [
      #"{"name": "Pier", "a": "\ud800"}"#, #"{"name": "b", "title": "\u0047ull"}"#,
      #"{"title": 3}"#, #"{"title": "\ud800"}"#, #""title""#, "null",
    ]
    let items = "{\"data\": [\(data.joined(separator: ","))]}"
    let path = service.path(
      "list", #"{"bounds": {"width": 300}, "sections": [{"items": \#(items)}]}"#)
    let texts = picture(path, "rect=0,0,300,300").shapes.filter { $0.tag == "text" }.map(\.text)
    same(texts, ["Pier", "Gull", "0, 2", "0, 3", "0, 4", "0, 5"])
  }

  @Test("ids are text, whatever is in them")
  func escaping() {
    let ids = [
      "<script>alert(1)</script>", "a&b", "]]>", "\"'", "&lt;", "\u{1}\n\t\u{1f}\u{7f}",
      "\u{80}\u{fffe}\u{ffff}", "e\u{301}", "\u{202e}abc",
    ]
    let shown = [
      "<script>alert(1)</script>", "a&b", "]]>", "\"'", "&lt;", "␁␊␉␟␡",
      "\u{fffd}\u{fffd}\u{fffd}", "e\u{301}", "\u{202e}abc",
    ]
    let items = ids.map { "{\"id\": \(JSON.string($0).text)}" }.joined(separator: ",")
    let path = service.path(
      "grid",
      "{\"bounds\": {\"width\": 400}, \"options\": {\"columns\": 1}, \"sections\": [{\"items\": [\(items)]}]}"
    )
    same(
      picture(path).names.map { Array($0.unicodeScalars) }, shown.map { Array($0.unicodeScalars) }
    )
  }

  // MARK: Limits

  @Test("what is left out is said in the picture")
  func leftOut() {
    let path = service.path("grid", Sample.grid)
    let cut = picture(path, "rect=0,0,320,480&limit=10")
    same(cut.boxes("decoration").count + cut.boxes("cell").count, 10)
    same(cut.note?.contains("Not all is drawn, only 10 elements."), true)
    same(cut.shapes.last?.text, "Not all is drawn, only 10 elements.")
    same(picture(path, "rect=0,0,320,480&limit=29").note, nil)
    #expect(picture(path, "rect=0,0,320,480&limit=28").note != nil)
    // A narrow picture has a shorter note.
    same(picture(path, "rect=0,0,90,480&limit=1").shapes.last?.text, "not all")
  }

  @Test("a billion cells are drawn up to the limit")
  func huge() {
    let path = service.path(
      "grid",
      #"{"bounds": {"width": 2000}, "options": {"columns": 100}, "sections": [{"items": 1000000000}]}"#
    )
    let picture = picture(path, "rect=0,0,2000,1e9&limit=10000")
    same(picture.boxes("cell").count, 10_000)
    #expect(picture.note != nil)
    same(picture.size, [1, 2000])
  }

  @Test("a long picture is left to a worker, and is the same")
  func deferred() throws {
    let long = #"{"bounds": {"width": 320}, "sections": [{"items": 3000}]}"#
    let patient = TestService(limits: .init(visitBudget: 1_000_000))
    for (budget, bytes) in [(800, 1 << 20), (1_000_000, 5000)] {
      let hasty = TestService(limits: .init(visitBudget: budget, bytesAtOnce: bytes))
      let query = "/picture?rect=0,0,320,4000"
      let (slow, quick) = (
        hasty.get(hasty.path("grid", long) + query), patient.get(patient.path("grid", long) + query)
      )
      #expect(slow.wasDeferred)
      #expect(!quick.wasDeferred)
      same(slow.body, quick.body)
      same(Picture(slow).note, nil)
    }
    // What no worker may visit is left out.
    let bounded = TestService(limits: .init(visitBudget: 80, pageBudget: 100))
    let cut = bounded.get(bounded.path("grid", long) + "/picture?rect=0,0,320,4000")
    #expect(Picture(cut).note != nil)
  }

  // MARK: Around it

  @Test("a picture has the headers, tags and conditions of an answer about a version")
  func headers() throws {
    let path = service.path("grid", Sample.grid)
    let answer = service.get("\(path)/picture")
    same(answer["Content-Type"], "image/svg+xml")
    same(answer["Cache-Control"], "private, no-cache")
    same(answer["Vary"], "Accept-Encoding, Origin")
    same(answer["Content-Security-Policy"], "default-src 'none'; style-src 'unsafe-inline'")
    same(answer["X-Content-Type-Options"], "nosniff")
    let tag = try #require(answer["ETag"])
    same(tag, "\"\(TestTags.tag(1))\"")
    let whole = try #require(service.get(path)["ETag"])
    let again = service.get("\(path)/picture", ifNoneMatch: tag)
    same(again.status, 304)
    same(again["Content-Type"], nil)
    same(service.get("\(path)/picture", ifNoneMatch: whole).status, 304)
    let kept = service.get("\(path)/picture?version=1")
    same(kept["Cache-Control"], "private, max-age=31536000, immutable")
    let shared = TestService(caching: .public)
    let own = shared.get(shared.path("grid", Sample.grid) + "/picture?version=1")
    same(own["Cache-Control"], "public, max-age=31536000, immutable")
    same(own["Content-Type"], "image/svg+xml")
    let packed = service.send(.get, "\(path)/picture", headers: [(.acceptEncoding, "gzip")])
    same(packed["Content-Encoding"], "gzip")
    service.send(.get, "\(path)/picture", headers: [(.ifMatch, "\"2\"")])
      .expectProblem(412, "precondition-failed")
    for (accept, status) in [
      ("image/*", 200), ("text/html, */*;q=0.1", 200), ("application/json", 406),
    ] {
      same(service.send(.get, "\(path)/picture", headers: [(.accept, accept)]).status, status)
    }
    same(service.touch(path).status, 200)
    same(service.get("\(path)/picture", ifNoneMatch: tag).status, 200)
    service.get("\(path)/picture?version=1").expectProblem(410, "version-gone")
    service.get("\(path)/picture?version=3").expectProblem(400, "invalid-version")
  }

  @Test("a wrong parameter is named")
  func wrong() {
    let path = service.path("grid", Sample.grid)
    for rect in [
      "0,0,0,10", "0,0,10,0", "0,0,-1,10", "0,0,10", "0,0,1e308,x", "1.7e308,0,1e308,1", "",
    ] {
      service.get("\(path)/picture?rect=\(rect)").expectProblem(
        400, "invalid-rect", saying: "width and height > 0")
    }
    for limit in ["0", "10001", "x"] {
      service.get("\(path)/picture?limit=\(limit)").expectProblem(
        400, "invalid-limit", saying: "1 to 10000")
    }
    service.get("\(path)/picture?known=0,0,1,1").expectProblem(
      400, "invalid-parameter", saying: "known: rect, version, limit")
    service.get("/layouts/AAAAAAAAAAAAAAAAAAAAAA/picture").expectProblem(404, "no-such-layout")
  }

  @Test("the parameters are those of the contract, with their bounds and defaults")
  func contract() throws {
    let operation = try #require(
      OpenAPI.operations.first { $0.description["operationId"] == "getPicture" })
    let described = operation.parameters.filter { $0["in"] == "query" }
    same(described.compactMap { $0["name"].string }, PictureParameters.all.names)
    let limit = try #require(described.first { $0["name"] == "limit" })["schema"]
    same(limit["default"].integer, PictureParameters.defaultLimit)
    same(limit["minimum"].integer, PictureParameters.limits.lowerBound)
    same(limit["maximum"].integer, PictureParameters.limits.upperBound)
  }
}
