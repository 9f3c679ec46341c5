import MicroHTTP

/// The body of a request in its content coding.
struct RequestContent: Sendable {
  /// Whether a Content-Encoding field has supported codings: gzip once, or none.
  static func accepts(_ field: String) -> Bool { isGzip(field) != nil }

  /// Whether a list of codings is gzip (true) or none (false); `nil` for any other list.
  ///
  /// Empty elements do not count (RFC 9110, section 5.6.1.2), and neither does `identity`. Case
  /// does not matter.
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

  /// Whether it is short and not compressed.
  func isSmall(_ limit: Int) -> Bool { !isGzip && body?.count ?? 0 <= limit }

  /// The number of bytes as they were received.
  var count: Int { body?.count ?? 0 }

  /// Frees the body, which was read, while the request continues.
  func discard() { body?.discard() }

  /// The decompressed body; `nil` if there is none.
  func unpacked(limit: Int) throws(Problem) -> RequestBody? {
    guard let body, isGzip else { return body }
    // The compressed body also needs memory. It is never longer than the decompressed one, unless
    // nothing was gained.
    guard body.count <= limit else { throw Problem(.contentTooLarge(limit: limit)) }
    do {
      return try Gzip.decompress(body, limit: limit)
    } catch {
      switch error {
      case .malformed:
        throw Problem(
          .notGzip,
          "Content-Encoding says gzip, but the body is not gzip, is incomplete, or has more bytes "
            + "behind its end.")
      case .tooLarge: throw Problem(.contentTooLarge(limit: limit))
      case .noMemory: throw Problem(TransportProblem.buffersFull)
      }
    }
  }
}
