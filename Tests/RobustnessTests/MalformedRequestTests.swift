import TestSupport
import Testing

/// Requests that break RFC 9110 or RFC 9112, beyond those that the HTTP layer's own tests have.
@Suite("What no proper client sends")
struct MalformedRequestTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    /// The statuses of all answers, in order; none where the library closes without a word.
    var statuses: [Int]

    init(_ description: String, _ text: String, _ statuses: Int...) {
      testDescription = description
      self.text = text
      self.statuses = statuses
    }
  }

  private static let host = "Host: a\r\n"
  private static let json = "Host: a\r\nContent-Type: application/json\r\n"
  private static let prepare = "POST /layouts/tree/prepare HTTP/1.1\r\n\(json)"
  private static let chunked = "\(prepare)Transfer-Encoding: chunked\r\n\r\n"

  static let requestLines = [
    Case("no version", "GET /healthz\r\n\r\n", 400),
    Case("a version to come", "GET /healthz HTTP/2.0\r\n\(host)\r\n", 505),
    Case("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    Case("a version in lowercase", "GET /healthz http/1.1\r\n\(host)\r\n", 400),
    Case("a version of three parts", "GET /healthz HTTP/1.1.1\r\n\(host)\r\n", 400),
    Case("tabs between", "GET\t/healthz\tHTTP/1.1\r\n\(host)\r\n"),
    Case("a space before", " GET /healthz HTTP/1.1\r\n\(host)\r\n"),
    Case("an escape in a method", "GE\u{1B}T /healthz HTTP/1.1\r\n\(host)\r\n", 400),
    Case("bytes beyond ASCII", "GET /h\u{e9} HTTP/1.1\r\n\(host)\r\n", 400),
    Case("a greeting of TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\r\n\r\n"),
    Case("an unknown method", "BREW /healthz HTTP/1.1\r\n\(host)\r\n", 405),
    Case("a method of 10,000 letters", long("M", " /healthz HTTP/1.1\r\n\(host)\r\n"), 405),
  ]

  static let paths = [
    Case("NUL, encoded", "GET /healthz%00 HTTP/1.1\r\n\(host)\r\n", 404),
    Case("NUL, encoded, before a query", "GET /%00?a HTTP/1.1\r\n\(host)\r\n", 404),
    Case("dots, encoded", "GET /layouts/%2e%2e/healthz HTTP/1.1\r\n\(host)\r\n", 404),
    Case("dots", "GET /layouts/../healthz HTTP/1.1\r\n\(host)\r\n", 404),
    Case("a slash, encoded", "GET /%2fhealthz HTTP/1.1\r\n\(host)\r\n", 404),
    Case("two slashes", "GET //healthz HTTP/1.1\r\n\(host)\r\n", 404),
    Case("a slash behind", "GET /healthz/ HTTP/1.1\r\n\(host)\r\n", 404),
    Case("a backslash", "GET /..\\healthz HTTP/1.1\r\n\(host)\r\n", 404),
    Case("a lone percent sign", "GET /% HTTP/1.1\r\n\(host)\r\n", 404),
    Case("7,000 slashes", "GET \(long("/", count: 7000)) HTTP/1.1\r\n\(host)\r\n", 404),
    Case("a path of 9,000 letters", "GET /\(long("p", count: 9000)) HTTP/1.1\r\n\(host)\r\n", 414),
  ]

  static let fields = [
    Case(
      "a field of 40,000 letters",
      "GET /healthz HTTP/1.1\r\n\(host)X: \(long("x", count: 40_000))\r\n\r\n", 431),
    Case(
      "a name of 40,000 letters",
      "GET /healthz HTTP/1.1\r\n\(host)\(long("x", count: 40_000)): 1\r\n\r\n", 431),
    Case(
      "3,000 fields",
      "GET /healthz HTTP/1.1\r\n\(host)\(long("X: 1\r\n", count: 3000))\r\n", 431),
    Case(
      "200 fields of one name",
      "GET /healthz HTTP/1.1\r\n\(host)\(long("X: 1\r\n", count: 200))\r\n", 200),
    Case("a line feed alone", "GET /healthz HTTP/1.1\n\(host)\r\n", 200),
    Case("an unknown expectation", "GET /healthz HTTP/1.1\r\n\(host)Expect: tea\r\n\r\n", 200),
    Case(
      "an upgrade to HTTP/2",
      "GET /healthz HTTP/1.1\r\n\(host)Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", 200),
    Case("a name in brackets", "GET /healthz HTTP/1.1\r\n\(host)X[0]: 1\r\n\r\n", 400),
    Case("a name beyond ASCII", "GET /healthz HTTP/1.1\r\n\(host)X\u{e9}: 1\r\n\r\n", 400),
    Case("two hosts in one", "GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
    Case("a host with a path", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
  ]

  static let lengths = [
    Case(
      "more than 64 bits", "\(prepare)Content-Length: 18446744073709551616\r\n\r\n{}", 413),
    Case(
      "2⁶³", "\(prepare)Content-Length: 9223372036854775808\r\n\r\n{}", 400),
    Case("2⁶³ − 1", "\(prepare)Content-Length: 9223372036854775807\r\n\r\n{}", 413),
    Case("a fraction", "\(prepare)Content-Length: 2.0\r\n\r\n{}", 400),
    Case("two numbers", "\(prepare)Content-Length: 2 2\r\n\r\n{}", 400),
    Case("an underscore", "\(prepare)Content-Length: 1_0\r\n\r\n{}", 400),
    Case("no-break space", "\(prepare)Content-Length: \u{a0}2\r\n\r\n{}", 400),
    Case("leading zeros", "\(prepare)Content-Length: 0000000011\r\n\r\n{\"nodes\":0}", 201),
  ]

  static let chunks = [
    Case("a size of 17 digits", "\(chunked)10000000000000002\r\n{}\r\n0\r\n\r\n", 413),
    // A size like another, of which most never comes.
    Case("a size of sixteen Fs", "\(chunked)FFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n"),
    Case("a negative size", "\(chunked)-2\r\n{}\r\n0\r\n\r\n", 400),
    Case("a signed size", "\(chunked)+2\r\n{}\r\n0\r\n\r\n", 400),
    Case("a size with 0x", "\(chunked)0x2\r\n{}\r\n0\r\n\r\n", 400),
    Case("a space before a size", "\(chunked) 2\r\n{}\r\n0\r\n\r\n", 400),
    Case("no size", "\(chunked)\r\n{}\r\n0\r\n\r\n", 400),
    Case("a chunk longer than it says", "\(chunked)1\r\n{}\r\n0\r\n\r\n", 400),
    Case("no end of a chunk", "\(chunked)2\r\n{}0\r\n\r\n", 400),
    Case(
      "a size of 5,000 zeros",
      "\(chunked)\(long("0", count: 5000))b\r\n{\"nodes\":0}\r\n0\r\n\r\n", 201),
    Case(
      "an extension", "\(chunked)b;a=\"b\"\r\n{\"nodes\":0}\r\n0\r\n\r\n", 201),
    // The library's own answer: 400 or 413 would be right.
    Case(
      "an extension of 40,000 letters",
      "\(chunked)b;\(long("x", count: 40_000))\r\n{\"nodes\":0}\r\n0\r\n\r\n", 500),
    Case(
      "trailers that would frame",
      "\(chunked)b\r\n{\"nodes\":0}\r\n0\r\nContent-Length: 5\r\nHost: b\r\n\r\n", 201),
  ]

  private static func long(_ text: String, count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static func long(_ text: String, _ rest: String) -> String {
    long(text, count: 10_000) + rest
  }

  @Test("a request line", arguments: requestLines)
  func requestLine(_ test: Case) throws { try expect(test) }

  @Test("a path", arguments: paths)
  func path(_ test: Case) throws { try expect(test) }

  @Test("header fields", arguments: fields)
  func field(_ test: Case) throws { try expect(test) }

  @Test("a length", arguments: lengths)
  func length(_ test: Case) throws { try expect(test) }

  @Test("chunks", arguments: chunks)
  func chunk(_ test: Case) throws { try expect(test) }

  /// Sends a case and no more, and reads until the server closes.
  private func expect(_ test: Case) throws {
    try TestServer.with { server in
      let client = try server.connect()
      client.send(latin1(test.text))
      client.finishSending()
      try same(client.statusesToTheEnd(), test.statuses)
    }
  }

  /// One byte a character, so that a case can have bytes that are no UTF-8.
  private func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}
