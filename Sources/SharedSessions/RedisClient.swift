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
    var onTrouble: (@Sendable (_ isReplica: Bool) -> Void)?
  }

  private let state = Mutex(State())
  /// Idle connections that are kept to each server.
  private static let maxIdle = 64
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
        if !newValue { $0.idle = [:] }
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
  /// - Throws: ``SessionLogError`` for whatever is not a reply, errors of the server included.
  func answer(to command: RedisCommand) throws(SessionLogError) -> Answer {
    guard isReachable else { throw SessionLogError(.unavailable, "the store cannot be reached") }
    var endpoint = endpoint(of: command.slot)
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
          throw SessionLogError(
            .unavailable, "\(endpoint): \(error.reason)", mayBeDone: isSent)
        }
        isRepeated = true
        endpoint = self.endpoint(of: command.slot)
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
    throw SessionLogError(.unavailable, "the cluster sends a command round in circles")
  }

  /// Sends commands that may be done in any order, and twice, with few waits; the replies have the
  /// order of the commands.
  func replies(to commands: [RedisCommand]) throws(SessionLogError) -> [RedisReply] {
    var replies = [RedisReply?](repeating: nil, count: commands.count)
    let places = Dictionary(grouping: commands.indices) { endpoint(of: commands[$0].slot) }
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
    for (index, reply) in replies.enumerated() {
      if case .error? = reply { replies[index] = nil }
      if replies[index] == nil { replies[index] = try answer(to: commands[index]).reply }
    }
    return replies.map { $0! }
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
      let reply = try connection.reply(to: command.arguments)
      give(back: connection, of: endpoint)
      return reply
    } catch {
      throw Failure(reason: error.reason, isSent: true)
    }
  }

  private func endpoint(of slot: UInt16?) -> StoreAddress.Endpoint {
    slot.flatMap { slot in state.withLock { $0.slots[slot] } } ?? address.endpoint
  }

  private func take(
    _ endpoint: StoreAddress.Endpoint
  ) throws(RedisConnection.Broken) -> RedisConnection {
    if let idle = state.withLock({ $0.idle[endpoint]?.popLast() }) { return idle }
    return try RedisConnection(to: address, at: endpoint, timeout: timeout)
  }

  private func give(back connection: RedisConnection, of endpoint: StoreAddress.Endpoint) {
    state.withLock {
      if $0.idle[endpoint]?.count ?? 0 < Self.maxIdle {
        $0.idle[endpoint, default: []].append(connection)
      }
    }
  }

  /// Lets go of what is known of a server of which a connection broke: the others are no better.
  private func forget(_ endpoint: StoreAddress.Endpoint) {
    state.withLock {
      $0.idle[endpoint] = nil
      $0.slots = $0.slots.filter { $0.value != endpoint }
    }
  }

  private func tellOfTrouble(isReplica: Bool) {
    state.withLock { $0.onTrouble }?(isReplica)
  }

  // MARK: Errors

  /// What an error of the server means for us.
  private func failure(_ text: String, _ endpoint: StoreAddress.Endpoint) -> SessionLogError {
    // Older servers say in the middle of what a script failed.
    if text.contains("OOM") { return SessionLogError(.full, text) }
    // The address may lead to another server by now.
    if text.contains("READONLY") {
      forget(endpoint)
      tellOfTrouble(isReplica: true)
    }
    return SessionLogError(.unavailable, "\(endpoint): \(text)")
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
      endpoint = .tcp(host: host, port: port)
      isAsking = words[0] == "ASK"
    }
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
