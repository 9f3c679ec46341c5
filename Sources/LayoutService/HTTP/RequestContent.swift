import MicroHTTP

/// A request's body in the coding in which it came.
struct RequestContent: Sendable {
  /// The content codings that bodies may have.
  static let codings: Set<String> = ["identity", "gzip", "x-gzip"]

  private let body: RequestBody?
  private let isGzip: Bool

  init(_ request: borrowing Request) {
    body = request.body
    isGzip = request.headers[.contentEncoding].map { $0 != "identity" } ?? false
  }

  /// Whether it is short as it came and takes no unpacking.
  func isSmall(_ limit: Int) -> Bool { !isGzip && body?.count ?? 0 <= limit }

  /// The body unpacked; `nil` without one.
  func unpacked(limit: Int) throws(ServiceError) -> RequestBody? {
    guard let body, isGzip else { return body }
    do {
      return try Gzip.decompress(body, limit: limit)
    } catch {
      switch error {
      case .malformed: throw .malformedContentCoding
      case .tooLarge: throw .transport(.contentTooLarge(limit: limit))
      }
    }
  }
}
