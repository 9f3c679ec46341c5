import TestSupport
import Testing

/// Requests whose end two servers could see in different places (RFC 9112, section 11.2).
@Suite("Requests within requests")
struct SmugglingTests {
  /// What an attacker wants to have answered in somebody else's name.
  private static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let head =
    "POST /layouts/tree/prepare HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"

  @Test(
    "framing that is not certain is answered with 400 once, and nothing behind it",
    arguments: cases("Smuggling.uncertain", String.self))
  func uncertain(fields: String) throws {
    try TestServer.with { server in
      let client = try server.connect()
      client.send(Self.head + fields + Self.hidden)
      client.finishSending()
      try same(client.statusesToTheEnd(), [400])
      same(server.sessions.statistics.sessions, 0)
    }
  }

  @Test(
    "a request in a body stays a body, whether the body is wanted or not",
    arguments: cases("Smuggling.inBody", String.self, Int.self))
  func inBody(line: String, status: Int) throws {
    try TestServer.with { server in
      let client = try server.connect()
      client.send(
        "\(line) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(Self.hidden.utf8.count)\r\n\r\n\(Self.hidden)"
          + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer(hasBody: !line.hasPrefix("HEAD")).status, status)
      let next = try client.answer()
      #expect(next.status == 200 && next.body == #"{"status":"ok"}"#)
      client.finishSending()
      #expect(try client.answersToTheEnd().isEmpty)
    }
  }

  @Test("a request in a chunk stays in it, and what follows the last chunk is the next request")
  func inChunk() throws {
    try TestServer.with { server in
      let client = try server.connect()
      let size = String(Self.hidden.utf8.count, radix: 16)
      client.send(
        "\(Self.head)Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(Self.hidden)\r\n0\r\n\r\n"
          + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().status, 400)
      try same(client.answer().status, 200)
    }
  }

  @Test("nothing of one client's body is ever told to another")
  func strangers() throws {
    try TestServer.with { server in
      let secret = "geheim"
      for index in 0..<100 {
        let client = try server.connect()
        let body = #"{"nodes": {"id": ["\#(secret)"]}, "\#(secret)": "#
        client.send(
          "\(Self.head)Content-Length: \(body.utf8.count + index % 3)\r\n\r\n\(body)")
        index % 2 == 0 ? client.reset() : client.finishSending()
        let stranger = try server.connect()
        // Its own text is shorter than what was in the same memory before it.
        stranger.send("\(Self.head)Content-Length: 10\r\n\r\n{\"nodes\": ")
        let answer = try stranger.answer()
        same(answer.status, 400)
        #expect(!answer.body.contains(secret))
      }
    }
  }
}
