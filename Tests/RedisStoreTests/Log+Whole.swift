@testable import LayoutSessions

extension Log {
  /// Keeps a session whose body is in memory as a whole.
  func create(_ id: SessionID, _ snapshot: SessionSnapshot) throws(LogError) {
    try create(id, SnapshotSource(snapshot))
  }

  func replaceSnapshot(
    of id: SessionID, by snapshot: SessionSnapshot
  ) throws(LogError) {
    try replaceSnapshot(of: id, by: SnapshotSource(snapshot))
  }
}

extension SnapshotSource {
  init(_ snapshot: SessionSnapshot) {
    self.init(
      position: snapshot.position, kind: snapshot.kind, createdUnixTime: snapshot.createdUnixTime
    ) { take in take(snapshot.body) }
  }
}
