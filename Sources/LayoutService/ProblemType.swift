import WireFormat

/// A type of problem: what all problems of the type share, under a code on which programs rely.
///
/// A new type is a row, and its name in `all`. The contract's examples and errors.md are compared
/// with this table.
struct ProblemType: Sendable {
  /// The last part of the URI, `/problems/{code}`.
  let code: String
  /// The HTTP status, 400 to 599.
  let status: Int
  /// A short name of the type for people. It is the same for all problems of the type.
  let title: String
  /// When the problem occurs and what to do about it, as sentences.
  let meaning: String

  init(_ code: String, _ status: Int, _ title: String, _ meaning: String) {
    self.code = code
    self.status = status
    self.title = title
    self.meaning = meaning
  }

  /// The answer at its URI, as JSON text in UTF-8.
  func encoded() -> [UInt8] {
    JSONWriter.text {
      write(to: &$0)
      $0["description"] = meaning
    }
  }

  /// Writes the members that every problem of the type has.
  func write(to object: inout JSONObject) {
    object["type"] = "/problems/" + code
    object["title"] = title
    object["status"] = status
  }

  // MARK: The request
  static let malformedRequest = ProblemType(
    "malformed-request", 400, "Malformed request",
    "The request is not valid HTTP, or it has a transfer coding other than chunked. The "
      + "connection is closed, because nobody can tell where the next request begins.")
  static let unauthorized = ProblemType(
    "unauthorized", 401, "Unauthorized",
    "The server needs a key, and the request has no valid one. Send Authorization: Bearer <key>.")
  static let unknownHost = ProblemType(
    "unknown-host", 421, "Unknown host",
    "The server does not answer for the host that the request names. So a page of another site "
      + "cannot reach it by a name of its own.")
  static let noSuchPath = ProblemType(
    "no-such-path", 404, "No such path",
    "There is no operation at this path. GET / lists all operations.")
  static let methodNotAllowed = ProblemType(
    "method-not-allowed", 405, "Method not allowed",
    "The path does not have this method. Allow lists its methods.")
  static let notAcceptable = ProblemType(
    "not-acceptable", 406, "Not acceptable",
    "Accept excludes the media type of the answer. Leave Accept out, or add the type.")
  static let requestTimeout = ProblemType(
    "request-timeout", 408, "Request timeout",
    "The request did not arrive in time. The connection is closed. Send the request again.")
  static let uriTooLong = ProblemType(
    "uri-too-long", 414, "URI too long",
    "The request target is longer than the server allows.")
  static let headerFieldsTooLarge = ProblemType(
    "header-fields-too-large", 431, "Header fields too large",
    "The header section is larger than the server allows. The connection is closed. Send fewer or "
      + "shorter fields.")

  // MARK: Its query
  static let invalidParameter = ProblemType(
    "invalid-parameter", 400, "Invalid query parameter",
    "The operation does not have this query parameter, or its percent-encoding is wrong.")

  // MARK: Its body
  static let lengthRequired = ProblemType(
    "length-required", 411, "Length required",
    "The request has neither Content-Length nor a chunked body. For a POST or PATCH without a "
      + "body, send Content-Length: 0.")
  static let unsupportedMediaType = ProblemType(
    "unsupported-media-type", 415, "Unsupported media type",
    "The body is not declared as JSON. Accept lists the media types of the operation; for PATCH, "
      + "so does Accept-Patch.")
  static let unsupportedContentCoding = ProblemType(
    "unsupported-content-coding", 415, "Unsupported content coding",
    "The body has a content coding other than gzip, or more than one.")
  static let notGzip = ProblemType(
    "not-gzip", 400, "Not gzip",
    "The body is not what its Content-Encoding says. It is not gzip, it is incomplete, or "
      + "something follows it.")
  static let notJSON = ProblemType(
    "not-json", 400, "Not JSON",
    "The body is not JSON. The detail has the byte offset of the first wrong byte, or of the "
      + "number or string that is wrong.")
  static let invalidBody = ProblemType(
    "invalid-body", 422, "Invalid body",
    "The JSON says something impossible: an unknown option or member, a wrong type, a value out of "
      + "range, a cycle, columns of unequal length, an index path that does not exist. Each of errors "
      + "has a JSON pointer to a member and says what is wrong there; there are at most "
      + "\(InvalidMember.maxCount).")
  static let contentTooLarge = ProblemType(
    "content-too-large", 413, "Content too large",
    "The body is larger than the server allows, as it came or unpacked.")
  static let tooManyItems = ProblemType(
    "too-many-items", 413, "Too many items",
    "The layout would have more items or sections than the server allows, or the updates of the "
      + "request would bring more. Or there would be more items than a double can count.")

  // MARK: Layouts
  static let unknownKind = ProblemType(
    "unknown-kind", 404, "Unknown kind of layout",
    "There is no such kind of layout. The detail lists the kinds, and so does GET /.")
  static let noSuchLayout = ProblemType(
    "no-such-layout", 404, "No such layout",
    "There is no layout with this id. It was deleted, it expired, it was evicted, or it never "
      + "existed. Prepare it again.")
  static let noSuchElement = ProblemType(
    "no-such-element", 404, "No such element",
    "The layout has no such element at this index path, or no item with this id. If the item is "
      + "folded, foldedIn names what is shown in its place.")
  static let versionGone = ProblemType(
    "version-gone", 410, "Version gone",
    "The layout has another version now than the request or its cursor asks for. Ask again "
      + "without version and cursor.")
  static let preconditionFailed = ProblemType(
    "precondition-failed", 412, "Precondition failed",
    "If-Match names another version than the current one, or the If-None-Match of a change names "
      + "the current one. Read the layout again before you change it.")
  static let layoutTooLarge = ProblemType(
    "layout-too-large", 413, "Layout too large",
    "The layout needs more memory than the server allows for all layouts together, or its "
      + "collection is longer than a body may be.")
  static let readOnlyView = ProblemType(
    "read-only-view", 403, "Read-only view",
    "A view shows the collection of another layout, and does not change it. A read-only view is "
      + "not changed and deleted either, and the arrangement of what is made of it stays.")
  static let impossibleView = ProblemType(
    "impossible-view", 409, "Impossible view",
    "The collection has changed, and the view's kind, bounds and options do not fit it any more.")

  // MARK: The server
  static let notReady = ProblemType(
    "not-ready", 503, "Not ready",
    "The server is stopping and takes no new work.")
  static let overloaded = ProblemType(
    "overloaded", 503, "Too much work at once",
    "The queue of work is full. Try again after the seconds of Retry-After.")
  static let buffersFull = ProblemType(
    "buffers-full", 503, "Too much content on its way",
    "Bodies and answers on their way use all the memory that they may have. Try again after the "
      + "seconds of Retry-After.")
  static let stopping = ProblemType(
    "stopping", 503, "Stopping",
    "The server stops before the work is done. Try again when another server runs.")
  static let tooManyConnections = ProblemType(
    "too-many-connections", 503, "Too many connections",
    "The server has as many connections as it allows. Use fewer, and keep them open.")
  static let tooManyEventStreams = ProblemType(
    "too-many-event-streams", 503, "Too many event streams",
    "The server has as many streams of events as it allows. Follow several layouts on one stream, "
      + "or ask for what has changed from time to time.")
  static let storeUnavailable = ProblemType(
    "store-unavailable", 503, "Store unavailable",
    "The store that several servers share cannot be reached, or has no memory left. Clients can "
      + "still read layouts that the server knows. Try again after the seconds of Retry-After.")

  // MARK: All

  /// The problem of a query parameter with a name.
  static func invalid(parameter name: String) -> ProblemType {
    ProblemType(
      "invalid-\(name)", 400, "Invalid query parameter",
      "The query parameter \(name) is missing, malformed, out of range or repeated. Or it does not "
        + "fit the other parameters, or it asks for too much. The detail says what it must be.")
  }

  /// All types, with one for each query parameter.
  static let all =
    [
      malformedRequest, unauthorized, unknownHost, noSuchPath, methodNotAllowed, notAcceptable,
      requestTimeout, uriTooLong, headerFieldsTooLarge, invalidParameter, lengthRequired,
      unsupportedMediaType, unsupportedContentCoding, notGzip, notJSON, invalidBody,
      contentTooLarge, tooManyItems, unknownKind, noSuchLayout, noSuchElement, versionGone,
      preconditionFailed, layoutTooLarge, readOnlyView, impossibleView, notReady, overloaded,
      buffersFull, stopping, tooManyConnections, tooManyEventStreams, storeUnavailable,
    ] + parameters.map(invalid(parameter:))

  private static let parameters = Set(
    SummaryParameters.all.names + ElementsParameters.all.names + ItemsParameters.all.names
      + SectionsParameters.all.names + IDsParameters.all.names + FindParameters.all.names
      + LayoutService.updateParameters.names + IndexParameters.all.names
      + PictureParameters.all.names + FollowParameters.ofSeveral.names
      + LayoutService.readinessParameters.names
  ).sorted()
}
