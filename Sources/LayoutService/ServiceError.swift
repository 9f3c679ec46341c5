import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The reason why a request cannot be answered as requested.
enum ServiceError: Error {
  /// A problem of which its type says all.
  case problem(ProblemType)
  case noSuchPath(String)
  /// A key is needed, and there is none, or a wrong one.
  case unauthorized(hasToken: Bool)
  /// The request is for a host that the server does not serve.
  case unknownHost(String?)
  case unknownKind(String)
  case noSuchElement(String)
  /// The item is there, but folded in something that is shown.
  case isFolded(String, in: PreparedCollection.Cover)
  /// The request is for sections, but the layout is a hierarchy.
  case noSections
  case methodNotAllowed([Method])
  case notAcceptable(offered: [String])
  case unsupportedMediaType(expected: [String], of: Method)
  case unsupportedContentCoding(String)
  case unknownParameter(name: String, known: [String])
  /// The parameter exists, but its value is wrong.
  case invalidParameter(name: String, requirement: String)
  /// The parameter has wrong percent-encoding.
  case malformedParameter(name: String)
  /// The request is for a version, or has the cursor of a version, that is no longer current.
  case versionGone(asked: AskedVersion, current: VersionTag)
  /// If-Match does not name the current version, or If-None-Match names it.
  case preconditionFailed(Precondition, current: VersionTag)
  case undecodable(BodyError)
  case layoutTooLarge(bytes: Int, limit: Int)
  /// The collection is longer than a body may be.
  case collectionTooLong(bytes: Int, limit: Int)
  /// The collection cannot be laid out any more as a view says.
  case impossibleView(LayoutError)
  /// The store that servers share does not do what it should.
  case storeUnavailable(LogTrouble)
  case transport(TransportProblem)

  /// The layout was never made, or it was deleted, expired or evicted.
  static let noSuchLayout = problem(.noSuchLayout)

  enum Precondition {
    case ifMatch, ifNoneMatch
    /// If-Match has the current tag, but as a weak one.
    case weakIfMatch
  }
}
