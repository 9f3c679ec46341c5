import CHiredis
package import LayoutSessions

/// What a store may send, for the fuzzer: it goes the way of replies, without a socket.
package enum FuzzedReplies {
  /// Reads bytes as replies, and each reply as whatever a reply may be.
  ///
  /// - Returns: The positions, times and bodies that were believed.
  package static func believed(
    _ bytes: [UInt8]
  ) -> (positions: [HistoryPosition], times: [Int], bodies: [[UInt8]]) {
    let reader = RecordReader(maxBodyBytes: 1 << 16, maxSnapshotBytes: 1 << 18)
    var (positions, times, bodies): ([HistoryPosition], [Int], [[UInt8]]) = ([], [], [])
    for reply in replies(in: bytes) {
      if case .at(let position) = reader.head(reply) { positions.append(position) }
      if let record = try? reader.snapshot(reply) {
        positions.append(record.position)
        times.append(record.createdUnixTime)
        var body: [UInt8] = []
        try? reader.add(record.lastPart, to: &body)
        bodies.append(body)
      }
      if let page = try? reader.changes(reply, limit: 4) {
        positions += page.changes.map(\.position) + (page.head.map { [$0] } ?? [])
        bodies += page.changes.map(\.body)
      }
      if case .error(let text) = reply { _ = RedisClient.redirected(by: text) }
      if let text = reply.text { _ = StoreCheck.takesChanges(text) }
      if let bytes = reply.bytes { positions += ChangeListener.position(in: bytes) }
    }
    return (positions, times, bodies)
  }

  private static func replies(in bytes: [UInt8]) -> [RedisReply] {
    guard let reader = redisReaderCreate() else { return [] }
    var functions = redisReplyObjectFunctions()
    return withUnsafeMutablePointer(to: &functions) { functions in
      layoutd_bound_arrays(reader, functions)
      defer { redisReaderFree(reader) }
      return replies(in: bytes, reader)
    }
  }

  private static func replies(
    in bytes: [UInt8], _ reader: UnsafeMutablePointer<redisReader>
  ) -> [RedisReply] {
    bytes.withUnsafeBytes {
      _ = redisReaderFeed(
        reader, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    var replies: [RedisReply] = []
    while true {
      var reply: UnsafeMutableRawPointer?
      guard redisReaderGetReply(reader, &reply) == REDIS_OK, let reply else { return replies }
      replies.append(RedisReply(reply.assumingMemoryBound(to: redisReply.self)))
      freeReplyObject(reply)
    }
  }
}
