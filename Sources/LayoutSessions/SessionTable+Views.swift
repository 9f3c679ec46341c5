import CollectionLayout

extension SessionTable {
  /// One viewer's own layout of a source's collection.
  struct View {
    let id: SessionID
    /// The source's slot.
    let source: Int
    /// The slot of the frames of its layout.
    var frames: Int
    let createdUnixTime: Int
    let changeLock = ChangeLock()
    let longSearches = LongSearches()
    /// Where it is in its own history, in which the data's changes do not count.
    var position: HistoryPosition
    /// The number that the view had at a revision of the data. Each later revision is one more.
    var number = 1
    var revision: Int
    /// The number from which on it has had these frames.
    var firstNumber = 1
    /// Whether anybody has seen a version of it.
    var isMade = false
    /// The versions before `firstNumber`, which had other frames.
    var past = KeptHistory<KeptVersion>()
    /// The last changes, up to `number`.
    var history = ChangeHistory()
    /// The hash in the tag that the view had when somebody was last shown a version of it.
    var shownHash: UInt32?
    /// The revision of the data at which the first version was.
    var firstRevision: Int
    /// Up to this one its numbers are doubtful, as in ``DoubtfulNumbers``.
    var doubtfulNumber = 0
    var news = HeardNews()
    /// The version of that number, while its frames are there.
    var version: LayoutVersion?
    /// The bytes of the view in the statistics, without its frames and its layout.
    var bytes = 0
  }

  /// What a view takes beside its frames, its layout and its history.
  static let viewBytes = 2048

  // MARK: Views

  /// Adds a view of a session.
  mutating func insertView(
    _ id: SessionID, of source: Int, _ layout: ViewLayout, at position: HistoryPosition,
    createdUnixTime: Int, now: Duration
  ) {
    let group = findOrAddFrames(of: source, layout, at: now)
    let view = View(
      id: id, source: source, frames: group, createdUnixTime: createdUnixTime,
      position: position, revision: sessions[source].revision,
      firstRevision: sessions[source].revision)
    let slot = viewOrder.add(at: now)
    if slot == views.count { views.append(view) } else { views[slot] = view }
    places[id] = .view(slot)
    sessions[source].views.insert(slot)
    frames[group].views.insert(slot)
    statistics.views += 1
    count(view: slot)
  }

  /// Counts a view as what it takes now.
  private mutating func count(view slot: Int) {
    let bytes = Self.viewBytes + views[slot].history.memoryBytes
    statistics.bytes += bytes - views[slot].bytes
    views[slot].bytes = bytes
  }

  mutating func removeView(_ slot: Int, _ end: SessionEnd?, releasing released: inout Released) {
    let view = views[slot]
    if let end { released.ended.append((view.id, end)) }
    leaveFrames(slot, releasing: &released)
    for entry in views[slot].past.removeAll() {
      hasGone(entry.value.held, bytes: entry.bytes, releasing: &released)
    }
    sessions[view.source].views.remove(slot)
    places[view.id] = nil
    viewOrder.free(slot)
    released.add(view.version)
    views[slot].version = nil
    views[slot].history = ChangeHistory()
    statistics.views -= 1
    statistics.bytes -= view.bytes
  }

  /// The number that a view has by now, whether or not its frames are there.
  func number(ofView slot: Int) -> Int {
    let view = views[slot]
    return view.number + (view.isMade ? sessions[view.source].revision - view.revision : 0)
  }

  /// The tag of what is at a place, whether or not its frames are there.
  func tag(at place: Place) -> VersionTag? {
    switch place {
    case .session(let slot): sessions[slot].version?.tag
    case .view(let slot):
      sessions[views[slot].source].version.map {
        views[slot].position.tag(ofView: number(ofView: slot), $0.data)
      }
    }
  }

  /// The current version of a view, or what it takes to make it.
  func find(view slot: Int) -> FoundVersion? {
    let view = views[slot]
    let revision = sessions[view.source].revision
    if let version = view.version, view.revision == revision { return .current(version) }
    guard let source = sessions[view.source].version else { return nil }
    let group = frames[view.frames]
    return .unmade(
      UnmadeVersion(
        id: view.id, source: source, revision: revision, layout: group.layout.given,
        lock: group.lock,
        last: group.current, lastRevision: group.revision,
        steps: group.revision <= revision
          ? sessions[view.source].steps.values(in: group.revision..<revision) : nil))
  }

  /// Puts frames that were made into their place.
  ///
  /// - Parameters:
  ///   - bytes: What the frames count as.
  ///   - pastBytes: What it costs to keep the frames before.
  /// - Returns: The version of the view that has them; `nil` if the view is gone, or has another
  ///   layout by now.
  mutating func install(
    _ made: MadeFrames, for work: UnmadeVersion, bytes: Int, pastBytes: Int, at now: Duration,
    releasing released: inout Released
  ) -> LayoutVersion? {
    guard case .view(let slot)? = places[work.id] else { return nil }
    let group = views[slot].frames
    guard frames[group].lock === work.lock else { return nil }
    if made.held !== frames[group].current {
      if let area = made.area, frames[group].revision == work.lastRevision {
        frames[group].areas.append((work.lastRevision, work.revision, area))
        if frames[group].areas.count > Self.maxHistory { frames[group].areas.removeFirst() }
        if let last = work.last {
          frames[group].past.append(
            .init(
              number: work.lastRevision, value: last, bytes: pastBytes,
              serial: historyOrder.add(.frames(group))))
          statistics.historyBytes += pastBytes
          if frames[group].past.entries.count > Self.maxHistory {
            removeOldest(.frames(group), releasing: &released)
          }
        }
      } else if frames[group].revision != work.revision {
        forgetChanges(ofFrames: group, releasing: &released)
      }
      setFrames(group, to: made.held, bytes: bytes, of: work.source.data, releasing: &released)
    }
    framesOrder.use(group, at: now)
    let version = installVersion(ofView: slot, releasing: &released)
    // Of data that went away meanwhile: nothing can be made of it any more.
    if !isKept(frames[group].revision, of: frames[group].source) {
      dropFrames(group, releasing: &released)
    }
    return version
  }

  /// Makes the version of a view whose frames are there.
  private mutating func installVersion(
    ofView slot: Int, releasing released: inout Released
  ) -> LayoutVersion? {
    let group = frames[views[slot].frames]
    guard let held = group.current else { return nil }
    var view = views[slot]
    if let version = view.version, view.revision == group.revision { return version }
    if view.isMade, view.revision != group.revision {
      view.history = group.history(
        after: view.revision, adding: view.history, from: view.shownHash)
      view.number += group.revision - view.revision
    }
    if !view.isMade { view.firstRevision = group.revision }
    view.isMade = true
    view.revision = group.revision
    released.add(view.version)
    let session = sessions[view.source]
    let names = session.revision == group.revision ? session.version?.names : nil
    let version = LayoutVersion(
      view: view, of: session.version?.id ?? view.id, group.data, held.collection, names: names)
    view.version = version
    view.shownHash = version.tag.hash
    views[slot] = view
    count(view: slot)
    return version
  }

  // MARK: Changes of a view

  /// Gives a view another layout.
  ///
  /// - Parameters:
  ///   - current: The version of which `collection` was made.
  ///   - layout: That of the collection.
  ///   - area: What the change touches.
  ///   - position: Of the view after the change; the same number as before if no attribute differs.
  ///   - past: The frames of `current`, and what it costs to keep them.
  /// - Returns: `nil` if the view has another version by now, or is gone.
  mutating func change(
    _ current: LayoutVersion, to held: HeldCollection, _ layout: ViewLayout, bytes: Int,
    touching area: InvalidatedRects, at position: HistoryPosition,
    past: (held: HeldCollection, bytes: Int), now: Duration,
    releasing released: inout Released
  ) -> LayoutVersion? {
    guard case .view(let slot)? = places[current.id], views[slot].position == current.position,
      views[slot].revision == current.revision
    else { return nil }
    let old = views[slot].frames
    let group = findOrAddFrames(of: views[slot].source, layout, at: now)
    guard frames[group].current == nil || frames[group].revision <= current.revision else {
      return nil
    }
    if frames[group].current == nil || frames[group].revision < current.revision {
      if frames[group].revision != current.revision {
        forgetChanges(ofFrames: group, releasing: &released)
      }
      setFrames(group, to: held, bytes: bytes, of: current.data, releasing: &released)
    }
    framesOrder.use(group, at: now)
    if group != old {
      let isNewVersion = position.version != current.position.version
      keepPast(ofView: slot, isNewVersion ? past : nil, releasing: &released)
      frames[group].views.insert(slot)
      leaveFrames(slot, releasing: &released)
      views[slot].frames = group
      views[slot].firstNumber = views[slot].number + (isNewVersion ? 1 : 0)
    }
    if position.version != current.position.version {
      views[slot].number += 1
      views[slot].history = views[slot].history.adding(area, after: current.tag.hash)
    }
    views[slot].position = position
    if views[slot].news.head == position { views[slot].news.readCount = views[slot].news.count }
    released.add(views[slot].version)
    views[slot].version = nil
    return installVersion(ofView: slot, releasing: &released)
  }
}
