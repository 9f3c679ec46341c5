import TestSupport
import Testing

@testable import MicroHTTP

/// Each of these takes as long as the timeouts that it sets.
@Suite("Time that requests, answers and silence have")
struct TimeoutTests {
  private let get = "HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test(
    "a request that stalls is answered with 408, be the connection's timeout as long or shorter",
    arguments: [Duration.seconds(1), .milliseconds(1600)])
  func stall(requestTimeout: Duration) throws {
    let configuration = DaemonConfiguration.changed {
      $0.connectionTimeout = .seconds(1)
      $0.requestTimeout = requestTimeout
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
    try withDaemon(configuration) { daemon, responder in
      let clients = try beginnings.map { beginning in
        let client = try RawClient(port: daemon.port)
        client.send(beginning)
        return client
      }
      for (client, beginning) in zip(clients, beginnings) {
        #expect(try client.rest().hasPrefix("HTTP/1.1 408 "), "\(beginning)")
      }
      #expect(eventually { daemon.connectionCount == 0 })
      let records = responder.records(atLeast: beginnings.count)
      #expect(records.map(\.status) == beginnings.map { _ in .requestTimeout })
      #expect(responder.askedPaths == [])
    }
  }

  @Test(
    "a request that drips is ended with 408 at its deadline",
    arguments: [
      "GET /x HTTP/1.1\r\nHost: a\r\nX: ",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
    ])
  func drip(start: String) throws {
    try withDaemon(.changed { $0.requestTimeout = .milliseconds(150) }) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send(start)
      #expect(drip(client))
      #expect(try client.rest().hasPrefix("HTTP/1.1 408 "))
      #expect(eventually { daemon.connectionCount == 0 })
      #expect(responder.records(atLeast: 1).map(\.status) == [.requestTimeout])
      #expect(responder.askedPaths == [])
    }
  }

  /// Sends a letter again and again, never idle for long and never done, until the server answers
  /// or closes.
  ///
  /// - Returns: Whether it did within 5,000 letters, or ten seconds.
  private func drip(_ client: RawClient) -> Bool {
    for _ in 0..<5000 {
      client.send("x")
      if client.isReadable(withinMilliseconds: 2) { return true }
    }
    return false
  }

  @Test("a first line that drips is cut off without an answer, a deferred request is not")
  func dripOfFirstLine() throws {
    try withDaemon(
      .changed {
        $0.requestTimeout = .milliseconds(50)
        $0.connectionTimeout = .seconds(1)
      }
    ) { daemon, responder in
      let waiting = try RawClient(port: daemon.port)
      waiting.send("GET /gate \(get)")
      let client = try RawClient(port: daemon.port)
      client.send("GET /")
      #expect(drip(client))
      #expect(try client.rest() == "")
      #expect(eventually { daemon.connectionCount == 1 })
      responder.gate.open()
      #expect(try waiting.answer().body == "through")
    }
  }

  @Test("a connection without a request is closed without an answer", arguments: [1, 30])
  func idle(requestSeconds: Int) throws {
    try withDaemon(
      .changed {
        $0.connectionTimeout = .seconds(1)
        $0.requestTimeout = .seconds(requestSeconds)
      }
    ) { daemon, responder in
      let silent = try RawClient(port: daemon.port)
      let halfway = try RawClient(port: daemon.port)
      halfway.send("GET /x HTTP")
      let served = try RawClient(port: daemon.port)
      served.send("GET / \(get)")
      #expect(try served.answer().status == 200)
      for client in [silent, halfway, served] { #expect(try client.isClosed()) }
      #expect(eventually { daemon.connectionCount == 0 })
      #expect(responder.records.map(\.status) == [.ok])
    }
  }

  @Test("so is one whose TLS handshake is never finished")
  func handshake() throws {
    try withDaemon(
      .changed {
        $0.connectionTimeout = .seconds(1)
        $0.tls = .test
      }
    ) { daemon, _ in
      let clients = try (0..<2).map { _ in try RawClient(port: daemon.port) }
      // The beginning of a ClientHello.
      clients[1].send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
      for client in clients { #expect(try client.isClosed()) }
      #expect(eventually { daemon.connectionCount == 0 })
    }
  }

  @Test("an answer that is taken slowly outlasts the connection's timeout")
  func slowReader() throws {
    try withDaemon(
      .changed {
        // One, so that it is on the thread that closes the other.
        $0.threads = 1
        $0.connectionTimeout = .seconds(1)
      }
    ) { daemon, _ in
      let slow = try RawClient(port: daemon.port)
      slow.send("GET /large?20000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(try slow.answer(hasBody: false).status == 200)
      // When a connection that is younger has been silent for too long, this one has been as well.
      #expect(try RawClient(port: daemon.port).isClosed())
      #expect(try slow.rest().utf8.count == 20_000_000)
    }
  }

  @Test("answers that are not taken are cut off, small ones too")
  func answersNotTaken() throws {
    try withDaemon(.changed { $0.requestTimeout = .milliseconds(200) }) { daemon, responder in
      let client = try RawClient(port: daemon.port)
      // Until the system's buffers are full, and then the server does not read any more.
      while client.send("GET /large?10000 \(get)") {}
      #expect(eventually { daemon.connectionCount == 0 })
      #expect(responder.records.last?.isComplete == false)
    }
  }
}
