import CollectionLayout

extension SessionTable {
  /// The frames of all views of a source that have one and the same layout.
  struct Frames {
    let source: Int
    let layout: ViewLayout
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
    var areas: [(from: Int, to: Int, area: InvalidatedRects)] = []
    /// Earlier frames, by their revisions.
    var past = KeptHistory<HeldCollection>()
  }

  /// What frames count as that are not there: the layout, and what it takes to find and make them.
  private static func bytes(of layout: ViewLayout) -> Int { layout.memoryBytes + framesBytes }

  /// What frames take that are not there, beside their layout.
  static let framesBytes = 1280

  /// The slot of the frames of a layout; `nil` if no view of the source has it.
  func findFrames(of source: Int, _ layout: ViewLayout) -> Int? {
    sessions[source].frames[layout.hash]?.first { frames[$0].layout === layout }
  }

  mutating func findOrAddFrames(
    of source: Int, _ layout: ViewLayout, at now: Duration
  ) -> Int {
    if let slot = findFrames(of: source, layout) { return slot }
    guard let data = sessions[source].version?.data else {
      preconditionFailure("slot \(source) has no session")
    }
    let group = Frames(source: source, layout: layout, data: data)
    let slot = framesOrder.add(at: now)
    framesOrder.leave(slot)
    if slot == frames.count { frames.append(group) } else { frames[slot] = group }
    sessions[source].frames[layout.hash, default: []].append(slot)
    statistics.bytes += Self.bytes(of: layout)
    return slot
  }

  /// Takes a view from its frames, which go with the last one.
  mutating func leaveFrames(_ view: Int, releasing released: inout Released) {
    let slot = views[view].frames
    frames[slot].views.remove(view)
    guard frames[slot].views.isEmpty else { return }
    dropFrames(slot, releasing: &released)
    forgetPast(ofFrames: slot, releasing: &released)
    framesOrder.free(slot)
    let (source, layout) = (frames[slot].source, frames[slot].layout)
    sessions[source].frames[layout.hash]?.removeAll { $0 == slot }
    if sessions[source].frames[layout.hash]?.isEmpty ?? false {
      sessions[source].frames[layout.hash] = nil
    }
    statistics.bytes -= Self.bytes(of: layout)
    released.add(layout)
    frames[slot] = Frames(source: source, layout: .none, data: frames[slot].data)
  }

  /// Gives up frames, which are made again when somebody asks for them.
  mutating func dropFrames(_ slot: Int, releasing released: inout Released) {
    guard let held = frames[slot].current else { return }
    let source = frames[slot].source
    // With other data than its source's, whoever works with it is the only one who holds that data.
    let isBehind = frames[slot].revision != sessions[source].revision
    keepCounting(
      ObjectIdentifier(held.collection.prepared),
      bytes: isBehind ? held.collection.memoryBytes : frames[slot].bytes)
    statistics.bytes -= frames[slot].bytes
    frames[slot].bytes = 0
    if sessions[source].ownFrames == slot { sessions[source].ownFrames = nil }
    frames[slot].current = nil
    framesOrder.leave(slot)
    released.add(held)
    for view in frames[slot].views {
      released.add(views[view].version)
      views[view].version = nil
    }
  }

  /// Puts frames in the place of those before.
  ///
  /// - Parameters:
  ///   - bytes: What they take. Frames that are the source's own count there.
  ///   - data: Of which they were made.
  mutating func setFrames(
    _ slot: Int, to held: HeldCollection, bytes: Int, of data: HistoryPosition.DataPosition,
    releasing released: inout Released
  ) {
    dropFrames(slot, releasing: &released)
    let source = frames[slot].source
    let isOwn = sessions[source].version?.collection.prepared === held.collection.prepared
    if isOwn { sessions[source].ownFrames = slot }
    frames[slot].current = held
    frames[slot].bytes = isOwn ? 0 : bytes
    frames[slot].data = data
    statistics.bytes += frames[slot].bytes
    note(.frames(slot), of: source, at: data.revision)
  }

  /// Counts frames that were the source's own, because the source has others now.
  ///
  /// - Parameter bytes: What they take.
  mutating func countOwnFrames(of source: Int, bytes: Int) {
    guard let slot = sessions[source].ownFrames else { return }
    sessions[source].ownFrames = nil
    frames[slot].bytes = bytes
    statistics.bytes += bytes
  }

  /// Forgets how frames came from earlier ones, because nobody knows what changed.
  mutating func forgetChanges(ofFrames slot: Int, releasing released: inout Released) {
    frames[slot].areas = []
    forgetPast(ofFrames: slot, releasing: &released)
  }

  private mutating func forgetPast(ofFrames slot: Int, releasing released: inout Released) {
    for entry in frames[slot].past.removeAll() {
      hasGone(entry.value, bytes: entry.bytes, releasing: &released)
    }
  }
}

extension SessionTable.Frames {
  /// A history with the changes of the frames after a revision; empty if they are not known.
  ///
  /// - Parameter hash: Of the tag of the view at that revision.
  func history(
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
        history = history.adding(step == steps ? area : .none, after: hash)
        hash = nil
      }
    }
    return history
  }
}
