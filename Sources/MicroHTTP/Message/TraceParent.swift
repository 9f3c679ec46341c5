/// The header field by which a client says to which trace a request belongs:
/// `{2 hex: version}-{32 hex: trace}-{16 hex: parent}-{2 hex: flags}`, in lower case.
///
/// Source: W3C Recommendation "Trace Context", section 3.2.
package enum TraceParent {
  private static let lengths = [2, 32, 16, 2]
  /// The length of the four parts and the hyphens between them.
  private static let length = 55

  /// The known part of a field's value. A version after 00 may have more parts; only the four known
  /// parts are returned.
  ///
  /// - Returns: `nil` if trace or parent are all zeros, if the version is ff, or if the form is
  ///   wrong.
  /// - Complexity: O(*length*).
  package static func known(in text: String) -> Substring? {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count >= 4,
      zip(parts, lengths).allSatisfy({ $0.count == $1 && $0.allSatisfy(isLowerHex) }),
      parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }),
      parts.count == 4 || !parts[0].elementsEqual("00".utf8),
      !parts[0].elementsEqual("ff".utf8)
    else { return nil }
    return Substring(text.utf8.prefix(length))
  }

  private static func isLowerHex(_ byte: UInt8) -> Bool {
    byte.isHexDigit && byte == byte.asciiLowercase
  }
}
