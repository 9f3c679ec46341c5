import Glibc

extension UnsafeBufferPointer<UInt8> {
  /// Whether this is a host with or without a port, as in `Host` and in the authority of a URI.
  /// Both may be empty. User information is not allowed.
  ///
  /// Source: RFC 9112, section 3.2; RFC 3986, section 3.2
  var isHostAndPort: Bool {
    if first == UInt8(ascii: "[") {
      guard let end = firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = Self(rebasing: self[1..<end])
      return (address.isIPv6Address || address.isFutureAddress) && hasNothingButPort(from: end + 1)
    }
    var index = 0
    while index < count {
      if self[index].mayStandInHost {
        index += 1
      } else if self[index] == UInt8(ascii: "%"), index + 2 < count, self[index + 1].isHexDigit,
        self[index + 2].isHexDigit
      {
        index += 3
      } else {
        return hasNothingButPort(from: index)
      }
    }
    return true
  }

  private func hasNothingButPort(from start: Int) -> Bool {
    start == count
      || self[start] == UInt8(ascii: ":") && self[(start + 1)...].allSatisfy(\.isDigit)
  }

  private var isIPv6Address: Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(decoding: self, as: UTF8.self), &address) == 1
  }

  /// Whether this is an `IPvFuture`: a version, a dot and an address.
  private var isFutureAddress: Bool {
    guard count >= 4, self[0].asciiLowercase == UInt8(ascii: "v"),
      let dot = firstIndex(of: UInt8(ascii: ".")), dot > 1, dot + 1 < count
    else { return false }
    return self[1..<dot].allSatisfy(\.isHexDigit)
      && self[(dot + 1)...].allSatisfy { $0.mayStandInHost || $0 == UInt8(ascii: ":") }
  }
}

extension UInt8 {
  /// Whether this byte may be in a host unencoded: `unreserved` and `sub-delims` of RFC 3986.
  fileprivate var mayStandInHost: Bool {
    isUnreserved || "!$&'()*+,;=".utf8.contains(self)
  }
}
