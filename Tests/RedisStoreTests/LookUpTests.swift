import LayoutService
import LayoutSessions
import Logging
import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// A log that has nothing, and counts how often it is asked.
private final class EmptyLog: Log {
  private let asked = Mutex<[Int]>([])

  /// The number of ids in each question.
  var questions: [Int] { asked.withLock { $0 } }

  func heads(of ids: [SessionID]) -> [LogHead] {
    asked.withLock { $0.append(ids.count) }
    return ids.map { _ in .none }
  }

  func snapshot(of id: SessionID) -> SessionSnapshot? {
    asked.withLock { $0.append(1) }
    return nil
  }

  func create(_ id: SessionID, _ source: SnapshotSource) {}
  func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) -> LogOutcome { .isGone }
  func remove(_ id: SessionID, at position: HistoryPosition) -> LogOutcome { .isGone }
  func removeLost(_ id: SessionID, at position: HistoryPosition) -> LogOutcome { .isGone }
  func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) -> LoggedChanges { LoggedChanges(head: nil, changes: []) }
  func replaceSnapshot(of id: SessionID, by source: SnapshotSource) {}
  func touch(_ ids: [SessionID]) -> [SessionID] { [] }
  func listen(_ hear: @escaping @Sendable (LogNews) -> Void) { hear(.isHeard) }
}

/// Anybody can ask for ids that are not there.
@Suite("Ids that a shared store does not have")
struct LookUpTests {
  private let clock = ManualSessionClock()
  private let log = EmptyLog()
  private let sessions: SessionStore
  private let gateway: Gateway

  init() {
    sessions = SessionStore(limits: .standard, clock: clock, log: log, bodies: ServiceBodies())
    gateway = Gateway(
      LayoutService(sessions: sessions),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    // Once news come, what was looked up before is forgotten.
    let sessions = sessions
    let isHeard = eventually { sessions.isHeard }
    #expect(isHeard)
  }

  private func request(
    _ target: String, _ method: MicroHTTP.Method = .get, body: String? = nil
  ) -> Request {
    Request(
      method: method, target: RequestTarget(target),
      headers: HeaderFields([(.contentType, "application/json")]),
      body: body.map { .copying(Array($0.utf8)) })
  }

  /// Asks for what a path names, and keeps the work that a worker has to do.
  private func begin(_ request: Request) -> DeferredWork? {
    if case .deferred(let work) = gateway.respond(to: request) { work } else { nil }
  }

  private func requests(of id: SessionID) -> [Request] {
    [
      request("/layouts/\(id)"), request("/layouts/\(id)/elements?rect=0,0,1,1"),
      request("/layouts/\(id)/updates", .post, body: #"{"updates":[]}"#),
      request("/layouts/\(id)/views", .post, body: "{}"), request("/layouts/\(id)", .delete),
      request("/layouts/\(id)/events"), request("/events?layout=\(id)"),
    ]
  }

  @Test("those that wait together are looked up together, as short work")
  func together() throws {
    let ids = (0..<100).map { _ in SessionID.random() }
    let works = ids.compactMap { begin(request("/layouts/\($0)")) }
    same(works.count, 100)
    for work in works {
      let answer = try #require(work.shortWork?())
      same(answer.status.rawValue, 404)
    }
    same(log.questions, [100])
  }

  @Test("what was not there a moment ago is not looked up again, and needs no worker")
  func remembered() throws {
    let id = SessionID.random()
    for request in requests(of: id) { _ = begin(request)?.work() }
    same(log.questions, [1])
    for request in requests(of: id).dropLast(2) {
      guard case .respond(let response) = gateway.respond(to: request) else {
        Issue.record("\(request.target) waits")
        continue
      }
      same(response.status.rawValue, 404)
    }
    clock.advance(by: .seconds(3))
    same(begin(request("/layouts/\(id)"))?.work().status.rawValue, 404)
    same(log.questions, [1, 1])
  }

  @Test("a stream of many ids is one question")
  func streams() throws {
    let ids = (0..<64).map { _ in "layout=\(SessionID.random())" }.joined(separator: "&")
    let work = try #require(begin(request("/events?\(ids)")))
    same(work.shortWork?()?.status.rawValue, 404)
    same(log.questions, [64])
  }

  @Test("what is remembered has a bound")
  func bounded() throws {
    for _ in 0..<20_000 { _ = begin(request("/layouts/\(SessionID.random())"))?.work() }
    same(log.questions.count, 20_000)
    let answer = try #require(begin(request("/layouts/\(SessionID.random())"))).work()
    same(answer.status.rawValue, 404)
  }
}
