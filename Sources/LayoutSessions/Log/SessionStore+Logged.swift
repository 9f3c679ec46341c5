import CollectionLayout
import Synchronization

/// What this server adds to the log.
extension SessionStore {
  /// Keeps a new layout in the log, if there is one, or ends it.
  func keep(_ version: LayoutVersion) throws(SessionsError) {
    guard mayBlock else { return }
    do throws(LogError) {
      try log.create(version.id, snapshot(of: version.collection, as: version))
    } catch {
      forget(version.id)
      throw unavailable(error)
    }
  }

  /// - Parameter version: That of the collection, or the one that is to be replaced by it.
  private func snapshot(
    of collection: PreparedCollection, as version: LayoutVersion
  ) -> SnapshotSource {
    let bodies = bodies!
    guard let birth = version.birth else {
      return SnapshotSource(
        position: version.position, kind: collection.layout.kind.name,
        createdUnixTime: version.createdUnixTime, name: version.name
      ) { take in bodies.write(collection, take) }
    }
    return SnapshotSource(
      position: version.position, kind: LayoutRecord.kind,
      createdUnixTime: version.createdUnixTime
    ) { take in
      let record = LayoutRecord(
        documentID: version.documentID, birth: birth, given: collection.layout,
        access: version.access, own: OwnState(of: collection), revision: version.revision)
      take(record.body(bodies))
    }
  }

  /// At most how long the body of a snapshot is after a change of a version; `nil` if nobody knows.
  ///
  /// - Parameter length: Of the body of the change.
  func mostBodyBytes(
    after changed: ChangedCollection, askedWith length: Int, _ version: LayoutVersion
  ) -> Int? {
    version.held.mostBodyBytes.map { $0 + bodies.mostGrowth(by: changed.change, askedWith: length) }
  }

  /// Refuses a change after which the log would not take a snapshot any more.
  ///
  /// - Returns: At most how long the body of a snapshot is.
  /// - Complexity: O(1) for the body, which is measured where all that was asked for since the last
  ///   time could have made it too long.
  func checkLength(
    of changed: ChangedCollection, askedWith length: Int, _ version: LayoutVersion
  ) throws(SessionsError) -> Int? {
    let limit = log.maxSnapshotBytes
    guard limit < .max else { return nil }
    if let most = mostBodyBytes(after: changed, askedWith: length, version), most <= limit {
      return most
    }
    let counter = ByteCounter()
    snapshot(of: changed.collection, as: version).body { counter.count += $0.count }
    guard counter.count <= limit else { throw .tooLong(bytes: counter.count, limit: limit) }
    return counter.count
  }

  private final class ByteCounter {
    var count = 0
  }

  /// Adds a change of a version to the log.
  ///
  /// - Returns: Whether the changes are long by now, as in ``LogOutcome``; `nil` if others were
  ///   faster: the copy is behind.
  func append(
    _ change: LoggedChange, to version: LayoutVersion
  ) throws(SessionsError) -> Bool? {
    let outcome: LogOutcome
    do throws(LogError) {
      outcome = try log.append(change, to: version.id, after: version.position)
    } catch {
      // It may have been added, or what the store has is none of ours any more.
      if error.mayBeDone || error.cause == .unreadable { hear(version.id, nil) }
      throw unavailable(error, version.id)
    }
    switch outcome {
    case .done(let isLong): return isLong
    case .isElsewhere:
      hear(version.id, nil)
      logged.withLock { $0.statistics.conflicts += 1 }
      return nil
    case .isGone:
      forget(version.id)
      throw .noSuchLayout
    }
  }

  /// Writes a new snapshot in the background, if nobody does.
  func compact(_ version: LayoutVersion) {
    let isNew = logged.withLock { $0.isCompacting.insert(version.id).inserted }
    guard isNew else { return }
    compaction.async { [self] in
      defer { _ = logged.withLock { $0.isCompacting.remove(version.id) } }
      renewOwn(of: version.id)
      do throws(LogError) {
        try log.replaceSnapshot(of: version.id, by: snapshot(of: version.collection, as: version))
        logged.withLock { $0.statistics.compactions += 1 }
      } catch {
        warn("the log of layout \(version.id) stays long: \(error.reason)")
      }
    }
  }

  /// Where a layout's history ends in the log; `nil` if it has none.
  func head(of id: SessionID) throws(SessionsError) -> HistoryPosition? {
    switch try head(inLog: id) {
    case .at(let position): return position
    case .none: return nil
    case .unreadable: throw .unavailable(.unreadable)
    }
  }

  /// Ends a layout for all servers.
  ///
  /// - Returns: False if it has moved on: the copy, if there is one, is behind.
  func remove(_ id: SessionID, at position: HistoryPosition) throws(SessionsError) -> Bool {
    let outcome: LogOutcome
    do throws(LogError) {
      outcome = try log.remove(id, at: position)
    } catch {
      if error.mayBeDone { hear(id, nil) }
      throw unavailable(error)
    }
    switch outcome {
    case .done:
      forget(id)
      return true
    case .isElsewhere:
      hear(id, nil)
      return false
    case .isGone:
      forget(id)
      throw .noSuchLayout
    }
  }
}
