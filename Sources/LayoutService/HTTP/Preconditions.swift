import MicroHTTP

/// The conditions that a request sets for the version of its layout (RFC 9110, section 13).
///
/// The one place where If-Match and If-None-Match are heeded. They come last of what can be told
/// without the body: a client with an old version hears of that rather than of its body, and of a
/// request that is refused anyway they change nothing.
struct Preconditions: Sendable {
  private let ifMatch: ArraySlice<UInt8>?
  private let ifNoneMatch: ArraySlice<UInt8>?

  init(_ request: borrowing Request) {
    ifMatch = request.value(of: .ifMatch)
    ifNoneMatch = request.value(of: .ifNoneMatch)
  }

  /// Refuses to change or delete a version that If-Match does not name, or that If-None-Match does.
  func checkChange(of version: Int) throws(ServiceError) {
    try checkMatch(version)
    guard !isKnown(version) else {
      throw .preconditionFailed(.ifNoneMatch, current: version)
    }
  }

  /// The status of the answer to GET or HEAD: 304 when If-None-Match names the version.
  ///
  /// A 304 is given its content nevertheless, which decides its length and its tag; it is not sent.
  ///
  /// - Parameter longest: How long an answer may be; a tag that says more is no match.
  func statusOfAnswer(
    about version: Int, longest: Int = .max
  ) throws(ServiceError) -> Status {
    try checkMatch(version)
    return isKnown(version, longest: longest) ? .notModified : .ok
  }

  /// The very tag that the answer would have, where If-None-Match has it with its length: then
  /// there is no need for the answer.
  ///
  /// - Parameters:
  ///   - isCompressing: Whether answers may be compressed.
  ///   - lengths: Those that the answer may have as it is; a tag with another is not believed, and
  ///     one of a compressed answer must be no longer than that.
  func ownTag(
    of version: Int, for request: borrowing Request, isCompressing: Bool,
    lengths: @autoclosure () -> ClosedRange<Int>
  ) throws(ServiceError) -> EntityTag? {
    guard let ifNoneMatch else { return nil }
    try checkMatch(version)
    var tags = EntityTagList(ifNoneMatch.span, of: version)
    if tags.plain != nil || tags.gzip != nil { tags.removeLengths(outside: lengths()) }
    if let tag = tags.plain, tag.length ?? 0 < Gateway.smallestCompressed || !isCompressing {
      return tag
    }
    guard tags.plain != nil || tags.gzip != nil else { return nil }
    return isCompressing && ContentCoding.acceptsGzip(request) ? tags.gzip : tags.plain
  }

  private func checkMatch(_ version: Int) throws(ServiceError) {
    guard let ifMatch, !EntityTagList(ifMatch.span, of: version).hasStrongMatch else { return }
    throw .preconditionFailed(.ifMatch, current: version)
  }

  private func isKnown(_ version: Int, longest: Int = .max) -> Bool {
    ifNoneMatch.map {
      EntityTagList($0.span, of: version, longest: longest).hasWeakMatch
    } ?? false
  }
}
