import CollectionLayout
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import LayoutSessions

/// On which thread something was freed.
private final class Freeing: Sendable {
  private let thread = Mutex<pthread_t?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  func note() {
    thread.withLock { $0 = pthread_self() }
    isDone.signal()
  }

  var hasBeen: Bool { thread.withLock { $0 != nil } }

  /// Whether it is this thread, once it has happened.
  func wasHere() -> Bool? {
    guard isDone.wait(timeout: .now() + 10) == .success else { return nil }
    return thread.withLock { $0 } == pthread_self()
  }
}

/// Whether memory was freed before somebody took as much.
private final class Room: Sendable {
  private let isTaken = DispatchSemaphore(value: 0)
  private let isFreed = DispatchSemaphore(value: 0)
  private let order = Mutex<[String]>([])

  /// Frees it, late enough for anybody who does not wait for that.
  func waitUntilTaken() {
    _ = isTaken.wait(timeout: .now() + .milliseconds(200))
    order.withLock { $0.append("freed") }
    isFreed.signal()
  }

  func take() {
    order.withLock { $0.append("taken") }
    isTaken.signal()
  }

  func wasFreedFirst() -> Bool? {
    guard isFreed.wait(timeout: .now() + 10) == .success else { return nil }
    return order.withLock { $0 } == ["freed", "taken"]
  }
}

@Suite("What is left of a version")
struct HeldCollectionTests {
  private static let large = 2 << 20
  private static let small = 1000

  /// How a session comes to its end, or its version.
  enum End: CaseIterable {
    case deleted, evicted, changed, expired
  }

  /// Ends a session's first version while a reference to it is held, as one that answers a query
  /// has; then gives that up.
  private func end(_ end: End, bytes: Int, _ freeing: Freeing) throws {
    let clock = ManualSessionClock()
    let store = SessionStore(
      limits: .init(maxSessions: 1, maxBytes: 1 << 30, idleTimeout: .seconds(60)), clock: clock)
    let version = try store.insert(.ofVersion(bytes: bytes) { freeing.note() })
    switch end {
    case .deleted: #expect(store.remove(version))
    case .evicted: _ = try store.insert(.ofVersion(bytes: 1000))
    case .changed:
      let next = try store.advance(version, to: .ofVersion(bytes: 1000), touching: .none)
      #expect(next != nil)
    case .expired:
      clock.advance(by: .seconds(61))
      store.removeExpiredSessions()
    }
    #expect(!freeing.hasBeen)
    withExtendedLifetime(version) {}
  }

  @Test("a large one is not freed by the thread that gave it up last", arguments: End.allCases)
  func large(end: End) throws {
    let freeing = Freeing()
    try self.end(end, bytes: Self.large, freeing)
    same(freeing.wasHere(), false)
  }

  @Test("another one waits for its memory where both are too much")
  func room() throws {
    let store = SessionStore(
      limits: .init(maxSessions: 10, maxBytes: 8 << 20, idleTimeout: .seconds(60)),
      clock: ManualSessionClock())
    let room = Room()
    // A function of its own, so that no reference to the first layout is left here.
    func prepareAndDelete() throws {
      let first = try store.insert(.ofVersion(bytes: 6 << 20) { room.waitUntilTaken() })
      #expect(store.remove(first))
    }
    try prepareAndDelete()
    _ = try store.insert(.ofVersion(bytes: 6 << 20))
    room.take()
    same(room.wasFreedFirst(), true)
  }

  @Test("a small one is freed at once", arguments: End.allCases)
  func small(end: End) throws {
    let freeing = Freeing()
    try self.end(end, bytes: Self.small, freeing)
    #expect(freeing.hasBeen)
    same(freeing.wasHere(), true)
  }
}
