import MicroHTTP
import TestSupport
import Testing

@Suite("What is no proper request")
struct FramingTests {
  /// In the chunked transfer coding: without it libmicrohttpd itself would answer 400.
  private static let content = "2\r\n{}\r\n0\r\n\r\n"

  @Test(
    "broken framing is answered with 400, and the connection ends",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7f}b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\nY: 1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\tfolded\r\nY: 2\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n y\r\nY: 2\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nTransfer-: x\r\n Encoding\r\n\r\n",
      "GET / HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\nx",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nx",
      "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n\(content)",
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n\(content)",
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n\(content)",
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n\(content)",
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n\(content)",
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked \r\n\r\n\(content)",
      "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(content)",
      "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET x HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a\u{1} HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /  HTTP/1.1\r\nHost: a\r\n\r\n",
      "G{T / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET http:/// HTTP/1.1\r\nHost: a\r\n\r\n",
      "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTX/1.1\r\nHost: a\r\n\r\n",
      "GET /\r\nHost: a\r\n\r\n",
    ])
  func malformed(text: String) throws {
    try withDaemon { daemon, responder in
      let client = try RawClient(port: daemon.port)
      client.send(text + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
      client.finishSending()
      let answers = try client.rest()
      #expect(answers.hasPrefix("HTTP/1.1 400 "), "\(answers)")
      same(responder.askedPaths, [])
    }
  }

  /// Of RFC 3986, section 3.2: each is a host, with a port or without, or is none.
  private static let hosts: [(String, Bool)] = [
    ("a", true), ("127.0.0.1:8080", true), ("localhost:", true), ("x.example.", true),
    ("A-z0._~!$&'()*+,;=:0", true), ("%41%fF", true), ("[::1]", true), ("[::1]:80", true),
    ("[1:2:3:4:5:6:7:8]:", true), ("[::ffff:192.0.2.1]", true), ("[vF.a:1]", true),
    ("a?b", false), ("a#b", false), ("a/b", false), ("a\\b", false), ("<x>", false),
    ("{}", false), ("\"a\"", false), ("a|b", false), ("a^b", false), ("`", false), ("a b", false),
    ("ä", false), ("u@a", false), ("x:abc", false), ("x:80:80", false), ("x:-1", false),
    ("::1", false), ("a%", false), ("a%4", false), ("a%zzb", false), ("a]", false), ("[", false),
    ("[]", false), ("[::1", false), ("[zz]", false), ("[::1]x", false), ("[::1]80", false),
    ("[::1]:x", false), ("x[::1]", false), ("[127.0.0.1]", false), ("[1:2]", false),
    ("[fe80::1%25eth0]", false), ("[v.a]", false), ("[v.ab]", false), ("[vF.]", false),
    ("[vg.a]", false),
    ("[v1.a/]", false), ("[\(String(repeating: "0:", count: 60))1]", false),
  ]

  @Test("Host is a host with or without a port")
  func host() throws {
    try withDaemon { daemon, _ in
      for (text, isHost) in Self.hosts {
        let client = try RawClient(port: daemon.port)
        client.send("GET / HTTP/1.1\r\nHost: \(text)\r\n\r\n")
        try same(client.answer().status, (isHost ? 200 : 400), "\(text)")
      }
    }
  }

  @Test("so is the authority of a request target")
  func authority() throws {
    try withDaemon { daemon, _ in
      // A slash or a question mark ends it.
      for (text, isHost) in Self.hosts where !["a/b", "a?b"].contains(text) {
        let client = try RawClient(port: daemon.port)
        client.send("GET http://\(text)/ HTTP/1.1\r\nHost: a\r\n\r\n")
        try same(client.answer().status, (isHost ? 200 : 400), "\(text)")
      }
    }
  }

  @Test("Host may be empty, the authority of a target may not")
  func emptyHost() throws {
    try withDaemon { daemon, _ in
      for (request, status) in cases("Framing.emptyHost", String.self, Int.self) {
        let client = try RawClient(port: daemon.port)
        client.send(request)
        try same(client.answer().status, status, "\(request)")
      }
    }
  }

  @Test("what is unusual but permitted is served", arguments: cases("Framing.unusual", String.self))
  func unusual(text: String) throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send(text)
      try same(client.answer().status, 200)
    }
  }

  @Test("a target beyond the limit is answered with 414")
  func targetTooLong() throws {
    try withDaemon(.changed { $0.maxTargetBytes = 100 }) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let path = "/" + String(repeating: "p", count: 99)
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().status, 200)
      client.send("GET \(path)p HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().status, 414)
    }
  }

  @Test("a query of many separators costs no memory of the connection")
  func manySeparators() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let query = String(repeating: "&", count: 8000)
      client.send("GET /target?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
      try same(client.answer().body, "/target \(query)")
    }
  }

  /// What a header section is long by.
  enum Length: CaseIterable {
    case value, fields, cookie, cookies
  }

  /// - Returns: A request whose header section takes so many bytes of its connection's memory:
  ///   beside its own, 64 for each field and cookie, and a `Cookie`'s once more with a NUL.
  private func request(taking count: Int, by length: Length) -> String {
    let (start, end) = ("GET /", " HTTP/1.1\r\nHost: a\r\n")
    let room = count - (start + end + "\r\n").utf8.count - 64
    let lines: String
    var records = 0
    switch length {
    case .value:
      lines = "X: \(String(repeating: "x", count: room - 64 - 5))\r\n"
      records = 64
    case .fields:
      let fields = room / (64 + 5)
      lines = String(repeating: "X:1\r\n", count: fields)
      records = 64 * fields
    case .cookie:
      let value = String(repeating: "x", count: (room - 2 * 64 - 11) / 2)
      lines = "Cookie: \(value)\r\n"
      records = 2 * 64 + value.utf8.count + 1
    case .cookies:
      let cookies = (room - 64 - 11) / (64 + 4)
      let value = Array(repeating: "x", count: cookies).joined(separator: ";")
      lines = "Cookie: \(value)\r\n"
      records = 64 * (1 + cookies) + value.utf8.count + 1
    }
    let path = String(repeating: "p", count: room - lines.utf8.count - records)
    return start + path + end + lines + "\r\n"
  }

  private static let narrow = DaemonConfiguration.changed {
    $0.maxHeaderBytes = 4096
    $0.maxTargetBytes = 256
  }

  @Test(
    "a header section around the limit is served or answered with 431", arguments: Length.allCases)
  func headerAroundLimit(length: Length) throws {
    let limit = Self.narrow.maxHeaderBytes
    try withDaemon(Self.narrow) { daemon, responder in
      var served = 0
      let counts = Array(stride(from: limit - 1200, through: limit, by: 20))
      for count in counts + counts.map({ $0 + 1201 }) {
        let client = try RawClient(port: daemon.port)
        client.send(request(taking: count, by: length))
        let answer = try? client.answer()
        same(answer?.status, (count <= limit ? 200 : 431), "\(count) bytes")
        if count <= limit {
          served += 1
        } else {
          #expect(try client.isClosed())
        }
      }
      same(responder.askedPaths.count, served)
    }
  }

  @Test("trailers count as the header section does, before the request is carried out")
  func trailersAroundLimit() throws {
    let limit = Self.narrow.maxHeaderBytes
    try withDaemon(Self.narrow) { daemon, responder in
      var served = 0
      let header = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
      let fieldCount = 3
      for count in stride(from: limit - 400, through: limit + 4096, by: 20) {
        let client = try RawClient(port: daemon.port)
        let value = String(
          repeating: "x",
          count: count - header.utf8.count - 64 * fieldCount - "X: \r\n\r\n".utf8.count)
        client.send("\(header)1\r\nc\r\n0\r\nX: \(value)\r\n\r\n")
        let answer = try? client.answer()
        // libmicrohttpd records the header section's last line as a trailer, too.
        #expect(
          answer?.status == (count <= limit - 128 ? 200 : 431)
            || (limit - 128...limit).contains(count) && answer?.status == 200, "\(count) bytes")
        if answer?.status == 200 { served += 1 }
      }
      same(responder.askedPaths.count, served)
    }
  }

  @Test("a header section far beyond the limit is answered with 431")
  func headerTooLarge() throws {
    try withDaemon { daemon, _ in
      let client = try RawClient(port: daemon.port)
      let value = String(repeating: "x", count: 64 << 10)
      client.send("GET / HTTP/1.1\r\nHost: a\r\nX: \(value)\r\n\r\n")
      client.finishSending()
      #expect(try client.rest().hasPrefix("HTTP/1.1 431 "))
    }
  }
}
