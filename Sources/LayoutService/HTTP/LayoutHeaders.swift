import MicroHTTP

/// The header fields that answers about a layout share, by status.
struct LayoutHeaders: Sendable {
  /// Whether caches may store the answer. If not, no client has it, and it is always sent.
  let isStored: Bool
  private let named: Sets
  private let negotiated: Sets

  /// The sets for one list of fields that influence the answer.
  private struct Sets: Sendable {
    /// JSON, or the one type that an operation has.
    let plain: HeaderSet
    let cbor: HeaderSet
    let notModified: HeaderSet

    init(cacheControl: String, vary: String, type: String, more: [Response.Field]) {
      let caching: [Response.Field] = [("Cache-Control", cacheControl), ("Vary", vary)]
      notModified = HeaderSet(caching)
      plain = HeaderSet([("Content-Type", type)] + caching + more)
      cbor = HeaderSet([("Content-Type", MediaType.cbor)] + caching)
    }
  }

  /// Pages of other sites may show it even if they are isolated from what does not say so.
  static let embeddable: Response.Field = ("Cross-Origin-Resource-Policy", "cross-origin")

  private static let never = "no-store"
  private static let mayChange = "private, no-cache"
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
  /// Like ``current``, for pictures.
  static let currentPicture = picture(cacheControl: mayChange)
  /// Like ``immutable``, for pictures.
  static let immutablePicture = picture(cacheControl: staysPrivate)
  /// Like ``sharedImmutable``, for pictures.
  static let sharedImmutablePicture = picture(cacheControl: staysPublic)

  /// - Parameters:
  ///   - type: The Content-Type, but for CBOR.
  ///   - more: More fields of an answer with content.
  private init(
    cacheControl: String, type: String = MediaType.json, more: [Response.Field] = []
  ) {
    let vary = LayoutService.varyingFields
    isStored = cacheControl != Self.never
    named = Sets(cacheControl: cacheControl, vary: vary, type: type, more: more)
    negotiated = Sets(cacheControl: cacheControl, vary: "Accept, " + vary, type: type, more: more)
  }

  /// The fields of pictures. A browser that shows one loads nothing and runs nothing because of it.
  private static func picture(cacheControl: String) -> LayoutHeaders {
    LayoutHeaders(
      cacheControl: cacheControl, type: MediaType.svg,
      more: [
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
        ("X-Content-Type-Options", "nosniff"),
        embeddable,
      ])
  }

  /// A 304 has the fields that update a cache, and no fields about the content that the cache has
  /// (RFC 9110, section 15.4.5).
  subscript(status: Status, representation: Representation = .json) -> HeaderSet {
    let sets = representation.isNegotiated ? negotiated : named
    if status == .notModified { return sets.notModified }
    return representation.format == .json ? sets.plain : sets.cbor
  }
}
