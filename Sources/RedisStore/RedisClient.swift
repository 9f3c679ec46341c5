import LayoutSessions
import Synchronization

/// Sends commands to a server or a cluster, on as many connections as there are threads that send
/// at once.
final class RedisClient: Sendable {
  let address: StoreAddress
  /// How long connecting, and each read and write, may take.
  let timeout: Duration

  private struct State {
    var idle: [StoreAddress.Endpoint: [RedisConnection]] = [:]
    /// Where slots are that are not at the address, as far as a cluster has told.
    var slots: [UInt16: StoreAddress.Endpoint] = [:]
    var isReachable = true
    /// What the sentinels have said last.
    var master: StoreAddress.Endpoint?
    var onTrouble: (@Sendable (_ isReplica: Bool) -> Void)?
  }

  private let state = Mutex(State())
  /// Idle connections that are kept to each server.
  private static let maxIdle = 64
  /// Servers to which idle connections are kept. A cluster with more masters is none for us.
  private static let maxServers = 128
  /// How often a cluster may send a command on.
  private static let maxRedirections = 5
  /// Commands that are sent before the first reply is read.
  private static let pipelineLength = 256

  init(_ address: StoreAddress, timeout: Duration) {
    self.address = address
    self.timeout = timeout
  }

  /// Whether commands are tried at all. While they are not, they fail at once, so that no thread
  /// waits for a server of which it is known that it does not answer.
  var isReachable: Bool {
    get { state.withLock { $0.isReachable } }
    set {
      state.withLock {
        $0.isReachable = newValue
        if !newValue { ($0.idle, $0.master) = ([:], nil) }
      }
    }
  }

  /// Sets what is called when a connection breaks, or the store has become a replica, on the thread
  /// of whoever notices.
  func onTrouble(_ call: @escaping @Sendable (_ isReplica: Bool) -> Void) {
    state.withLock { $0.onTrouble = call }
  }

  // MARK: Commands

  struct Answer {
    var reply: RedisReply
    /// Whether the command was sent twice, so that the server may have done it twice.
    var isRepeated = false
  }

  /// Sends a command; once more where an old connection turns out to be broken.
  ///
  /// - Throws: ``LogError`` for whatever is not a reply, errors of the server included.
  func answer(to command: RedisCommand) throws(LogError) -> Answer {
    guard isReachable else { throw LogError(.unavailable, "the store cannot be reached") }
    var endpoint = try endpoint(of: command.slot)
    var isAsking = false
    var isRepeated = false
    for _ in 0...Self.maxRedirections {
      let start = ContinuousClock.now
      let reply: RedisReply
      do {
        reply = try send(command, to: endpoint, isAsking: isAsking)
      } catch {
        let isSent = isRepeated || error.isSent
        forget(endpoint)
        // What has taken its time once may take it again.
        guard error.isSent, !isRepeated, ContinuousClock.now - start < timeout else {
          tellOfTrouble(isReplica: false)
          throw LogError(
            .unavailable, "\(endpoint): \(error.reason)", mayBeDone: isSent)
        }
        isRepeated = true
        endpoint = try self.endpoint(of: command.slot)
        continue
      }
      guard case .error(let text) = reply else {
        return Answer(reply: reply, isRepeated: isRepeated)
      }
      guard let redirection = Redirection(text, from: endpoint) else {
        throw failure(text, endpoint)
      }
      isAsking = redirection.isAsking
      endpoint = redirection.endpoint
      if !isAsking, let slot = command.slot {
        state.withLock { $0.slots[slot] = redirection.endpoint }
      }
    }
    throw LogError(.unavailable, "the cluster sends a command round in circles")
  }

  /// Sends commands that may be done in any order, and twice, with few waits; the replies have the
  /// order of the commands. What a key does not allow is a reply, too: others are not affected.
  func replies(to commands: [RedisCommand]) throws(LogError) -> [RedisReply] {
    var replies = [RedisReply?](repeating: nil, count: commands.count)
    var places: [StoreAddress.Endpoint: [Int]] = [:]
    for (index, command) in commands.enumerated() {
      places[try endpoint(of: command.slot), default: []].append(index)
    }
    for (endpoint, indices) in places {
      var start = 0
      while start < indices.count, isReachable {
        let part = indices[start..<min(start + Self.pipelineLength, indices.count)]
        start = part.endIndex
        do throws(RedisConnection.Broken) {
          let connection = try take(endpoint)
          for index in part { try connection.send(commands[index].arguments) }
          for index in part { replies[index] = try connection.nextReply() }
          give(back: connection, of: endpoint)
        } catch {
          // One by one, below.
          forget(endpoint)
          break
        }
      }
    }
    return try zip(commands, replies).map { (command, reply) throws(LogError) in
      switch reply {
      case .error(let text)? where Self.concernsKey(text): reply!
      case nil, .error?: try self.reply(to: command)
      default: reply!
      }
    }
  }

  private func reply(to command: RedisCommand) throws(LogError) -> RedisReply {
    do {
      return try answer(to: command).reply
    } catch {
      guard error.cause == .unreadable else { throw error }
      return .error(error.reason)
    }
  }

  // MARK: Connections

  private struct Failure: Error {
    let reason: String
    let isSent: Bool
  }

  private func send(
    _ command: RedisCommand, to endpoint: StoreAddress.Endpoint, isAsking: Bool
  ) throws(Failure) -> RedisReply {
    let connection: RedisConnection
    do throws(RedisConnection.Broken) {
      connection = try take(endpoint)
    } catch {
      throw Failure(reason: error.reason, isSent: false)
    }
    do throws(RedisConnection.Broken) {
      if isAsking { _ = try connection.reply(to: [Array("ASKING".utf8)]) }
      let reply = try connection.reply(
        to: command.arguments, maxBytes: command.maxReplyBytes)
      give(back: connection, of: endpoint)
      return reply
    } catch {
      throw Failure(reason: error.reason, isSent: true)
    }
  }

  private func endpoint(of slot: UInt16?) throws(LogError) -> StoreAddress.Endpoint {
    if let slot, let known = state.withLock({ $0.slots[slot] }) { return known }
    return try mainEndpoint()
  }

  /// Where the store is: at the address, or where the sentinels say.
  func mainEndpoint() throws(LogError) -> StoreAddress.Endpoint {
    guard let sentinels = address.sentinels else { return address.endpoint }
    if let known = state.withLock({ $0.master }) { return known }
    var reason = ""
    for sentinel in sentinels.endpoints {
      do throws(RedisConnection.Broken) {
        let connection = try RedisConnection(
          to: address, at: sentinel, timeout: timeout, isSentinel: true)
        let reply = try connection.reply(
          to: RedisCommand("SENTINEL", "GET-MASTER-ADDR-BY-NAME", sentinels.master).arguments)
        guard let parts = reply.elements, parts.count == 2, let host = parts[0].text,
          let port = parts[1].text.flatMap({ Int($0) }),
          let master = StoreAddress.Endpoint(host: host, port: port)
        else {
          if case .error(let text) = reply { throw RedisConnection.Broken(reason: text) }
          throw RedisConnection.Broken(reason: "it knows no master \(sentinels.master)")
        }
        state.withLock { $0.master = master }
        return master
      } catch {
        reason = "\(sentinel): \(error.reason)"
      }
    }
    throw LogError(.unavailable, "no sentinel says where the store is; \(reason)")
  }

  private func take(
    _ endpoint: StoreAddress.Endpoint
  ) throws(RedisConnection.Broken) -> RedisConnection {
    if let idle = state.withLock({ $0.idle[endpoint]?.popLast() }) { return idle }
    return try RedisConnection(to: address, at: endpoint, timeout: timeout)
  }

  private func give(back connection: RedisConnection, of endpoint: StoreAddress.Endpoint) {
    state.withLock {
      if $0.idle[endpoint] == nil, $0.idle.count >= Self.maxServers { $0.idle = [:] }
      if $0.idle[endpoint]?.count ?? 0 < Self.maxIdle {
        $0.idle[endpoint, default: []].append(connection)
      }
    }
  }

  /// Lets go of what is known of a server of which a connection broke: the others are no better.
  private func forget(_ endpoint: StoreAddress.Endpoint) {
    state.withLock {
      $0.idle[endpoint] = nil
      if $0.master == endpoint { $0.master = nil }
      $0.slots = $0.slots.filter { $0.value != endpoint }
    }
  }

  private func tellOfTrouble(isReplica: Bool) {
    state.withLock { $0.onTrouble }?(isReplica)
  }

  // MARK: Errors

  /// What an error of the server means for us.
  private func failure(_ text: String, _ endpoint: StoreAddress.Endpoint) -> LogError {
    // Older servers say in the middle of what a script failed.
    if text.contains("OOM") { return LogError(.full, text) }
    if text.contains("NOPERM") || text.contains("can't run this command") {
      return LogError(.unsuitable, "the store's user lacks a right: \(text)")
    }
    if Self.concernsKey(text) { return LogError(.unreadable, text) }
    // The address may lead to another server by now.
    if text.contains("READONLY") {
      forget(endpoint)
      tellOfTrouble(isReplica: true)
    }
    return LogError(.unavailable, "\(endpoint): \(text)")
  }

  /// Whether an error is about what a key holds. Older servers say so in the middle of the text.
  private static func concernsKey(_ text: String) -> Bool {
    text.contains("WRONGTYPE") || text.contains("ID specified in XADD")
  }

  /// Where an error sends a command on; `nil` if it does not.
  static func redirected(by text: String) -> StoreAddress.Endpoint? {
    Redirection(text, from: .tcp(host: "", port: 1))?.endpoint
  }

  /// Where a cluster wants a command to be sent: `MOVED slot host:port`, or `ASK` for once.
  private struct Redirection {
    let endpoint: StoreAddress.Endpoint
    let isAsking: Bool

    init?(_ text: String, from current: StoreAddress.Endpoint) {
      let words = text.split(separator: " ")
      guard words.count >= 3, words[0] == "MOVED" || words[0] == "ASK",
        let colon = words[2].lastIndex(of: ":"),
        let port = Int(words[2][words[2].index(after: colon)...])
      else { return nil }
      var host = String(words[2][..<colon])
      // A server that does not know its own address means the one that we use.
      if host.isEmpty, case .tcp(let known, _) = current { host = known }
      guard let endpoint = StoreAddress.Endpoint(host: host, port: port) else { return nil }
      self.endpoint = endpoint
      isAsking = words[0] == "ASK"
    }
  }
}

extension StoreAddress.Endpoint {
  /// What a server says of another one; `nil` if that can be no address.
  init?(host: String, port: Int) {
    guard (1...255).contains(host.utf8.count), (1...65_535).contains(port) else { return nil }
    self = .tcp(host: host, port: port)
  }
}

extension StoreAddress.Endpoint: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tcp(let host, let port): "\(host):\(port)"
    case .unix(let path): path
    }
  }
}
