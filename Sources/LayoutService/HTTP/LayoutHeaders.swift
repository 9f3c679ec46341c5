import MicroHTTP

/// The fields that answers about a layout have in common, by their status.
struct LayoutHeaders: Sendable {
  private let withContent: HeaderSet
  private let notModified: HeaderSet

  /// What may change with the next version: ask again.
  static let current = LayoutHeaders(cacheControl: "private, no-cache")
  /// What may change under the same tag: the summary, which says when the session ends.
  static let unstored = LayoutHeaders(cacheControl: "no-store")
  /// What belongs to one version, and stays: for the client's own cache.
  static let immutable = LayoutHeaders(cacheControl: "private, max-age=31536000, immutable")
  /// The same for every cache on the way.
  static let sharedImmutable = LayoutHeaders(cacheControl: "public, max-age=31536000, immutable")

  private init(cacheControl: String) {
    let caching: [Response.Field] = [
      ("Cache-Control", cacheControl), ("Vary", LayoutService.varyingFields),
    ]
    notModified = HeaderSet(caching)
    withContent = HeaderSet([("Content-Type", MediaType.json)] + caching)
  }

  /// A 304 has the fields by which a cache is updated, and says nothing of the content that the
  /// cache has (RFC 9110, section 15.4.5).
  subscript(status: Status) -> HeaderSet { status == .notModified ? notModified : withContent }
}
