import CollectionLayout
import LayoutService
import LayoutSessions
import Logging
import MicroHTTP
import RedisStore

extension FuzzTarget {
  /// What a store sends.
  static let replies = FuzzTarget("replies") { bytes in
    let believed = FuzzedReplies.believed(bytes)
    for position in believed.positions {
      require(position.serial <= HistoryPosition.maxCount, "\(position)")
      require(position.own <= HistoryPosition.maxCount, "\(position)")
      require(position.data.revision <= HistoryPosition.maxCount, "\(position)")
    }
    for time in believed.times { require((0...253_402_300_799).contains(time), "\(time)") }
    for body in believed.bodies { require(body.count <= 1 << 18, "\(body.count)") }
  }

  /// What a store has of a layout: position, kind and time on the first line, the body on the
  /// second, and on each further line the position of a change, its operation and its body. `+`
  /// stands for a position that follows the one before.
  static let records = FuzzTarget("records") { bytes in
    let log = FuzzLog(bytes)
    let limits = LayoutService.Limits.ofFuzzing
    let sessions = SessionStore(
      limits: .ofFuzzing, clock: SystemClock(), log: log, bodies: ServiceBodies(limits: limits))
    let gateway = Gateway(
      LayoutService(sessions: sessions, limits: limits),
      logger: Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() }))
    let requests: [(MicroHTTP.Method, String, String?)] = [
      (.get, "", nil), (.get, "/elements?rect=0,0,1000,1000&limit=100", nil),
      (.get, "/elements?rect=0,0,10,10&known=0,0,9,9&since=3", nil),
      (.patch, "", #"{"bounds":{"width":77}}"#),
      (.post, "/updates", #"{"updates":[{"insert":{"at":[0,0],"items":1}}]}"#), (.get, "", nil),
      (.post, "/views", "{}"), (.delete, "", nil),
    ]
    for (method, path, body) in requests {
      let request = Request(
        method: method, target: RequestTarget("/layouts/\(FuzzLog.id)\(path)"),
        headers: HeaderFields([(.contentType, "application/json")]),
        body: body.map { .copying(Array($0.utf8)) })
      let response: Response
      switch gateway.respond(to: request) {
      case .respond(let ready): response = ready
      case .deferred(let deferred): response = deferred.work()
      case .stream(let head, _): response = head
      }
      let status = response.status.rawValue
      require(status < 500 || status == 503, "\(method) \(path): \(status)")
    }
  }
}

/// A store that has one layout, and takes no changes.
private final class FuzzLog: Log {
  static let id = SessionID(Array("AAAAAAAAAAAAAAAAAAAAAA".utf8).span)!

  private let kept: SessionSnapshot?
  private let logged: [LoggedChange]

  init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    func words(_ line: ArraySlice<UInt8>, _ count: Int) -> [String] {
      line.split(separator: UInt8(ascii: " "), maxSplits: count - 1)
        .map { String(decoding: $0, as: UTF8.self) }
    }
    func position(_ text: String, after last: HistoryPosition?, _ change: UInt64)
      -> HistoryPosition?
    {
      guard text == "+" else { return HistoryPosition(text) }
      let id = HistoryPosition.ChangeID(bits: change)
      return last?.advanced(by: id, isOfData: true) ?? .beginning(id)
    }
    let first = words(lines[0], 3)
    guard first.count == 3, lines.count > 1, let start = position(first[0], after: nil, 0) else {
      (kept, logged) = (nil, [])
      return
    }
    kept = SessionSnapshot(
      position: start, kind: first[1],
      createdUnixTime: min(max(Int(first[2]) ?? 0, 0), 253_402_300_799), body: Array(lines[1]))
    var (last, changes) = (start, [LoggedChange]())
    for (index, line) in lines.dropFirst(2).enumerated() {
      let parts = words(line, 3)
      let id = UInt64(index) + 1
      guard parts.count == 3, let next = position(parts[0], after: last, id) else { break }
      changes.append(
        LoggedChange(
          id: HistoryPosition.ChangeID(bits: id), position: next, operation: parts[1],
          body: Array(parts[2].utf8)))
      last = next
    }
    logged = changes
  }

  private var head: HistoryPosition? { logged.last?.position ?? kept?.position }

  func heads(of ids: [SessionID]) -> [LogHead] {
    ids.map { id in id == Self.id ? head.map { .at($0) } ?? .none : .none }
  }

  func snapshot(of id: SessionID) -> SessionSnapshot? { id == Self.id ? kept : nil }

  func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) -> LoggedChanges {
    LoggedChanges(
      head: head,
      changes: Array(logged.drop { $0.position.serial <= position.serial }.prefix(limit)))
  }

  func create(_ id: SessionID, _ source: SnapshotSource) {}
  func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) -> LogOutcome { position == head ? .done(isLong: false) : .isElsewhere }
  func remove(_ id: SessionID, at position: HistoryPosition) -> LogOutcome {
    position == head ? .done(isLong: false) : .isElsewhere
  }
  func removeLost(_ id: SessionID, at position: HistoryPosition) -> LogOutcome { .isElsewhere }
  func replaceSnapshot(of id: SessionID, by source: SnapshotSource) {}
  func touch(_ ids: [SessionID]) -> [SessionID] { [] }
  func listen(_ hear: @escaping @Sendable (LogNews) -> Void) { hear(.isHeard) }
}
