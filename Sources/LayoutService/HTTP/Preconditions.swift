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

  init(_ request: borrowing Request, answeredAs format: AnswerFormat? = nil) {
    self.format = format
    ifMatch = request.value(of: .ifMatch)
    ifNoneMatch = request.value(of: .ifNoneMatch)
  }

  /// Whether there are none.
  var areEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

  /// Refuses a change if If-Match does not name the version, or if If-None-Match names it.
  func checkChange(of version: VersionTag) throws(Problem) {
    try checkMatch(version)
    guard isKnown(version) else { return }
    throw Problem(
      .preconditionFailed, "If-None-Match has the current entity tag, \"\(version)\".")
  }

  /// Whether If-None-Match names the version, whatever the coding of its answer.
  ///
  /// - Parameter suffix: What the tags have that count; `nil` for what the format adds.
  func isKnown(_ version: VersionTag, suffix: String? = nil) -> Bool {
    guard let ifNoneMatch else { return false }
    return EntityTagList(
      ifNoneMatch.span, of: version, with: suffix ?? format?.tagSuffix
    ).hasWeakMatch
  }

  /// Refuses a request if If-Match does not name the version.
  func checkMatch(_ version: VersionTag) throws(Problem) {
    guard let ifMatch else { return }
    let tags = EntityTagList(ifMatch.span, of: version)
    guard !tags.hasStrongMatch else { return }
    throw Problem(
      .preconditionFailed,
      tags.hasWeakMatch
        ? "If-Match has the current entity tag as a weak one, W/\"\(version)…\". Only a strong tag "
          + "matches. A proxy that compresses answers makes their tags weak. Send the tag without "
          + "W/, or \"\(version)\"."
        : "If-Match does not have the current entity tag, \"\(version)\".")
  }
}
