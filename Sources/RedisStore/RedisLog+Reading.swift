public import LayoutSessions

extension RedisLog {
  public func heads(of ids: [SessionID]) throws(LogError) -> [LogHead] {
    let replies = try client.replies(
      to: ids.map {
        let keys = Keys($0, client.address)
        return RedisCommand([text("HGET"), keys.session, text("head")], slot: keys.slot)
      })
    return replies.map { reader.head($0) }
  }

  public func snapshot(of id: SessionID) throws(LogError) -> SessionSnapshot? {
    let keys = Keys(id, client.address)
    let names = RecordReader.snapshotFields.map { text($0) }
    for _ in 0..<Self.maxAttempts {
      guard let record = try reader.snapshot(ask(keys, [text("HMGET"), keys.session] + names))
      else { return nil }
      if let body = try body(of: record, keys) {
        return SessionSnapshot(
          position: record.position, kind: record.kind, createdUnixTime: record.createdUnixTime,
          name: record.name, body: body)
      }
    }
    throw LogError(.unavailable, "a snapshot is replaced again and again")
  }

  /// - Returns: `nil` if another snapshot has taken its place.
  private func body(
    of record: RecordReader.SnapshotRecord, _ keys: Keys
  ) throws(LogError) -> [UInt8]? {
    var body: [UInt8] = []
    if record.partCount > 0 {
      body.reserveCapacity((record.partCount + 1) * SnapshotUpload.partLength)
    }
    for number in 0..<record.partCount {
      let part = try ask(keys, [text("HGET"), keys.parts, text(number)])
      if part == .null {
        guard try isCurrent(record, keys) else { return nil }
        throw LogError(.lost, "a part of the snapshot is lost")
      }
      guard let packed = part.bytes else { throw .unreadable }
      try reader.add(packed, to: &body)
    }
    try reader.add(record.lastPart, to: &body)
    if record.partCount == 0 { return body }
    return try isCurrent(record, keys) ? body : nil
  }

  private func isCurrent(
    _ record: RecordReader.SnapshotRecord, _ keys: Keys
  ) throws(LogError) -> Bool {
    reader.head(try ask(keys, [text("HGET"), keys.session, text("base")])) == .at(record.position)
  }

  public func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) throws(LogError) -> LoggedChanges {
    let keys = Keys(id, client.address)
    let command = StoreScripts.read.command(
      keys: [keys.session, keys.log],
      [text(position.streamNumber), text(limit), text(Self.pageBytes)])
    let answer = try client.answer(
      to: RedisCommand(
        command, slot: keys.slot,
        maxReplyBytes: Self.pageBytes + reader.maxBodyBytes + RedisCommand.maxReplyBytes))
    return try reader.changes(answer.reply, limit: limit)
  }
}
