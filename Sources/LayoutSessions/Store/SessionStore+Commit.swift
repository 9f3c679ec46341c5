public import CollectionLayout

/// How layouts are added and changed: take the lock of the layout's changes, make the change, add
/// it to the log, put it into its place; and where others were faster, catch up and do it again.
extension SessionStore {
  /// A change of a version as it was asked for, and what it makes of the version.
  public struct AskedChange {
    /// As the log has it: ``LoggedChange/patch``, ``LoggedChange/updates``,
    /// ``LoggedChange/measurements`` or ``LoggedChange/folds``.
    let operation: String
    /// As others have to read it. It is of no use where no log keeps it.
    let body: [UInt8]
    let made: ChangedCollection

    public init(_ operation: String, body: [UInt8], makes made: ChangedCollection) {
      self.operation = operation
      self.body = body
      self.made = made
    }
  }

  /// Makes a change of a version, or refuses it; `nil` if that would take too long. The collection
  /// is that of the document's first layout if the version is of another one.
  public typealias MakeChange<E: SessionsFailure> =
    (LayoutVersion, PreparedCollection?) throws(E) -> AskedChange?

  /// Stores a new document with its first layout. The least recently used documents and layouts are
  /// evicted to make room. May block.
  ///
  /// - Throws: ``SessionsError/tooLarge(bytes:limit:)`` if it would not fit even alone.
  ///   Nothing is changed then.
  public func create(
    _ collection: PreparedCollection, named name: String? = nil
  ) throws(SessionsError) -> LayoutVersion {
    let version = try install(
      collection, as: .random(), named: name, at: .beginning(makeChangeID()),
      createdUnixTime: clock.unixTime())
    try keep(version)
    return version
  }

  /// The document of a name, or a new one; and whether it is new. May block.
  ///
  /// - Parameter make: Is called by one of those who ask for the name at once.
  public func create<E: SessionsFailure>(
    named name: String, _ make: () throws(E) -> PreparedCollection
  ) throws(E) -> (version: LayoutVersion, isNew: Bool) {
    try nameLock(for: name).withLock { () throws(E) in
      var known = try E.of { () throws(SessionsError) in try find(named: name) }
      if let version = known.version { return (version, false) }
      let collection = try make()
      return try E.of { () throws(SessionsError) in
        let made = try create(collection, named: name)
        guard mayBlock else { return (made, true) }
        // Another server may have been faster.
        for _ in 0..<Self.maxAttempts {
          let id = try reading(made.id) { () throws(LogError) in
            try log.claim(name, for: made.id, insteadOf: known.gone)
          }
          if id == made.id { return (made, true) }
          known = try find(named: name)
          guard let version = known.version else { continue }
          _ = try remove(made.id, at: made.position)
          return (version, false)
        }
        throw .unavailable(.away)
      }
    }
  }

  /// The document of a name; or the id of the last one that had it, which is gone. This is a use of
  /// it. May block.
  public func find(
    named name: String
  ) throws(SessionsError) -> (version: LayoutVersion?, gone: SessionID?) {
    var id = state.withLock { $0.names[name] }
    if mayBlock {
      do throws(LogError) { id = try log.id(named: name) } catch { throw unavailable(error) }
    }
    guard let id else { return (nil, nil) }
    do throws(SessionsError) {
      return (try newest(of: id), nil)
    } catch {
      guard error == .noSuchLayout else { throw error }
      return (nil, id)
    }
  }

  /// Makes another layout of a document, and stores it. May block.
  ///
  /// - Parameters:
  ///   - version: Of any layout of the document.
  ///   - folds: What is folded in it, of the data of the version.
  /// - Throws: ``SessionsError/impossible(_:)`` for whatever the layout cannot be made for.
  public func createView(
    of version: LayoutVersion, _ layout: GivenLayout, _ folds: Folds = Folds(),
    isReadOnly: Bool = false
  ) throws(SessionsError) -> LayoutVersion {
    guard let id = insertView(of: version, layout, folds, isReadOnly: isReadOnly) else {
      throw .noSuchLayout
    }
    let made: LayoutVersion?
    do throws(SessionsError) {
      made = try makeVersion(of: id)
    } catch {
      forget(id)
      throw error
    }
    guard let made else { throw .noSuchLayout }
    try keep(made)
    return made
  }

  /// The current version of a layout, after changes of others that were heard of. It is made if it
  /// must be. May block.
  ///
  /// While the log cannot be reached, that is the last version that is known.
  public func newest(of id: SessionID) throws(SessionsError) -> LayoutVersion {
    // A copy may have to make room at once.
    for _ in 0..<3 {
      switch find(id) {
      case nil: throw .noSuchLayout
      case .behind?, .unknown?: try catchUpIfReachable(id)
      case .current(let version)?: return version
      case .pending?: break
      }
      if let version = try makeVersion(of: id) { return version }
    }
    throw .unavailable(.away)
  }

  /// Makes the copy of a layout what the log has. While the log cannot be reached, the copy has to
  /// do. May block.
  public func catchUpIfReachable(_ id: SessionID) throws(SessionsError) {
    do throws(SessionsError) {
      try catchUp(id)
    } catch {
      guard case .unavailable(.away) = error, copy(of: id) != nil else { throw error }
      logged.withLock { $0.failures += 1 }
    }
  }

  /// Changes a layout, after earlier changes. May block.
  ///
  /// - Returns: The new version.
  public func commit<E: SessionsFailure>(
    _ id: SessionID, _ make: MakeChange<E>
  ) throws(E) -> LayoutVersion {
    // How often others who share the log may be faster is bounded.
    for _ in 0..<(mayBlock ? Self.maxConflicts : .max) {
      // Whoever waits for a copy waits without the lock of its changes.
      let newest = try E.of { () throws(SessionsError) in try self.newest(of: id) }
      let attempt = try newest.changeLock.withLock { () throws(E) -> Attempt<E> in
        let version = try E.of { () throws(SessionsError) in try makeVersion(of: id) }
        guard let version, version.changeLock === newest.changeLock else { return .notMade }
        return try change(version, make)
      }
      switch attempt {
      case .made(let next): return next
      case .refused(let error):
        // The change may fit what others have made, of which nothing was heard yet.
        guard hasMoved(newest) else { throw error }
      case .notMade: break
      }
    }
    throw E(.unavailable(.away))
  }

  /// Changes a version at once, if nobody else is changing its layout.
  ///
  /// - Precondition: The log does not block.
  /// - Returns: `nil` if somebody is, if it is not the current version any more, or if it would
  ///   take too long.
  public func commitAtOnce<E: SessionsFailure>(
    _ version: LayoutVersion, _ make: MakeChange<E>
  ) throws(E) -> LayoutVersion? {
    let attempt = try version.changeLock.withLockIfAvailable { () throws(E) in
      try change(version, make)
    }
    switch attempt {
    case .made(let next): return next
    case .refused(let error): throw error
    case .notMade, nil: return nil
    }
  }

  /// Whether the log has changes of a layout that this server had not heard of. May block.
  private func hasMoved(_ version: LayoutVersion) -> Bool {
    // Of what no log keeps, everything is known here.
    guard mayBlock, (try? catchUp(version.id)) != nil else { return false }
    return tag(of: version.id).map { $0.tag != version.tag } ?? true
  }

  /// What became of a change.
  private enum Attempt<Failure: Error> {
    case made(LayoutVersion)
    /// The version cannot be changed like that.
    case refused(Failure)
    /// Others were faster, or it would take too long.
    case notMade

    init(_ next: LayoutVersion?) {
      self = next.map { .made($0) } ?? .notMade
    }
  }

  /// Changes a version.
  ///
  /// - Precondition: The lock of the layout's changes is held.
  private func change<E: SessionsFailure>(
    _ version: LayoutVersion, _ make: MakeChange<E>
  ) throws(E) -> Attempt<E> {
    var base: PreparedCollection?
    if !version.isFirst {
      base = source(of: version)
      // The layout has a later version by now.
      if base == nil { return .notMade }
    }
    let asked: AskedChange?
    do throws(E) {
      asked = try make(version, base)
    } catch {
      return .refused(error)
    }
    guard let asked else { return .notMade }
    return try E.of { () throws(SessionsError) in
      guard asked.made.change == nil, version.isFirst,
        asked.made.collection.layout == version.collection.layout
      else { return Attempt(try record(asked, of: version)) }
      // Nothing is to be added, but others may have changed what it was compared with.
      guard mayBlock, try head(of: version.id) != version.position else { return .made(version) }
      hear(version.id, nil)
      return .notMade
    }
  }

  /// Adds a change that was made to the log, and puts it into its place.
  ///
  /// - Returns: `nil` if others were faster.
  private func record(
    _ asked: AskedChange, of version: LayoutVersion
  ) throws(SessionsError) -> LayoutVersion? {
    let changed = asked.made
    guard mayBlock else { return try advance(version, by: changed) }
    let id = makeChangeID()
    let position = nextPosition(after: version, by: changed.change, id)
    // What the log has, every server must be able to keep.
    try check(
      version.isFirst
        ? changed.collection.memoryBytes + HeldCollection.overhead
        : changed.collection.frameBytes)
    let (operation, body) = logged(asked, of: version)
    let mostBodyBytes = try checkLength(of: changed, askedWith: body.count, version)
    let record = LoggedChange(id: id, position: position, operation: operation, body: body)
    guard let isLong = try append(record, to: version) else { return nil }
    var next: LayoutVersion?
    do throws(SessionsError) {
      next = try advance(version, by: changed, at: position, mostBodyBytes: mostBodyBytes)
    } catch {
      // The change is made, though not here.
      forget(version.id)
      throw error
    }
    // The copy may have had to make room, or the data of a view has moved on.
    if next == nil {
      try catchUp(version.id)
      next = try makeVersion(of: version.id)
    }
    guard let next else { throw .noSuchLayout }
    if isLong { compact(next) }
    return next
  }

  /// What others have to read of a change: the body with which it was asked for. Where data moves
  /// on beside a layout, sizes that were measured in it and folds need to say of which data.
  private func logged(
    _ change: AskedChange, of version: LayoutVersion
  ) -> (operation: String, body: [UInt8]) {
    if version.isFirst { return (change.operation, change.body) }
    if change.operation == LoggedChange.measurements {
      let sizes = ViewSizes(
        revision: version.revision, replacesAll: false,
        sizes: change.made.change?.measuredSizes ?? [])
      return (change.operation, sizes.body)
    }
    let folds = change.made.collection.folds
    let body = change.operation == LoggedChange.patch ? change.body : Array("{}".utf8)
    guard folds != version.collection.folds else { return (LoggedChange.patch, body) }
    return (LoggedChange.patch, ViewFolds(folds, revision: version.revision).text + [10] + body)
  }

  /// Replaces a version by the result of a change. Where no attribute changes, the version keeps
  /// its number, with other bounds and options.
  ///
  /// - Parameter position: After the change; `nil` for a new place in the history.
  package func advance(
    _ version: LayoutVersion, by changed: ChangedCollection, at position: HistoryPosition? = nil,
    mostBodyBytes: Int? = nil
  ) throws(SessionsError) -> LayoutVersion? {
    let (collection, change) = (changed.collection, changed.change)
    let names =
      if let change, !change.keepsIDs {
        version.names.following(change.lineage, in: collection.data)
      } else {
        version.names
      }
    return try replace(
      version, by: collection, names, mostBodyBytes: mostBodyBytes,
      touching: change?.invalidatedRectsBesidePins ?? .none, change?.lineage ?? .same,
      at: position ?? nextPosition(after: version, by: change, makeChangeID()))
  }
}
