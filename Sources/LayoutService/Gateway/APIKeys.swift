/// Bearer tokens (RFC 6750) of which a request needs one.
public struct APIKeys: Sendable {
  private let keys: [[UInt8]]

  /// - Parameter text: A key a line; empty lines and those that begin with `#` do not count.
  /// - Returns: `nil` without a key, or with one that no header field could carry.
  public init?(_ text: String) {
    keys = text.split(whereSeparator: \.isNewline)
      .map { $0.filter { $0 != " " && $0 != "\t" } }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
      .map { Array($0.utf8) }
    let isSendable = keys.allSatisfy { $0.allSatisfy { (0x21...0x7E).contains($0) } }
    guard !keys.isEmpty, isSendable else { return nil }
  }

  /// Whether an Authorization field has one of the keys.
  ///
  /// Every key is compared whole, so that the time tells nothing of how much of one was right.
  func admits(_ authorization: String?) -> Bool {
    guard let authorization else { return false }
    let bytes = Array(authorization.utf8)
    let scheme = Array("bearer ".utf8)
    guard bytes.count > scheme.count,
      zip(bytes, scheme).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
    else { return false }
    let token = bytes[scheme.count...]
    var isAdmitted = false
    for key in keys {
      var difference = key.count ^ token.count
      for index in key.indices {
        let byte = token.isEmpty ? 0 : token[token.startIndex + index % token.count]
        difference |= Int(key[index] ^ byte)
      }
      isAdmitted = isAdmitted || difference == 0
    }
    return isAdmitted
  }
}
