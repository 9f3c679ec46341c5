import CollectionLayout
import Synchronization
import TestSupport
import Testing

@testable import LayoutSessions

/// The versions that all threads know of.
private final class SharedVersions: Sendable {
  let versions = Mutex<[LayoutVersion]>([])
}

@Suite("Session store under several threads")
struct SessionStoreConcurrencyTests {
  @Test("of all that change a version at once, one succeeds")
  func changesAtOnce() async throws {
    let store = SessionStore(limits: .standard, clock: ManualSessionClock())
    let id = try store.insert(.ofVersion(bytes: 1000)).id
    let tasks = 8
    let rounds = 200
    let successes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          var successes = 0
          for _ in 0..<rounds {
            let current = try #require(store.version(of: id))
            let next = try store.advance(
              current, to: .ofVersion(bytes: 1000), touching: .none)
            if let next {
              successes += 1
              same(next.number, current.number + 1)
            }
          }
          return successes
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(successes >= rounds)
    same(store.version(of: id)?.number, successes + 1)
    same(store.statistics, .init(sessions: 1, bytes: 1000, evictions: 0, expiries: 0))
  }

  @Test("a version is ended by one of all that try")
  func removalsAtOnce() async throws {
    let store = SessionStore(limits: .standard, clock: ManualSessionClock())
    for _ in 0..<50 {
      let version = try store.insert(.ofVersion(bytes: 1000))
      let removals = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 { group.addTask { store.remove(version) } }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      same(removals, 1)
    }
    same(store.statistics, .init())
  }

  @Test("whatever threads do at once, the limits and the counts hold", arguments: 0..<4)
  func everythingAtOnce(seed: Int) async throws {
    let limits = SessionStore.Limits(maxSessions: 20, maxBytes: 50_000, idleTimeout: .seconds(60))
    let clock = ManualSessionClock()
    let store = SessionStore(limits: limits, clock: clock)
    let shared = SharedVersions()
    let inserted = try await withThrowingTaskGroup(of: (made: Int, removed: Int).self) { group in
      for task in 0..<4 {
        group.addTask {
          var generator = SeededGenerator(seed: seed * 100 + task)
          var (made, removed) = (0, 0)
          for _ in 0..<300 {
            let any = shared.versions.withLock { $0.randomElement(using: &generator) }
            let bytes = Int.random(in: 1000...5000, using: &generator)
            switch (Int.random(in: 0..<8, using: &generator), any) {
            case (0...2, _), (_, nil):
              let version = try store.insert(.ofVersion(bytes: bytes))
              made += 1
              shared.versions.withLock {
                $0.append(version)
                if $0.count > 30 { $0.removeFirst() }
              }
            case (3, let version?): _ = store.version(of: version.id)
            case (4, let version?):
              let next = try store.advance(
                version, to: .ofVersion(bytes: bytes), touching: .none)
              if let next { shared.versions.withLock { $0.append(next) } }
            case (5, let version?): if store.remove(version) { removed += 1 }
            case (6, _): clock.advance(by: .seconds(Int.random(in: 0...9, using: &generator)))
            default: store.removeExpiredSessions()
            }
            let statistics = store.statistics
            #expect(statistics.sessions <= limits.maxSessions)
            #expect(statistics.bytes <= limits.maxBytes)
            #expect(statistics.sessions * 1000 <= statistics.bytes)
          }
          return (made, removed)
        }
      }
      return try await group.reduce(into: (made: 0, removed: 0)) {
        $0.made += $1.made
        $0.removed += $1.removed
      }
    }
    let statistics = store.statistics
    same(
      inserted.made,
      statistics.sessions + statistics.evictions + statistics.expiries + inserted.removed)
    clock.advance(by: .seconds(61))
    store.removeExpiredSessions()
    same(store.statistics.sessions, 0)
    same(store.statistics.bytes, 0)
  }
}
