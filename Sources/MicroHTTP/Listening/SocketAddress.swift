import Glibc

/// An IP address and a port, in 20 bytes. Text is only made on request.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// An IPv4 address is stored mapped (`::ffff:a.b.c.d`), so both families are compared in the same
  /// way.
  private let high: UInt64
  private let low: UInt64
  /// The port in host byte order; 0 if only the address matters.
  public let port: UInt16
}

extension SocketAddress {
  private static let mappedPrefix: UInt64 = 0xffff << 32

  /// An IPv4 address.
  public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, port: UInt16 = 0) {
    let number = UInt64(a) << 24 | UInt64(b) << 16 | UInt64(c) << 8 | UInt64(d)
    self.init(high: 0, low: Self.mappedPrefix | number, port: port)
  }

  /// Reads an address without its port; `nil` if the text is none.
  public init?(host text: String, port: UInt16 = 0) {
    var (ipv4, ipv6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &ipv4) == 1 {
      self = withUnsafeBytes(of: &ipv4) { SocketAddress(ipv4: Array($0)[...], port) }
    } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
      self = withUnsafeBytes(of: &ipv6) { SocketAddress(ipv6: Array($0)[...], port) }
    } else {
      return nil
    }
  }

  /// - Parameter bytes: Four bytes in network order.
  init(ipv4 bytes: ArraySlice<UInt8>, _ port: UInt16) {
    self.init(high: 0, low: bytes.reduce(0xffff) { $0 << 8 | UInt64($1) }, port: port)
  }

  /// - Parameter bytes: Sixteen bytes in network order.
  init(ipv6 bytes: ArraySlice<UInt8>, _ port: UInt16) {
    self.init(
      high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }, port: port)
  }

  /// The address of a peer on a Unix socket, which has none.
  public static let unix = SocketAddress(high: 0, low: 0, port: 0)

  var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

  /// Whether the first bits of two addresses are the same.
  func shares(_ count: Int, bitsWith other: SocketAddress) -> Bool {
    func mask(_ count: Int) -> UInt64 { count <= 0 ? 0 : ~0 << UInt64(64 - min(count, 64)) }
    return (high ^ other.high) & mask(count) == 0 && (low ^ other.low) & mask(count - 64) == 0
  }

  /// - Parameter address: A socket address. If it is neither of IPv4 nor of IPv6, this is ``unix``.
  init(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        let number = UInt64(UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
        return SocketAddress(
          high: 0, low: Self.mappedPrefix | number, port: UInt16(bigEndian: $0.pointee.sin_port))
      }
    case AF_INET6:
      self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        let port = UInt16(bigEndian: $0.pointee.sin6_port)
        return withUnsafeBytes(of: $0.pointee.sin6_addr) {
          SocketAddress(
            high: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            port: port)
        }
      }
    default:
      self = .unix
    }
  }

  /// The same address with port 0. A limit per address counts by it.
  var withoutPort: SocketAddress { SocketAddress(high: high, low: low, port: 0) }

  /// The address without its port, such as `192.0.2.7` or `2001:db8::7`.
  public var host: String {
    if isIPv4 {
      return "\(low >> 24 & 255).\(low >> 16 & 255).\(low >> 8 & 255).\(low & 255)"
    }
    var words = (high.bigEndian, low.bigEndian)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard inet_ntop(AF_INET6, &words, text.baseAddress, socklen_t(text.count)) != nil else {
        return "::"
      }
      return String(cString: text.baseAddress!)
    }
  }

  public var description: String {
    if self == .unix { return "unix" }
    let host = host
    return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
