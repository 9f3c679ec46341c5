import MicroHTTP
import WireFormat

/// Why a request cannot be answered as it asks to be.
enum ServiceError: Error {
  case noSuchPath(String)
  /// No key, or none of ours, where one is needed.
  case unauthorized(hasToken: Bool)
  /// The server is stopping.
  case notReady
  case unknownKind(String)
  /// Never made, deleted, expired or evicted.
  case noSuchLayout
  case noSuchElement(String)
  /// An item is asked for by its id, and no item has one.
  case noItemIDs
  /// Sections are asked for of a hierarchy.
  case noSections
  case methodNotAllowed([Method])
  case notAcceptable(offered: String)
  case unsupportedMediaType(expected: [String], of: Method)
  case unsupportedContentCoding(String)
  /// The body is not what its Content-Encoding says.
  case malformedContentCoding
  case unknownParameter(name: String, known: [String])
  /// A parameter that there is, but not like this.
  case invalidParameter(name: String, requirement: String)
  /// Wrongly percent-encoded.
  case malformedParameter(name: String)
  /// A version, or a cursor of a version, that the layout has moved on from.
  case versionGone(asked: Int, current: Int)
  /// If-Match names other versions than the current one, or If-None-Match names it.
  case preconditionFailed(Precondition, current: Int)
  case undecodable(BodyError)
  case layoutTooLarge(bytes: Int, limit: Int)
  /// The collection is longer than a body may be that prepares it.
  case collectionTooLong(bytes: Int, limit: Int)
  case transport(TransportProblem)

  enum Precondition {
    case ifMatch, ifNoneMatch
  }
}
