import CHiredis
import Glibc

/// A connection to one server, for one thread at a time.
///
/// After an error the library can do nothing more with a connection than free it, and so do we:
/// nothing is ever reconnected.
///
/// `@unchecked Sendable`: whoever takes a connection from ``RedisClient`` has it alone until it is
/// given back.
final class RedisConnection: @unchecked Sendable {
  /// The connection is of no use any more.
  struct Broken: Error, Equatable {
    let reason: String
  }

  private let context: UnsafeMutablePointer<redisContext>
  /// Those of the library, but for arrays; freed with the context.
  private let functions = UnsafeMutablePointer<redisReplyObjectFunctions>.allocate(capacity: 1)
  private let timeout: Duration
  /// What has come of the reply that is awaited.
  private var receivedBytes = 0

  /// For how many timeouts a reply may come bit by bit, and for one more with each MiB.
  private static let mostTimeouts = 4

  /// Connects, and says who we are and which database we mean.
  ///
  /// - Parameters:
  ///   - endpoint: A server of the store, or a sentinel, which is told neither.
  ///   - timeout: How long to connect may take, and each later read and write.
  init(
    to address: StoreAddress, at endpoint: StoreAddress.Endpoint, timeout: Duration,
    isSentinel: Bool = false
  ) throws(Broken) {
    self.timeout = timeout
    let limit = timeval(timeout)
    let context =
      switch endpoint {
      case .tcp(let host, let port): redisConnectWithTimeout(host, Int32(port), limit)
      case .unix(let path): redisConnectUnixWithTimeout(path, limit)
      }
    guard let context else {
      functions.deallocate()
      throw Broken(reason: "no memory")
    }
    self.context = context
    // The object is whole by now: the context is freed when it goes.
    layoutd_bound_arrays(context.pointee.reader, functions)
    guard context.pointee.err == 0, redisSetTimeout(context, limit) == REDIS_OK else {
      throw broken()
    }
    if case .tcp = endpoint { _ = redisEnableKeepAlive(context) }
    if isSentinel { return }
    if let password = address.password {
      try introduce(["AUTH"] + (address.user.map { [$0] } ?? []) + [password])
    }
    if address.database != 0 { try introduce(["SELECT", "\(address.database)"]) }
  }

  deinit {
    redisFree(context)
    functions.deallocate()
  }

  private func introduce(_ command: [String]) throws(Broken) {
    if case .error(let text) = try reply(to: command.map { Array($0.utf8) }) {
      throw Broken(reason: "\(command[0]): \(text)")
    }
  }

  // MARK: Commands

  /// Sends a command and waits for its reply.
  func reply(
    to command: [[UInt8]], maxBytes: Int = RedisCommand.maxReplyBytes
  ) throws(Broken) -> RedisReply {
    try send(command)
    return try nextReply(maxBytes: maxBytes)
  }

  /// Puts a command into the buffer of what is to be sent, to be sent by ``nextReply()``.
  func send(_ command: [[UInt8]]) throws(Broken) {
    // The pointers need bytes that stay where they are.
    let bytes = command.flatMap { $0 }
    let status = bytes.withUnsafeBytes { bytes in
      var start = 0
      var pointers: [UnsafePointer<CChar>?] = []
      var lengths: [Int] = []
      for argument in command {
        pointers.append(
          bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) })
        lengths.append(argument.count)
        start += argument.count
      }
      return redisAppendCommandArgv(context, Int32(command.count), &pointers, lengths)
    }
    guard status == REDIS_OK else { throw broken() }
  }

  /// Waits for the reply to the oldest command that has none yet.
  ///
  /// - Parameter maxBytes: The longest reply that is taken.
  func nextReply(maxBytes: Int = RedisCommand.maxReplyBytes) throws(Broken) -> RedisReply {
    if let reply = try receivedMessage() { return reply }
    try flush()
    let start = ContinuousClock.now
    while true {
      try receive(maxBytes: maxBytes)
      if let reply = try receivedMessage() { return reply }
      guard ContinuousClock.now - start < timeout * (Self.mostTimeouts + receivedBytes >> 20) else {
        throw Broken(reason: "a reply does not end")
      }
    }
  }

  // MARK: Messages

  /// What to wait on for messages.
  var descriptor: Int32 { context.pointee.fd }

  /// Sends what is in the buffer.
  private func flush() throws(Broken) {
    var isDone: Int32 = 0
    repeat {
      guard redisBufferWrite(context, &isDone) == REDIS_OK else { throw broken() }
    } while isDone == 0
  }

  /// Reads what has come; blocks if nothing has.
  ///
  /// The library would read as much as the server sends.
  func receive(maxBytes: Int = RedisCommand.maxReplyBytes) throws(Broken) {
    let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      var count = 0
      repeat {
        count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while count < 0 && errno == EINTR
      if count > 0 {
        redisReaderFeed(
          context.pointee.reader, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count)
      }
      return count
    }
    guard count > 0 else {
      throw Broken(
        reason: count == 0
          ? "the server has closed the connection" : String(cString: strerror(errno)))
    }
    receivedBytes += count
    guard receivedBytes <= maxBytes else {
      throw Broken(reason: "a reply is longer than \(maxBytes) bytes")
    }
  }

  /// A message that has come; `nil` when there is none.
  func receivedMessage() throws(Broken) -> RedisReply? {
    var reply: UnsafeMutableRawPointer?
    guard redisGetReplyFromReader(context, &reply) == REDIS_OK else { throw broken() }
    guard let reply else { return nil }
    receivedBytes = 0
    defer { freeReplyObject(reply) }
    return RedisReply(reply.assumingMemoryBound(to: redisReply.self))
  }

  // MARK: Errors

  private func broken() -> Broken {
    let reason = withUnsafeBytes(of: context.pointee.errstr) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return Broken(reason: reason)
  }
}

extension timeval {
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    // None at all would mean that there is no limit.
    let microseconds = max(Int(attoseconds / 1_000_000_000_000), seconds == 0 ? 1000 : 0)
    self.init(tv_sec: Int(seconds), tv_usec: microseconds)
  }
}
