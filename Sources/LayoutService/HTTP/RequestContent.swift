import MicroHTTP

/// A request's body in the coding in which it came.
struct RequestContent: Sendable {
  /// The content codings that bodies may have.
  private static let codings: Set<String> = ["identity", "gzip", "x-gzip"]

  /// Whether a Content-Encoding field names one of them; their names' case does not count.
  static func accepts(_ coding: String) -> Bool { codings.contains(coding.lowercased()) }

  private let body: RequestBody?
  private let isGzip: Bool

  init(_ request: borrowing Request) {
    body = request.body
    isGzip = request.headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
  }

  /// Whether it is short as it came and takes no unpacking.
  func isSmall(_ limit: Int) -> Bool { !isGzip && body?.count ?? 0 <= limit }

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
