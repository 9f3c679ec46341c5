import System
import TestSupport
import Testing

@testable import MicroHTTP

@Suite("Time that requests, answers and silence have")
struct TimeoutTests {
  private let get = "HTTP/1.1\r\nHost: a\r\n\r\n"
  private let clock = ManualClock()

  @Test(
    "a request that stalls is answered with 408, be the connection's timeout as long or shorter",
    arguments: [30, 50])
  func stall(requestSeconds: Int) throws {
    let configuration = DaemonConfiguration.changed {
      $0.connectionTimeout = .seconds(30)
      $0.requestTimeout = .seconds(requestSeconds)
    }
    let post = "HTTP/1.1\r\nHost: a\r\n"
    let beginnings = [
      "GET /x HTTP/1.1\r\n",
      "GET /x HTTP/1.1\r\nHost: a\r\nX: ",
      "POST /echo \(post)Content-Length: 10\r\n\r\n",
      "POST /echo \(post)Content-Length: 10\r\n\r\nx",
      "POST /echo \(post)Transfer-Encoding: chunked\r\n\r\n5\r\nab",
      "POST /nowhere \(post)Content-Length: 10\r\n\r\nx",
    ]
    try withDaemon(configuration, clock: clock) { daemon, responder in
      let clients = try beginnings.map { beginning in
        let client = try RawClient(port: daemon.port)
        client.send(beginning)
        return client
      }
      #expect(eventually { haveBegun(beginnings, on: daemon) })
      clock.advance(by: .seconds(requestSeconds - 1), of: daemon)
      same(daemon.requestsInFlight, beginnings.count)
      clock.advance(by: .seconds(1), of: daemon)
      for (client, beginning) in zip(clients, beginnings) {
        #expect(try client.rest().hasPrefix("HTTP/1.1 408 "), "\(beginning)")
      }
      #expect(eventually { daemon.connectionCount == 0 })
      let records = responder.records(atLeast: beginnings.count)
      same(records.map(\.status), beginnings.map { _ in .requestTimeout })
      #expect(records.allSatisfy { $0.bytesSent == "requestTimeout".utf8.count })
      same(responder.askedPaths, [])
    }
  }

  @Test(
    "a request that drips is ended with 408 at its deadline",
    arguments: cases("Timeout.drip", String.self))
  func drip(start: String) throws {
    try withDaemon(
      .changed { $0.requestTimeout = .seconds(30) }, clock: clock
    ) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send(start)
      #expect(eventually { haveBegun([start], on: daemon) })
      for _ in 0..<29 {
        client.send("x")
        clock.advance(by: .seconds(1), of: daemon)
      }
      same(daemon.requestsInFlight, 1)
      // A byte of content is worth 61 microseconds.
      clock.advance(by: .milliseconds(1002), of: daemon)
      #expect(try client.rest().hasPrefix("HTTP/1.1 408 "))
      #expect(eventually { daemon.connectionCount == 0 })
      same(responder.records(atLeast: 1).map(\.status), [.requestTimeout])
      same(responder.askedPaths, [])
    }
  }

  /// Whether the requests of some beginnings have begun, and the content of those that have some:
  /// its time counts from there.
  private func haveBegun(_ beginnings: [String], on daemon: Daemon) -> Bool {
    var contents = 0
    daemon.core.table.forEachConnection { _, connection in
      if connection.timeout.withLock({ $0.request != nil }) { contents += 1 }
    }
    return daemon.requestsInFlight == beginnings.count
      && contents == beginnings.count { $0.hasPrefix("POST") }
  }

  /// When the connections end, in nanoseconds after the start of the clock.
  private func deadlines(of daemon: Daemon) -> [Nanoseconds] {
    var times: [Nanoseconds] = []
    daemon.core.table.forEachConnection { times.append($1.deadline.time) }
    return times
  }

  private func seconds(_ count: Int) -> Nanoseconds { Nanoseconds(count) * 1_000_000_000 }

  @Test(
    "content may take as long as it needs while it arrives",
    arguments: ["Content-Length: 2000001", "Transfer-Encoding: chunked"])
  func slowLine(framing: String) throws {
    try withDaemon(
      .changed {
        $0.requestTimeout = .seconds(30)
        $0.maxBodyBytes = 2_000_001
      }, clock: clock
    ) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
      let isChunked = framing.hasPrefix("T")
      // A hundred seconds at 20 kB/s.
      let piece = String(repeating: "x", count: 20_000)
      for second in 0..<100 {
        client.send(isChunked ? "4e20\r\n\(piece)\r\n" : piece)
        #expect(
          eventually { deadlines(of: daemon) == [seconds(second + 30)] },
          "\(second): \(deadlines(of: daemon))")
        clock.advance(by: .seconds(1), of: daemon)
      }
      same(daemon.requestsInFlight, 1)
      client.send(isChunked ? "1\r\nx\r\n0\r\n\r\n" : "x")
      try same(client.answer().bytes.count, 2_000_001)
    }
  }

  @Test("content that comes too slowly, or pauses for too long, is ended with 408")
  func slowContent() throws {
    try withDaemon(
      .changed { $0.requestTimeout = .seconds(30) }, clock: clock
    ) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n")
      // The time of the content begins here, and not with the connection.
      _ = try client.text(through: "100 Continue\r\n\r\n")
      same(deadlines(of: daemon), [seconds(30)])
      clock.advance(by: .seconds(10), of: daemon)
      // Each 16 KiB are worth a second.
      client.send(String(repeating: "x", count: 5 << 14))
      #expect(eventually { deadlines(of: daemon) == [seconds(35)] })
      client.send(String(repeating: "x", count: 5 << 14))
      #expect(eventually { deadlines(of: daemon) == [seconds(40)] })
      clock.advance(by: .seconds(29), of: daemon)
      same(daemon.requestsInFlight, 1)
      clock.advance(by: .seconds(1), of: daemon)
      let answer = try client.answer()
      same(answer.status, 408)
      // The answer is made for the request.
      same(answer.headers["x-target"], "/echo")
      same(responder.records(atLeast: 1).map(\.status), [.requestTimeout])
    }
  }

  @Test("the answer to a HEAD that stalls has no content")
  func stalledHead() throws {
    try withDaemon(
      .changed { $0.requestTimeout = .seconds(30) }, clock: clock
    ) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send("HEAD /x HTTP/1.1\r\n")
      #expect(eventually { deadlines(of: daemon) == [seconds(30)] })
      clock.advance(by: .seconds(10), of: daemon)
      client.send("Host: a\r\nContent-Length: 10\r\n\r\n")
      #expect(eventually { deadlines(of: daemon) == [seconds(40)] })
      clock.advance(by: .seconds(30), of: daemon)
      let answer = try client.rest()
      #expect(answer.hasPrefix("HTTP/1.1 408 "))
      #expect(answer.hasSuffix("\r\n\r\n"))
      same(responder.records(atLeast: 1).map(\.bytesSent), [0])
    }
  }

  @Test("a first line that drips is cut off without an answer, a deferred request is not")
  func dripOfFirstLine() throws {
    try withDaemon(
      .changed {
        $0.requestTimeout = .seconds(10)
        $0.connectionTimeout = .seconds(30)
      }, clock: clock
    ) { daemon, responder in
      let waiting = try RawClient(port: daemon.port)
      waiting.send("GET /gate \(get)")
      #expect(eventually { daemon.workQueueDepth == 1 })
      let client = try RawClient(port: daemon.port)
      client.send("GET /")
      #expect(eventually { daemon.connectionCount == 2 })
      for _ in 0..<29 {
        client.send("x")
        clock.advance(by: .seconds(1), of: daemon)
      }
      same(daemon.connectionCount, 2)
      #expect(clock.advance(until: 1, of: daemon))
      try same(client.rest(), "")
      responder.gate.open()
      try same(waiting.answer().body, "through")
    }
  }

  @Test("a connection without a request is closed without an answer", arguments: [10, 300])
  func idle(requestSeconds: Int) throws {
    try withDaemon(
      .changed {
        $0.connectionTimeout = .seconds(30)
        $0.requestTimeout = .seconds(requestSeconds)
      }, clock: clock
    ) { daemon, responder in
      let silent = try RawClient(port: daemon.port)
      let halfway = try RawClient(port: daemon.port)
      halfway.send("GET /x HTTP")
      clock.advance(by: .seconds(15), of: daemon)
      let served = try RawClient(port: daemon.port)
      served.send("GET / \(get)")
      try same(served.answer().status, 200)
      same(responder.records(atLeast: 1).map(\.status), [.ok])
      clock.advance(by: .seconds(14), of: daemon)
      same(daemon.connectionCount, 3)
      #expect(clock.advance(until: 0, of: daemon))
      for client in [silent, halfway, served] { #expect(try client.isClosed()) }
      same(responder.records.count, 1)
    }
  }

  @Test("so is one whose TLS handshake is never finished")
  func handshake() throws {
    try withDaemon(
      .changed {
        $0.connectionTimeout = .seconds(30)
        $0.tls = .test
      }, clock: clock
    ) { daemon, _ in
      let clients = try (0..<2).map { _ in try RawClient(port: daemon.port) }
      // The beginning of a ClientHello.
      clients[1].send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
      #expect(eventually { daemon.connectionCount == 2 })
      #expect(clock.advance(until: 0, of: daemon))
      for client in clients { #expect(try client.isClosed()) }
    }
  }

  @Test("an answer that is taken slowly outlasts the connection's timeout")
  func slowReader() throws {
    try withDaemon(
      .changed {
        // One, so that it is on the thread that closes the other.
        $0.threads = 1
        $0.connectionTimeout = .seconds(30)
      }, clock: clock
    ) { daemon, _ in
      let slow = try RawClient(port: daemon.port)
      slow.send("GET /large?20000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      try same(slow.answer(hasBody: false).status, 200)
      // When a connection that is younger has been silent for too long, this one has been as well.
      let silent = try RawClient(port: daemon.port)
      #expect(eventually { daemon.connectionCount == 2 })
      #expect(clock.advance(until: 1, of: daemon))
      #expect(try silent.isClosed())
      try same(slow.rest().utf8.count, 20_000_000)
    }
  }

  @Test("answers that are not taken are cut off, small ones too")
  func answersNotTaken() throws {
    try withDaemon(
      .changed { $0.requestTimeout = .seconds(30) }, clock: clock
    ) { daemon, responder in
      let client = try RawClient(port: daemon.port, seconds: 1)
      // Until the system's buffers are full, and then the server does not read any more.
      while client.send("GET /large?10000 \(get)") {}
      same(daemon.connectionCount, 1)
      #expect(clock.advance(until: 0, of: daemon))
      same(responder.records.last?.isComplete, false)
    }
  }
}
