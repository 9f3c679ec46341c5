import MicroHTTP
import TestSupport
import Testing

@Suite("Content of requests")
struct ContentTests {
  private let host = "HTTP/1.1\r\nHost: a\r\n"
  private let tenBytes = DaemonConfiguration.changed { $0.maxBodyBytes = 10 }

  @Test(
    "content of known length arrives, and zeros follow it",
    arguments: [1, 100, 70_000, 1 << 20])
  func knownLength(count: Int) throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let body = String(repeating: "z", count: count)
      client.send("POST /echo \(host)Content-Length: \(count)\r\n\r\n\(body)")
      try same(client.answer().body, body)
      client.send("POST /padding \(host)Content-Length: \(count)\r\n\r\n\(body)")
      try same(client.answer().body, "true")
    }
  }

  @Test("chunks are joined, extensions and trailers are skipped")
  func chunked() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo \(host)Transfer-Encoding: Chunked\r\n\r\n")
      client.send("3\r\nabc\r\n00A;x=y\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n")
      try same(client.answer().body, "abc0123456789")
      client.send("GET / \(host)\r\n")
      try same(client.answer().body, "hello")
    }
  }

  @Test("100 Continue is sent when the content is wanted")
  func continues() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo \(host)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      try same(client.answer().status, 100)
      client.send("ok")
      try same(client.answer().body, "ok")
    }
  }

  @Test(
    "100 Continue that is asked for without content comes before the answer, with others behind it",
    arguments: cases("Content.continuesWithoutContent", String.self, String.self))
  func continuesWithoutContent(start: String, length: String) throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("\(start) \(host)\(length)Expect: 100-continue\r\n\r\nGET / \(host)\r\n")
      try same(client.answer().status, 100)
      #expect(try client.answer().body.hasSuffix("1"))
      try same(client.answer().body, "hello")
      same(responder.askedPaths.count, 2)
    }
  }

  @Test("a refusal takes the place of 100 Continue")
  func refusesInsteadOfContinue() throws {
    try withDaemon(tenBytes) { daemon, responder in
      for (path, status) in [("/nowhere", 404), ("/echo", 413)] {
        let client = try RawClient(port: daemon.port)
        client.send("POST \(path) \(host)Expect: 100-continue\r\nContent-Length: 20\r\n\r\n")
        let answer = try client.answer()
        same(answer.status, status)
        same(answer.headers["connection"], "close")
        #expect(try client.isClosed())
      }
      same(responder.askedPaths, [])
    }
  }

  @Test("HTTP/1.0 knows no 100 Continue: the content of a refused request is read")
  func oldExpectation() throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      let request =
        "POST /nowhere HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n01234"
      client.send(request)
      try same(client.answer().status, 404)
      same(responder.records(atLeast: 1).map(\.bytesReceived), [request.utf8.count])
    }
  }

  @Test("a refusal leaves the connection usable, with and without content")
  func refusalKeepsConnection() throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("GET /nowhere \(host)\r\n")
      try same(client.answer().status, 404)
      client.send("POST /read-only \(host)Content-Length: 100000\r\n\r\n")
      client.send(String(repeating: "x", count: 100_000))
      let answer = try client.answer()
      same(answer.status, 405)
      same(answer.headers["connection"], nil)
      client.send("GET / \(host)\r\n")
      try same(client.answer().body, "hello")
      same(responder.askedPaths, ["/"])
    }
  }

  @Test("content a little above the limit is read, answered with 413, and forgotten")
  func tooLargeKeepsConnection() throws {
    try withDaemon(tenBytes) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo \(host)Content-Length: 11\r\n\r\n0123456789A")
      try same(client.answer().body, "contentTooLarge(limit: 10)")
      client.send("POST /echo \(host)Transfer-Encoding: chunked\r\n\r\n")
      client.send("6\r\n012345\r\n6\r\n6789AB\r\n0\r\n\r\n")
      try same(client.answer().status, 413)
      client.send("POST /echo \(host)Content-Length: 10\r\n\r\n0123456789")
      try same(client.answer().status, 200)
      same(responder.askedPaths, ["/echo"])
    }
  }

  @Test("content far above the limit is answered with 413 before it is read")
  func farTooLarge() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo \(host)Content-Length: 1000000000\r\n\r\n")
      let answer = try client.answer()
      same(answer.status, 413)
      same(answer.headers["connection"], "close")
    }
  }

  @Test("a client that sends everything first still sees the early 413")
  func earlyAnswerLingers() throws {
    try withDaemon(tenBytes) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let count = 12 << 20
      client.send("POST /echo \(host)Content-Length: \(count)\r\n\r\n")
      // All of it is taken.
      #expect(client.send([UInt8](repeating: 120, count: count)))
      try same(client.answer().status, 413)
    }
  }

  @Test("so it is after hundreds of others")
  func lingersAgain() throws {
    try withDaemon(tenBytes) { daemon, _ in
      for _ in 0..<300 {
        let client = try RawClient(port: daemon.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        try same(client.answer().status, 400)
      }
      #expect(
        eventually {
          guard let client = try? RawClient(port: daemon.port) else { return false }
          let count = 12 << 20
          client.send("POST /echo \(host)Content-Length: \(count)\r\n\r\n")
          return client.send([UInt8](repeating: 120, count: count))
        })
    }
  }

  @Test("content above a high limit by less than is drained is read, too")
  func tooLargeAboveHighLimit() throws {
    try withDaemon(.changed { $0.maxBodyBytes = 4 << 20 }) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let count = 10 << 20
      client.send("POST /echo \(host)Content-Length: \(count)\r\n\r\n")
      #expect(client.send([UInt8](repeating: 120, count: count)))
      let answer = try client.answer()
      same(answer.status, 413)
      same(answer.headers["connection"], nil)
      client.send("GET / \(host)\r\n")
      try same(client.answer().status, 200)
    }
  }

  @Test(
    "content that is 8 MiB too long is read to its end, longer one is not waited for",
    arguments: [0, 1])
  func tooLargeByPatience(excess: Int) throws {
    try withDaemon(tenBytes) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let count = 10 + (8 << 20) + excess
      client.send("POST /echo \(host)Content-Length: \(count)\r\n\r\n")
      if excess == 0 { #expect(client.send([UInt8](repeating: 120, count: count))) }
      let answer = try client.answer()
      same(answer.status, 413)
      same(answer.headers["connection"], (excess == 0 ? nil : "close"))
    }
  }

  @Test("chunks without end are cut off with 413")
  func endlessChunks() throws {
    try withDaemon(tenBytes) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo \(host)Transfer-Encoding: chunked\r\n\r\n")
      let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 120, count: 0x10000) + [13, 10]
      var sent = 0
      while sent < 1000 && client.send(chunk) { sent += 1 }
      #expect(sent < 1000)
      same(responder.records(atLeast: 1).map(\.status), [413])
    }
  }

  @Test("content that should come but has no length is asked for with 411")
  func lengthRequired() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo \(host)\r\n")
      try same(client.answer().status, 411)
      client.send("POST /echo \(host)Content-Length: 0\r\n\r\n")
      try same(client.answer().status, 200)
      client.send("POST /nowhere \(host)\r\n")
      try same(client.answer().status, 404)
    }
  }

  @Test("a body stays as it is however it grows")
  func growth() {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let body = RequestBody.copying(bytes)
    same(body.count, bytes.count)
    same(body.withBytes { Array($0) }, bytes)
  }
}
