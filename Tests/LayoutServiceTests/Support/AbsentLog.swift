import LayoutSessions

/// A log of sessions that cannot be reached.
struct AbsentLog: Log {
  private let error = LogError(.unavailable, "there is none")

  func create(_ id: SessionID, _ source: SnapshotSource) throws(LogError) { throw error }

  func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) throws(LogError) -> LogOutcome { throw error }

  func remove(
    _ id: SessionID, at position: HistoryPosition
  ) throws(LogError) -> LogOutcome { throw error }

  func heads(of ids: [SessionID]) throws(LogError) -> [LogHead] { throw error }

  func snapshot(of id: SessionID) throws(LogError) -> SessionSnapshot? { throw error }

  func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) throws(LogError) -> LoggedChanges { throw error }

  func replaceSnapshot(
    of id: SessionID, by source: SnapshotSource
  ) throws(LogError) { throw error }

  func removeLost(
    _ id: SessionID, at position: HistoryPosition
  ) throws(LogError) -> LogOutcome { throw error }

  func touch(_ ids: [SessionID]) throws(LogError) -> [SessionID] { throw error }

  func listen(_ hear: @escaping @Sendable (LogNews) -> Void) {}
}
