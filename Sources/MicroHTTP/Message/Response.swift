/// An answer.
///
/// `Date`, `Connection` and `Content-Length` are added when it is sent. Do not add them.
public struct Response: Sendable {
  /// A header field. The value has no line breaks.
  public typealias Field = (name: FieldName, value: String)

  public var status: Status
  /// Fields that many answers share; see `HeaderSet`.
  public var commonHeaders: HeaderSet
  /// Fields of this answer.
  public var headers: [Field]
  /// The `ETag`. It has its own property, because nearly every answer has one, and each is
  /// different.
  public var entityTag: EntityTag?
  /// The `X-Request-Id`. It is also in the request's record.
  public var requestID: RequestID?
  /// The operation of the responder, as a number that the responder chooses. It is not sent, but it
  /// is in the request's record.
  public var operation: Int?
  /// The content. It is sent without being copied.
  public var body: [UInt8]
  /// The length of content that is not sent, for a 304 or an answer to HEAD with an empty `body`.
  /// `nil` means `body.count`. A 304 with neither has no `Content-Length`.
  public var declaredContentLength: Int?
  /// What follows the status and the fields as a stream of events, of an answer that a worker has
  /// made. It has no `body`.
  public var events: (any EventSource)?

  public init(
    status: Status, commonHeaders: HeaderSet = .empty, headers: [Field] = [],
    entityTag: EntityTag? = nil, body: [UInt8] = [], declaredContentLength: Int? = nil
  ) {
    self.status = status
    self.commonHeaders = commonHeaders
    self.headers = headers
    self.entityTag = entityTag
    self.body = body
    self.declaredContentLength = declaredContentLength
  }

  /// The value of a field of this answer, or `nil`; for tests and logs.
  public subscript(name: FieldName) -> String? {
    if let field = headers.first(where: { $0.name == name }) { return field.value }
    if name == "ETag", let entityTag { return entityTag.text }
    if name == .xRequestID, let requestID { return requestID.description }
    return commonHeaders[name]
  }
}
