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

  mutating func findOrAddFrames(
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
  mutating func leaveFrames(_ view: Int, releasing released: inout Released) {
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

  /// Puts frames in the place of those before.
  ///
  /// - Parameters:
  ///   - bytes: What they count as.
  ///   - data: Of which they were made.
  mutating func setFrames(
    _ slot: Int, to held: HeldCollection, bytes: Int, of data: HistoryPosition.DataPosition,
    releasing released: inout Released
  ) {
    dropFrames(slot, releasing: &released)
    frames[slot].current = held
    frames[slot].bytes = bytes
    frames[slot].data = data
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
        history = history.adding(step == steps ? area : nil, after: hash)
        hash = nil
      }
    }
    return history
  }
}
