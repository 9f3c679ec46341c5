import MicroHTTP

/// The header fields that answers about a layout share, by status.
///
/// An object, because each query hands it on: as a value, its sets would be copied one by one.
final class LayoutHeaders: Sendable {
  private let named: Sets
  private let negotiated: Sets

  /// The sets for one list of fields that influence the answer.
  private struct Sets: Sendable {
    /// Of answers with content, by format.
    private let formats: [HeaderSet]
    let notModified: HeaderSet

    init(cacheControl: String, vary: String) {
      let caching: [Response.Field] = [("Cache-Control", cacheControl), ("Vary", vary)]
      notModified = HeaderSet(caching)
      formats = AnswerFormat.allCases.map { format in
        HeaderSet([("Content-Type", format.mediaType)] + caching + format.fields)
      }
    }

    subscript(format: AnswerFormat) -> HeaderSet { formats[format.rawValue] }
  }

  /// Pages of other sites may show it even if they are isolated from what does not say so.
  static let embeddable: Response.Field = ("Cross-Origin-Resource-Policy", "cross-origin")

  private static let never = "no-store"
  static let mayChange = "private, no-cache"
  private static let staysPrivate = "private, max-age=31536000, immutable"
  private static let staysPublic = "public, max-age=31536000, immutable"

  /// For content that may change with the next version. Caches must ask again.
  static let current = LayoutHeaders(cacheControl: mayChange)
  /// For content that may change under the same tag, such as the summary with its expiry.
  static let unstored = LayoutHeaders(cacheControl: never)
  /// For content of one version, which never changes.
  static let immutable = LayoutHeaders(cacheControl: staysPrivate)
  /// For the same content, if shared caches may store it too.
  static let sharedImmutable = LayoutHeaders(cacheControl: staysPublic)
  private init(cacheControl: String) {
    let vary = LayoutService.varyingFields
    named = Sets(cacheControl: cacheControl, vary: vary)
    negotiated = Sets(cacheControl: cacheControl, vary: "Accept, " + vary)
  }

  /// A 304 has the fields that update a cache, and no fields about the content that the cache has
  /// (RFC 9110, section 15.4.5).
  subscript(status: Status, representation: Representation = .json) -> HeaderSet {
    let sets = representation.isNegotiated ? negotiated : named
    if status == .notModified { return sets.notModified }
    return sets[representation.format]
  }
}

extension AnswerFormat {
  /// The fields of an answer with content in this format.
  fileprivate var fields: [Response.Field] {
    guard self == .svg else { return [] }
    // A browser that shows a picture loads nothing and runs nothing because of it.
    return [
      ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
      ("X-Content-Type-Options", "nosniff"),
      LayoutHeaders.embeddable,
    ]
  }
}

extension Response {
  /// Says how the answer may be stored, whatever others of its kind say.
  mutating func setCacheControl(_ value: String) {
    headers += commonHeaders.fields.filter { $0.name != "Cache-Control" }
    headers.append(("Cache-Control", value))
    commonHeaders = .empty
  }
}
