import CollectionLayout

/// What of a layout is quickly compared, to find the frames of views that have it.
struct FramesKey: Hashable {
  let kind: String
  let bounds: Bounds?

  init(_ layout: GivenLayout) {
    kind = layout.kind.name
    bounds = layout.bounds
  }
}

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
    var news = HeardNews()
    /// The version of that number, while its frames are there.
    var version: LayoutVersion?
  }

  /// The frames of all views of a source that have one and the same layout.
  struct Frames {
    let source: Int
    let layout: GivenLayout
    /// Held while the frames are being made.
    let lock = ChangeLock()
    /// The slots of the views.
    var views: Set<Int> = []
    /// The frames at `revision`; `nil` before somebody has asked for them, and when they had to
    /// make room.
    var current: HeldCollection?
    /// The bytes of `current` in the statistics.
    var bytes = 0
    /// The data of which the frames were made last.
    var data: HistoryPosition.DataPosition

    var revision: Int { data.revision }
    /// What each change of the frames touched, by the revision before it, without a gap up to
    /// `revision`.
    var areas: [(from: Int, to: Int, area: Rect?)] = []
    /// Earlier frames, by their revisions.
    var past = KeptHistory<HeldCollection>()
  }

  /// What a view counts as beside its frames.
  static let viewBytes = 1024

  // MARK: Views

  /// Adds a view of a session.
  mutating func insertView(
    _ id: SessionID, of source: Int, _ layout: GivenLayout, at position: HistoryPosition,
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
    statistics.bytes += Self.viewBytes
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
    statistics.views -= 1
    statistics.bytes -= Self.viewBytes
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
        id: view.id, source: source, revision: revision, layout: group.layout, lock: group.lock,
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
        frames[group].areas.append((work.lastRevision, work.revision, area.rect))
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
        frames[group].areas = []
        forgetPast(ofFrames: group, releasing: &released)
      }
      dropFrames(group, releasing: &released)
      frames[group].current = made.held
      frames[group].bytes = bytes
      frames[group].data = work.source.data
      statistics.bytes += bytes
    }
    framesOrder.use(group, at: now)
    return installVersion(ofView: slot, releasing: &released)
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
    return version
  }

  // MARK: Frames

  private mutating func findOrAddFrames(
    of source: Int, _ layout: GivenLayout, at now: Duration
  ) -> Int {
    let key = FramesKey(layout)
    for slot in sessions[source].frames[key] ?? [] where frames[slot].layout == layout {
      return slot
    }
    guard let data = sessions[source].version?.data else {
      preconditionFailure("slot \(source) has no session")
    }
    let group = Frames(source: source, layout: layout, data: data)
    let slot = framesOrder.add(at: now)
    framesOrder.leave(slot)
    if slot == frames.count { frames.append(group) } else { frames[slot] = group }
    sessions[source].frames[key, default: []].append(slot)
    return slot
  }

  /// Takes a view from its frames, which go with the last one.
  private mutating func leaveFrames(_ view: Int, releasing released: inout Released) {
    let slot = views[view].frames
    frames[slot].views.remove(view)
    guard frames[slot].views.isEmpty else { return }
    dropFrames(slot, releasing: &released)
    forgetPast(ofFrames: slot, releasing: &released)
    framesOrder.free(slot)
    let key = FramesKey(frames[slot].layout)
    let source = frames[slot].source
    sessions[source].frames[key]?.removeAll { $0 == slot }
    if sessions[source].frames[key]?.isEmpty ?? false { sessions[source].frames[key] = nil }
  }

  /// Gives up frames, which are made again when somebody asks for them.
  mutating func dropFrames(_ slot: Int, releasing released: inout Released) {
    guard let held = frames[slot].current else { return }
    keepCounting(ObjectIdentifier(held.collection.prepared), bytes: frames[slot].bytes)
    statistics.bytes -= frames[slot].bytes
    frames[slot].bytes = 0
    frames[slot].current = nil
    framesOrder.leave(slot)
    released.add(held)
    for view in frames[slot].views {
      released.add(views[view].version)
      views[view].version = nil
    }
  }

  private mutating func forgetPast(ofFrames slot: Int, releasing released: inout Released) {
    for entry in frames[slot].past.removeAll() {
      hasGone(entry.value, bytes: entry.bytes, releasing: &released)
    }
  }

  // MARK: Changes of a view

  /// Gives a view another layout.
  ///
  /// - Parameters:
  ///   - current: The version of which `collection` was made.
  ///   - area: What the change touches.
  ///   - position: Of the view after the change; the same number as before if no attribute differs.
  ///   - past: The frames of `current`, and what it costs to keep them.
  /// - Returns: `nil` if the view has another version by now, or is gone.
  mutating func change(
    _ current: LayoutVersion, to held: HeldCollection, bytes: Int, touching area: Rect?,
    at position: HistoryPosition, past: (held: HeldCollection, bytes: Int), now: Duration,
    releasing released: inout Released
  ) -> LayoutVersion? {
    guard case .view(let slot)? = places[current.id], views[slot].position == current.position,
      views[slot].revision == current.revision
    else { return nil }
    let old = views[slot].frames
    let group = findOrAddFrames(of: views[slot].source, held.collection.layout, at: now)
    guard frames[group].current == nil || frames[group].revision <= current.revision else {
      return nil
    }
    if frames[group].current == nil || frames[group].revision < current.revision {
      if frames[group].revision != current.revision {
        frames[group].areas = []
        forgetPast(ofFrames: group, releasing: &released)
      }
      dropFrames(group, releasing: &released)
      frames[group].current = held
      frames[group].bytes = bytes
      frames[group].data = current.data
      statistics.bytes += bytes
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

extension SessionTable {
  /// Keeps the versions of a view that had the frames that it leaves.
  ///
  /// - Parameter last: The frames of its current version; `nil` if it goes on with that number.
  private mutating func keepPast(
    ofView slot: Int, _ last: (held: HeldCollection, bytes: Int)?,
    releasing released: inout Released
  ) {
    let view = views[slot]
    let firstRevision = view.revision - (view.number - view.firstNumber)
    for entry in frames[view.frames].past.entries
    where (firstRevision..<view.revision).contains(entry.number) {
      keepPast(
        ofView: slot, entry.value, bytes: entry.bytes, revision: entry.number,
        releasing: &released)
    }
    if let last {
      keepPast(
        ofView: slot, last.held, bytes: last.bytes, revision: view.revision, releasing: &released)
    }
  }

  private mutating func keepPast(
    ofView slot: Int, _ held: HeldCollection, bytes: Int, revision: Int,
    releasing released: inout Released
  ) {
    views[slot].past.append(
      .init(
        number: views[slot].number - (views[slot].revision - revision),
        value: KeptVersion(held: held, revision: revision), bytes: bytes,
        serial: historyOrder.add(.view(slot))))
    statistics.historyBytes += bytes
    if views[slot].past.entries.count > Self.maxHistory {
      removeOldest(.view(slot), releasing: &released)
    }
  }
}

extension SessionTable.Frames {
  /// A history with the changes of the frames after a revision; empty if they are not known.
  ///
  /// - Parameter hash: Of the tag of the view at that revision.
  fileprivate func history(
    after revision: Int, adding old: ChangeHistory, from hash: UInt32?
  ) -> ChangeHistory {
    guard let first = areas.firstIndex(where: { $0.from == revision }) else {
      return ChangeHistory()
    }
    var history = old
    // Nobody was shown this view at the revisions between.
    var hash = hash
    for (from, to, area) in areas[first...] {
      let steps = max(1, to - from)
      for step in 1...steps {
        history = history.adding(step == steps ? area : nil, after: hash)
        hash = nil
      }
    }
    return history
  }
}
