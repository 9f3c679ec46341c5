import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// Why a request cannot be answered as it asks to be.
enum ServiceError: Error {
  case noSuchPath(String)
  case unknownKind(String)
  /// Never made, deleted, expired or evicted.
  case noSuchLayout
  case noSuchElement(String)
  /// An item is asked for by its id, and no item has one.
  case noItemIDs
  case methodNotAllowed([Method])
  case notAcceptable(offered: String)
  case unsupportedMediaType(expected: [String])
  case invalidParameter(name: String, requirement: String)
  /// A version, or a cursor of a version, that the layout has moved on from.
  case versionGone(asked: Int, current: Int)
  /// If-Match names another version than the current one.
  case preconditionFailed(current: Int)
  case undecodable(DecodingError)
  case layoutTooLarge(bytes: Int, limit: Int)
  case transport(TransportProblem)
}
