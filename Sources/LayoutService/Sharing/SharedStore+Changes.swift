import CollectionLayout
import LayoutSessions
import Synchronization
import WireFormat

/// What this server adds to the log.
extension SharedStore {
  /// Keeps a new session, or ends it.
  func create(_ version: LayoutVersion) throws(ServiceError) {
    do throws(SessionLogError) {
      try log.create(version.id, snapshot(of: version))
    } catch {
      sessions.forget(version.id)
      throw unavailable(error)
    }
  }

  /// How long the parts are in which a collection is written.
  private static let partLength = 1 << 20

  func snapshot(of version: LayoutVersion) -> SnapshotSource {
    if !version.isFirst {
      let record = ViewRecord(
        source: version.documentID,
        firstRevision: sessions.birth(of: version.id)
          ?? version.position.data.revision,
        layout: version.collection.layout,
        measured: version.collection.data.hasMeasured
          ? ViewSizes(
            revision: version.revision, replacesAll: true,
            sizes: MeasuredItems(of: version.collection).sizes) : nil)
      return SnapshotSource(
        SessionSnapshot(
          position: version.position, kind: ViewRecord.kind,
          createdUnixTime: version.createdUnixTime, body: record.body))
    }
    return SnapshotSource(
      position: version.position, kind: version.collection.layout.kind.name,
      createdUnixTime: version.createdUnixTime
    ) { [collection = version.collection] take in
      CollectionEncoder.write(collection, partLength: Self.partLength, take)
    }
  }

  /// What has become of a change.
  enum Outcome {
    /// - Parameter isLong: As in ``LogOutcome``.
    case done(isLong: Bool)
    /// Others were faster: the copy is behind.
    case conflict
  }

  /// Adds a change of a version to the log.
  func append(
    _ operation: SharedOperation, _ body: [UInt8], to version: LayoutVersion,
    _ change: HistoryPosition.ChangeID, leadingTo position: HistoryPosition
  ) throws(ServiceError) -> Outcome {
    let logged = LoggedChange(
      id: change, position: position, operation: operation.rawValue, body: body)
    let outcome: LogOutcome
    do throws(SessionLogError) {
      outcome = try log.append(logged, to: version.id, after: version.position)
    } catch {
      // It may have been added, or what the store has is none of ours any more.
      if error.mayBeDone || error.cause == .unreadable { sessions.hear(version.id, nil) }
      throw unavailable(error, version.id)
    }
    switch outcome {
    case .done(let isLong): return .done(isLong: isLong)
    case .isElsewhere:
      sessions.hear(version.id, nil)
      state.withLock { $0.statistics.conflicts += 1 }
      return .conflict
    case .isGone:
      sessions.forget(version.id)
      throw .noSuchLayout
    }
  }

  /// Writes a new snapshot in the background, if nobody does.
  func compact(_ version: LayoutVersion) {
    let isFirst = state.withLock { $0.isCompacting.insert(version.id).inserted }
    guard isFirst else { return }
    compaction.async { [self] in
      defer { _ = state.withLock { $0.isCompacting.remove(version.id) } }
      do throws(SessionLogError) {
        try log.replaceSnapshot(of: version.id, by: snapshot(of: version))
        state.withLock { $0.statistics.compactions += 1 }
      } catch {
        warn("the log of layout \(version.id) stays long: \(error.reason)")
      }
    }
  }

  /// Where a session's or view's history ends; `nil` if there is none.
  func head(of id: SessionID) throws(ServiceError) -> HistoryPosition? {
    let head: LogHead
    do throws(SessionLogError) {
      head = try log.heads(of: [id])[0]
    } catch {
      throw unavailable(error)
    }
    switch head {
    case .at(let position): return position
    case .none: return nil
    case .unreadable: throw .storeUnavailable(.unreadable)
    }
  }

  /// Ends a session or view for all servers.
  ///
  /// - Returns: False if it has moved on: the copy, if there is one, is behind.
  func remove(_ id: SessionID, at position: HistoryPosition) throws(ServiceError) -> Bool {
    let outcome: LogOutcome
    do throws(SessionLogError) {
      outcome = try log.remove(id, at: position)
    } catch {
      if error.mayBeDone { sessions.hear(id, nil) }
      throw unavailable(error)
    }
    switch outcome {
    case .done:
      sessions.forget(id)
      return true
    case .isElsewhere:
      sessions.hear(id, nil)
      return false
    case .isGone:
      sessions.forget(id)
      throw .noSuchLayout
    }
  }
}
