import WireFormat

/// Every type of problem that there is. A new one is a constant here and a line of `all`.
extension ProblemType {
  // MARK: The request

  static let malformedRequest = ProblemType(
    "malformed-request", 400, "Malformed request",
    "The request is not HTTP as it should be, or has a transfer coding other than chunked. The "
      + "connection is closed, for it is not certain where the next request would begin.")
  static let unauthorized = ProblemType(
    "unauthorized", 401, "Unauthorized",
    "The server has been given keys, and the request has none of them. Send one: "
      + "Authorization: Bearer <key>.")
  static let noSuchPath = ProblemType(
    "no-such-path", 404, "No such path",
    "No operation has this path. GET / lists those that there are.")
  static let methodNotAllowed = ProblemType(
    "method-not-allowed", 405, "Method not allowed",
    "The path has no operation for this method. Allow names those that it has.")
  static let notAcceptable = ProblemType(
    "not-acceptable", 406, "Not acceptable",
    "The Accept field excludes the answer's media type. Leave it out, or let the type in.")
  static let requestTimeout = ProblemType(
    "request-timeout", 408, "Request timeout",
    "The request did not arrive in time, and the connection is closed. Send it again.")
  static let uriTooLong = ProblemType(
    "uri-too-long", 414, "URI too long",
    "The request target has more bytes than the server's configuration permits.")
  static let headerFieldsTooLarge = ProblemType(
    "header-fields-too-large", 431, "Header fields too large",
    "The header section takes more than the server's configuration permits, and the connection is "
      + "closed. Send fewer or shorter fields.")

  // MARK: Its query

  static let invalidParameter = ProblemType(
    "invalid-parameter", 400, "Invalid query parameter",
    "The query has a parameter that the operation does not have, or that is not percent-encoded "
      + "as it should be.")

  static func invalid(parameter name: String) -> ProblemType {
    ProblemType(
      "invalid-\(name)", 400, "Invalid query parameter",
      "The query parameter \(name) is missing, malformed, out of range or given twice, does not go "
        + "with the others, or asks for too much. The detail says what it must be.")
  }

  private static let parameters = Set(
    ElementsParameters.all.names + LayoutService.findParameters.names
      + LayoutService.updateParameters.names
  ).sorted()

  // MARK: Its body

  static let lengthRequired = ProblemType(
    "length-required", 411, "Length required",
    "The request has neither a Content-Length nor a chunked body. A POST or PATCH without content "
      + "says Content-Length: 0.")
  static let unsupportedMediaType = ProblemType(
    "unsupported-media-type", 415, "Unsupported media type",
    "The body is not declared as JSON. Accept, and for PATCH Accept-Patch, name the media types "
      + "that are taken.")
  static let unsupportedContentCoding = ProblemType(
    "unsupported-content-coding", 415, "Unsupported content coding",
    "The body has another content coding than gzip, or is coded more than once.")
  static let notGzip = ProblemType(
    "not-gzip", 400, "Not gzip",
    "The body is not what its Content-Encoding says: it is no gzip, broken off, or has something "
      + "behind it.")
  static let notJSON = ProblemType(
    "not-json", 400, "Not JSON",
    "The body is no JSON text. The detail has the offset of the first wrong byte, or of the number "
      + "or string that is wrong.")
  static let invalidBody = ProblemType(
    "invalid-body", 422, "Invalid body",
    "The body is JSON that says something impossible: an unknown option or member, a wrong type, a "
      + "value out of range, a cycle, columns of unequal length, an index path that there is not. "
      + "Each of errors has a JSON pointer to a member and what is wrong with it, the first "
      + "\(InvalidMember.maxCount).")
  static let contentTooLarge = ProblemType(
    "content-too-large", 413, "Content too large",
    "The body has more bytes than the server's configuration permits, as it came or unpacked.")
  static let tooManyItems = ProblemType(
    "too-many-items", 413, "Too many items",
    "The layout would have, or a request's updates would bring, more items or sections than the "
      + "server's configuration permits; or there would be more items than there are whole doubles."
  )

  // MARK: Layouts

  static let unknownKind = ProblemType(
    "unknown-kind", 404, "Unknown kind of layout",
    "There is no such kind of layout. The detail names those that there are, as GET / does.")
  static let noSuchLayout = ProblemType(
    "no-such-layout", 404, "No such layout",
    "There is no layout with this id, or not any more: layouts are kept in memory alone, until "
      + "they are deleted, unused for too long, or evicted for others. Prepare it again.")
  static let noSuchElement = ProblemType(
    "no-such-element", 404, "No such element",
    "The layout has no element of this kind at this index path, or no item with this id.")
  static let noItemIDs = ProblemType(
    "no-item-ids", 422, "No item ids",
    "An item is asked for by its id, and no item of the layout has one. Ask by index path.")
  static let versionGone = ProblemType(
    "version-gone", 410, "Version gone",
    "The layout has moved on from the version that is asked for, or that the cursor is of. Ask "
      + "again without version or cursor.")
  static let preconditionFailed = ProblemType(
    "precondition-failed", 412, "Precondition failed",
    "If-Match means another version than the current one, or a change's If-None-Match means the "
      + "current one. Read the layout again before changing it.")
  static let layoutTooLarge = ProblemType(
    "layout-too-large", 413, "Layout too large",
    "The layout takes more memory than the server's configuration permits for all together.")

  // MARK: The server

  static let notReady = ProblemType(
    "not-ready", 503, "Not ready", "The server is stopping and takes no new work.")
  static let overloaded = ProblemType(
    "overloaded", 503, "Too much work at once",
    "The queue of work is full. Try again after as many seconds as Retry-After says.")
  static let buffersFull = ProblemType(
    "buffers-full", 503, "Too much content on its way",
    "Bodies being received and answers being sent take all the memory that there is for them. Try "
      + "again after as many seconds as Retry-After says.")
  static let stopping = ProblemType(
    "stopping", 503, "Stopping",
    "The server stops before the work is done. Try again when another runs.")
  static let tooManyConnections = ProblemType(
    "too-many-connections", 503, "Too many connections",
    "There are as many connections as the server's configuration permits. Use fewer, and keep them "
      + "open.")

  static let all: [ProblemType] =
    [
      malformedRequest, unauthorized, noSuchPath, methodNotAllowed, notAcceptable, requestTimeout,
      uriTooLong, headerFieldsTooLarge, invalidParameter, lengthRequired, unsupportedMediaType,
      unsupportedContentCoding, notGzip, notJSON, invalidBody, contentTooLarge, tooManyItems,
      unknownKind, noSuchLayout, noSuchElement, noItemIDs, versionGone, preconditionFailed,
      layoutTooLarge, notReady, overloaded, buffersFull, stopping, tooManyConnections,
    ] + parameters.map(invalid(parameter:))
}
