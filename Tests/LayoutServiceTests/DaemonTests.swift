import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import MicroHTTP

@Suite struct DaemonTests {
  @Test("a layout is prepared, queried, asked for again and deleted")
  func life() throws {
    try withDaemon(TestService().gateway) { port in
      let client = try HTTPClient(port: port)
      let created = try client.prepare("grid", Sample.grid)
      same(created.status, 201)
      same(created["Content-Type"], "application/json")
      created.expectLayoutHeaders()
      let path = try #require(created["Location"])

      let target = "\(path)/elements?rect=0,0,320,480"
      let query = try client.send("GET", target)
      same(query.status, 200)
      same(query.json["elements"].array.count, 29)
      query.expectLayoutHeaders()

      let tag = try #require(query["ETag"])
      let again = try client.send("GET", target, headers: [("If-None-Match", "W/\(tag)")])
      same(again.status, 304)
      same(again["ETag"], tag)
      again.expectLayoutHeaders()

      let head = try client.send("HEAD", target)
      same(head.status, 200)
      same(head["Content-Length"], "\(query.body.count)")
      same(head["Content-Type"], "application/json")
      head.expectLayoutHeaders()

      try same(client.send("DELETE", path).status, 204)
      try client.send("GET", path).expectProblem(404, "no-such-layout")
    }
  }

  @Test("large work is done by the workers")
  func deferred() throws {
    try withDaemon(TestService().gateway) { port in
      let client = try HTTPClient(port: port)
      let created = try client.prepare(
        "waterfall", #"{"bounds": {"width": 320}, "sections": [{"items": 30000}]}"#)
      same(created.status, 201, "\(created.text)")
      let path = try #require(created["Location"])
      let all = try client.send("GET", "\(path)/elements?rect=0,0,320,1e9&limit=30000")
      same(all.cellCount, 30_000)
    }
  }

  @Test("what a body unpacks to is taken of the memory for bodies")
  func unpacking() throws {
    var configuration = DaemonConfiguration(port: 0)
    configuration.maxBufferBytes = 1 << 20
    try withDaemon(TestService().gateway, configuration: configuration) { port in
      let client = try HTTPClient(port: port)
      func send(_ count: Int) throws -> Answer {
        let text = Array(Sample.grid.utf8) + Array(repeating: UInt8(ascii: " "), count: count)
        return try client.send(
          "POST", "/layouts/grid/prepare",
          headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")],
          bytes: Gzip.compress(text))
      }
      try send(4 << 20).expectProblem(503, "buffers-full")
      try same(send(500_000).status, 201)
    }
  }

  @Test("a refused request is answered without its body, and leaves the connection usable")
  func refusals() throws {
    let service = TestService()
    try withDaemon(service.gateway) { port in
      let json = ("Content-Type", "application/json")
      let client = try HTTPClient(port: port)
      try client.send("POST", "/layouts/table/prepare", headers: [json], body: "{}")
        .expectProblem(404, "unknown-kind")
      try HTTPClient(port: port)
        .send(
          "POST", "/layouts/grid/prepare", headers: [("Content-Type", "text/plain")], body: "{}"
        )
        .expectProblem(415, "unsupported-media-type")
      let method = try HTTPClient(port: port).send("POST", "/healthz", body: "{}")
      method.expectProblem(405, "method-not-allowed")
      same(method["Allow"], "GET, HEAD, OPTIONS")
      try same(HTTPClient(port: port).send("OPTIONS", "*").status, 204)
    }
    #expect(service.isUntouched)
  }

  @Test("what the connection refuses is told as a problem")
  func transport() throws {
    let service = TestService()
    try withDaemon(service.gateway) { port in
      let json = ("Content-Type", "application/json")
      try HTTPClient(port: port).send("POST", "/layouts/grid/prepare", headers: [json])
        .expectProblem(411, "length-required", saying: "Content-Length")
      // The body is announced and never sent.
      try HTTPClient(port: port)
        .send("POST", "/layouts/grid/prepare", headers: [json, ("Content-Length", "100000000")])
        .expectProblem(413, "content-too-large", saying: "1048576")
      let long = String(repeating: "x", count: 9000)
      try HTTPClient(port: port).send("GET", "/\(long)")
        .expectProblem(414, "uri-too-long", saying: "8192")
      let fields = (0..<4).map { _ in ("X", String(repeating: "x", count: 4100)) }
      try HTTPClient(port: port).send("GET", "/healthz", headers: fields)
        .expectProblem(431, "header-fields-too-large", saying: "16384")
      try HTTPClient(port: port).send("GET", "/healthz#top")
        .expectProblem(400, "malformed-request", saying: "percent-encoded")
    }
    #expect(service.isUntouched)
  }

  @Test("the longest header section leaves room for that of any answer")
  func roomForAnswer() throws {
    let service = TestService()
    try withDaemon(service.gateway) { port in
      let id = String(repeating: "i", count: 128)
      let fields = [
        ("Origin", "https://example.com"), ("Access-Control-Request-Method", "DELETE"),
        ("X-Request-Id", id),
      ]
      // Five fields, with the client's own Host; a byte more is too much.
      let lines = fields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 4 }
      let head = "OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8.count + lines
      for (excess, status) in [(0, 204), (1, 431)] {
        let value = String(repeating: "x", count: 16384 - head - 5 * 64 - 5 + excess)
        let answer = try HTTPClient(port: port).send(
          "OPTIONS", "/", headers: fields + [("X", value)])
        same(answer.status, status)
        same(answer["X-Request-Id"], id)
        #expect(answer["Access-Control-Expose-Headers"] != nil)
      }
    }
  }

  @Test("a chunked body is taken")
  func chunked() throws {
    try withDaemon(TestService().gateway) { port in
      let client = try HTTPClient(port: port)
      let bytes = Array(Sample.grid.utf8)
      let chunks = stride(from: 0, to: bytes.count, by: 50).map { start in
        let chunk = bytes[start..<min(start + 50, bytes.count)]
        return String(chunk.count, radix: 16) + "\r\n" + String(decoding: chunk, as: UTF8.self)
      }
      let answer = try client.sendChunked(
        "/layouts/grid/prepare", chunks: chunks.joined(separator: "\r\n") + "\r\n0\r\n\r\n")
      same(answer.status, 201, "\(answer.text)")
    }
  }
}
