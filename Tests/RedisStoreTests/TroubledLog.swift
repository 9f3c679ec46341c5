import LayoutSessions
import Synchronization

/// A log in memory, as several servers have it in common, with all that can go wrong on the way to
/// it: each server has a ``Face`` of its own.
final class TroubledLog: Sendable {
  private struct Record {
    var snapshot: SessionSnapshot
    var head: HistoryPosition
    var changes: [LoggedChange] = []
  }

  private struct State {
    var records: [SessionID: Record] = [:]
    /// What was there before each thing that was done.
    var past: [[SessionID: Record]] = []
    /// Those that servers still have: a face holds the log.
    var faces: [@Sendable () -> Face?] = []
  }

  private let state = Mutex(State())

  /// How many things were done and not lost.
  var count: Int { state.withLock { $0.past.count } }

  func makeFace() -> Face {
    let face = Face(self)
    state.withLock { $0.faces.append { [weak face] in face } }
    return face
  }

  /// Goes on without the last things that were done, as a store that has failed over. All servers
  /// connect again.
  func lose(last count: Int) {
    let faces = state.withLock { state in
      state.records = state.past[state.past.count - count]
      state.past.removeLast(count)
      return state.faces.compactMap { $0() }
    }
    for face in faces { face.connectAgain() }
  }

  private func change<R>(
    _ id: SessionID, _ body: (inout [SessionID: Record]) -> (R, isDone: Bool)
  ) -> R {
    let (result, head, faces) = state.withLock { state in
      let before = state.records
      let (result, isDone) = body(&state.records)
      if isDone { state.past.append(before) }
      return (result, state.records[id]?.head, isDone ? state.faces.compactMap { $0() } : [])
    }
    for face in faces { face.add(.hasMoved(id, head)) }
    return result
  }

  private func create(_ id: SessionID, _ snapshot: SessionSnapshot) {
    change(id) { records in
      guard records[id] == nil else { return ((), false) }
      records[id] = Record(snapshot: snapshot, head: snapshot.position)
      return ((), true)
    }
  }

  private func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) -> LogOutcome {
    self.change(id) { records in
      guard var record = records[id] else { return (.isGone, false) }
      guard record.head == position else {
        let isThere = record.changes.contains(change)
        return (isThere ? .done(isLong: false) : .isElsewhere, false)
      }
      record.changes.append(change)
      record.head = change.position
      records[id] = record
      return (.done(isLong: record.changes.count % 7 == 0), true)
    }
  }

  private func remove(_ id: SessionID, at position: HistoryPosition) -> LogOutcome {
    change(id) { records in
      guard let record = records[id] else { return (.isGone, false) }
      guard record.head == position else { return (.isElsewhere, false) }
      records[id] = nil
      return (.done(isLong: false), true)
    }
  }

  private func replaceSnapshot(of id: SessionID, by snapshot: SessionSnapshot) {
    state.withLock { state in
      guard let record = state.records[id],
        snapshot.position == record.snapshot.position
          || record.changes.contains(where: { $0.position == snapshot.position })
      else { return }
      state.records[id]?.snapshot = snapshot
      // Whoever is a little behind does not begin anew.
      state.records[id]?.changes.removeAll {
        $0.position.serial <= record.snapshot.position.serial
      }
    }
  }

  /// What one server has of the log.
  final class Face: Log {
    private struct State {
      var hear: (@Sendable (LogNews) -> Void)?
      /// News that are under way.
      var news: [LogNews] = []
      var isAway = false
      /// What becomes of the next thing that is to be done.
      var trouble: Trouble?
    }

    enum Trouble {
      /// It is not done, and nobody knows.
      case requestIsLost
      /// It is done, and nobody knows.
      case answerIsLost
      /// It comes twice.
      case comesTwice
    }

    private let log: TroubledLog
    private let state = Mutex(State())

    init(_ log: TroubledLog) { self.log = log }

    func listen(_ hear: @escaping @Sendable (LogNews) -> Void) {
      state.withLock { $0.hear = hear }
      hear(.isHeard)
    }

    func expect(_ trouble: Trouble) { state.withLock { $0.trouble = trouble } }

    /// Says that news stop or come again, while the log can be reached.
    func tell(_ news: LogNews) { state.withLock { $0.hear }?(news) }

    /// Breaks the connection, and nobody has noticed yet.
    func breakOff() {
      state.withLock { state in
        state.isAway = true
        state.news = []
      }
    }

    var isAway: Bool { state.withLock { $0.isAway } }

    /// Breaks the connection.
    func leave() {
      breakOff()
      tell(.isSilent)
    }

    func connectAgain() {
      leave()
      state.withLock { state in
        state.isAway = false
        state.trouble = nil
      }
      tell(.isHeard)
    }

    func add(_ news: LogNews) { state.withLock { if !$0.isAway { $0.news.append(news) } } }

    /// Brings the news that are under way.
    ///
    /// - Parameter order: Changes their order.
    func bringNews(_ order: ([LogNews]) -> [LogNews] = { $0 }) {
      let (hear, news) = state.withLock { state in
        defer { state.news = [] }
        return (state.hear, order(state.news))
      }
      for news in news { hear?(news) }
    }

    private func reach() throws(LogError) {
      if state.withLock({ $0.isAway }) { throw LogError(.unavailable, "it is away") }
    }

    private func doing<R>(_ body: () -> R) throws(LogError) -> R {
      try reach()
      let trouble = state.withLock { state in
        defer { state.trouble = nil }
        return state.trouble
      }
      let lost = LogError(.unavailable, "nobody knows", mayBeDone: true)
      switch trouble {
      case .requestIsLost: throw lost
      case .answerIsLost:
        _ = body()
        throw lost
      case .comesTwice:
        _ = body()
        return body()
      case nil: return body()
      }
    }

    private func whole(_ source: SnapshotSource) -> SessionSnapshot {
      let body = Mutex<[UInt8]>([])
      source.body { part in body.withLock { $0 += part } }
      return SessionSnapshot(
        position: source.position, kind: source.kind, createdUnixTime: source.createdUnixTime,
        body: body.withLock { $0 })
    }

    func create(_ id: SessionID, _ source: SnapshotSource) throws(LogError) {
      try doing { log.create(id, whole(source)) }
    }

    func append(
      _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
    ) throws(LogError) -> LogOutcome {
      try doing { log.append(change, to: id, after: position) }
    }

    func remove(_ id: SessionID, at position: HistoryPosition) throws(LogError) -> LogOutcome {
      try doing { log.remove(id, at: position) }
    }

    func heads(of ids: [SessionID]) throws(LogError) -> [LogHead] {
      try reach()
      let records = log.state.withLock { $0.records }
      return ids.map { id in records[id].map { .at($0.head) } ?? .none }
    }

    func snapshot(of id: SessionID) throws(LogError) -> SessionSnapshot? {
      try reach()
      return log.state.withLock { $0.records[id]?.snapshot }
    }

    func changes(
      of id: SessionID, after position: HistoryPosition, limit: Int
    ) throws(LogError) -> LoggedChanges {
      try reach()
      let record = log.state.withLock { $0.records[id] }
      let changes = record?.changes.drop { $0.position.serial <= position.serial } ?? []
      return LoggedChanges(head: record?.head, changes: Array(changes.prefix(limit)))
    }

    func replaceSnapshot(of id: SessionID, by source: SnapshotSource) throws(LogError) {
      try reach()
      log.replaceSnapshot(of: id, by: whole(source))
    }

    func removeLost(_ id: SessionID, at position: HistoryPosition) -> LogOutcome { .isElsewhere }

    func touch(_ ids: [SessionID]) -> [SessionID] { [] }
  }
}
