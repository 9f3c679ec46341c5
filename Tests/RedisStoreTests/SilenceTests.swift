import CollectionLayout
import Dispatch
import LayoutService
import LayoutSessions
import Synchronization
import TestSupport
import Testing

/// A log whose news stop while a server compares its copies with it.
private final class FallingSilent: Log {
  private struct State {
    var hear: (@Sendable (LogNews) -> Void)?
    var comparisons = 0
  }

  private let state = Mutex(State())
  /// The first comparison waits for this.
  let hasTold = DispatchSemaphore(value: 0)
  /// Called for each comparison after the first.
  let onComparison: @Sendable () -> Void

  init(_ onComparison: @escaping @Sendable () -> Void) { self.onComparison = onComparison }

  func tell(_ news: LogNews) { state.withLock { $0.hear }?(news) }

  func listen(_ hear: @escaping @Sendable (LogNews) -> Void) { state.withLock { $0.hear = hear } }

  func heads(of ids: [SessionID]) -> [LogHead] {
    let isFirst = state.withLock { state in
      state.comparisons += 1
      return state.comparisons == 1
    }
    if isFirst {
      _ = hasTold.wait(timeout: .now() + 60)
      tell(.isSilent)
    } else {
      onComparison()
    }
    return ids.map { _ in .at(.beginning(.random())) }
  }

  func create(_ id: SessionID, _ source: SnapshotSource) {}
  func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) -> LogOutcome { .isGone }
  func remove(_ id: SessionID, at position: HistoryPosition) -> LogOutcome { .isGone }
  func snapshot(of id: SessionID) -> SessionSnapshot? { nil }
  func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) -> LoggedChanges { LoggedChanges(head: nil, changes: []) }
  func replaceSnapshot(of id: SessionID, by source: SnapshotSource) {}
  func removeLost(_ id: SessionID, at position: HistoryPosition) -> LogOutcome { .isGone }
  func touch(_ ids: [SessionID]) -> [SessionID] { [] }
}

@Suite("News of a store")
struct SilenceTests {
  @Test("news that stop while copies are compared do not count as heard")
  func silence() throws {
    // Both comparisons are made on one queue, so the first has ended when the second begins.
    let second = DispatchSemaphore(value: 0)
    let log = FallingSilent { second.signal() }
    let sessions = SessionStore(
      limits: .standard, clock: ManualSessionClock(), log: log, bodies: ServiceBodies())
    let list = GivenLayout(
      kind: try #require(LayoutKind.named("list")), bounds: Bounds(width: 100))
    _ = try sessions.create(PreparedCollection(list, .sections([])))
    log.tell(.isHeard)
    log.tell(.isHeard)
    log.hasTold.signal()
    same(second.wait(timeout: .now() + 60), .success)
    #expect(!sessions.isHeard)
  }
}
