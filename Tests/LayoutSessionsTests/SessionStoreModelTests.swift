import CollectionLayout
import TestSupport
import Testing

@testable import LayoutSessions

/// What the store promises, in the plainest way: a list from the most to the least recently used.
private struct Model {
  struct Session {
    var version: LayoutVersion
    var bytes: Int
    var lastUse: Duration
  }

  let limits: SessionStore.Limits
  var sessions: [Session] = []
  var evictions = 0
  var expiries = 0

  var statistics: SessionStore.Statistics {
    .init(
      sessions: sessions.count, bytes: sessions.reduce(0) { $0 + $1.bytes }, evictions: evictions,
      expiries: expiries)
  }

  /// The session's version, which is used now; `nil` when it is not there or idle for too long.
  mutating func use(_ id: SessionID, at now: Duration) -> LayoutVersion? {
    guard let index = sessions.firstIndex(where: { $0.version.id == id }),
      now - sessions[index].lastUse < limits.idleTimeout
    else { return nil }
    var session = sessions.remove(at: index)
    session.lastUse = now
    sessions.insert(session, at: 0)
    return session.version
  }

  mutating func insert(_ version: LayoutVersion, bytes: Int, at now: Duration) {
    sessions.insert(Session(version: version, bytes: bytes, lastUse: now), at: 0)
    evict()
  }

  mutating func replaceNewest(with version: LayoutVersion, bytes: Int) {
    sessions[0].version = version
    sessions[0].bytes = bytes
    evict()
  }

  mutating func remove(_ version: LayoutVersion) -> Bool {
    guard let index = sessions.firstIndex(where: { $0.version === version }) else { return false }
    sessions.remove(at: index)
    return true
  }

  private mutating func evict() {
    while sessions.count > limits.maxSessions || statistics.bytes > limits.maxBytes {
      sessions.removeLast()
      evictions += 1
    }
  }

  mutating func sweep(at now: Duration) {
    let before = sessions.count
    sessions.removeAll { now - $0.lastUse >= limits.idleTimeout }
    expiries += before - sessions.count
  }
}

@Suite("Session store against a model")
struct SessionStoreModelTests {
  @Test("it does what a plain list does", arguments: 0..<100)
  func randomOperations(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let limits = SessionStore.Limits(
      maxSessions: Int.random(in: 1...12, using: &generator),
      maxBytes: Int.random(in: 5_000...40_000, using: &generator), idleTimeout: .seconds(60))
    let clock = ManualSessionClock()
    let store = SessionStore(limits: limits, clock: clock)
    var model = Model(limits: limits)
    /// Every version there ever was.
    var versions: [LayoutVersion] = []

    for step in 0..<250 {
      let bytes = Int.random(in: 1_000...8_000, using: &generator)
      let any = versions.suffix(20).randomElement(using: &generator)
      let operation = Int.random(in: 0..<10, using: &generator)
      switch (operation, any) {
      case (0...2, _), (_, nil):
        do {
          let version = try store.insert(.ofVersion(bytes: bytes))
          #expect(bytes <= limits.maxBytes)
          versions.append(version)
          model.insert(version, bytes: bytes, at: clock.now())
        } catch {
          same(error, .tooLarge(bytes: bytes, limit: limits.maxBytes))
          #expect(bytes > limits.maxBytes)
        }
      case (3...4, let version?):
        #expect(store.version(of: version.id) === model.use(version.id, at: clock.now()))
      case (5...6, let version?):
        do {
          let next =
            operation == 5
            ? try store.advance(version, to: .ofVersion(bytes: bytes), touching: .none)
            : try store.amend(version, to: .ofVersion(bytes: bytes))
          #expect(bytes <= limits.maxBytes)
          // Who asks for a change uses the session, whether or not it comes too late.
          let isCurrent = model.use(version.id, at: clock.now()) === version
          same((next != nil), isCurrent, "step \(step)")
          if let next {
            same(next.number, version.number + (operation == 5 ? 1 : 0))
            versions.append(next)
            model.replaceNewest(with: next, bytes: bytes)
          }
        } catch {
          same(error, .tooLarge(bytes: bytes, limit: limits.maxBytes))
          #expect(bytes > limits.maxBytes)
        }
      case (7, let version?):
        // Only a session that is still to be had is ended.
        let isThere = model.use(version.id, at: clock.now()) != nil
        same((store.version(of: version.id) != nil), isThere, "step \(step)")
        if isThere { same(store.remove(version), model.remove(version), "step \(step)") }
      case (8, _):
        clock.advance(by: .seconds(Int.random(in: 0...30, using: &generator)))
      default:
        store.removeExpiredSessions()
        model.sweep(at: clock.now())
      }
      same(store.statistics, model.statistics, "step \(step)")
    }
    // Whatever the model has left is there, and nothing else.
    for version in versions {
      #expect(store.version(of: version.id) === model.use(version.id, at: clock.now()))
    }
  }
}
