extension RequestTarget {
  /// Whether something in the path is percent-encoded, be it wrongly.
  package var hasEncodedPath: Bool {
    bytes.span.extracting(pathRange).firstIndex(of: UInt8(ascii: "%")) != nil
  }

  /// The target with the path in which equivalent paths are alike: unreserved characters, which
  /// need no percent-encoding, have none. What else is encoded stays so, a slash for one.
  ///
  /// The scheme and the authority of an absolute form are left out.
  ///
  /// Source: RFC 3986, section 6.2.2.2
  package func withPlainPath() -> RequestTarget {
    var plain = PercentCoding.decodeUnreserved(bytes.span.extracting(pathRange))
    if let query { plain += [UInt8(ascii: "?")] + query }
    return RequestTarget(plain)
  }
}
