import TestSupport
import Testing

@testable import MicroHTTP

@Suite("What a proxy says of its client")
struct ProxyPrefaceTests {
  private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]

  private static func binary(_ head: [UInt8], _ content: [UInt8]) -> [UInt8] {
    signature + head + [UInt8(content.count >> 8), UInt8(content.count & 255)] + content
  }

  /// 192.0.2.7 port 258 to 203.0.113.9 port 443.
  private static let ipv4: [UInt8] = [192, 0, 2, 7, 203, 0, 113, 9, 1, 2, 1, 187]

  @Test(
    "both versions tell the client",
    arguments: [
      (Array("PROXY TCP4 192.0.2.7 203.0.113.9 258 443\r\n".utf8), "192.0.2.7:258"),
      (Array("PROXY TCP6 2001:db8::7 2001:db8::9 258 443\r\n".utf8), "[2001:db8::7]:258"),
      (Array("PROXY UNKNOWN\r\n".utf8), nil),
      (Array("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".utf8), nil),
      (binary([0x21, 0x11], ipv4), "192.0.2.7:258"),
      // With more behind the addresses.
      (binary([0x21, 0x11], ipv4 + [4, 0, 1, 0]), "192.0.2.7:258"),
      (
        binary(
          [0x21, 0x21],
          [0x20, 1, 0xd, 0xb8] + Array(repeating: 0, count: 11) + [7]
            + Array(repeating: 0, count: 16) + [1, 2, 1, 187]), "[2001:db8::7]:258"
      ),
      (binary([0x20, 0x00], []), nil), (binary([0x20, 0x11], ipv4), nil),
      (binary([0x21, 0x31], Array(repeating: 0, count: 216)), nil),
    ])
  func client(bytes: [UInt8], address: String?) {
    // Every beginning of it is incomplete, and what follows does not matter.
    for count in 1..<bytes.count {
      same(ProxyPreface(Array(bytes[..<count])), .incomplete, "\(count)")
    }
    for rest in ["", "GET / HTTP/1.1\r\n"] {
      guard case .present(let count, let client) = ProxyPreface(bytes + Array(rest.utf8)) else {
        Issue.record("no preface")
        return
      }
      same(count, bytes.count)
      same(client?.description, address)
    }
  }

  @Test(
    "HTTP and TLS are no preface",
    arguments: [
      "GET / HTTP/1.1\r\n", "PROPFIND / HTTP/1.1\r\n", "\r\nGET", "PROXYX", "\u{16}\u{3}",
    ])
  func absent(text: String) {
    same(ProxyPreface(Array(text.utf8)), .absent)
  }

  @Test(
    "what is wrong is malformed",
    arguments: [
      Array("PROXY TCP4 192.0.2.7 203.0.113.9 258\r\n".utf8),
      Array("PROXY TCP4 2001:db8::7 203.0.113.9 258 443\r\n".utf8),
      Array("PROXY TCP6 192.0.2.7 203.0.113.9 258 443\r\n".utf8),
      Array("PROXY TCP4 client server 258 443\r\n".utf8), Array("PROXY \r\n".utf8),
      Array("PROXY UNKNOWN\n".utf8),
      Array("PROXY UNKNOWN \(String(repeating: "x", count: 100))".utf8),
      binary([0x11, 0x11], ipv4), binary([0x22, 0x11], ipv4), binary([0x21, 0x11], [1]),
      binary([0x21, 0x21], ipv4), signature + [0x21, 0x11, 0xff, 0xff],
    ])
  func malformed(bytes: [UInt8]) {
    same(ProxyPreface(bytes), .malformed)
  }

  @Test(
    "ranges of addresses",
    arguments: cases("ProxyPreface.ranges", String.self, String.self, Bool.self))
  func ranges(text: String, address: String, isIn: Bool) throws {
    let ranges = try #require(AddressRanges(text))
    same(ranges.contains(try #require(SocketAddress(host: address, port: 7))), isIn)
  }

  @Test("a peer on a Unix socket is in the range of these alone")
  func unixPeers() {
    same(AddressRanges("unix")?.contains(.unix), true)
    same(AddressRanges("::1")?.contains(.unix), false)
    #expect(!AddressRanges().contains(.unix))
    same(SocketAddress.unix.description, "unix")
  }

  @Test(
    "what is no range is refused",
    arguments: ["", ",", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "::/129", "proxy", "10.0.0"])
  func noRange(text: String) {
    same(AddressRanges(text), nil)
  }

  // MARK: Through a daemon

  private let get = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("a trusted proxy says who its clients are, or says nothing")
  func trusted() throws {
    try withDaemon(.changed { $0.trustedProxies = AddressRanges("127.0.0.1")! }) {
      daemon, responder in
      for preface in ["PROXY TCP4 192.0.2.7 203.0.113.9 258 443\r\n", "PROXY UNKNOWN\r\n", ""] {
        let client = try RawClient(port: daemon.port)
        client.send(preface + get + get)
        for _ in 0..<2 { try same(client.answer().status, 200) }
      }
      // Records of two connections come in any order.
      let peers = responder.records(atLeast: 6).map(\.request.remoteAddress)
      same(peers.count { $0.description == "192.0.2.7:258" }, 2)
      same(peers.count { $0.host == "127.0.0.1" }, 4)
      let wrong = try RawClient(port: daemon.port)
      wrong.send("PROXY TCP4 nobody\r\n" + get)
      try same(wrong.rest(), "")
    }
  }

  @Test("a preface may come in parts")
  func parts() throws {
    try withDaemon(.changed { $0.trustedProxies = AddressRanges("127.0.0.1")! }) {
      daemon, responder in
      let client = try RawClient(port: daemon.port)
      for byte in "PROXY TCP4 192.0.2.7 203.0.113.9 258 443\r\n\(get)".utf8 { client.send([byte]) }
      try same(client.answer().status, 200)
      same(responder.records(atLeast: 1).first?.request.remoteAddress.host, "192.0.2.7")
    }
  }

  @Test("nobody else is believed")
  func untrusted() throws {
    try withDaemon(.changed { $0.trustedProxies = AddressRanges("192.0.2.0/24")! }) { daemon, _ in
      let client = try RawClient(port: daemon.port)
      client.send("PROXY TCP4 192.0.2.7 203.0.113.9 258 443\r\n" + get)
      #expect(try client.rest().contains(" 400 "))
    }
  }

  @Test("the limit of connections of one address is that of the client's")
  func limitPerAddress() throws {
    try withDaemon(
      .changed {
        $0.trustedProxies = AddressRanges("127.0.0.1")!
        $0.maxConnectionsPerAddress = 1
      }
    ) { daemon, _ in
      func connect(from host: String) throws -> RawClient {
        let client = try RawClient(port: daemon.port)
        client.send("PROXY TCP4 \(host) 203.0.113.9 258 443\r\n" + get)
        return client
      }
      let one = try connect(from: "192.0.2.7")
      try same(one.answer().status, 200)
      try same(connect(from: "192.0.2.7").answer().status, 503)
      try same(connect(from: "192.0.2.8").answer().status, 200)
      withExtendedLifetime(one) {}
    }
  }

  @Test("a proxy that says nothing is closed when its time is over, and at the end")
  func silence() throws {
    let clock = ManualClock()
    var last: RawClient?
    try withDaemon(
      .changed { $0.trustedProxies = AddressRanges("127.0.0.1")! }, clock: clock
    ) { daemon, _ in
      let silent = try RawClient(port: daemon.port)
      silent.send("PROX")
      // Connections are taken in order. Once the next one is answered, the first one waits.
      let next = try RawClient(port: daemon.port)
      next.send(get)
      try same(next.answer().status, 200)
      clock.advance(by: .seconds(29), of: daemon)
      #expect(!silent.isReadable(withinMilliseconds: 0))
      clock.advance(by: .seconds(1), of: daemon)
      #expect(try silent.isClosed())

      last = try RawClient(port: daemon.port)
      last?.send("PROX")
      let other = try RawClient(port: daemon.port)
      other.send(get)
      try same(other.answer().status, 200)
    }
    try same(last?.isClosed(), true)
  }
}
