/// The reason why this module refused a request.
///
/// A `Responder` makes the answer. If the connection cannot be used any more, it is closed after
/// the answer.
public enum TransportProblem: Sendable, Equatable {
  /// 400, and the connection closes: it is not certain where the next request begins.
  case malformedRequest(reason: String)
  /// 413: the content has more than `limit` bytes.
  case contentTooLarge(limit: Int)
  /// 414: the request target has more than `limit` bytes.
  case targetTooLong(limit: Int)
  /// 431, and the connection closes: the header section needs more than `limit` bytes of the
  /// connection's memory.
  case headerFieldsTooLarge(limit: Int)
  /// 411: POST, PUT or PATCH has neither `Content-Length` nor chunked coding.
  case lengthRequired
  /// 408, and the connection closes: the request did not arrive in time.
  case requestTimeout
  /// 503: the queue of deferred work is full.
  case overloaded(retryAfterSeconds: Int)
  /// 503: contents that are being received or sent use all the memory for them.
  case buffersFull
  /// 503: the daemon stops before the work is done.
  case stopping
  /// 503, and the connection closes: the largest number of connections is open.
  case tooManyConnections
  /// 503: the largest number of streams is open.
  case tooManyStreams
}
