public import CollectionLayout

/// Layouts, which are looked up, added beside others, and made where they must be.
extension SessionStore {
  /// Uses layouts without looking at them.
  public func use(_ ids: some Sequence<SessionID>) {
    for id in ids { change { _ = $0.use(id) } }
  }

  /// The current version of a layout, or what it takes to have it; `nil` if there is no such layout
  /// (any more). This is a use of it. Never blocks.
  public func find(_ id: SessionID) -> FoundVersion? {
    findHere(id, isExact: true) ?? (mayBlock ? .unknown : nil)
  }

  /// The current version as it is known here.
  ///
  /// - Parameter isExact: Whether to look if others have changed it.
  func findHere(_ id: SessionID, isExact: Bool = false) -> FoundVersion? {
    change { state in
      guard let slot = state.use(id) else { return nil }
      if state.isLost(slot) {
        // The copy is made again from the log.
        state.removeLayout(slot, nil)
        return nil
      }
      return isExact && state.isBehind(slot) ? .behind : state.find(slot)
    }
  }

  /// What is known of a layout without asking anybody.
  public enum KnownLayout: Sendable {
    /// There is no such layout (any more).
    case none
    /// The last version that is known here has this tag. Others that have the log may have made
    /// another.
    case at(VersionTag, isFirst: Bool, isReadOnly: Bool)
    /// Only the log knows.
    case unknown
  }

  /// What is known of a layout. This is a use of it. Never blocks.
  public func known(_ id: SessionID) -> KnownLayout {
    let known = change { state in
      state.use(id).map { slot in
        KnownLayout.at(
          state.tag(of: slot), isFirst: state.isFirst(slot),
          isReadOnly: state.layouts[slot].access.isReadOnly)
      }
    }
    return known ?? (mayBlock ? .unknown : .none)
  }

  /// The tag of the current version, made or not, and whether it is a document's first layout;
  /// `nil` if there is no such layout (any more). This is a use of it.
  public func tag(of id: SessionID) -> (tag: VersionTag, isFirst: Bool)? {
    change { state in
      state.use(id).map { (state.tag(of: $0), state.isFirst($0)) }
    }
  }

  /// The collection of the first layout of a version's document, of the same data; `nil` if the
  /// data has changed since, or the document is gone.
  public func source(of version: LayoutVersion) -> PreparedCollection? {
    source(version.documentID).flatMap { $0.revision == version.revision ? $0.collection : nil }
  }

  /// How many other layouts a document has, for its first layout; `nil` for another one.
  public func viewCount(of version: LayoutVersion) -> Int? {
    state.withLock { state in
      state.places[version.id].flatMap { slot in
        state.isFirst(slot) ? state.documents[state.layouts[slot].document].others.count : nil
      }
    }
  }

  /// Adds a layout of a document. The least recently used one goes if there are too many.
  ///
  /// - Parameters:
  ///   - version: Of any layout of the document.
  ///   - folds: What is folded in it, of the data of the version.
  /// - Returns: The id of the layout; `nil` if the document is gone.
  package func insertView(
    of version: LayoutVersion, _ layout: GivenLayout, _ folds: Folds = Folds(),
    isReadOnly: Bool = false
  ) -> SessionID? {
    let id = SessionID.random()
    let key =
      folds.isEmpty ? framesKey(layout, in: version.documentID) : FramesKey(layout, isOwn: true)
    let changeID = makeChangeID()
    let unixTime = clock.unixTime()
    let access = LayoutAccess(
      isReadOnly: isReadOnly,
      bases: version.access.bases + (version.access.isReadOnly ? [version.id] : []))
    return change { state in
      guard access.bases.allSatisfy({ state.places[$0] != nil }) else { return nil }
      guard let first = state.use(version.documentID) else { return nil }
      let document = state.layouts[first].document
      let data = state.documents[document].data
      let slot = state.addLayout(
        id, of: document, key, at: .beginning(changeID, over: data), bornAt: data.revision,
        createdUnixTime: unixTime, access)
      if !folds.isEmpty {
        state.keep(OwnState(folds), ofFrames: state.layouts[slot].frames, at: version.data)
      }
      state.evict()
      return id
    }
  }

  /// The kind of the layout that a version's document begins with.
  public func sourceKind(of version: LayoutVersion) -> LayoutKind {
    (source(version.documentID) ?? version).collection.layout.kind
  }

  /// About how many sections and items are gone over to make a layout of a version's document; 0 if
  /// its frames are there.
  public func costOfView(of version: LayoutVersion, _ layout: GivenLayout) -> Int {
    if version.collection.layout == layout { return 0 }
    let key = framesKey(layout, in: version.documentID)
    let isMade = state.withLock { state in
      guard let first = state.places[version.documentID],
        let slot = state.findFrames(of: state.layouts[first].document, key)
      else { return false }
      return state.frames[slot].current != nil
        && state.frames[slot].revision == state.layouts[first].revision
    }
    if isMade { return 0 }
    return version.collection.prepared.counts.sections
      + version.collection.source.layoutCost(as: layout)
  }

  /// About how long it takes to make the current version of a layout, as far as is known here.
  public func timeToMake(_ id: SessionID) -> Duration {
    guard case .pending(let work)? = findHere(id) else { return .zero }
    return .nanoseconds(min(work.cost, 1 << 40) * (work.layout.arrangement == nil ? 100 : 1000))
  }

  /// The current version of a layout as it is known here, made if it must be; `nil` if there is
  /// none (any more).
  ///
  /// - Parameter waits: Whether to wait for others who make the same frames; if not, the result is
  ///   `nil`.
  public func makeVersion(
    of id: SessionID, waits: Bool = true
  ) throws(SessionsError) -> LayoutVersion? {
    while let found = findHere(id) {
      switch found {
      case .current(let version): return version
      case .behind, .unknown: preconditionFailure("nobody has asked for it")
      case .pending(let work):
        let make = { () throws(SessionsError) in try self.make(work) }
        guard waits else { return try work.lock.withLockIfAvailable(make) ?? nil }
        if let version = try work.lock.withLock(make) { return version }
      }
    }
    return nil
  }

  /// - Precondition: The lock of the frames is held.
  /// - Returns: `nil` if the layout is gone, or has other frames by now.
  private func make(_ old: PendingVersion) throws(SessionsError) -> LayoutVersion? {
    // Others may have made the frames meanwhile.
    guard let found = findHere(old.id) else { return nil }
    guard case .pending(let work) = found, work.lock === old.lock else {
      guard case .current(let version) = found else { return nil }
      return version
    }
    let made: MadeFrames
    do throws(LayoutError) {
      made = try work.made(itemLimit: limits.maxItems)
    } catch {
      if case .tooManyItems(let limit) = error { throw .tooManyItems(limit: limit) }
      if case .refused(.tooLarge(let bytes, let limit)) = error {
        throw .tooLarge(bytes: bytes, limit: limit)
      }
      throw .impossible(error)
    }
    if made.held !== work.last { try makeRoom(for: made.held, beside: work.source) }
    let pastBytes =
      work.last.map {
        $0.collection.frameBytes(besides: made.held.collection) + HeldCollection.overhead
      } ?? 0
    return change { state in
      let version = state.install(made, for: work, pastBytes: pastBytes)
      state.evict()
      return version
    }
  }
}

extension SessionTable {
  /// Whether others have changed a layout or its document, as far as was heard.
  func isBehind(_ slot: Int) -> Bool {
    layouts[slot].staleness.isStale
      || documents[layouts[slot].document].first.map { layouts[$0].staleness.isStale } ?? false
      || layouts[slot].access.bases.contains {
        places[$0].map { layouts[$0].staleness.isStale } ?? true
      }
  }
}
