import LayoutSessions

/// A log of sessions that cannot be reached.
struct AbsentLog: SessionLog {
  private let error = SessionLogError(.unavailable, "there is none")

  func create(_ id: SessionID, _ source: SnapshotSource) throws(SessionLogError) { throw error }

  func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) throws(SessionLogError) -> LogOutcome { throw error }

  func remove(
    _ id: SessionID, at position: HistoryPosition
  ) throws(SessionLogError) -> LogOutcome { throw error }

  func heads(of ids: [SessionID]) throws(SessionLogError) -> [LogHead] { throw error }

  func snapshot(of id: SessionID) throws(SessionLogError) -> SessionSnapshot? { throw error }

  func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) throws(SessionLogError) -> LoggedChanges { throw error }

  func replaceSnapshot(
    of id: SessionID, by source: SnapshotSource
  ) throws(SessionLogError) { throw error }

  func removeLost(
    _ id: SessionID, at position: HistoryPosition
  ) throws(SessionLogError) -> LogOutcome { throw error }

  func touch(_ ids: [SessionID]) throws(SessionLogError) -> [SessionID] { throw error }

  func listen(_ hear: @escaping @Sendable (LogNews) -> Void) {}
}
