import LayoutSessions
import TestSupport
import Testing

@testable import RedisStore

@Suite("The log in a Redis of its own")
struct RedisLogTests {
  private let server: RedisServer
  private let id = SessionID.random()
  private let start = HistoryPosition.beginning(.random())

  init() throws {
    server = try RedisServer()
  }

  private func log(
    timeout: Duration = .seconds(60), timeToLive: Duration = .seconds(100)
  ) throws -> RedisLog {
    try RedisLog(
      StoreAddress("unix://\(server.socket)?prefix=t:"), timeout: timeout,
      probeInterval: .seconds(120), timeToLive: timeToLive)
  }

  private func snapshot(
    _ position: HistoryPosition, body: String = "{\"a\":1}"
  ) -> SessionSnapshot {
    SessionSnapshot(
      position: position, kind: "grid", createdUnixTime: 1_700_000_000, body: Array(body.utf8))
  }

  private func change(after position: HistoryPosition, body: String = "{}") -> LoggedChange {
    let id = HistoryPosition.ChangeID.random()
    return LoggedChange(
      id: id, position: position.advanced(by: id, isOfData: true), operation: "updates",
      body: Array(body.utf8))
  }

  @Test("another server reads what one has kept")
  func reads() throws {
    let (log, other) = (try log(), try log())
    let kept = snapshot(start, body: String(repeating: "abc", count: 10_000))
    try log.create(id, kept)
    let first = change(after: start, body: "{\"updates\":[]}")
    try same(log.append(first, to: id, after: start), .done(isLong: false))
    let amendment = HistoryPosition.ChangeID.random()
    let second = LoggedChange(
      id: amendment, position: first.position.amended(by: amendment), operation: "patch",
      body: Array("é".utf8))
    try same(log.append(second, to: id, after: first.position), .done(isLong: false))
    try same(other.snapshot(of: id), kept)
    try same(other.changes(of: id, after: start, limit: 10).changes, [first, second])
    try same(other.changes(of: id, after: start, limit: 1).changes, [first])
    try same(other.changes(of: id, after: first.position, limit: 10).changes, [second])
    try same(other.heads(of: [.random(), id]), [.none, .at(second.position)])
  }

  @Test("what is not there is not found")
  func missing() throws {
    let log = try log()
    try same(log.snapshot(of: id), nil)
    try same(log.changes(of: id, after: start, limit: 1).changes, [])
    try same(log.append(change(after: start), to: id, after: start), .isGone)
    try same(log.remove(id, at: start), .isGone)
    try same(log.touch([id]), [id])
    try same(log.heads(of: [id]), [LogHead.none])
  }

  @Test("of two changes of one version the first is kept")
  func conflicts() throws {
    let (log, other) = (try log(), try log())
    try log.create(id, snapshot(start))
    let (first, second) = (change(after: start), change(after: start))
    try same(log.append(first, to: id, after: start), .done(isLong: false))
    try same(other.append(second, to: id, after: start), .isElsewhere)
    try same(other.changes(of: id, after: start, limit: 10).changes, [first])
    try same(other.remove(id, at: start), .isElsewhere)
    try same(other.remove(id, at: first.position), .done(isLong: false))
    try same(log.append(change(after: first.position), to: id, after: first.position), .isGone)
    try same(server.command("KEYS", "*"), "\n")
  }

  @Test("a change that comes twice is made once, even behind others")
  func repeats() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    try log.create(id, snapshot(start))
    let first = change(after: start)
    for _ in 0..<2 {
      try same(log.append(first, to: id, after: start), .done(isLong: false))
    }
    let second = change(after: first.position)
    try same(log.append(second, to: id, after: first.position), .done(isLong: false))
    try same(log.append(first, to: id, after: start), .done(isLong: false))
    try same(log.changes(of: id, after: start, limit: 10).changes, [first, second])
    // The same number, of another history.
    try same(log.append(change(after: start), to: id, after: start), .isElsewhere)
  }

  @Test("a session is not made anew in the place of another")
  func keeps() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    #expect(throws: LogError.self) {
      try log.create(id, snapshot(.beginning(.random())))
    }
    try same(log.heads(of: [id]), [.at(start)])
  }

  @Test("a long log wants a snapshot, which takes its place")
  func compacts() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    var positions = [start]
    var wishes: [Int] = []
    for number in 1...600 {
      let change = change(after: positions.last!)
      if try log.append(change, to: id, after: positions.last!) == .done(isLong: true) {
        wishes.append(number)
      }
      positions.append(change.position)
    }
    #expect(wishes.first == 256 && wishes.count <= 3)
    try log.replaceSnapshot(of: id, by: snapshot(positions[600], body: "{\"b\":1}"))
    // What was changed since the snapshot before is there for those who are behind.
    try same(log.changes(of: id, after: start, limit: 1000).changes.count, 600)
    try same(log.snapshot(of: id), snapshot(positions[600], body: "{\"b\":1}"))
    let next = change(after: positions[600])
    try same(log.append(next, to: id, after: positions[600]), .done(isLong: false))
    try log.replaceSnapshot(of: id, by: snapshot(next.position))
    try same(log.changes(of: id, after: start, limit: 1000).changes.count, 2)
    // A snapshot of another history does nothing.
    try log.replaceSnapshot(of: id, by: snapshot(start.advanced(by: .random(), isOfData: true)))
    try same(log.snapshot(of: id)?.position, next.position)
  }

  @Test("many bytes of changes make a log long, too")
  func growsLong() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    var position = start
    var generator = SystemRandomNumberGenerator()
    var wishes = 0
    for _ in 0..<10 {
      // What can't be compressed.
      let text = (0..<4000).map { _ in String(generator.next(), radix: 36) }.joined()
      let change = change(after: position, body: text)
      if try log.append(change, to: id, after: position) == .done(isLong: true) { wishes += 1 }
      position = change.position
    }
    #expect(wishes >= 1)
  }

  @Test("sessions end when nobody touches them")
  func expires() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    try same(log.append(change(after: start), to: id, after: start), .done(isLong: false))
    for key in ["t:{\(id)}", "t:{\(id)}:log"] {
      try server.command("PEXPIRE", key, "50000")
      try same(log.touch([id]), [])
      let left = Int(try server.command("PTTL", key).dropLast()) ?? 0
      #expect((90_000...100_000).contains(left))
    }
  }

  @Test("it does not matter which scripts the server remembers")
  func flushes() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    try server.command("SCRIPT", "FLUSH")
    try same(log.append(change(after: start), to: id, after: start), .done(isLong: false))
  }

  @Test("a store that may drop keys is refused, unless that is wanted")
  func refusesEviction() throws {
    try server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    let error = #expect(throws: LogError.self) { try log() }
    same(error?.reason.contains("allkeys-lru"), true)
    _ = try RedisLog(
      StoreAddress("unix://\(server.socket)?eviction=any"), timeout: .seconds(60),
      probeInterval: .seconds(120), timeToLive: .seconds(100))
  }

  @Test("a store without memory refuses changes and keeps what it has")
  func fills() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    try server.command("CONFIG", "SET", "maxmemory", "1")
    let failure = #expect(throws: LogError.self) {
      try log.append(change(after: start), to: id, after: start)
    }
    #expect(failure?.cause == .full && failure?.mayBeDone == false)
    #expect(throws: LogError.self) { try log.create(.random(), snapshot(start)) }
    try same(log.heads(of: [id]), [.at(start)])
    try same(log.changes(of: id, after: start, limit: 1).changes, [])
    try server.command("CONFIG", "SET", "maxmemory", "0")
    try same(log.append(change(after: start), to: id, after: start), .done(isLong: false))
  }

  @Test("what somebody else has written under a key is no session")
  func foreign() throws {
    let log = try log()
    try server.command("HSET", "t:{\(id)}", "head", "nonsense", "base", "nonsense")
    let kept = SessionID.random()
    try log.create(kept, snapshot(start))
    try same(log.heads(of: [id, kept]), [.unreadable, .at(start)])
    #expect(throws: LogError.self) { try log.snapshot(of: id) }
    try server.command("SET", "t:{\(id)}", "text")
    try same(log.heads(of: [kept, id, .random()]), [.at(start), .unreadable, .none])
    let failure = #expect(throws: LogError.self) { try log.snapshot(of: id) }
    same(failure?.cause, .unreadable)
    try server.command("DEL", "t:{\(id)}")
    try server.command("XADD", "t:{\(id)}:log", "2-0", "a", "b")
    #expect(throws: LogError.self) { try log.changes(of: id, after: start, limit: 1) }
  }

  @Test("a thousand heads are read at once")
  func manyHeads() throws {
    let log = try log()
    let ids = (0..<1000).map { _ in SessionID.random() }
    for id in ids.prefix(500) { try log.create(id, snapshot(start)) }
    let heads = try log.heads(of: ids)
    same(heads, [LogHead](repeating: .at(start), count: 500) + Array(repeating: .none, count: 500))
  }

  @Test("a long snapshot is kept in parts, and read as it was")
  func parts() throws {
    let log = try log()
    var generator = SeededGenerator(seed: 1)
    for length in [1 << 20, 1 << 20 + 1, 3 << 20, 5_000_000] {
      let id = SessionID.random()
      let body = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next() & 63) }
      let kept = SessionSnapshot(
        position: start, kind: "grid", createdUnixTime: 0, body: body)
      try log.create(id, kept)
      try same(log.snapshot(of: id), kept)
      let change = change(after: start)
      try same(log.append(change, to: id, after: start), .done(isLong: false))
      var next = kept
      next.position = change.position
      next.body = Array(body.reversed())
      try log.replaceSnapshot(of: id, by: next)
      try same(log.snapshot(of: id), next)
      next.body = [1, 2, 3]
      let last = self.change(after: next.position)
      try same(log.append(last, to: id, after: next.position), .done(isLong: false))
      next.position = last.position
      try log.replaceSnapshot(of: id, by: next)
      try same(log.snapshot(of: id), next)
      try same(log.remove(id, at: next.position), .done(isLong: false))
    }
    try same(server.command("KEYS", "*"), "\n")
  }

  @Test("what is too long for the store is refused, and leaves nothing there")
  func tooLong() throws {
    let log = try RedisLog(
      StoreAddress("unix://\(server.socket)"), timeout: .seconds(60), probeInterval: .seconds(120),
      timeToLive: .seconds(100), limits: RedisLog.Limits(maxSnapshotBytes: 3 << 20))
    let body = [UInt8](repeating: 65, count: 4 << 20)
    let failure = #expect(throws: LogError.self) {
      try log.create(
        id, SessionSnapshot(position: start, kind: "grid", createdUnixTime: 0, body: body))
    }
    same(failure?.cause, .tooLong(bytes: 4 << 20, limit: 3 << 20))
    try same(server.command("KEYS", "*"), "\n")
  }

  @Test("a part of a snapshot that the store has dropped is a lost session")
  func lostPart() throws {
    let log = try log()
    let long = snapshot(start, body: String(repeating: "a", count: 2_000_000))
    try log.create(id, long)
    try same(log.removeLost(id, at: start), .isElsewhere)
    try server.command("DEL", "t:{\(id)}:parts")
    let failure = #expect(throws: LogError.self) { try log.snapshot(of: id) }
    same(failure?.cause, .lost)
    try same(log.removeLost(id, at: start.advanced(by: .random(), isOfData: true)), .isElsewhere)
    try same(log.removeLost(id, at: start), .done(isLong: false))
    try same(log.heads(of: [id]), [LogHead.none])
  }

  @Test("a record of another format is refused with a sentence that says what to do")
  func otherFormat() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    for format in ["1", "2", "3", ""] {
      try server.command("HSET", "t:{\(id)}", "format", format)
      let failure = #expect(throws: LogError.self) { try log.snapshot(of: id) }
      #expect(failure?.cause == .unreadable && failure?.reason.contains("prefix") == true)
    }
    try server.command("HSET", "t:{\(id)}", "format", "4")
    try same(log.snapshot(of: id), snapshot(start))
  }

  @Test("changes that are long together come a few at a time")
  func pages() throws {
    let log = try log()
    try log.create(id, snapshot(start))
    var position = start
    var bodies: [Int] = []
    for number in 1...6 {
      let change = change(after: position, body: String(repeating: "\(number)", count: 6_000_000))
      _ = try log.append(change, to: id, after: position)
      position = change.position
    }
    var read = start
    while read != position {
      let page = try log.changes(of: id, after: read, limit: 64)
      same(page.head, position)
      bodies.append(page.changes.count)
      read = try #require(page.changes.last).position
    }
    same(bodies, [2, 2, 2])
  }
}
