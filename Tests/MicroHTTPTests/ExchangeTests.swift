import System
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Requests and answers")
struct ExchangeTests {
  @Test("a connection serves one request after another")
  func keepAlive() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      for _ in 0..<3 {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.answer()
        same(answer.status, 200)
        same(answer.body, "hello")
        same(answer.headers["content-type"], "text/plain")
        same(answer.headers["etag"], "\"tag\"")
        same(answer.headers["connection"], nil)
      }
      same(daemon.connectionCount, 1)
    }
  }

  @Test("Connection: close ends the connection after the answer")
  func connectionClose() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      try same(client.answer().headers["connection"], "close")
      #expect(try client.isClosed())
      #expect(eventually { daemon.connectionCount == 0 })
    }
  }

  @Test("pipelined requests are answered in their order, deferred ones included")
  func pipelining() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let numbers = [900, 0, 500, 3, 1, 2]
      client.send(
        numbers.map { "GET /\($0 > 2 ? "deferred" : "target")?\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
          .joined())
      for number in numbers {
        let body = try client.answer().body
        same(body, (number > 2 ? "\(number)" : "/target \(number)"))
      }
    }
  }

  @Test("HEAD has the length of GET and no content")
  func head() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\nHEAD /declared HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer(hasBody: false).headers["content-length"], "5")
      try same(client.answer(hasBody: false).headers["content-length"], "4321")
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().body, "hello")
    }
  }

  @Test("a 304 has the length that the content would have, and no content")
  func notModified() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      for _ in 0..<2 {
        client.send("GET /unchanged HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try client.answer()
        same(answer.status, 304)
        same(answer.headers["content-length"], "1234")
        same(answer.headers["etag"], "\"1\"")
      }
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().body, "hello")
    }
  }

  @Test("a 304 of unknown length claims none")
  func notModifiedOfUnknownLength() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET /unchanged-unknown HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.answer()
      same(answer.status, 304)
      same(answer.headers["content-length"], nil)
      same(answer.headers["transfer-encoding"], nil)
      #expect(try client.isClosed())
    }
  }

  @Test("a 204 has neither content nor length")
  func noContent() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("DELETE /gone HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try client.answer()
      same(answer.status, 204)
      same(answer.headers["content-length"], nil)
      try same(client.answer().body, "hello")
    }
  }

  @Test("the target arrives as it was sent")
  func rawTarget() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let cases = [
        ("/target?a=%20+b&c=%00&&d", "/target a=%20+b&c=%00&&d"),
        ("/target", "/target -"),
        ("/target?", "/target "),
        ("/target?a?b", "/target a?b"),
        ("http://example.org/target?x", "/target x"),
      ]
      for (target, expected) in cases {
        client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        try same(client.answer().body, expected)
      }
      client.send("GET /%2e%2e/%00x HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().body, "hello")
    }
  }

  @Test("fields are found without regard to case, and repeated ones are joined")
  func fields() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET /field HTTP/1.1\r\nHost: a\r\nx-THING:  one \t\r\nX-Thing: two\r\n\r\n")
      try same(client.answer().body, "one, two")
    }
  }

  @Test("OPTIONS * reaches the responder, and other methods keep their names")
  func methods() throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nPROPFIND /x HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().headers["x-method"], "OPTIONS")
      try same(client.answer().headers["x-method"], "PROPFIND")
      same(responder.askedPaths, ["*", "/x"])
    }
  }

  @Test("HTTP/1.0 is answered and closed")
  func http10() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("GET / HTTP/1.0\r\n\r\n")
      try same(client.answer().body, "hello")
      #expect(try client.isClosed())
    }
  }

  @Test("a record tells what became of each request")
  func records() throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      let text = "POST /echo?q HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
      client.send(text + "abc")
      _ = try client.answer()
      let record = try #require(responder.records(atLeast: 1).first)
      same(record.request.method, .post)
      same(record.request.target.description, "/echo?q")
      same(record.status, .ok)
      #expect(record.isComplete)
      same(record.bytesReceived, text.utf8.count + 3)
      same(record.bytesSent, 3)
      #expect(record.nanoseconds > 0)
      same(record.request.remoteAddress.host, "127.0.0.1")
    }
  }

  @Test("a large answer arrives whole")
  func largeAnswer() throws {
    try withDaemon(.changed { $0.maxBodyBytes = 32 << 20 }) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let count = 5 << 20
      let body = [UInt8](repeating: UInt8(ascii: "y"), count: count)
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
      client.send(body)
      let answer = try client.answer()
      same(answer.body.utf8.count, count)
      #expect(answer.body.utf8.allSatisfy { $0 == UInt8(ascii: "y") })
    }
  }

  @Test("a request that is kept is not changed by the next")
  func keptRequests() throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      for path in ["/first", "/second"] {
        client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        try same(client.answer().status, 200)
      }
      let targets = responder.records(atLeast: 2).map { $0.request.target.description }
      same(targets, ["/first", "/second"])
    }
  }

  @Test("a request that is kept before its body has none afterwards")
  func keptBeforeBody() throws {
    let keeper = Keeper()
    let daemon = try Daemon(configuration: .changed { _ in }, responder: keeper)
    defer { daemon.shutDown(grace: .zero) }
    let client = try RawClient(port: daemon.port)
    client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
    try same(client.answer().body, "ok")
    let kept = try #require(keeper.kept.withLock { $0.first })
    same(kept.target.description, "/x")
    #expect(kept.body == nil)
  }

  /// Keeps requests whose bodies are still to come, and answers with those.
  private final class Keeper: Responder {
    let kept = Monitor<[Request]>([])

    func rejection(of request: borrowing Request) -> Response? {
      let request = copy request
      kept.withLock { $0.append(request) }
      return nil
    }

    func respond(to request: borrowing Request) -> Outcome {
      .respond(Response(status: .ok, body: request.body?.withBytes { Array($0) } ?? []))
    }

    func response(to problem: TransportProblem, request: Request?) -> Response {
      Response(status: problem.status)
    }

    func requestCompleted(_ record: borrowing RequestRecord) {}
  }
}
