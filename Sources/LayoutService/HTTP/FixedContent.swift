import MicroHTTP

/// An answer that is the same as long as the program runs, under a tag that its bytes decide.
///
/// It is compressed once, when it is first asked for, and not by the gateway.
final class FixedContent: Sendable {
  private let plain: Representation
  /// `nil` where compression saves nothing.
  private let gzip: Representation?

  private struct Representation: Sendable {
    let bytes: [UInt8]
    let tag: String
    let headers: HeaderSet
    let notModifiedHeaders: HeaderSet
  }

  /// - Parameters:
  ///   - type: The Content-Type.
  ///   - vary: What of a request decides about the answer.
  ///   - headers: Further fields of an answer with content.
  init(
    _ bytes: [UInt8], type: String, vary: String = LayoutService.varyingFields,
    headers: [Response.Field] = []
  ) {
    let hash = Self.hash(of: bytes)
    let caching: [Response.Field] = [("Cache-Control", "no-cache"), ("Vary", vary)]
    let notModified = HeaderSet(caching)
    let fields = [("Content-Type", type)] + caching + headers
    plain = Representation(
      bytes: bytes, tag: "\"\(hash)\"", headers: HeaderSet(fields),
      notModifiedHeaders: notModified)
    let compressed = bytes.count < Gateway.smallestCompressed ? nil : Gzip.compress(bytes)
    gzip = compressed.map {
      Representation(
        bytes: $0, tag: "\"\(hash).gzip\"",
        headers: HeaderSet(fields + [("Content-Encoding", "gzip")]),
        notModifiedHeaders: notModified)
    }
  }

  /// The answer to GET or HEAD: 304 if If-None-Match has the tag of what would be sent.
  func response(to request: borrowing Request, isCompressing: Bool) -> Response {
    let isGzip = isCompressing && gzip != nil && ContentCoding.acceptsGzip(request)
    let content = isGzip ? gzip ?? plain : plain
    if let known = request.value(of: .ifNoneMatch),
      EntityTagList.has(content.tag, in: known.span)
    {
      return Response(
        status: .notModified, commonHeaders: content.notModifiedHeaders, entityTag: content.tag,
        declaredContentLength: content.bytes.count)
    }
    return Response(
      status: .ok, commonHeaders: content.headers, entityTag: content.tag, body: content.bytes)
  }

  /// Sixteen hexadecimal digits, which tell one state of a file from another.
  ///
  /// Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm" (FNV-1a, 64 bits).
  private static func hash(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
