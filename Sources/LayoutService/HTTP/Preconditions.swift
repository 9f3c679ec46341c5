import LayoutSessions
import MicroHTTP

/// The conditions of a request for the version of its layout (RFC 9110, section 13).
///
/// This is the only place that evaluates If-Match and If-None-Match. It is the last check that does
/// not need the body. So a client with an old version is told of the version, not of errors in its
/// body. A request that is refused anyway gets the same answer with and without conditions.
struct Preconditions: Sendable {
  private let ifMatch: ArraySlice<UInt8>?
  private let ifNoneMatch: ArraySlice<UInt8>?
  /// The format of the answer, whose tags If-None-Match may have; `nil` for a change, for which the
  /// tags of all formats count.
  private let format: AnswerFormat?
  private let acceptsGzip: Bool

  init(_ request: borrowing Request, answeredAs format: AnswerFormat? = nil) {
    self.format = format
    ifMatch = request.value(of: .ifMatch)
    ifNoneMatch = request.value(of: .ifNoneMatch)
    acceptsGzip = ifNoneMatch != nil && ContentCoding.acceptsGzip(request)
  }

  /// Whether there are none.
  var areEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

  /// Refuses a change if If-Match does not name the version, or if If-None-Match names it.
  func checkChange(of version: VersionTag) throws(ServiceError) {
    try checkMatch(version)
    guard let ifNoneMatch, EntityTagList(ifNoneMatch.span, of: version).hasWeakMatch else { return }
    throw .preconditionFailed(.ifNoneMatch, current: version)
  }

  /// The tag of the answer to GET or HEAD, if If-None-Match has it.
  ///
  /// - Parameters:
  ///   - suffix: What it has; `nil` for what the format adds.
  ///   - isCompressing: Whether answers may be compressed.
  func knownTag(
    of version: VersionTag, suffix: String? = nil, isCompressing: Bool
  ) -> EntityTag? {
    guard let ifNoneMatch else { return nil }
    let suffix = suffix ?? format?.tagSuffix ?? ""
    let tags = EntityTagList(ifNoneMatch.span, of: version, with: suffix)
    let isGzip = tags.hasGzip && isCompressing && acceptsGzip
    guard isGzip || tags.hasPlain || tags.isAny else { return nil }
    return LayoutTag(version: version, suffix: suffix, isGzip: isGzip).entityTag()
  }

  /// Refuses a request if If-Match does not name the version.
  func checkMatch(_ version: VersionTag) throws(ServiceError) {
    guard let ifMatch else { return }
    let tags = EntityTagList(ifMatch.span, of: version)
    guard !tags.hasStrongMatch else { return }
    throw .preconditionFailed(tags.hasWeakMatch ? .weakIfMatch : .ifMatch, current: version)
  }
}
