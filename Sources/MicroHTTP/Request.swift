/// A request whose header section is complete.
public struct Request: Sendable {
  public var method: Method
  public var target: RequestTarget
  public var headers: HeaderFields
  /// The content; nil without any, and always nil in `Responder.rejection(of:)`.
  public var body: RequestBody?
  public var remoteAddress: RemoteAddress
  /// When its first line had been read, on the monotonic clock: of use only beside other readings of
  /// it, such as `RequestRecord.duration`.
  public var receivedAt: Duration

  public init(
    method: Method = .get, target: RequestTarget, headers: HeaderFields = HeaderFields(),
    body: RequestBody? = nil, remoteAddress: RemoteAddress = RemoteAddress(127, 0, 0, 1),
    receivedAt: Duration = .zero
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    self.receivedAt = receivedAt
  }
}
