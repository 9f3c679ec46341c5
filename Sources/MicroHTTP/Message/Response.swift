/// An answer.
///
/// `Date`, `Connection` and `Content-Length` are added when it is sent; don't put them in.
public struct Response: Sendable {
  public typealias Field = (name: FieldName, value: String)

  public var status: Status
  /// Fields that are the same in many answers; see `HeaderSet`.
  public var commonHeaders: HeaderSet
  /// Fields of this answer.
  public var headers: [Field]
  /// The `ETag`, quotes included. It has its own place because it is the one field that nearly
  /// every answer has and that differs in each.
  public var entityTag: String?
  /// The `X-Request-Id`; it is in the request's record as well.
  public var requestID: RequestID?
  /// Which of the responder's operations it comes from, by a number of the responder's choice; it
  /// is in the request's record as well, and not sent.
  public var operation: Int?
  /// The content. It is sent from where it lies, without being copied.
  public var body: [UInt8]
  /// The length that the content would have, where none is sent: for a 304 or an answer to HEAD
  /// whose `body` was left empty. Nil means `body.count`; a 304 with neither has no
  /// `Content-Length`.
  public var declaredContentLength: Int?

  public init(
    status: Status, commonHeaders: HeaderSet = .empty, headers: [Field] = [],
    entityTag: String? = nil, body: [UInt8] = [], declaredContentLength: Int? = nil
  ) {
    self.status = status
    self.commonHeaders = commonHeaders
    self.headers = headers
    self.entityTag = entityTag
    self.body = body
    self.declaredContentLength = declaredContentLength
  }

  /// The value of a field that this answer would have, or `nil`; for tests and logs.
  public subscript(name: FieldName) -> String? {
    if let field = headers.first(where: { $0.name == name }) { return field.value }
    if name == "ETag", let entityTag { return entityTag }
    if name == .xRequestID, let requestID { return requestID.description }
    return commonHeaders[name]
  }
}
