public import LayoutSessions

/// The log of sessions in Redis, Valkey, or a cluster of them.
///
/// A session has two keys: `prefix{id}`, a hash, and `prefix{id}:log`, a stream. What a key's name
/// has in braces decides its slot, so both are on one server. ``StoreScripts`` has their fields.
public final class RedisLog: SessionLog {
  /// After how many changes a session wants a new snapshot, however short they are: taking it over
  /// makes each of them again.
  private static let maxChanges = 256
  /// What the changes may take in any case before a session wants a new snapshot.
  private static let leastBytes = 64 << 10

  private let client: RedisClient
  private let listener: ChangeListener
  private let timeToLive: Duration

  /// Connects.
  ///
  /// - Parameters:
  ///   - timeout: How long connecting, and each read and write, may take.
  ///   - probeInterval: Within what time it is noticed that no news come.
  ///   - timeToLive: How long sessions are kept that nobody touches.
  ///   - warn: Told of what an operator should know.
  /// - Throws: ``SessionLogError`` when there is no store at the address, or it is none for us.
  public init(
    _ address: StoreAddress, timeout: Duration, probeInterval: Duration, timeToLive: Duration,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SessionLogError) {
    client = RedisClient(address, timeout: timeout)
    self.timeToLive = timeToLive
    try StoreCheck.check(client)
    listener = ChangeListener(client, probeInterval: probeInterval, warn: warn)
  }

  deinit {
    listener.stop()
  }

  public func listen(_ hear: @escaping @Sendable (LogNews) -> Void) { listener.start(hear) }

  /// Ends the thread that listens.
  public func close() { listener.stop() }

  // MARK: Changes

  public func create(_ id: SessionID, _ snapshot: SessionSnapshot) throws(SessionLogError) {
    let keys = Keys(id, client.address)
    let outcome = try run(
      StoreScripts.create, keys,
      [
        text(snapshot.position), text(snapshot.kind), text(snapshot.createdUnixTime),
        PackedBytes.pack(snapshot.body), text(timeToLive.milliseconds),
      ])
    guard case .done = outcome else {
      throw SessionLogError(.unreadable, "there is a session with the id \(id) already")
    }
  }

  public func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) throws(SessionLogError) -> LogOutcome {
    let keys = Keys(id, client.address)
    return try run(
      StoreScripts.append, keys,
      [
        text(position), text(change.position), text(change.position.streamNumber),
        text(String(change.id.bits, radix: 16)), text(change.operation),
        PackedBytes.pack(change.body), text(timeToLive.milliseconds),
        listener.channel, ChangeListener.message(id, change.position), text(Self.maxChanges),
        text(Self.leastBytes),
      ])
  }

  public func remove(
    _ id: SessionID, at position: HistoryPosition
  ) throws(SessionLogError) -> LogOutcome {
    let keys = Keys(id, client.address)
    let command = StoreScripts.remove.command(
      keys: keys.all, [text(position), listener.channel, ChangeListener.message(id, nil)])
    let answer = try client.answer(to: RedisCommand(command, slot: keys.slot))
    let outcome = try self.outcome(answer.reply)
    // It was there the first time.
    return outcome == .isGone && answer.isRepeated ? .done(isLong: false) : outcome
  }

  public func replaceSnapshot(
    of id: SessionID, by snapshot: SessionSnapshot
  ) throws(SessionLogError) {
    let keys = Keys(id, client.address)
    _ = try run(
      StoreScripts.replaceSnapshot, keys,
      [
        text(snapshot.position), text(snapshot.position.streamNumber), text(snapshot.kind),
        PackedBytes.pack(snapshot.body), text(timeToLive.milliseconds),
      ])
  }

  public func touch(_ ids: [SessionID]) throws(SessionLogError) {
    let time = text(timeToLive.milliseconds)
    let commands = ids.flatMap { id in
      let keys = Keys(id, client.address)
      return keys.all.map { RedisCommand([text("PEXPIRE"), $0, time], slot: keys.slot) }
    }
    _ = try client.replies(to: commands)
  }

  // MARK: Reading

  public func heads(of ids: [SessionID]) throws(SessionLogError) -> [HistoryPosition?] {
    let replies = try client.replies(
      to: ids.map {
        let keys = Keys($0, client.address)
        return RedisCommand([text("HGET"), keys.session, text("head")], slot: keys.slot)
      })
    return try replies.map { reply throws(SessionLogError) in
      guard reply != .null else { return nil }
      return try position(reply.text)
    }
  }

  public func snapshot(of id: SessionID) throws(SessionLogError) -> SessionSnapshot? {
    let keys = Keys(id, client.address)
    let names = ["base", "kind", "created", "snapshot"].map { text($0) }
    let answer = try client.answer(
      to: RedisCommand([text("HMGET"), keys.session] + names, slot: keys.slot))
    guard let fields = answer.reply.elements, fields.count == 4 else { throw .notOurs }
    if fields[0] == .null { return nil }
    guard let kind = fields[1].text, let created = fields[2].text.flatMap({ Int($0) }),
      let body = fields[3].bytes.flatMap({ PackedBytes.unpack($0) })
    else { throw .notOurs }
    return SessionSnapshot(
      position: try position(fields[0].text), kind: kind, createdUnixTime: created, body: body)
  }

  public func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) throws(SessionLogError) -> [LoggedChange] {
    let keys = Keys(id, client.address)
    let answer = try client.answer(
      to: RedisCommand(
        [
          text("XRANGE"), keys.log, text("(\(position.streamNumber)"), text("+"), text("COUNT"),
          text(limit),
        ], slot: keys.slot))
    guard let entries = answer.reply.elements else { throw .notOurs }
    return try entries.map { entry throws(SessionLogError) in
      guard let parts = entry.elements, parts.count == 2, let fields = parts[1].elements,
        fields.count == 8, let number = fields[3].text.flatMap({ UInt64($0, radix: 16) }),
        let operation = fields[5].text,
        let body = fields[7].bytes.flatMap({ PackedBytes.unpack($0) })
      else { throw .notOurs }
      return LoggedChange(
        id: HistoryPosition.ChangeID(bits: number), position: try self.position(fields[1].text),
        operation: operation, body: body)
    }
  }

  // MARK: Parts

  /// The keys of a session.
  private struct Keys {
    let session: [UInt8]
    let log: [UInt8]
    let slot: UInt16

    var all: [[UInt8]] { [session, log] }

    init(_ id: SessionID, _ address: StoreAddress) {
      let tag = id.text
      session = Array("\(address.prefix){".utf8) + tag + Array("}".utf8)
      log = session + Array(":log".utf8)
      slot = HashSlot.number(of: tag)
    }
  }

  private func run(
    _ script: RedisScript, _ keys: Keys, _ arguments: [[UInt8]]
  ) throws(SessionLogError) -> LogOutcome {
    let command = script.command(keys: keys.all, arguments)
    return try outcome(client.answer(to: RedisCommand(command, slot: keys.slot)).reply)
  }

  private func outcome(_ reply: RedisReply) throws(SessionLogError) -> LogOutcome {
    switch reply.text {
    case "done": .done(isLong: false)
    case "long": .done(isLong: true)
    case "elsewhere": .isElsewhere
    case "gone": .isGone
    default: throw .notOurs
    }
  }

  private func position(_ text: String?) throws(SessionLogError) -> HistoryPosition {
    guard let position = text.flatMap({ HistoryPosition($0) }) else { throw .notOurs }
    return position
  }

  private func text(_ value: some CustomStringConvertible) -> [UInt8] {
    Array(value.description.utf8)
  }
}

extension SessionLogError {
  fileprivate static let notOurs = SessionLogError(
    .unreadable, "a key of a session holds something else")
}

extension HistoryPosition {
  /// As the stream numbers the change: numbers ascend, and none is there twice.
  fileprivate var streamNumber: String { "\(version)-\(amendment)" }
}

extension Duration {
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
