import TestSupport
import Testing

/// Connections that do more, or less, than a proper client's.
@Suite("Connections", .serialized)
struct ConnectionTests {
  private let host = "HTTP/1.1\r\nHost: a\r\n"

  @Test("a pipeline of 1,000 requests is answered in its order")
  func pipeline() throws {
    try TestServer.with { server in
      let client = try server.connect()
      let requests = (0..<1000).map { index -> String in
        let id = "X-Request-Id: r\(index)\r\n"
        return switch index % 5 {
        case 0: "GET /healthz \(host)\(id)\r\n"
        case 1: "GET /nothing/\(index) \(host)\(id)\r\n"
        case 2:
          "POST /layouts/tree/prepare \(host)\(id)Content-Type: application/json\r\n"
            + "Content-Length: 11\r\n\r\n{\"nodes\":\(index % 10)}"
        case 3:
          "POST /layouts/cone/prepare \(host)\(id)Content-Type: application/json\r\n"
            + "Content-Length: 2\r\n\r\n{}"
        default: "OPTIONS * \(host)\(id)\r\n"
        }
      }
      // The socket may not take everything before answers are read: a thread of its own sends it,
      // and nobody else sends meanwhile.
      nonisolated(unsafe) let sender = client
      let text = requests.joined()
      let writer = BackgroundThread { sender.send(text) }
      let expected = [200, 404, 201, 404, 204]
      for index in 0..<1000 {
        let answer = try client.answer()
        same(answer.status, expected[index % 5], "\(index): \(answer)")
        same(answer.headers["x-request-id"], "r\(index)")
      }
      writer.join()
    }
  }

  @Test("a client that has said all it will say still gets its answers")
  func halfClosed() throws {
    try TestServer.with { server in
      let client = try server.connect()
      let body = #"{"nodes": 5000}"#
      client.send(
        "POST /layouts/tree/prepare \(host)Content-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)GET /healthz \(host)\r\n")
      client.finishSending()
      try same(client.answersToTheEnd().map(\.status), [201, 200])
    }
  }

  @Test(
    "a client that stops in the middle is let go",
    arguments: cases("Connection.stops", String.self))
  func stops(text: String) throws {
    try TestServer.with { server in
      let client = try server.connect()
      client.send(text)
      client.finishSending()
      let answers = try client.answersToTheEnd()
      #expect(answers.allSatisfy { $0.status == 400 }, "\(answers)")
      #expect(eventually { server.daemon.connectionCount == 0 })
      same(server.sessions.statistics.sessions, 0)
    }
  }

  @Test("200 clients that die while they send or receive leave nothing behind")
  func resets() throws {
    let server = try Program()
    defer { server.stop() }
    let large = try RawClient(port: server.port)
    let body = #"{"bounds": {"width": 320}, "sections": [{"items": 100000}]}"#
    large.send(
      "POST /layouts/grid/prepare \(host)Content-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    let path = try #require(try large.answer().headers["location"])
    let before = server.socketCount
    for index in 0..<200 {
      let client = try RawClient(port: server.port)
      switch index % 4 {
      case 0: client.send("GET /healthz HTTP/1.1\r\nHo")
      case 1:
        client.send(
          "POST /layouts/grid/prepare \(host)Content-Type: application/json\r\n"
            + "Content-Length: 100000\r\n\r\n\(body)")
      case 2:
        // An answer of some megabytes, of which nothing is read.
        client.send("GET \(path)/elements?rect=0,0,1e6,1e6&limit=5000 \(host)\r\n")
      default:
        client.send("GET \(path)/elements?rect=0,0,1e6,1e6&limit=5000 \(host)\r\n")
        _ = try? client.answer(hasBody: false)
      }
      client.reset()
    }
    #expect(eventually { server.socketCount == before })
    large.send("GET /metrics \(host)\r\n")
    let metrics = try large.answer().body.split(separator: "\n")
    for gauge in ["layoutd_connections 1.0", "layoutd_sessions 1.0", "layoutd_queue_depth 0.0"] {
      #expect(metrics.contains(gauge[...]))
    }
  }

  @Test("50 clients that promise 64 MiB each reserve next to nothing")
  func promises() throws {
    let server = try Program()
    defer { server.stop() }
    let clients = try (0..<50).map { _ in try RawClient(port: server.port) }
    let before = server.residentBytes
    for client in clients {
      client.send(
        "POST /layouts/tree/prepare \(host)Content-Type: application/json\r\n"
          + "Expect: 100-continue\r\nContent-Length: \(64 << 20)\r\n\r\n")
    }
    // From then on each has its place.
    for client in clients { try same(client.answer(hasBody: false).status, 100) }
    let after = server.residentBytes
    #expect(after - before < 32 << 20, "\((after - before) >> 20) MiB")
  }

  @Test("2,000 idle connections hold nobody up")
  func idle() throws {
    try #require(OwnProcess.allowDescriptors(4500))
    try TestServer.with { server in
      let idle = try (0..<2000).map { _ in try server.connect() }
      #expect(eventually { server.daemon.connectionCount == 2000 })
      let busy = try server.connect()
      for _ in 0..<200 {
        busy.send("GET /healthz \(host)\r\n")
        try same(busy.answer().status, 200)
      }
      // Idle is not dead.
      for client in [idle[0], idle[999], idle[1999]] {
        client.send("GET /healthz \(host)\r\n")
        try same(client.answer().status, 200)
      }
    }
  }

  @Test("clients that never close are let go all the same")
  func lingering() throws {
    let server = try Program()
    defer { server.stop() }
    let before = server.socketCount
    let clients = try (0..<10).map { _ in try RawClient(port: server.port) }
    for client in clients {
      client.send("GET / HTTP/1.1\r\n\r\n")
      try same(client.answer().status, 400)
    }
    #expect(eventually { server.socketCount == before })
    withExtendedLifetime(clients) {}
  }
}
