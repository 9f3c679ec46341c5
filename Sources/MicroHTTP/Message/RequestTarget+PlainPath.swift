extension RequestTarget {
  /// Whether the path has percent signs, correct or not.
  package var hasEncodedPath: Bool {
    bytes.span.extracting(pathRange).firstIndex(of: UInt8(ascii: "%")) != nil
  }

  /// The target in a form in which equivalent paths are equal: unreserved characters are not
  /// percent-encoded. All other encoded characters stay encoded, for example a slash.
  ///
  /// The scheme and authority of an absolute form are removed.
  ///
  /// Source: RFC 3986, section 6.2.2.2
  package func withPlainPath() -> RequestTarget {
    var plain = PercentCoding.decodeUnreserved(bytes.span.extracting(pathRange))
    if let query { plain += [UInt8(ascii: "?")] + query }
    return RequestTarget(plain)
  }
}
