import MicroHTTP

/// The header fields that answers about a layout share, by status.
struct LayoutHeaders: Sendable {
  private let named: Sets
  private let negotiated: Sets

  /// The sets for one list of fields that influence the answer.
  private struct Sets: Sendable {
    let json: HeaderSet
    let cbor: HeaderSet
    let notModified: HeaderSet

    init(cacheControl: String, vary: String) {
      let caching: [Response.Field] = [("Cache-Control", cacheControl), ("Vary", vary)]
      notModified = HeaderSet(caching)
      json = HeaderSet([("Content-Type", MediaType.json)] + caching)
      cbor = HeaderSet([("Content-Type", MediaType.cbor)] + caching)
    }
  }

  /// For content that may change with the next version. Caches must ask again.
  static let current = LayoutHeaders(cacheControl: "private, no-cache")
  /// For content that may change under the same tag, such as the summary with its expiry.
  static let unstored = LayoutHeaders(cacheControl: "no-store")
  /// For content of one version, which never changes.
  static let immutable = LayoutHeaders(cacheControl: "private, max-age=31536000, immutable")
  /// For the same content, if shared caches may store it too.
  static let sharedImmutable = LayoutHeaders(cacheControl: "public, max-age=31536000, immutable")

  private init(cacheControl: String) {
    named = Sets(cacheControl: cacheControl, vary: LayoutService.varyingFields)
    negotiated = Sets(cacheControl: cacheControl, vary: "Accept, " + LayoutService.varyingFields)
  }

  /// A 304 has the fields that update a cache, and no fields about the content that the cache has
  /// (RFC 9110, section 15.4.5).
  subscript(status: Status, representation: Representation = .json) -> HeaderSet {
    let sets = representation.isNegotiated ? negotiated : named
    if status == .notModified { return sets.notModified }
    return representation.format == .json ? sets.json : sets.cbor
  }
}
