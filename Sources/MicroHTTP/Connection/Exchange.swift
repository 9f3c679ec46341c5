/// What is known of the request that is under way on a connection, and of its answer; made anew for
/// each.
struct Exchange {
  var startedAt: Nanoseconds = 0
  /// Whether the connection was cut off for its silence just when the request began.
  var isTooLate = false
  var hasHeader = false
  var isHead = false
  /// What the header section takes of the connection's memory.
  var headerBytes = 0
  /// Where the header section of chunked content ends in libmicrohttpd's memory; trailers lie
  /// behind.
  var headerEnd: UnsafeRawPointer?
  var body: RequestBody?
  /// Content that was thrown away, and how much of it may be.
  var swallowed = 0
  var swallowLimit = 0
  var bytesReceived = 0
  var bytesSent = 0
  var status: Status?
  var requestID: RequestID?
  var operation: Int?
}
