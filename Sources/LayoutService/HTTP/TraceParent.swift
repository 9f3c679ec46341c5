/// The header field by which a client says to which trace a request belongs:
/// `{2 hex: version}-{32 hex: trace}-{16 hex: parent}-{2 hex: flags}`, in lower case.
///
/// Source: W3C Recommendation "Trace Context", section 3.2.
enum TraceParent {
  private static let lengths = [2, 32, 16, 2]

  /// Whether a field's value names a trace and a parent: neither is all zeros, and the version is not
  /// ff. Versions after 00 may have more behind another hyphen.
  ///
  /// - Complexity: O(length).
  static func isValid(_ text: String) -> Bool {
    let parts = text.utf8.split(
      separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count >= 4,
      zip(parts, lengths).allSatisfy({ $0.count == $1 && $0.allSatisfy(isLowerHex) }),
      parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
    else { return false }
    return if parts[0].elementsEqual("00".utf8) {
      parts.count == 4
    } else {
      !parts[0].elementsEqual("ff".utf8)
    }
  }

  private static func isLowerHex(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
