import MicroHTTP

/// An answer that stays the same while the program runs. Its entity tag is a hash of its bytes.
///
/// It is compressed once, when it is first needed, and so as well as possible. The gateway does not
/// compress it.
final class FixedContent: Sendable {
  private let plain: Representation
  /// `nil` if compression saves nothing.
  private let gzip: Representation?

  private struct Representation: Sendable {
    let bytes: [UInt8]
    let tag: EntityTag
    let headers: HeaderSet
    let notModifiedHeaders: HeaderSet
  }

  /// - Parameters:
  ///   - type: The Content-Type.
  ///   - vary: The request fields that influence the answer.
  ///   - headers: More fields of an answer with content.
  init(
    _ bytes: [UInt8], type: String, vary: String = LayoutService.varyingFields,
    headers: [Response.Field] = []
  ) {
    let hash = Self.hash(of: bytes)
    let caching: [Response.Field] = [("Cache-Control", "no-cache"), ("Vary", vary)]
    let notModified = HeaderSet(caching)
    let fields = [("Content-Type", type)] + caching + headers
    plain = Representation(
      bytes: bytes, tag: EntityTag(hash), headers: HeaderSet(fields),
      notModifiedHeaders: notModified)
    let compressed =
      Gateway.packedTypes.contains(type) || bytes.count < Gateway.smallestCompressed
      ? nil : Gzip.compressWell(bytes)
    gzip = compressed.map {
      Representation(
        bytes: $0, tag: EntityTag(hash, isGzip: true),
        headers: HeaderSet(fields + [("Content-Encoding", "gzip")]),
        notModifiedHeaders: notModified)
    }
  }

  /// The answer to GET or HEAD. It is 304 if If-None-Match has the tag of the answer.
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

  /// A hash of sixteen hexadecimal digits, which differs between two states of a file.
  ///
  /// Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm" (FNV-1a, 64 bits).
  static func hash(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
