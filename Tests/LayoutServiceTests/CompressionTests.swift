import Foundation
import MicroHTTP
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService

@Suite struct CompressionTests {
  private let service = TestService()

  private func get(_ target: String, accepting codings: String) -> Answer {
    service.send(.get, target, headers: [(.acceptEncoding, codings)])
  }

  // MARK: Answers

  @Test("answers of 1 KiB and more are compressed, shorter ones are not")
  func threshold() throws {
    let path = service.path("grid", Sample.grid)
    var sizes: [Int] = []
    for limit in 1...20 {
      let target = "\(path)/elements?rect=0,0,320,480&category=cell&limit=\(limit)"
      let plain = service.get(target)
      same(plain["Content-Encoding"], nil)
      let answer = get(target, accepting: "gzip")
      sizes.append(plain.body.count)
      if plain.body.count < 1024 {
        same(answer.body, plain.body)
        same(answer["Content-Encoding"], nil)
        same(answer["ETag"], plain["ETag"])
      } else {
        same(answer["Content-Encoding"], "gzip")
        #expect(answer.body.count < plain.body.count)
        try same(unpacked(answer.body), plain.body)
      }
    }
    #expect(sizes.contains { $0 < 1024 } && sizes.contains { $0 >= 1024 })
  }

  @Test(
    "1,024 bytes are compressed, 1,023 are not, and a 304 agrees",
    arguments: [(1023, false), (1024, true)])
  func exactThreshold(bytes: Int, isCompressed: Bool) throws {
    func target(_ lastID: Int) -> String {
      let ids = (Array(repeating: 110, count: 4) + [lastID])
        .map { "\"" + String(repeating: "x", count: $0) + "\"" }.joined(separator: ",")
      return service.path(
        "grid", #"{"bounds": {"width": 100}, "sections": [{"items": {"id": [\#(ids)]}}]}"#)
        + "/elements?rect=0,0,100,1000"
    }
    let target = target(1 + bytes - service.get(target(1)).body.count)
    let plain = service.get(target)
    try #require(plain.body.count == bytes)
    let answer = get(target, accepting: "gzip")
    same((answer["Content-Encoding"] == "gzip"), isCompressed)
    let again = service.send(
      .get, target,
      headers: [(.acceptEncoding, "gzip"), (.ifNoneMatch, try #require(plain["ETag"]))])
    same(again.status, 304)
    same(again["ETag"], answer["ETag"])
    same(again["Content-Length"], "\(answer.body.count)")
  }

  @Test(
    "only codings that the request accepts are used",
    arguments: cases("Compression.accepted", String.self, Bool.self))
  func accepted(codings: String, isCompressed: Bool) {
    let answer = get("/openapi.yaml", accepting: codings)
    same((answer["Content-Encoding"] == "gzip"), isCompressed)
    same(service.get("/openapi.yaml")["Content-Encoding"], nil)
  }

  @Test("a long answer is compressed by the workers, and goes out as it is where none has time")
  func long() throws {
    let path = service.path(
      "grid", #"{"bounds": {"width": 320}, "sections": [{"items": 2000}]}"#)
    let target = "\(path)/elements?rect=0,0,1e9,1e9"
    let plain = service.get(target)
    let request = Request(
      target: RequestTarget(target), headers: HeaderFields([(.acceptEncoding, "gzip")]))
    guard case .deferred(let deferred) = service.gateway.respond(to: request) else {
      Issue.record("\(plain.body.count) bytes are not deferred")
      return
    }
    let atOnce = Answer(try #require(deferred.otherwise))
    #expect(atOnce.body == plain.body && atOnce["Content-Encoding"] == nil)
    same(atOnce["ETag"], plain["ETag"])
    let compressed = Answer(deferred.work())
    same(compressed["Content-Encoding"], "gzip")
    try same(unpacked(compressed.body), plain.body)
    same(compressed["X-Request-Id"], atOnce["X-Request-Id"])
  }

  @Test("each coding has its own tag, and each tag is one that is not modified")
  func tags() throws {
    let path = service.path("grid", Sample.grid)
    let target = "\(path)/elements?rect=0,0,320,480"
    let (plain, compressed) = (service.get(target), get(target, accepting: "gzip"))
    same(plain["ETag"], "\"\(tag(1))\"")
    same(compressed["ETag"], "\"\(tag(1)).gzip\"")
    same(compressed["Vary"], "Accept, Accept-Encoding, Origin")
    let tags = try [plain, compressed].map { try #require($0["ETag"]) }
    for (answer, coding) in [(plain, "identity"), (compressed, "gzip")] {
      answer.expectLayoutHeaders()
      for tag in tags + ["*", tags.joined(separator: ", ")] {
        let isTag = tag != "*"
        for (method, field) in [
          (Method.get, tag), (.head, isTag ? "W/\(tag)" : tag),
          (.get, isTag ? "\"0.1\", \(tag)" : tag),
        ] {
          let again = service.send(
            method, target, headers: [(.ifNoneMatch, field), (.acceptEncoding, coding)])
          same(again.status, 304)
          same(again["ETag"], answer["ETag"], "\(field), \(coding)")
          same(again["Content-Length"], "\(answer.body.count)")
          same(again["Content-Encoding"], nil)
          same(again.body, [])
        }
      }
    }
    for answer in [plain, compressed] {
      let path = service.path("grid", Sample.grid)
      same(service.touch(path, ifMatch: answer["ETag"]).status, 200)
    }
  }

  @Test("a daemon tells the compressed length, of GET, HEAD and 304 alike")
  func lengths() throws {
    try withDaemon(service.gateway) { port in
      let client = try HTTPClient(port: port)
      let path = try #require(try client.prepare("grid", Sample.grid)["Location"])
      let target = "\(path)/elements?rect=0,0,320,480"
      let accept = ("Accept-Encoding", "gzip")
      let plain = try client.send("GET", target)
      let answer = try client.send("GET", target, headers: [accept])
      same(answer["Content-Encoding"], "gzip")
      try same(unpacked(answer.body), plain.body)
      let head = try client.send("HEAD", target, headers: [accept])
      same(head["Content-Length"], "\(answer.body.count)")
      same(head["ETag"], answer["ETag"])
      let tag = try #require(answer["ETag"])
      let again = try client.send("GET", target, headers: [accept, ("If-None-Match", tag)])
      same(again.status, 304)
      #expect(again["Content-Length"].map { $0 == "\(answer.body.count)" } != false)
    }
  }

  @Test("the answer to a change has the layout's tag, compressed or not")
  func tagOfChange() throws {
    let path = service.path("grid", Sample.grid)
    let answer = service.send(
      .post, "\(path)/updates?rect=0,0,320,480",
      headers: [(.contentType, "application/json"), (.acceptEncoding, "gzip")],
      body: Array(#"{"updates": [{"delete": {"at": [0, 0]}}]}"#.utf8))
    same(answer["Content-Encoding"], "gzip")
    same(answer["ETag"], "\"\(tag(2))\"")
  }

  @Test("large answers are compressed by the workers")
  func deferral() throws {
    let path = service.path("grid", #"{"bounds": {"width": 9}, "sections": [{"items": 5000}]}"#)
    let target = "\(path)/elements?rect=0,0,9,1e6"
    let plain = service.get(target)
    #expect(plain.body.count > 64 << 10 && !plain.wasDeferred)
    let answer = get(target, accepting: "gzip")
    #expect(answer.wasDeferred)
    try same(unpacked(answer.body), plain.body)
  }

  @Test("a long problem is compressed too, and told as a problem")
  func problems() throws {
    let many = Array(repeating: #"{"z": 1}"#, count: 30).joined(separator: ",")
    let answer = service.send(
      .post, "/layouts/grid/prepare",
      headers: [(.contentType, "application/json"), (.acceptEncoding, "gzip")],
      body: Array(#"{"bounds": {"width": 1}, "sections": [{"items": [\#(many)]}]}"#.utf8))
    same(answer["Content-Encoding"], "gzip")
    var problem = answer
    problem.body = try unpacked(answer.body)
    problem.expectProblem(422, "invalid-body")
    same(problem.faults.count, 20)
  }

  @Test("nothing is compressed where that is turned off; bodies may be all the same")
  func off() {
    let service = TestService(isCompressing: false)
    let answer = service.send(.get, "/openapi.yaml", headers: [(.acceptEncoding, "gzip")])
    same(answer["Content-Encoding"], nil)
    same(answer.body.count, OpenAPI.bytes.count)
    same(send(Self.packed, to: service).status, 201)
  }

  // MARK: Bodies

  /// What gzip(1) makes of `{"bounds": {"width": 320}, "sections": [{"items": 9}]}`.
  private static let packed = Array(
    Data(
      base64Encoded:
        "H4sIAAAAAAACA6tWSsovzUspVrJSqFYqz0wpyQCyjI0ManUUlIpTk0sy8/NActHVSpklqbkgpmVtbC0AFohbaDYAAAA="
    )!)

  private func send(
    _ body: [UInt8], to service: TestService, coding: String = "gzip"
  ) -> Answer {
    service.send(
      .post, "/layouts/grid/prepare",
      headers: [(.contentType, "application/json"), (.contentEncoding, coding)], body: body)
  }

  @Test(
    "a compressed body is taken, in any spelling",
    arguments: cases("Compression.body", String.self))
  func body(coding: String) {
    let answer = send(Self.packed, to: service, coding: coding)
    same(answer.status, 201, "\(answer.text)")
    same(answer.json["counts"]["cells"], 9)
  }

  @Test(
    "identity, or no coding in the list, is the body as it is",
    arguments: ["identity", "Identity", "identity, identity", "", " ", ",", " ,\t,, "])
  func identity(coding: String) {
    // RFC 9110, section 5.6.1.2: empty elements of a list are ignored.
    same(send(Array(Sample.grid.utf8), to: service, coding: coding).status, 201)
  }

  @Test("changes are taken compressed as well")
  func changes() throws {
    let path = service.path("grid", Sample.grid)
    let headers = [(FieldName.contentType, "application/json"), (.contentEncoding, "gzip")]
    let patch = try #require(Gzip.compress(Array(#"{"options": {"columns": 4}}"#.utf8)))
    let patched = service.send(.patch, path, headers: headers, body: patch)
    same(patched.json["invalidated"], true, "\(patched.text)")
    let updates = try #require(
      Gzip.compress(Array(#"{"updates": [{"delete": {"at": [0, 0]}}]}"#.utf8)))
    let updated = service.send(.post, "\(path)/updates", headers: headers, body: updates)
    same(updated.json["version"], 3, "\(updated.text)")
    for (method, target) in [(Method.patch, path), (.post, "\(path)/updates")] {
      service.send(method, target, headers: headers, body: Array("{}".utf8))
        .expectProblem(400, "not-gzip")
    }
    same(service.get(path).json["version"], 3)
  }

  @Test(
    "other codings are refused, with the one that is taken",
    arguments: cases("Compression.otherCodings", String.self))
  func otherCodings(coding: String) {
    let answer = send(Self.packed, to: service, coding: coding)
    answer.expectProblem(415, "unsupported-content-coding", saying: "Content-Encoding: gzip")
    same(answer["Accept-Encoding"], "gzip")
    #expect(service.isUntouched)
  }

  @Test("members of gzip one after the other are one body")
  func members() throws {
    // RFC 1952, section 2.2: a file is a series of members, and so what `cat a.gz b.gz` makes.
    let text = Array(Sample.grid.utf8)
    var body: [UInt8] = []
    for cut in stride(from: 0, to: text.count, by: 10) {
      body += try #require(Gzip.compress(Array(text[cut..<min(cut + 10, text.count)])))
    }
    body += try #require(Gzip.compress([]))
    let answer = send(body, to: service)
    same(answer.status, 201, "\(answer.text)")
    let whole = service.prepare("grid", Sample.grid)
    same(answer.json["counts"]["cells"], whole.json["counts"]["cells"])
  }

  @Test("a body that is not whole members of gzip is refused")
  func malformed() {
    var wrongSum = Self.packed
    wrongSum[wrongSum.count - 6] ^= 1
    var wrongLength = Self.packed
    wrongLength[wrongLength.count - 1] ^= 1
    var wrongMethod = Self.packed
    wrongMethod[2] = 7
    var bodies = [wrongSum, wrongLength, wrongMethod, Array(Sample.grid.utf8), [0x1F, 0x8B]]
    bodies += [1, 9, 20].map { Self.packed.dropLast($0) }
    bodies += [Self.packed + [0], Self.packed + Self.packed.dropLast(), [0] + Self.packed, []]
    for body in bodies { send(body, to: service).expectProblem(400, "not-gzip") }
    #expect(service.isUntouched)
  }

  @Test("what is inside is told of as if it had come as it is")
  func contents() throws {
    let syntax = try #require(Gzip.compress(Array("{nothing}".utf8)))
    send(syntax, to: service).expectProblem(400, "not-json", saying: "1.")
    let impossible = try #require(Gzip.compress(Array("[]".utf8)))
    send(impossible, to: service).expectProblem(422, "invalid-body", saying: "must be an object")
    let empty = try #require(Gzip.compress([]))
    send(empty, to: service).expectProblem(400, "not-json")
    #expect(service.isUntouched)
  }

  @Test("what a body may have is what it has when it is unpacked")
  func bombs() throws {
    let limit = 100_000
    let service = TestService(limits: .init(maxBodyBytes: limit))
    func packed(_ count: Int) throws -> [UInt8] {
      let text = Array(#"{"bounds": {"width": 320}, "sections": []}"#.utf8)
      return try #require(
        Gzip.compress(text + Array(repeating: UInt8(ascii: " "), count: count - text.count)))
    }
    for count in [limit + 1, limit + 65_536, 50 << 20] {
      send(try packed(count), to: service)
        .expectProblem(413, "content-too-large", saying: "\(limit) bytes")
    }
    #expect(service.isUntouched)
    same(send(try packed(limit), to: service).status, 201)
  }

  @Test(
    "of several members, too, all together are limited, whichever is the long one",
    arguments: [[300_000, 0], [0, 300_000], [1, 299_998, 1], [150_000, 150_000]])
  func longMembers(lengths: [Int]) throws {
    var text = Array(#"{"bounds": {"width": 320}, "sections": []}"#.utf8)
    text += Array(repeating: UInt8(ascii: " "), count: 300_000 - text.count)
    var body: [UInt8] = []
    var start = 0
    for length in lengths {
      body += try #require(Gzip.compress(Array(text[start..<start + length])))
      start += length
    }
    let exact = TestService(limits: .init(maxBodyBytes: 300_000))
    same(send(body, to: exact).status, 201)
    let less = TestService(limits: .init(maxBodyBytes: 299_999))
    send(body, to: less).expectProblem(413, "content-too-large", saying: "299999 bytes")
  }

  @Test("a daemon takes a compressed body")
  func daemon() throws {
    try withDaemon(service.gateway) { port in
      let client = try HTTPClient(port: port)
      let headers = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
      for _ in 0..<2 {
        let answer = try client.send(
          "POST", "/layouts/grid/prepare", headers: headers, bytes: Self.packed)
        same(answer.status, 201, "\(answer.text)")
      }
      try client.send("POST", "/layouts/grid/prepare", headers: headers, body: Sample.grid)
        .expectProblem(400, "not-gzip")
    }
  }

  private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    try Gzip.decompress(.copying(bytes), limit: 1 << 30).withBytes { Array($0) }
  }
}
