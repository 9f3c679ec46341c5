/// What a proxy says of its client before the first byte of HTTP: the PROXY protocol.
///
/// Source: "The PROXY protocol, versions 1 & 2", section 2
/// (https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt)
enum ProxyPreface: Equatable {
  /// More bytes are needed.
  case incomplete
  /// The connection begins with something else.
  case absent
  /// The preface has so many bytes. The client's address is `nil` if the proxy does not say it.
  case present(count: Int, client: SocketAddress?)
  case malformed

  /// The longest preface that is read, in bytes.
  static let limit = 4096

  private static let textStart = Array("PROXY ".utf8)
  /// The longest line of version 1.
  private static let textLimit = 107
  private static let binaryStart: [UInt8] = [
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
  ]
  private static let binaryHeaderCount = 16

  /// - Parameter bytes: The first bytes of a connection, not empty.
  init(_ bytes: [UInt8]) {
    if Self.textStart.starts(with: bytes) || Self.binaryStart.starts(with: bytes) {
      self = .incomplete
    } else if bytes.starts(with: Self.textStart) {
      self = Self.text(bytes)
    } else if bytes.starts(with: Self.binaryStart) {
      self = Self.binary(bytes)
    } else {
      self = .absent
    }
  }

  /// Version 1: `PROXY TCP4 192.0.2.7 203.0.113.9 56324 443`, or `PROXY UNKNOWN …`.
  private static func text(_ bytes: [UInt8]) -> ProxyPreface {
    guard let end = bytes.prefix(textLimit).firstIndex(of: UInt8(ascii: "\n")) else {
      return bytes.count < textLimit ? .incomplete : .malformed
    }
    guard bytes[end - 1] == UInt8(ascii: "\r") else { return .malformed }
    let line = String(decoding: bytes[..<(end - 1)], as: UTF8.self)
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    if words[1] == "UNKNOWN" { return .present(count: end + 1, client: nil) }
    guard words.count == 6, ["TCP4", "TCP6"].contains(words[1]),
      let client = SocketAddress(host: String(words[2]), port: UInt16(words[4]) ?? 0),
      client.isIPv4 == (words[1] == "TCP4")
    else { return .malformed }
    return .present(count: end + 1, client: client)
  }

  private static func binary(_ bytes: [UInt8]) -> ProxyPreface {
    guard bytes.count >= binaryHeaderCount else { return .incomplete }
    let (version, command) = (bytes[12] >> 4, bytes[12] & 15)
    let count = binaryHeaderCount + Int(bytes[14]) << 8 + Int(bytes[15])
    guard version == 2, command <= 1, count <= limit else { return .malformed }
    guard bytes.count >= count else { return .incomplete }
    // The proxy speaks for itself, for example to check whether the server is well.
    if command == 0 { return .present(count: count, client: nil) }
    let content = bytes[binaryHeaderCount..<count]
    switch bytes[13] {
    case 0x11:
      guard content.count >= 12 else { return .malformed }
      return .present(
        count: count, client: SocketAddress(ipv4: content.prefix(4), port(content, 8)))
    case 0x21:
      guard content.count >= 36 else { return .malformed }
      return .present(
        count: count, client: SocketAddress(ipv6: content.prefix(16), port(content, 32)))
    // Other families: the proxy's own address is all that there is to know.
    default: return .present(count: count, client: nil)
    }
  }

  private static func port(_ content: ArraySlice<UInt8>, _ offset: Int) -> UInt16 {
    let index = content.startIndex + offset
    return UInt16(content[index]) << 8 | UInt16(content[index + 1])
  }
}
