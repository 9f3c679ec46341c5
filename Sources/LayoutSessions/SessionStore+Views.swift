public import CollectionLayout

/// Views: layouts of a session's collection with kinds, bounds and options of their own.
///
/// A view holds no items. Its frames are made when somebody asks for them, and again after they had
/// to make room for something else.
extension SessionStore {
  /// Uses sessions and views, and their sources, without looking at them.
  public func use(_ ids: some Sequence<SessionID>) {
    let now = clock.now()
    for id in ids {
      state.withLock { _ = $0.use(id, at: now, idleTimeout: limits.idleTimeout) }
    }
  }

  /// The current version of a session or view, or what it takes to make it; `nil` if there is no
  /// such session or view (any more). This is a use of it, and of its source.
  ///
  /// - Parameter isExact: Whether to look if others have changed it.
  public func find(_ id: SessionID, isExact: Bool = false) -> FoundVersion? {
    let now = clock.now()
    return state.withLock { state -> FoundVersion? in
      switch state.use(id, at: now, idleTimeout: limits.idleTimeout) {
      case nil: nil
      case .session(let slot):
        isExact && state.sessions[slot].news.areUnread
          ? .behind : state.sessions[slot].version.map { .current($0) }
      case .view(let slot):
        isExact
          && (state.views[slot].news.areUnread
            || state.sessions[state.views[slot].source].news.areUnread)
          ? .behind : state.find(view: slot)
      }
    }
  }

  /// The tag of the current version, made or not, and whether it is a view's; `nil` if there is
  /// no such session or view (any more). This is a use of it.
  public func tag(of id: SessionID) -> (tag: VersionTag, isView: Bool)? {
    let now = clock.now()
    return state.withLock { state -> (tag: VersionTag, isView: Bool)? in
      guard let place = state.use(id, at: now, idleTimeout: limits.idleTimeout),
        let tag = state.tag(at: place)
      else { return nil }
      return if case .view = place { (tag, true) } else { (tag, false) }
    }
  }

  /// The source's collection for a view's version, of the same data; `nil` if the data has changed
  /// since, or the source is gone.
  public func source(of view: LayoutVersion) -> PreparedCollection? {
    state.withLock { state in
      guard let source = state.current(view.collectionID), source.revision == view.revision else {
        return nil
      }
      return source.collection
    }
  }

  /// How many views a session has; `nil` for a view.
  public func viewCount(of version: LayoutVersion) -> Int? {
    state.withLock { state in
      guard case .session(let slot)? = state.places[version.id] else { return nil }
      return state.sessions[slot].views.count
    }
  }

  /// Adds a view of a collection. The least recently used view goes if there are too many.
  ///
  /// - Parameter version: Of the session or of any of its views.
  /// - Returns: The id of the view; `nil` if the session is gone.
  public func insertView(of version: LayoutVersion, _ layout: GivenLayout) -> SessionID? {
    let id = SessionID.random()
    let layout = viewLayout(layout, of: version.collectionID)
    let position = HistoryPosition.beginning(makeChangeID(), ofViewOf: version.data)
    let (now, unixTime) = (clock.now(), clock.unixTime())
    let (isThere, released) = state.withLock { state in
      guard
        case .session(let source)? = state.use(
          version.collectionID, at: now, idleTimeout: limits.idleTimeout)
      else { return (false, Released()) }
      state.insertView(
        id, of: source, layout, at: position, createdUnixTime: unixTime, now: now)
      return (true, state.evict(to: limits))
    }
    settle(released)
    return isThere ? id : nil
  }

  /// Removes a view, if it is still there.
  public func removeView(_ id: SessionID) {
    let released = state.withLock { state in
      var released = Released()
      if case .view(let slot)? = state.places[id] {
        state.removeView(slot, .deleted, releasing: &released)
      }
      return released
    }
    settle(released)
  }

  /// About how many sections and items are gone over to make a view of a version's collection that
  /// has a layout; 0 if its frames are there.
  public func costOfView(of version: LayoutVersion, _ layout: GivenLayout) -> Int {
    if version.collection.layout == layout { return 0 }
    let object = viewLayout(layout, of: version.collectionID)
    let isMade = state.withLock { state in
      guard case .session(let source)? = state.places[version.collectionID],
        let slot = state.findFrames(of: source, object)
      else { return false }
      return state.frames[slot].current != nil
        && state.frames[slot].revision == state.sessions[source].revision
    }
    if isMade { return 0 }
    return version.collection.prepared.counts.sections
      + version.collection.data.layoutCost(as: layout.kind)
  }

  /// The current version of a session or view, made if it must be; `nil` if there is none (any
  /// more).
  ///
  /// - Parameters:
  ///   - itemLimit: The largest number of items that a view may store.
  ///   - waits: Whether to wait for others who make the same frames; if not, the result is `nil`.
  public func makeVersion(
    of id: SessionID, itemLimit: Int, waits: Bool = true
  ) throws(ViewError) -> LayoutVersion? {
    while let found = find(id) {
      switch found {
      case .current(let version): return version
      case .behind: preconditionFailure("nobody has asked for it")
      case .unmade(let work):
        let make = { () throws(ViewError) in try self.make(work, itemLimit: itemLimit) }
        guard waits else { return try work.lock.withLockIfAvailable(make) ?? nil }
        if let version = try work.lock.withLock(make) { return version }
      }
    }
    return nil
  }

  /// - Precondition: The lock of the frames is held.
  /// - Returns: `nil` if the view is gone, or has other frames by now.
  private func make(
    _ old: UnmadeVersion, itemLimit: Int
  ) throws(ViewError) -> LayoutVersion? {
    // Others may have made the frames meanwhile.
    guard let found = find(old.id) else { return nil }
    guard case .unmade(let work) = found, work.lock === old.lock else {
      guard case .current(let version) = found else { return nil }
      return version
    }
    let made: MadeFrames
    do throws(LayoutError) {
      made = try work.made(itemLimit: itemLimit)
    } catch {
      throw .layout(error)
    }
    let bytes = made.held.collection.frameBytes(asViewOf: work.source.collection)
    let all = (made.isSource ? 0 : bytes) + work.source.bytesWithoutNames
    guard all <= limits.maxBytes else {
      throw .store(.layoutTooLarge(bytes: all, limit: limits.maxBytes))
    }
    waitForRoom(bytes)
    let pastBytes =
      work.last.map { $0.collection.frameBytes(besides: made.held.collection) + 512 } ?? 0
    let now = clock.now()
    let (version, released) = state.withLock { state in
      var released = Released()
      let version = state.install(
        made, for: work, bytes: bytes, pastBytes: pastBytes, at: now, releasing: &released)
      return (version, (released, state.evict(to: limits)))
    }
    settle(released)
    return version
  }

  /// Gives a view the result of a change of its own kind, bounds or options.
  ///
  /// - Parameter position: In the view's own history, after the change.
  func change(
    _ current: LayoutVersion, to collection: PreparedCollection, touching area: InvalidatedRects,
    at position: HistoryPosition
  ) throws(SessionStoreError) -> LayoutVersion? {
    let source = state.withLock { $0.current(current.collectionID) }
    let bytes = collection.frameBytes(asViewOf: source?.collection ?? collection)
    let all = bytes + (source?.bytesWithoutNames ?? 0)
    guard all <= limits.maxBytes else {
      throw .layoutTooLarge(bytes: all, limit: limits.maxBytes)
    }
    waitForRoom(bytes)
    let layout = viewLayout(collection.layout, of: current.collectionID)
    let held = HeldCollection(collection)
    let past = HeldCollection(current.collection)
    let pastBytes = current.collection.frameBytes(besides: collection) + 512
    let now = clock.now()
    let (version, released) = state.withLock { state in
      var released = Released()
      let version = state.change(
        current, to: held, layout, bytes: bytes, touching: area, at: position,
        past: (past, pastBytes), now: now, releasing: &released)
      return (version, (released, state.evict(to: limits)))
    }
    settle(released)
    if let version, version.number != current.number { tell(.hasMoved(version)) }
    return version
  }
}
