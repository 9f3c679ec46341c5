import MicroHTTP

/// Bearer tokens (RFC 6750). A request needs one of them.
public struct APIKeys: Sendable {
  private let keys: [[UInt8]]

  /// - Parameter text: One key per line. Blanks around a key, empty lines and lines that begin with
  ///   `#` are ignored.
  /// - Throws: `APIKeyError` if there is no key, or one that cannot be in a header field.
  public init(_ text: String) throws(APIKeyError) {
    var keys: [[UInt8]] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let key = line.withoutBlanksAround().utf8
      if key.isEmpty || key.first == UInt8(ascii: "#") { continue }
      guard key.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .unusableKey(line: index + 1)
      }
      keys.append(Array(key))
    }
    guard !keys.isEmpty else { throw .noKey }
    self.keys = keys
  }

  /// The token of an Authorization field; `nil` if there is none, or if it has other credentials.
  static func token(in authorization: String?) -> ArraySlice<UInt8>? {
    guard let authorization else { return nil }
    let bytes = Array(authorization.utf8)
    let scheme = Array("bearer".utf8)
    guard bytes.count > scheme.count, bytes[scheme.count] == 0x20,
      zip(bytes, scheme).allSatisfy({ $0 | 0x20 == $1 })
    else { return nil }
    // There may be several blanks (RFC 9110, section 11.4).
    let token = bytes[scheme.count...].drop { $0 == 0x20 }
    return token.isEmpty ? nil : token
  }

  /// Whether an Authorization field has one of the keys.
  ///
  /// Every key is compared as a whole, so that the time does not show how much of a key was right.
  func admits(_ authorization: String?) -> Bool {
    guard let token = Self.token(in: authorization) else { return false }
    var isAdmitted = false
    for key in keys {
      var difference = key.count ^ token.count
      for index in key.indices {
        difference |= Int(key[index] ^ token[token.startIndex + index % token.count])
      }
      isAdmitted = isAdmitted || difference == 0
    }
    return isAdmitted
  }
}
