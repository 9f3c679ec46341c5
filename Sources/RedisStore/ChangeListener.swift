import LayoutSessions
import Synchronization
import System

/// Hears of changes that others make, and knows whether it would hear of them.
///
/// A subscription may die without a word: the network drops packets, or the address leads to
/// another server by now. So the listener publishes a message to itself now and then, the way on
/// which changes are published. When that does not come back in time it begins anew.
final class ChangeListener: Sendable {
  /// On which changes are published.
  let channel: [UInt8]

  private let client: RedisClient
  private let probeChannel: [UInt8]
  private let probeInterval: Duration
  private let warn: @Sendable (String) -> Void
  private let wakeUp = WakeUp()

  private struct State {
    var isStopped = false
    var suspicion: Suspicion?
  }

  /// What makes us doubt that we would hear of changes.
  private enum Suspicion {
    /// A connection broke.
    case trouble
    /// The store has become a replica: its address may lead to another one by now.
    case replica
  }

  private let state = Mutex(State())
  /// Between two attempts to connect. Each time another one, so that servers that have lost the
  /// store together do not come back together.
  private static var pause: Duration { .milliseconds(.random(in: 100...300)) }

  init(
    _ client: RedisClient, probeInterval: Duration, warn: @escaping @Sendable (String) -> Void
  ) {
    self.client = client
    self.probeInterval = probeInterval
    self.warn = warn
    let prefix = client.address.prefix
    channel = Array("\(prefix)changes".utf8)
    let name = String(UInt64.random(in: .min ... .max), radix: 16)
    probeChannel = Array("\(prefix)probe:\(name)".utf8)
  }

  static func message(_ id: SessionID, _ position: HistoryPosition?) -> [UInt8] {
    id.text + Array(" \(position?.description ?? "-")".utf8)
  }

  private static func news(_ message: [UInt8]) -> LogNews? {
    let parts = message.split(separator: UInt8(ascii: " "))
    guard let id = parts.first.flatMap({ SessionID(Array($0).span) }) else { return nil }
    if parts.count == 1 { return .isShorter(id) }
    guard parts.count == 2 else { return nil }
    let text = String(decoding: parts[1], as: UTF8.self)
    if text == "-" { return .hasMoved(id, nil) }
    return HistoryPosition(text).map { .hasMoved(id, $0) }
  }

  /// The position in a message, if there is one.
  static func position(in message: [UInt8]) -> [HistoryPosition] {
    if case .hasMoved(_, let position?)? = news(message) { [position] } else { [] }
  }

  func start(_ hear: @escaping @Sendable (LogNews) -> Void) {
    client.onTrouble { [weak self] isReplica in self?.suspect(isReplica ? .replica : .trouble) }
    do throws(SystemError) {
      try wakeUp.check()
      try SystemThread.start("store news") { [self] in run(hear) }
    } catch {
      preconditionFailure("\(error)")
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp.wake()
  }

  /// Makes sure at once that news still come.
  private func suspect(_ suspicion: Suspicion) {
    state.withLock { if $0.suspicion != .replica { $0.suspicion = suspicion } }
    wakeUp.wake()
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func takeSuspicion() -> Suspicion? { state.withLock { $0.suspicion.take() } }

  // MARK: The thread

  private func run(_ hear: @escaping @Sendable (LogNews) -> Void) {
    var lastReason = ""
    while !isStopped {
      do throws(LogError) {
        // Nobody else sends commands until it is known that they are answered.
        let subscription = try subscribe()
        client.isReachable = true
        try StoreCheck.check(client)
        if !lastReason.isEmpty { warn("the store is reachable again") }
        lastReason = ""
        hear(.isHeard)
        try listen(subscription, hear)
      } catch {
        client.isReachable = false
        if isStopped { return }
        hear(.isSilent)
        if error.reason != lastReason { warn("the store is not reachable: \(error.reason)") }
        lastReason = error.reason
        _ = wakeUp.wait(Self.pause)
      }
    }
  }

  /// A connection on which news come.
  func subscribe() throws(LogError) -> RedisConnection {
    let endpoint = try client.mainEndpoint()
    do throws(RedisConnection.Broken) {
      let connection = try RedisConnection(
        to: client.address, at: endpoint, timeout: client.timeout)
      try connection.send([Array("SUBSCRIBE".utf8), channel, probeChannel])
      for _ in 0..<2 {
        if case .error(let text) = try connection.nextReply() {
          throw RedisConnection.Broken(reason: text)
        }
      }
      return connection
    } catch {
      let cause = error.reason.contains("NOPERM") ? LogError.Cause.unsuitable : .unavailable
      throw LogError(cause, error.reason)
    }
  }

  /// Hears until the connection breaks, or a probe does not come back.
  private func listen(
    _ connection: RedisConnection, _ hear: (LogNews) -> Void
  ) throws(LogError) {
    // A probe that goes out half an interval after the last one came back, and is waited for as
    // long, is missed within an interval.
    let answerTimeout = min(client.timeout, probeInterval / 2)
    var probeTime = ContinuousClock.now + probeInterval / 2
    var awaited: (token: [UInt8], until: ContinuousClock.Instant)?
    while !isStopped {
      let now = ContinuousClock.now
      if let awaited, now >= awaited.until {
        throw LogError(.unavailable, "a message to ourselves did not come back")
      }
      let suspicion = awaited == nil ? takeSuspicion() : nil
      if suspicion == .replica {
        throw LogError(.unavailable, "the store has become a replica")
      }
      if awaited == nil, suspicion != nil || now >= probeTime {
        try StoreCheck.check(client)
        let token = Array(String(UInt64.random(in: .min ... .max), radix: 16).utf8)
        awaited = (token, now + answerTimeout)
        _ = try client.answer(
          to: RedisCommand([Array("PUBLISH".utf8), probeChannel, token]))
      }
      let end = awaited?.until ?? probeTime
      do throws(RedisConnection.Broken) {
        if wakeUp.wait(end - ContinuousClock.now, reading: connection.descriptor) {
          try connection.receive()
        }
        while let message = try connection.receivedMessage() {
          guard let parts = message.elements, parts.count == 3, let content = parts[2].bytes
          else { continue }
          if parts[1].bytes == channel {
            if let news = Self.news(content) { hear(news) }
          } else if content == awaited?.token {
            awaited = nil
            probeTime = ContinuousClock.now + probeInterval / 2
          }
        }
      } catch {
        throw LogError(.unavailable, error.reason)
      }
    }
  }
}
