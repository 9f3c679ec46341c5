import CollectionLayout

extension SessionTable {
  /// The frames of all layouts of a document with one key.
  ///
  /// They are a cache: they are made when somebody asks for them, and made anew when the data has
  /// changed or after they had to make room. Those of a document's first layout always stay, and
  /// count with the document.
  struct Frames {
    /// The document's slot.
    let document: Int
    let key: FramesKey
    /// Held while the frames are being made.
    let lock = ChangeLock()
    /// The slots of the layouts.
    var layouts: Set<Int> = []
    /// The frames at `revision`; `nil` before somebody has asked for them, and when they had to
    /// make room.
    var current: HeldCollection?
    /// What was measured and folded, of data of `revision`, while the frames are not there.
    var own = OwnState()
    /// The data of which the frames were made last.
    var data: HistoryPosition.DataPosition
    /// What each change of the data touched.
    var changes = ChangeHistory()
    /// The bytes in the statistics.
    var bytes = 0
    /// Whether they may have to make room.
    var isInOrder = false

    var revision: Int { data.revision }
  }

  /// What frames take that are not there, beside their key.
  static let framesBytes = 1280

  /// The slot of the frames with a key; `nil` if no layout of the document has it.
  func findFrames(of document: Int, _ key: FramesKey) -> Int? {
    documents[document].frames[key.hash]?.first { frames[$0].key === key }
  }

  mutating func findOrAddFrames(of document: Int, _ key: FramesKey) -> Int {
    if let slot = findFrames(of: document, key) { return slot }
    let group = Frames(document: document, key: key, data: documents[document].data)
    let slot = framesOrder.add(at: now)
    framesOrder.leave(slot)
    if slot == frames.count { frames.append(group) } else { frames[slot] = group }
    documents[document].frames[key.hash, default: []].append(slot)
    return slot
  }

  /// Counts frames with what their changes touched, and gives them their place among those that may
  /// have to make room.
  mutating func place(frames slot: Int) {
    let group = frames[slot]
    let isOfFirst = documents[group.document].first.map { group.layouts.contains($0) } ?? false
    let isCounted = !group.layouts.isEmpty && !isOfFirst
    var bytes = group.layouts.isEmpty ? 0 : group.changes.areaBytes
    if isCounted {
      bytes += group.key.memoryBytes + Self.framesBytes + group.own.memoryBytes
      if let current = group.current { bytes += current.frameBytes }
    }
    statistics.bytes += bytes - group.bytes
    frames[slot].bytes = bytes
    frames[slot].isInOrder = isCounted && group.current != nil
    if !frames[slot].isInOrder {
      framesOrder.leave(slot)
    } else if !group.isInOrder {
      framesOrder.use(slot, at: documentOrder.lastUse(of: group.document))
    }
  }

  /// Takes a layout from its frames, which go with the last one.
  mutating func leaveFrames(_ layout: Int) {
    let slot = layouts[layout].frames
    frames[slot].layouts.remove(layout)
    let document = frames[slot].document
    guard frames[slot].layouts.isEmpty else {
      return place(frames: slot)
    }
    dropFrames(slot)
    unregister(frames: slot)
    frames[slot].changes = ChangeHistory()
    place(frames: slot)
    framesOrder.free(slot)
    let key = frames[slot].key
    documents[document].frames[key.hash]?.removeAll { $0 == slot }
    if documents[document].frames[key.hash]?.isEmpty ?? false {
      documents[document].frames[key.hash] = nil
    }
    forgetUnused(key.id, of: document)
    released.add(key)
    frames[slot] = Frames(document: document, key: .none, data: frames[slot].data)
  }

  /// Gives up frames, which are made again when somebody asks for them.
  mutating func dropFrames(_ slot: Int) {
    guard let held = frames[slot].current else { return }
    unregister(frames: slot)
    frames[slot].current = nil
    released.add(held)
    for layout in frames[slot].layouts {
      released.add(layouts[layout].version)
      layouts[layout].version = nil
    }
    place(frames: slot)
  }

  /// Takes frames from those of their revision.
  private mutating func unregister(frames slot: Int) {
    let document = frames[slot].document
    if let index = documents[document].index(of: frames[slot].revision) {
      documents[document].revisions[index].frames.remove(slot)
    }
  }

  /// Keeps what belongs to layouts until their frames are made.
  ///
  /// - Parameter data: Of which it is.
  mutating func keep(
    _ own: OwnState, ofFrames slot: Int, at data: HistoryPosition.DataPosition
  ) {
    unregister(frames: slot)
    frames[slot].own = own
    frames[slot].data = data
    let document = frames[slot].document
    if let index = documents[document].index(of: data.revision) {
      documents[document].revisions[index].frames.insert(slot)
    }
    place(frames: slot)
  }

  /// Gives up what was measured in a layout whose frames had to make room. Its version moves on.
  /// Folds stay.
  ///
  /// A copy of what others have, too, goes as a whole: it is made again from there.
  ///
  /// - Parameter own: What belonged to it.
  mutating func loseMeasured(ofFrames slot: Int, _ own: OwnState) {
    let key = frames[slot].key
    guard key.isOwn else { return }
    guard own.hasMeasured else { return keep(own, ofFrames: slot, at: frames[slot].data) }
    let document = frames[slot].document
    for layout in frames[slot].layouts {
      guard !holdsCopies else {
        removeLayout(layout, nil)
        continue
      }
      let equal = documents[document].frames[key.hash] ?? []
      let plain = equal.map { frames[$0].key }
        .first { !$0.isOwn && $0.layout == key.layout }
      let group = findOrAddFrames(
        of: document,
        own.folds.isEmpty
          ? plain ?? FramesKey(key.layout) : FramesKey(key.layout, isOwn: true))
      if !own.folds.isEmpty { keep(OwnState(own.folds), ofFrames: group, at: frames[slot].data) }
      let position = layouts[layout].position.advanced(
        by: .random(), isOfData: false, over: documents[document].data)
      let revision = documents[document].revision
      endEpoch(
        of: layout, before: position.number(bornAt: layouts[layout].birth, at: revision))
      frames[group].layouts.insert(layout)
      leaveFrames(layout)
      layouts[layout].frames = group
      layouts[layout].position = position
      // Nobody knows what differs.
      layouts[layout].changes = ChangeHistory()
      layouts[layout].revision = revision
      layouts[layout].shownHash = nil
      released.add(layouts[layout].version)
      layouts[layout].version = nil
      place(frames: group)
      released.moved.append(layouts[layout].id)
    }
  }

  /// Puts frames in the place of those before.
  ///
  /// - Parameter data: Of which they were made.
  mutating func setFrames(
    _ slot: Int, to held: HeldCollection, of data: HistoryPosition.DataPosition
  ) {
    dropFrames(slot)
    unregister(frames: slot)
    frames[slot].current = held
    frames[slot].own = OwnState()
    frames[slot].data = data
    place(frames: slot)
    let document = frames[slot].document
    if let index = documents[document].index(of: data.revision) {
      documents[document].revisions[index].frames.insert(slot)
    }
  }

  /// Keeps the frames that there are as earlier ones, before others of the next data take their
  /// place.
  ///
  /// - Parameters:
  ///   - area: What differs between them.
  ///   - steps: How many revisions they are apart, ≥ 1.
  ///   - bytes: What it costs to keep them.
  mutating func keepPast(ofFrames slot: Int, _ area: InvalidatedRects, steps: Int, bytes: Int) {
    // Nobody was shown frames at the revisions between.
    for _ in 1..<min(steps, ChangeHistory.capacity + 1) {
      frames[slot].changes = frames[slot].changes.adding(.none, after: nil)
    }
    frames[slot].changes = frames[slot].changes.adding(area, after: nil)
    guard let held = frames[slot].current else { return }
    keep(
      held, of: frames[slot].key, in: frames[slot].document, at: frames[slot].revision,
      bytes: bytes)
  }

  /// Puts frames that were made into their place.
  ///
  /// - Parameter pastBytes: What it costs to keep the frames before.
  /// - Returns: The version of the layout that has them; `nil` if the layout is gone, or has other
  ///   frames by now.
  mutating func install(
    _ made: MadeFrames, for work: PendingVersion, pastBytes: Int
  ) -> LayoutVersion? {
    guard let slot = places[work.id], frames[layouts[slot].frames].lock === work.lock else {
      return nil
    }
    let group = layouts[slot].frames
    let revision = work.source.revision
    // A first layout may have come to these frames meanwhile, with its own.
    let isThere = frames[group].current != nil && frames[group].revision >= revision
    if made.held !== frames[group].current, !isThere {
      if let area = made.area, frames[group].revision == work.lastRevision, work.last != nil {
        keepPast(ofFrames: group, area, steps: revision - work.lastRevision, bytes: pastBytes)
      } else if frames[group].revision != revision {
        frames[group].changes = ChangeHistory()
      }
      setFrames(group, to: made.held, of: work.source.data)
    } else if frames[group].isInOrder {
      framesOrder.use(group, at: now)
    }
    let version = catchUpWithFrames(slot)
    // Of data that went away meanwhile: nothing can be made of it any more.
    if documents[frames[group].document].index(of: frames[group].revision) == nil {
      dropFrames(group)
    }
    return version
  }
}
