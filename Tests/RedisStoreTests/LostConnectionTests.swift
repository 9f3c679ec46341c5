import LayoutSessions
import RedisStore
import TestSupport
import Testing

@Suite("A store that goes away")
struct LostConnectionTests {
  private let server: RedisServer
  private let id = SessionID.random()
  private let start = HistoryPosition.beginning(.random())
  private let box = NewsBox()

  init() throws {
    server = try RedisServer(["--appendonly", "yes", "--appendfsync", "always"])
  }

  private func log(
    timeout: Duration = .seconds(60), probeInterval: Duration = .seconds(120)
  ) throws -> RedisLog {
    try RedisLog(
      StoreAddress("unix://\(server.socket)"), timeout: timeout, probeInterval: probeInterval,
      timeToLive: .seconds(100))
  }

  /// A log that has begun to hear, and a session in it.
  private func hearingLog(timeout: Duration = .seconds(60)) throws -> RedisLog {
    let log = try log(timeout: timeout)
    log.listen(box.add)
    #expect(box.hears(.isHeard))
    // With time, whatever the timeout is that is tested.
    try create(in: self.log())
    return log
  }

  private func create(in log: RedisLog) throws {
    try log.create(
      id, SessionSnapshot(position: start, kind: "grid", createdUnixTime: 0, body: [1, 2, 3]))
  }

  private func append(
    to log: RedisLog, after position: HistoryPosition
  ) throws -> HistoryPosition {
    let change = HistoryPosition.ChangeID.random()
    let next = position.advanced(by: change, isOfData: true)
    let outcome = try log.append(
      LoggedChange(id: change, position: next, operation: "patch", body: []), to: id,
      after: position)
    same(outcome, .done(isLong: false))
    return next
  }

  @Test("changes and ends of others are heard of")
  func hears() throws {
    let log = try hearingLog()
    let other = try self.log()
    defer { log.close() }
    let next = try append(to: other, after: start)
    #expect(box.hears(.hasMoved(id, next)))
    try same(other.remove(id, at: next), .done(isLong: false))
    #expect(box.hears(.hasMoved(id, nil)))
  }

  @Test("a subscription that is killed is taken up again")
  func subscribesAgain() throws {
    let log = try hearingLog()
    defer { log.close() }
    try server.command("CLIENT", "KILL", "TYPE", "pubsub")
    #expect(box.hears(.isSilent))
    #expect(box.hears(.isHeard))
    let next = try append(to: self.log(), after: start)
    #expect(box.hears(.hasMoved(id, next)))
  }

  @Test("old connections that are killed make no difference")
  func connectsAgain() throws {
    let log = try log()
    try create(in: log)
    try server.command("CLIENT", "KILL", "TYPE", "normal")
    _ = try append(to: log, after: start)
  }

  @Test("while the store is away calls fail at once, and what it keeps is there afterwards")
  func restarts() throws {
    let log = try hearingLog()
    defer { log.close() }
    let next = try append(to: log, after: start)
    server.kill()
    #expect(box.hears(.isSilent))
    let failure = #expect(throws: LogError.self) { try log.heads(of: [id]) }
    #expect(failure?.cause == .unavailable && failure?.mayBeDone == false)
    try server.start()
    #expect(box.hears(.isHeard))
    try same(log.heads(of: [id]), [.at(next)])
    _ = try append(to: log, after: next)
  }

  @Test("a store that answers nothing is noticed by the first who asks")
  func pauses() throws {
    let log = try hearingLog(timeout: .seconds(1))
    defer { log.close() }
    server.standStill()
    let failure = #expect(throws: LogError.self) {
      try log.append(
        LoggedChange(
          id: .random(), position: start.advanced(by: .random(), isOfData: true),
          operation: "patch", body: []),
        to: id, after: start)
    }
    // It may be done when the store goes on.
    #expect(failure?.cause == .unavailable && failure?.mayBeDone == true)
    #expect(box.hears(.isSilent))
    server.goOn()
    #expect(box.hears(.isHeard))
  }

  @Test("a subscription that dies without a word is noticed by a probe")
  func probes() throws {
    let proxy = try StoreProxy(to: server.socket)
    let log = try RedisLog(
      StoreAddress("unix://\(proxy.socket)"), timeout: .seconds(1),
      probeInterval: .seconds(1), timeToLive: .seconds(100))
    defer { log.close() }
    log.listen(box.add)
    #expect(box.hears(.isHeard))
    proxy.isSwallowing = true
    #expect(box.hears(.isSilent))
    proxy.isSwallowing = false
    #expect(box.hears(.isHeard))
  }

  @Test("there is no log without a store")
  func needsStore() throws {
    server.kill()
    let failure = #expect(throws: LogError.self) { try log() }
    same(failure?.cause, .unavailable)
  }
}
