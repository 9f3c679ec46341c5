import CollectionLayout

extension SessionTable {
  /// One layout of a document's data. It holds no items, and its frames are made when somebody asks
  /// for them.
  struct Layout {
    let id: SessionID
    /// The document's slot.
    let document: Int
    /// The slot of its frames.
    var frames: Int
    let createdUnixTime: Int
    let changeLock = ChangeLock()
    let longSearches = LongSearches()
    /// Where it is in its own history.
    var position: HistoryPosition
    /// The revision of the data at which its first version was; `nil` for a first layout.
    let birth: Int?
    let access: LayoutAccess
    /// The revision of the data at which somebody was last shown a version.
    var revision: Int
    /// The hash in the tag that it had then.
    var shownHash: UInt32?
    /// The number from which on it has had these frames.
    var firstNumber = 1
    /// When it had other frames, before `firstNumber`.
    var epochs: [Epoch] = []
    /// What its last changes touched.
    var changes = ChangeHistory()
    /// Up to this one its numbers may be those of versions that are lost; 0 for none.
    var doubtfulNumber = 0
    var staleness = Staleness()
    /// The version at `revision`, while its frames are there.
    var version: LayoutVersion?
    /// The bytes in the statistics, without its frames and their key.
    var bytes = 0
    /// Whether the slot is in use.
    var isThere = true
  }

  /// Whether a copy of a layout is behind what others have made of it, as far as was heard.
  struct Staleness {
    /// How often news came of the layout, and how much of that is known by now.
    var newsCount = 0
    var readCount = 0
    /// Where the history ends by the last news.
    var head: HistoryPosition?

    var isStale: Bool { newsCount != readCount }
  }

  /// What a layout takes beside its frames, their key, and its history.
  static let layoutBytes = 2048

  /// Adds a layout of a document.
  ///
  /// - Parameter birth: The revision of the data at which its first version was; `nil` for a first
  ///   layout.
  mutating func addLayout(
    _ id: SessionID, of document: Int, _ key: FramesKey, at position: HistoryPosition,
    bornAt birth: Int?, createdUnixTime: Int, _ access: LayoutAccess = LayoutAccess()
  ) -> Int {
    let group = findOrAddFrames(of: document, key)
    let layout = Layout(
      id: id, document: document, frames: group, createdUnixTime: createdUnixTime,
      position: position, birth: birth, access: access, revision: documents[document].revision)
    let slot = layoutOrder.add(at: now)
    if slot == layouts.count { layouts.append(layout) } else { layouts[slot] = layout }
    places[id] = slot
    frames[group].layouts.insert(slot)
    if documents[document].first == nil {
      layoutOrder.leave(slot)
    } else {
      documents[document].others.insert(slot)
      statistics.views += 1
      count(layout: slot)
      place(frames: group)
    }
    return slot
  }

  /// Counts a layout as what it takes now. Of a first layout only what its changes touched counts
  /// here: all else counts with its document.
  private mutating func count(layout slot: Int) {
    let changes = layouts[slot].changes
    let bytes = isFirst(slot) ? changes.areaBytes : Self.layoutBytes + changes.memoryBytes
    statistics.bytes += bytes - layouts[slot].bytes
    layouts[slot].bytes = bytes
  }

  /// Removes a layout; with a first one its document.
  mutating func remove(_ slot: Int, _ end: SessionEnd?) {
    if isFirst(slot) {
      removeDocument(layouts[slot].document, end)
    } else {
      removeLayout(slot, end)
    }
  }

  /// Removes a layout, a first one only with its document.
  mutating func removeLayout(_ slot: Int, _ end: SessionEnd?) {
    let layout = layouts[slot]
    guard layout.isThere else { return }
    if let end { released.ended.append((layout.id, end)) }
    endEpoch(of: slot, before: .max)
    leaveFrames(slot)
    for epoch in layouts[slot].epochs { forget(epoch, of: layout.document) }
    places[layout.id] = nil
    layoutOrder.free(slot)
    released.add(layouts[slot].version)
    layouts[slot].version = nil
    layouts[slot].epochs = []
    layouts[slot].changes = ChangeHistory()
    layouts[slot].isThere = false
    statistics.bytes -= layout.bytes
    if documents[layout.document].others.remove(slot) != nil { statistics.views -= 1 }
    if end != nil { for other in bound(to: layout) { removeLayout(other, .sourceEnded) } }
  }

  /// The views that were made of a read-only one, and go with it.
  func bound(to layout: Layout) -> [Int] {
    guard layout.access.isReadOnly else { return [] }
    return documents[layout.document].others.filter {
      layouts[$0].access.bases.contains(layout.id)
    }
  }

  // MARK: Versions

  /// The tag of the current version, whether or not its frames are there.
  func tag(of slot: Int) -> VersionTag {
    let layout = layouts[slot]
    return layout.position.tag(bornAt: layout.birth, over: documents[layout.document].data)
  }

  /// Whether nobody here knows any more what was measured in a copy: the data has moved on too far.
  func isLost(_ slot: Int) -> Bool {
    guard holdsCopies else { return false }
    let group = layouts[slot].frames
    guard frames[group].key.isOwn else { return false }
    if frames[group].current == nil, frames[group].own.isEmpty { return true }
    let (first, last) = (frames[group].revision, documents[layouts[slot].document].revision)
    return documents[layouts[slot].document].steps(from: first, to: last) == nil
  }

  /// The current version of a layout, or what it takes to make it.
  func find(_ slot: Int) -> FoundVersion? {
    if let version = layouts[slot].version,
      layouts[slot].revision == documents[layouts[slot].document].revision
    {
      return .current(version)
    }
    return pending(slot).map { .pending($0) }
  }

  /// What it takes to make the current version of a layout.
  func pending(_ slot: Int) -> PendingVersion? {
    let layout = layouts[slot]
    let document = documents[layout.document]
    guard let source = source(of: layout.document) else { return nil }
    let group = frames[layout.frames]
    return PendingVersion(
      id: layout.id, source: source, layout: group.key.layout, lock: group.lock,
      last: group.current, lastRevision: group.revision, own: group.own,
      steps: document.steps(from: group.revision, to: document.revision))
  }

  /// Takes over frames that are there by now.
  ///
  /// - Returns: The version that has them; `nil` if they are not there.
  mutating func catchUpWithFrames(_ slot: Int) -> LayoutVersion? {
    let group = frames[layouts[slot].frames]
    guard group.current != nil else { return nil }
    let layout = layouts[slot]
    if let version = layout.version, layout.revision == group.revision { return version }
    released.add(layout.version)
    if layout.revision != group.revision {
      layouts[slot].changes = layout.changes.adding(
        last: group.revision - layout.revision, of: group.changes, after: layout.shownHash)
      layouts[slot].revision = group.revision
    }
    return makeVersion(of: slot)
  }

  /// Makes the version of a layout whose frames are there, of the same revision.
  @discardableResult
  mutating func makeVersion(of slot: Int) -> LayoutVersion? {
    let layout = layouts[slot]
    let group = frames[layout.frames]
    guard let held = group.current, let first = documents[layout.document].first else { return nil }
    let version = LayoutVersion(
      of: layout, in: layouts[first].id, named: documents[layout.document].name, group.data, held)
    layouts[slot].version = version
    layouts[slot].shownHash = version.tag.hash
    count(layout: slot)
    return version
  }
}
