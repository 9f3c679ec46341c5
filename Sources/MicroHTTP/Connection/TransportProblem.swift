/// Why a request was refused by this module, before or without asking for what it wanted.
///
/// A `Responder` gives each its answer; where the connection can't be used any more, it is closed
/// after that answer whatever the answer says.
public enum TransportProblem: Sendable, Equatable {
  /// 400, and the connection closes: it is not certain where the next request would begin.
  case malformedRequest(reason: String)
  /// 413: more content than `limit` bytes.
  case contentTooLarge(limit: Int)
  /// 414: a request target of more than `limit` bytes.
  case targetTooLong(limit: Int)
  /// 431, and the connection closes: a header section that takes more than `limit` bytes of its
  /// connection's memory.
  case headerFieldsTooLarge(limit: Int)
  /// 411: POST, PUT or PATCH with neither `Content-Length` nor chunked coding.
  case lengthRequired
  /// 408, and the connection closes: the request did not arrive in time.
  case requestTimeout
  /// 503: the queue of deferred work is full.
  case overloaded(retryAfterSeconds: Int)
  /// 503: contents on their way take all the memory that there is for them.
  case buffersFull
  /// 503: the daemon stops before the work is done.
  case stopping
  /// 503, and the connection closes: there are as many connections as the configuration permits.
  case tooManyConnections

  /// The status that belongs to it.
  public var status: Status {
    switch self {
    case .malformedRequest: .badRequest
    case .contentTooLarge: .contentTooLarge
    case .targetTooLong: .uriTooLong
    case .headerFieldsTooLarge: .headerFieldsTooLarge
    case .lengthRequired: .lengthRequired
    case .requestTimeout: .requestTimeout
    case .overloaded, .buffersFull, .stopping, .tooManyConnections: .serviceUnavailable
    }
  }
}
