import System

/// The state of the request in progress and of its answer. There is a new one for each request.
struct Exchange {
  var startedAt: Nanoseconds = 0
  /// Whether the connection timed out at the moment when the request began.
  var isTooLate = false
  var hasHeader = false
  var isHead = false
  var isHTTP10 = false
  /// The memory of the connection that the header section needs, in bytes.
  var headerBytes = 0
  /// The end of the header section in libmicrohttpd's memory, if the content is chunked. Trailers
  /// follow it.
  var headerEnd: UnsafeRawPointer?
  var body: RequestBody?
  /// The bytes of content that were dropped, and their limit.
  var swallowed = 0
  var swallowLimit = 0
  /// When the header section of a request with content was complete.
  var contentStartedAt: Nanoseconds?
  var contentReceived = 0
  var bytesReceived = 0
  var bytesSent = 0
  var status: Status?
  var requestID: RequestID?
  var operation: Int?
}
