public import LayoutSessions

/// The log of sessions in Redis, Valkey, or a cluster of them.
///
/// A session has up to three keys: `prefix{id}`, a hash, `prefix{id}:log`, a stream, and
/// `prefix{id}:parts`, a hash of what a long snapshot has beside the session's hash. What a key's
/// name has in braces decides its slot, so all are on one server.
/// ``StoreScripts`` has their fields.
public final class RedisLog: Log {
  /// What is taken from a store, and given to it.
  public struct Limits: Sendable {
    /// The longest body of a change, in bytes.
    public var maxBodyBytes = 64 << 20
    /// The longest body that prepares a session, in bytes. A longer session is refused.
    public var maxSnapshotBytes = 256 << 20

    /// The defaults.
    public static let standard = Self()
  }

  /// After how many changes a session wants a new snapshot, however short they are: taking it over
  /// makes each of them again.
  private static let maxChanges = 256
  /// What the changes may take in any case before a session wants a new snapshot.
  private static let leastBytes = 64 << 10
  /// Changes that are read at once take about as much, packed.
  static let pageBytes = 1 << 20
  /// How often a snapshot is read anew that another one has replaced meanwhile.
  static let maxAttempts = 4

  let client: RedisClient
  let reader: RecordReader
  private let listener: ChangeListener
  private let timeToLive: Duration
  private let limits: Limits

  /// Connects.
  ///
  /// - Parameters:
  ///   - timeout: How long connecting, and each read and write, may take.
  ///   - probeInterval: Within what time it is noticed that no news come.
  ///   - timeToLive: How long sessions are kept that nobody touches.
  ///   - limits: Of what is kept and read.
  ///   - warn: Told of what an operator should know.
  /// - Throws: ``LogError`` when there is no store at the address, or it is none for us.
  public init(
    _ address: StoreAddress, timeout: Duration, probeInterval: Duration, timeToLive: Duration,
    limits: Limits = .standard, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(LogError) {
    client = RedisClient(address, timeout: timeout)
    reader = RecordReader(
      maxBodyBytes: limits.maxBodyBytes, maxSnapshotBytes: limits.maxSnapshotBytes)
    self.timeToLive = timeToLive
    self.limits = limits
    try StoreCheck.check(client)
    listener = ChangeListener(client, probeInterval: probeInterval, warn: warn)
    try checkRights()
  }

  deinit {
    listener.stop()
  }

  public func listen(_ hear: @escaping @Sendable (LogNews) -> Void) { listener.start(hear) }

  public var maxSnapshotBytes: Int { limits.maxSnapshotBytes }

  /// Ends the thread that listens.
  public func close() { listener.stop() }

  /// Does once each thing that sessions need, to see whether the store's user may. Within a script
  /// the store would not say what is missing.
  private func checkRights() throws(LogError) {
    let keys = Keys(.random(), client.address)
    let commands: [[[UInt8]]] = [
      [text("HSET"), keys.session, text("a"), text("b")], [text("HGET"), keys.session, text("a")],
      [text("HMGET"), keys.session, text("a")],
      [text("PEXPIRE"), keys.session, text(timeToLive.milliseconds)],
      [text("RENAME"), keys.session, keys.parts], [text("EXISTS"), keys.parts],
      [text("XADD"), keys.log, text("1-0"), text("a"), text("b")],
      [text("XRANGE"), keys.log, text("-"), text("+")],
      [text("XTRIM"), keys.log, text("MINID"), text("0")], [text("UNLINK"), keys.parts],
      [text("DEL"), keys.log], [text("EVAL"), text("return 1"), text(1), keys.session],
      [text("PUBLISH"), listener.channel, text("")],
    ]
    for command in commands {
      try toleratingAllButRights { () throws(LogError) in
        _ = try ask(keys, command)
      }
    }
    try toleratingAllButRights { () throws(LogError) in _ = try listener.subscribe() }
  }

  /// What else is wrong now need not be wrong later.
  private func toleratingAllButRights(
    _ body: () throws(LogError) -> Void
  ) throws(LogError) {
    do throws(LogError) {
      try body()
    } catch {
      if error.cause == .unsuitable { throw error }
    }
  }

  // MARK: Changes

  public func create(_ id: SessionID, _ source: SnapshotSource) throws(LogError) {
    let keys = Keys(id, client.address)
    let outcome = try put(source, keys, StoreScripts.create) { position in
      [position, text(RecordReader.format), text(source.kind), text(source.createdUnixTime)]
    } last: {
      [text(source.name ?? "")]
    }
    guard case .done = outcome else {
      throw LogError(.unavailable, "there is a session with the id \(id) already")
    }
  }

  public func replaceSnapshot(
    of id: SessionID, by source: SnapshotSource
  ) throws(LogError) {
    let keys = Keys(id, client.address)
    _ = try put(source, keys, StoreScripts.replaceSnapshot) { position in
      [
        position, text(source.position.streamNumber), text(source.kind), text(RecordReader.format),
      ]
    } last: {
      [listener.channel, id.text]
    }
  }

  /// Writes a snapshot.
  ///
  /// - Parameter first: The script's first arguments; the rest is the same for all.
  private func put(
    _ source: SnapshotSource, _ keys: Keys, _ script: RedisScript,
    _ first: (_ position: [UInt8]) -> [[UInt8]], last: () -> [[UInt8]] = { [] }
  ) throws(LogError) -> LogOutcome {
    let upload = SnapshotUpload(
      client, key: keys.ofNewParts(), slot: keys.slot, maxBytes: limits.maxSnapshotBytes)
    let lastPart = try upload.write(source)
    return try run(
      script, keys.all + [upload.key], keys.slot,
      first(text(source.position)) + [
        lastPart, text(timeToLive.milliseconds), text(upload.partCount),
        text(SnapshotUpload.partLength),
      ] + last())
  }

  // MARK: Names

  public func id(named name: String) throws(LogError) -> SessionID? {
    let keys = Keys(ofName: name, client.address)
    return try ask(keys, [text("HGET"), keys.session, text("id")]).bytes.flatMap {
      SessionID($0.span)
    }
  }

  public func claim(
    _ name: String, for id: SessionID, insteadOf gone: SessionID?
  ) throws(LogError) -> SessionID {
    let keys = Keys(ofName: name, client.address)
    let command = StoreScripts.claim.command(
      keys: [keys.session], [id.text, gone?.text ?? [], text(timeToLive.milliseconds)])
    let reply = try client.answer(to: RedisCommand(command, slot: keys.slot)).reply
    guard let id = reply.bytes.flatMap({ SessionID($0.span) }) else { throw .unreadable }
    return id
  }

  public func touch(names: [String]) throws(LogError) {
    _ = try client.replies(
      to: names.map {
        let keys = Keys(ofName: $0, client.address)
        return RedisCommand(
          [text("PEXPIRE"), keys.session, text(timeToLive.milliseconds)], slot: keys.slot)
      })
  }

  public func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) throws(LogError) -> LogOutcome {
    let keys = Keys(id, client.address)
    return try run(
      StoreScripts.append, keys.always, keys.slot,
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
  ) throws(LogError) -> LogOutcome {
    let keys = Keys(id, client.address)
    let command = StoreScripts.remove.command(
      keys: keys.always, [text(position), listener.channel, ChangeListener.message(id, nil)])
    let answer = try client.answer(to: RedisCommand(command, slot: keys.slot))
    let outcome = try outcome(answer.reply)
    if outcome == .done(isLong: true) {
      // Parts that cannot be taken away now go by themselves.
      _ = try? ask(keys, [text("UNLINK"), keys.parts])
      return .done(isLong: false)
    }
    // It was there the first time.
    return outcome == .isGone && answer.isRepeated ? .done(isLong: false) : outcome
  }

  public func removeLost(
    _ id: SessionID, at position: HistoryPosition
  ) throws(LogError) -> LogOutcome {
    let keys = Keys(id, client.address)
    return try run(
      StoreScripts.removeLost, keys.all, keys.slot,
      [
        text(position), text(position.streamNumber), listener.channel,
        ChangeListener.message(id, nil),
      ])
  }

  public func touch(_ ids: [SessionID]) throws(LogError) -> [SessionID] {
    let time = text(timeToLive.milliseconds)
    let commands = ids.flatMap { id in
      let keys = Keys(id, client.address)
      return keys.all.map { RedisCommand([text("PEXPIRE"), $0, time], slot: keys.slot) }
    }
    let replies = try client.replies(to: commands)
    let keysOfEach = 3
    return zip(ids, stride(from: 0, to: replies.count, by: keysOfEach))
      .filter { replies[$1] == .integer(0) }.map(\.0)
  }

  // MARK: Parts

  /// The keys of a session.
  struct Keys {
    let session: [UInt8]
    let log: [UInt8]
    let parts: [UInt8]
    let slot: UInt16

    /// Those that a session has whose history has begun.
    var always: [[UInt8]] { [session, log] }
    var all: [[UInt8]] { [session, log, parts] }

    init(_ id: SessionID, _ address: StoreAddress) { self.init(id.text, address) }

    /// Those of a name. It is encoded, for what it has in braces would decide its slot.
    init(ofName name: String, _ address: StoreAddress) {
      self.init(Array("name:".utf8) + name.utf8.flatMap { String($0, radix: 16).utf8 }, address)
    }

    private init(_ tag: [UInt8], _ address: StoreAddress) {
      session = Array("\(address.prefix){".utf8) + tag + Array("}".utf8)
      log = session + Array(":log".utf8)
      parts = session + Array(":parts".utf8)
      slot = HashSlot.number(of: tag)
    }

    /// A key of parts that no other snapshot has.
    func ofNewParts() -> [UInt8] {
      parts + Array(":\(String(UInt64.random(in: .min ... .max), radix: 16))".utf8)
    }
  }

  private func run(
    _ script: RedisScript, _ keys: [[UInt8]], _ slot: UInt16, _ arguments: [[UInt8]]
  ) throws(LogError) -> LogOutcome {
    let command = script.command(keys: keys, arguments)
    return try outcome(client.answer(to: RedisCommand(command, slot: slot)).reply)
  }

  /// Does a command with a key of a session.
  func ask(_ keys: Keys, _ arguments: [[UInt8]]) throws(LogError) -> RedisReply {
    try client.answer(to: RedisCommand(arguments, slot: keys.slot)).reply
  }

  private func outcome(_ reply: RedisReply) throws(LogError) -> LogOutcome {
    switch reply.text {
    case "done": .done(isLong: false)
    case "long": .done(isLong: true)
    case "elsewhere": .isElsewhere
    case "gone": .isGone
    case "lost":
      throw LogError(.unavailable, "the parts of a snapshot were gone before it was done")
    default: throw .unreadable
    }
  }
}

extension Duration {
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
