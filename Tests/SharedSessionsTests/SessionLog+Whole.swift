import LayoutSessions

extension SessionLog {
  /// Keeps a session whose body is in memory as a whole.
  func create(_ id: SessionID, _ snapshot: SessionSnapshot) throws(SessionLogError) {
    try create(id, SnapshotSource(snapshot))
  }

  func replaceSnapshot(
    of id: SessionID, by snapshot: SessionSnapshot
  ) throws(SessionLogError) {
    try replaceSnapshot(of: id, by: SnapshotSource(snapshot))
  }
}
