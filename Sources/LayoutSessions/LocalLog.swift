/// The log of a server that shares its layouts with no other one. It keeps nothing: whatever is
/// asked of it is done, and nobody is ever behind.
public struct LocalLog: Log {
  public init() {}

  public var mayBlock: Bool { false }
  public var keepsLayouts: Bool { false }

  public func create(_ id: SessionID, _ source: SnapshotSource) {}

  public func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) -> LogOutcome { .done(isLong: false) }

  public func remove(_ id: SessionID, at position: HistoryPosition) -> LogOutcome {
    .done(isLong: false)
  }

  public func heads(of ids: [SessionID]) -> [LogHead] { ids.map { _ in .none } }

  public func snapshot(of id: SessionID) -> SessionSnapshot? { nil }

  public func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) -> LoggedChanges { LoggedChanges(head: position, changes: []) }

  public func replaceSnapshot(of id: SessionID, by source: SnapshotSource) {}

  public func removeLost(_ id: SessionID, at position: HistoryPosition) -> LogOutcome {
    .isElsewhere
  }

  public func touch(_ ids: [SessionID]) -> [SessionID] { [] }

  public func listen(_ hear: @escaping @Sendable (LogNews) -> Void) {}
}
