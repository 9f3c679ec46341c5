import MicroHTTP

/// A request's body in the coding in which it came.
struct RequestContent: Sendable {
  /// Whether a Content-Encoding field names codings that are taken: gzip once, or none.
  static func accepts(_ field: String) -> Bool { isGzip(field) != nil }

  /// Whether a field's list of codings is gzip, or none; `nil` for any other.
  ///
  /// Empty elements don't count (RFC 9110, section 5.6.1.2), nor does `identity`; nor the case of a
  /// name.
  private static func isGzip(_ field: String) -> Bool? {
    let codings = field.split(separator: ",").map { $0.withoutBlanksAround().lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
    if codings.isEmpty { return false }
    return codings == ["gzip"] || codings == ["x-gzip"] ? true : nil
  }

  private let body: RequestBody?
  private let isGzip: Bool

  init(_ request: borrowing Request) {
    body = request.body
    isGzip = request[.contentEncoding].flatMap { Self.isGzip($0) } ?? false
  }

  /// Whether it is short as it came and takes no unpacking.
  func isSmall(_ limit: Int) -> Bool { !isGzip && body?.count ?? 0 <= limit }

  /// The bytes as they came.
  var count: Int { body?.count ?? 0 }

  /// Lets go of the body, which has been read, while the request goes on.
  func discard() { body?.discard() }

  /// The body unpacked; `nil` without one.
  func unpacked(limit: Int) throws(ServiceError) -> RequestBody? {
    guard let body, isGzip else { return body }
    // What is packed takes memory as well, and is as long only where nothing was gained.
    guard body.count <= limit else { throw .transport(.contentTooLarge(limit: limit)) }
    do {
      return try Gzip.decompress(body, limit: limit)
    } catch {
      switch error {
      case .malformed: throw .malformedContentCoding
      case .tooLarge: throw .transport(.contentTooLarge(limit: limit))
      case .noMemory: throw .transport(.buffersFull)
      }
    }
  }
}
