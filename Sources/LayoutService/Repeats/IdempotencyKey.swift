import CGnuTLS
import LayoutSessions
import MicroHTTP

/// The key of a request that may be sent again without being made again.
///
/// The value is a string in quotes, as the draft says, or the same without quotes, as many clients
/// send it.
///
/// Source: draft-ietf-httpapi-idempotency-key-header-07, section 2
struct IdempotencyKey {
  static let field: FieldName = "Idempotency-Key"
  private static let lengths = 1...255
  static let requirement =
    "a string of 1 to 255 visible ASCII characters, as in \"8e03978e-40d5-43e8-bc93-6894a57f9324\""

  let text: String

  init?(_ value: String) {
    var bytes = Array(value.utf8)[...]
    var text: [UInt8] = []
    if bytes.first == UInt8(ascii: "\"") {
      bytes = bytes.dropFirst()
      while let byte = bytes.first, byte != UInt8(ascii: "\"") {
        bytes = bytes.dropFirst()
        guard byte == UInt8(ascii: "\\") else {
          text.append(byte)
          continue
        }
        // Nothing else may be escaped (RFC 9651, section 3.3.3).
        guard let escaped = bytes.popFirst(), "\"\\".utf8.contains(escaped) else { return nil }
        text.append(escaped)
      }
      guard bytes.elementsEqual([UInt8(ascii: "\"")]) else { return nil }
    } else {
      text = Array(bytes)
      guard !text.contains(where: { "\",;\\".utf8.contains($0) }) else { return nil }
    }
    guard Self.lengths.contains(text.count),
      text.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// The request as it is remembered. Another client, known by another key of the service, may use
  /// the same text, and so may requests for something else.
  ///
  /// What counts is what was sent: whoever sends it again may compress it anew.
  ///
  /// - Parameter body: Of the request, unpacked.
  /// - Complexity: O(*length* of the body).
  func request(_ request: borrowing Request, _ body: RequestBody?) -> KeyedRequest {
    var key = SHA256()
    for part in [
      Array(request.method.rawValue.utf8)[...], request.target.path,
      request.value(of: .authorization) ?? [], Array(text.utf8)[...],
    ] {
      key.add(part)
    }
    var content = SHA256()
    for part in [request.target.query ?? [], request.value(of: .contentType) ?? []] {
      content.add(part)
    }
    body?.withBytes { content.add(UnsafeRawBufferPointer($0)) }
    return KeyedRequest(key: key.finish(), content: content.finish())
  }
}

/// The hash of parts, each with its length, so that none continues another.
struct SHA256: ~Copyable {
  private var handle: gnutls_hash_hd_t?

  init() {
    let error = gnutls_hash_init(&handle, GNUTLS_DIG_SHA256)
    precondition(error == 0, "gnutls_hash_init: \(error)")
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash($0) }
    hash(bytes)
  }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { add($0) }
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    let error = gnutls_hash(handle, start, bytes.count)
    precondition(error == 0, "gnutls_hash: \(error)")
  }

  /// The hash: 32 bytes.
  consuming func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    gnutls_hash_deinit(handle, &digest)
    return digest
  }
}
