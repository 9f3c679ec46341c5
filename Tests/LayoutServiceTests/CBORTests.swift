import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

/// Answers in CBOR beside the same in JSON.
@Suite struct CBORTests {
  private let service = TestService()
  private static let cbor: [(FieldName, String)] = [(.accept, "application/cbor")]

  private func get(
    _ target: String, _ headers: [(FieldName, String)] = cbor, from service: TestService? = nil
  ) -> Answer {
    (service ?? self.service).send(.get, target, headers: headers)
  }

  /// Compares both formats of an answer, and returns it.
  @discardableResult
  private func expectSame(
    _ target: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> JSON {
    let json = service.get(target)
    let cbor = get(target)
    #expect(json.status == 200, "\(target): \(json.text)", sourceLocation: sourceLocation)
    #expect(cbor.status == 200, "\(target)", sourceLocation: sourceLocation)
    #expect(cbor["Content-Type"] == "application/cbor", sourceLocation: sourceLocation)
    #expect(
      JSON(answer: cbor.cbor).readable == json.json.readable, "\(target)",
      sourceLocation: sourceLocation)
    #expect(get(target).body == cbor.body, "\(target)", sourceLocation: sourceLocation)
    return json.json
  }

  // MARK: The same as JSON

  @Test(
    "whatever is asked, CBOR says the same as JSON, as exactly as JSON says it",
    arguments: RandomLayouts.kinds, Extent.seeds(3, of: 8))
  func randomLayouts(kind: String, seed: Int) {
    var random = RandomLayouts(seed: seed)
    let path = service.path(kind, random.body(of: kind).text)
    expectSame(path)
    if kind != "tree" {
      expectSame("\(path)/sections")
      expectSame("\(path)/sections?limit=1")
      expectSame("\(path)/sections/0")
    }
    let all = expectSame("\(path)/elements?rect=-1e3,-1e3,1e5,1e5")["elements"].array
    for _ in 0..<6 {
      let (x, y) = (random.integer(-50...400), random.integer(-50...900))
      let (width, height) = (random.integer(0...500), random.integer(0...500))
      var query = "rect=\(x),\(y).25,\(width),\(height)"
      if random.chance(40) { query += "&known=\(x),\(y - 60),\(width),\(height)" }
      if random.chance(30) { query += "&category=supplementary&category=decoration" }
      if random.chance(50) { query += "&limit=\(random.integer(1...9))" }
      if random.chance(30) { query += "&version=1" }
      if random.chance(30) { query += "&summary=true" }
      expectSame("\(path)/elements?\(query)")
    }
    let folders = ["cell": "items", "supplementary": "supplementary", "decoration": "decorations"]
    for element in all.prefix(12) {
      let kind = element["kind"].string.map { "/\($0)" } ?? ""
      let place = element["indexPath"].array.map { "\($0.integer ?? -1)" }.joined(separator: "/")
      expectSame("\(path)/\(folders[element["category"].string!]!)\(kind)/\(place)")
    }
    let ids = all.compactMap { $0["id"].string }
    if ids.count > 1 {
      expectSame("\(path)/items?id=\(ids[0])")
      expectSame("\(path)/items?id=\(ids[1])&id=none&id=\(ids[0])")
      expectSame("\(path)/items?id=none&id=neither")
    }
    expectSame("\(path)/items?ordinal=0")
  }

  @Test("following next gives the same elements in both formats", arguments: Sample.all.map(\.kind))
  func pages(kind: String) {
    let path = service.path(kind, Sample.all.first { $0.kind == kind }!.body)
    let whole = expectSame("\(path)/elements?rect=0,0,1e6,1e6")["elements"].array
    for limit in [1, 7, whole.count] {
      var pages: [JSON] = []
      var next: String? = "\(path)/elements?rect=0,0,1e6,1e6&limit=\(limit)"
      while let target = next {
        let page = expectSame(target)
        pages += page["elements"].array
        next = page["next"].string
      }
      same(pages, whole, "limit \(limit)")
    }
  }

  @Test("a link to the next page keeps the format that the query names")
  func nextKeepsFormat() {
    let path = service.path("grid", Sample.grid)
    let answer = service.get("\(path)/elements?rect=0,0,320,480&limit=2&f=cbor")
    same(
      answer.cbor["next"]?.text,
      "\(path)/elements?rect=0,0,320,480&limit=2&f=cbor&cursor=\(tag(1))-1-0-1")
  }

  @Test(
    "a query that a worker answers, or goes on with, says the same",
    arguments: Sample.all.map(\.kind))
  func deferred(kind: String) {
    let body = Sample.all.first { $0.kind == kind }!.body
    for limits in [
      LayoutService.Limits(visitBudget: 3), LayoutService.Limits(visitBudget: 40),
      LayoutService.Limits(bytesAtOnce: 200), LayoutService.Limits(visitBudget: 0),
    ] {
      let service = TestService(limits: limits)
      let target = "\(service.path(kind, body))/elements?rect=0,0,1e6,1e6"
      let answer = get(target, from: service)
      #expect(answer.wasDeferred)
      same(JSON(answer: answer.cbor).readable, service.get(target).json.readable)
    }
  }

  @Test("an answer that is as long as answers may be goes on behind its link")
  func responseLimit() {
    let service = TestService(limits: LayoutService.Limits(maxResponseBytes: 1000))
    let path = service.path(
      "list",
      #"""
      {"bounds": {"width": 320}, "sections": [{"items": 60},
       {"items": {"id": [\#((0..<60).map { "\"item \($0)\"" }.joined(separator: ","))]}}]}
      """#)
    var elements: [JSON] = []
    var next: String? = "\(path)/elements?rect=0,0,320,1e6"
    while let target = next {
      let answer = get(target, from: service)
      #expect((40...1300).contains(answer.body.count), "\(answer.body.count)")
      let page = JSON(answer: answer.cbor)
      elements += page["elements"].array
      next = page["next"].string
    }
    same(elements.count, 120)
    let ids = elements.compactMap { $0["id"].string }
    same(ids, (0..<60).map { "item \($0)" })
  }

  @Test("after a change, an answer says to drop what is known")
  func reset() {
    let path = service.path("grid", Sample.grid)
    same(service.update(path, #"[{"delete": {"at": [0, 0]}}]"#).status, 200)
    let query = "rect=0,100,320,480&known=0,0,320,480"
    same(expectSame("\(path)/elements?\(query)&since=1")["reset"], true)
    same(expectSame("\(path)/elements?\(query)&since=2")["reset"], .null)
    let told = expectSame("\(path)/elements?\(query)&since=1&transitions=true")
    #expect(!told["transitions"]["moving"].array.isEmpty)
  }

  @Test("an index path beyond 32 bits makes a column of 64 bits")
  func largeIndices() {
    let path = service.path(
      "grid",
      #"""
      {"bounds": {"width": 320}, "options": {"headerHeight": 10},
       "sections": [{"items": 20000000000}]}
      """#)
    let height = expectSame(path)["contentSize"]["height"].number!
    for (y, itemTag) in [(0, 70), (Int(height) - 500, 71)] {
      let target = "\(path)/elements?rect=0,\(y),320,480"
      let elements = expectSame(target)["elements"].array
      #expect(elements.count >= 20)
      let columns = get(target).cbor["elements"]
      same(columns?["item"]?.tag, itemTag)
      same(columns?["section"]?.tag, 70)
    }
    expectSame("\(path)/items?ordinal=19999999999")
    expectSame("\(path)/items/0/19999999999")
  }

  @Test("ids of any text come through, null where an item has none")
  func ids() {
    let long = String(repeating: "ü", count: 64)
    let path = service.path(
      "list",
      #"""
      {"bounds": {"width": 320}, "options": {"headerHeight": 9, "background": "section"},
       "sections": [{"items": 2}, {"items": {"id": [null, "a\"\\\n\u0000", "日本語 👩‍👩‍👧", null, "\#(long)",
        "123456789012345678901234", null]}}]}
      """#)
    let elements = expectSame("\(path)/elements?rect=0,0,320,1e6")["elements"].array
    same(elements.compactMap { $0["id"].string }.count, 4)
    #expect(expectSame("\(path)/elements?rect=0,0,320,20")["elements"].array.count > 1)
    same(get("\(path)/elements?rect=0,0,320,20").cbor["elements"]?["id"], nil)
  }

  @Test("a column is as described, byte by byte")
  func bytes() {
    let path = service.path(
      "list",
      #"{"bounds": {"width": 320}, "sections": [{"items": [{"id": "a"}, {"height": 0.1}]}]}"#)
    let id = path.dropFirst("/layouts/".count)
    let answer = get("\(path)/elements?rect=0,0,320,44.5")
    /// A name and a typed array.
    func column(_ name: String, _ tag: UInt8, _ numbers: [UInt8]) -> [UInt8] {
      text(name) + [0xD8, tag] + [0x40 + UInt8(numbers.count)] + numbers
    }
    func text(_ text: String) -> [UInt8] { [0x60 + UInt8(text.utf8.count)] + Array(text.utf8) }
    let zero: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    let parts: [[UInt8]] = [
      [0xA5], text("id"), text(String(id)),
      // [0, 0, 320, 44.5]
      text("rect"), [0x84, 0, 0, 0x19, 0x01, 0x40, 0xF9, 0x51, 0x90],
      text("version"), [1],
      text("elements"), [0xA9],
      column("x", 86, zero + zero),
      // 44 is 0x4046000000000000.
      column("y", 86, zero + [0, 0, 0, 0, 0, 0, 0x46, 0x40]),
      text("id"), [0x82], text("a"), [0xF6],
      column("item", 70, [0, 0, 0, 0, 1, 0, 0, 0]),
      // 320 is 0x4074000000000000.
      column("width", 86, [0, 0, 0, 0, 0, 0, 0x74, 0x40, 0, 0, 0, 0, 0, 0, 0x74, 0x40]),
      // 0.1 is 102.4 steps, so the height is 102/1024, which is 0x3FB9800000000000.
      column(
        "height", 86,
        [0, 0, 0, 0, 0, 0, 0x46, 0x40, 0, 0, 0, 0, 0, 0x80, 0xB9, 0x3F]),
      text("zIndex"), [0x81, 0x82, 2, 0],
      column("section", 70, zero),
      text("category"), [0x81, 0x82, 2], text("cell"),
      text("versionTag"), text(tag(1)),
    ]
    same(answer.body, parts.flatMap { $0 })
  }

  // MARK: Which format

  @Test(
    "Accept chooses the format, by weight, then by name",
    arguments: cases("CBOR.accept", String?.self, String.self))
  func accept(field: String?, format: String) {
    let path = service.path("grid", Sample.grid)
    for target in resources(of: path) {
      let answer = get(target, field.map { [(.accept, $0)] } ?? [])
      same(answer.status, 200)
      same(answer["Content-Type"], "application/\(format)")
      same(answer["Vary"], "Accept, Accept-Encoding, Origin")
    }
  }

  private func resources(of path: String) -> [String] {
    [
      path, "\(path)/elements?rect=0,0,320,480", "\(path)/elements?rect=0,0,320,480&version=1",
      "\(path)/items/0/0", "\(path)/items?id=a", "\(path)/items?id=a&id=b",
      "\(path)/items?ordinal=3", "\(path)/supplementary/header/0/0",
      "\(path)/decorations/background/0/0", "\(path)/sections", "\(path)/sections/1",
    ]
  }

  @Test("f names the format, whatever Accept says, and the address says all")
  func parameter() {
    let path = service.path("grid", Sample.grid)
    for target in resources(of: path) {
      for accept in [nil, "*/*", "application/cbor", "application/json", "text/html"] {
        for format in ["json", "cbor"] {
          let named = "\(target)\(target.contains("?") ? "&" : "?")f=\(format)"
          let answer = get(named, accept.map { [(.accept, $0)] } ?? [])
          same(answer.status, 200, "\(named)")
          same(answer["Content-Type"], "application/\(format)")
          same(answer["Vary"], "Accept-Encoding, Origin")
        }
      }
      let wrong = "\(target)\(target.contains("?") ? "&" : "?")f="
      service.get(wrong).expectProblem(400, "invalid-f", saying: "json or cbor")
      service.get("\(wrong)CBOR").expectProblem(400, "invalid-f", saying: "json or cbor")
      service.get("\(wrong)json&f=json").expectProblem(400, "invalid-f", saying: "once")
      get(wrong + "html", [(.accept, "text/html")]).expectProblem(400, "invalid-f")
      get(target, [(.accept, "text/html")]).expectProblem(
        406, "not-acceptable", saying: "application/json or application/cbor")
    }
  }

  @Test("what has one format only has no f, and a problem is always JSON")
  func onlyJSON() {
    let path = service.path("grid", Sample.grid)
    for target in ["\(path)/collection?f=json", "/kinds?f=json", "/healthz?f=cbor"] {
      service.get(target).expectProblem(400, "invalid-parameter")
    }
    for target in ["\(path)/collection", "/kinds", "/healthz"] {
      get(target).expectProblem(406, "not-acceptable", saying: "application/json")
    }
    get("\(path)/elements").expectProblem(400, "invalid-rect")
    get("\(path)/items/9/9").expectProblem(404, "no-such-element")
    get("/layouts/none").expectProblem(404, "no-such-layout")
    get("\(path)/elements?rect=0,0,1,1&version=9").expectProblem(400, "invalid-version")
  }

  // MARK: Tags and codings

  @Test("each format has tags of its own, and a tag of the other is not its 304")
  func tags() throws {
    let path = service.path("grid", Sample.grid)
    for target in resources(of: path) where target != path {
      let (json, cbor) = (service.get(target), get(target))
      let tags = [try #require(json["ETag"]), try #require(cbor["ETag"])]
      #expect(tags[0] != tags[1], "\(target)")
      for (tag, format) in zip(tags, ["json", "cbor"]) {
        for (other, whole) in [("json", json), ("cbor", cbor)] {
          for tag in [tag, "W/\(tag)"] {
            let answer = get(
              target, [(.accept, "application/\(other)"), (.ifNoneMatch, tag)])
            same(answer.status, (other == format ? 304 : 200), "\(target) \(tag)")
            same(answer["ETag"], whole["ETag"])
            same(answer["Vary"], whole["Vary"])
            same(answer["Cache-Control"], whole["Cache-Control"])
            if other == format {
              #expect(answer.body.isEmpty)
              same(answer["Content-Type"], nil)
            }
          }
        }
      }
      same(get(target, Self.cbor + [(.ifNoneMatch, "*")]).status, 304)
      same(get(target, Self.cbor + [(.ifNoneMatch, "\(tags[0]), \(tags[1])")]).status, 304)
    }
  }

  @Test("the tag of an answer in CBOR is a condition for changes, as any other of its version")
  func conditions() throws {
    let path = service.path("grid", Sample.grid)
    for target in [path, "\(path)/elements?rect=0,0,320,480"] {
      for headers in [Self.cbor, Self.cbor + [(.acceptEncoding, "gzip")]] {
        let tag = try #require(get(target, headers)["ETag"])
        func patch(_ condition: (FieldName, String)) -> Int {
          service.send(
            .patch, path, headers: [(.contentType, "application/json"), condition],
            body: Array("{}".utf8)
          ).status
        }
        same(patch((.ifMatch, tag)), 200)
        same(patch((.ifNoneMatch, tag)), 412)
      }
    }
  }

  @Test("a tag that this service cannot have made is not known")
  func foreignTags() {
    let path = service.path("grid", Sample.grid)
    let target = "\(path)/elements?rect=0,0,320,480"
    let version = tag(1)
    for tag in [
      "\"\(version).CBOR\"", "\"\(version).gzip.cbor\"", "\"\(version).cbor.300\"",
      "\"\(version).300.cbor\"", "\"\(version).cbor.\"", "\"\(version)..cbor\"",
      "\"\(TestTags.tag(2)).cbor\"", "\"\(version).cborx\"", "\"\(version).cbor.gzip.gzip\"",
    ] {
      same(get(target, Self.cbor + [(.ifNoneMatch, tag)]).status, 200, "\(tag)")
    }
  }

  @Test("CBOR is compressed as JSON is, under a tag of its own")
  func gzip() throws {
    let path = service.path("grid", Sample.grid)
    let target = "\(path)/elements?rect=0,0,320,900"
    let plain = get(target)
    let headers = Self.cbor + [(FieldName.acceptEncoding, "gzip")]
    let packed = get(target, headers)
    same(packed["Content-Encoding"], "gzip")
    same(packed["Content-Type"], "application/cbor")
    #expect(packed.body.count < plain.body.count)
    let unpacked = try Gzip.decompress(.copying(packed.body), limit: 1 << 20)
      .withBytes { Array($0) }
    same(unpacked, plain.body)
    let tag = try #require(packed["ETag"])
    same(tag, "\"\(TestTags.tag(1)).cbor.gzip\"")
    let again = get(target, headers + [(.ifNoneMatch, tag)])
    same(again.status, 304)
    same(again["ETag"], tag)
    same(get("\(path)/items/0/0", headers)["Content-Encoding"], nil)
  }

  @Test("HEAD has the status and the header fields of GET")
  func head() {
    let path = service.path("grid", Sample.grid)
    for target in resources(of: path) {
      let headers = Self.cbor + [(.xRequestID, "1")]
      let (head, get) = (service.send(.head, target, headers: headers), get(target, headers))
      same(head.status, get.status)
      same(head.headers, get.headers)
    }
  }
}
