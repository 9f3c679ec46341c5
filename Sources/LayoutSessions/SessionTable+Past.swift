import CollectionLayout

/// Who may hold the data of an earlier revision, beside the session itself.
enum DataHolder: Hashable {
  /// Frames of views, now or in their history.
  case frames(Int)
  /// A view, in the history of its own layout.
  case view(Int)
}

/// What is kept of the past.
///
/// The data that a change leaves counts with the step from that revision to the next one. Without
/// the step nothing can be made of what is older. So all that is of that revision, or older, goes
/// with its step: what is there is counted.
extension SessionTable {
  /// How many earlier versions of a layout, or steps of a collection, are kept at most.
  static let maxHistory = ChangeHistory.capacity

  /// Keeps the version that a session had, and how its data came to the next revision.
  ///
  /// - Parameters:
  ///   - bytes: What keeping the version's frames costs.
  ///   - dataBytes: What keeping its data costs.
  ///   - step: `nil` if nobody knows which item is which of the version before.
  mutating func keepPast(
    _ version: LayoutVersion, bytes: Int, dataBytes: Int, step: DataLineage?,
    releasing released: inout Released
  ) {
    guard case .session(let slot)? = places[version.id] else { return }
    let revision = sessions[slot].revision
    guard let step else {
      let revision = sessions[slot].revision
      sessions[slot].revision += 1
      forgetPast(of: slot, releasing: &released)
      forgetData(of: slot, upTo: revision, releasing: &released)
      return
    }
    let entry = KeptHistory<KeptVersion>.Entry(
      number: version.number,
      value: KeptVersion(held: HeldCollection(version.collection), revision: revision),
      bytes: bytes, serial: historyOrder.add(.versions(slot)))
    sessions[slot].past.append(entry)
    statistics.historyBytes += bytes
    if sessions[slot].past.entries.count > Self.maxHistory {
      removeOldest(.versions(slot), releasing: &released)
    }
    guard !step.isSame else { return }
    let stepBytes = step.memoryBytes + dataBytes
    sessions[slot].steps.append(
      .init(
        number: revision, value: step, bytes: stepBytes, serial: historyOrder.add(.steps(slot))))
    statistics.historyBytes += stepBytes
    sessions[slot].revision += 1
    if sessions[slot].steps.entries.count > Self.maxHistory {
      removeOldest(.steps(slot), releasing: &released)
    }
  }

  mutating func removeOldest(_ owner: HistoryOrder.Owner, releasing released: inout Released) {
    switch owner {
    case .versions(let slot):
      let entry = sessions[slot].past.removeFirst()
      hasGone(entry.value.held, bytes: entry.bytes, releasing: &released)
    case .steps(let slot):
      let step = sessions[slot].steps.removeFirst()
      hasGone(bytes: step.bytes)
      forgetData(of: slot, upTo: step.number, releasing: &released)
    case .frames(let slot):
      let entry = frames[slot].past.removeFirst()
      hasGone(entry.value, bytes: entry.bytes, releasing: &released)
    case .view(let slot):
      let entry = views[slot].past.removeFirst()
      hasGone(entry.value.held, bytes: entry.bytes, releasing: &released)
    }
  }

  // MARK: Data of earlier revisions

  /// Whether what is of a revision can still be used: all steps from there on are kept.
  func isKept(_ revision: Int, of slot: Int) -> Bool {
    sessions[slot].revision == revision
      || sessions[slot].steps.entries.first.map { $0.number <= revision } ?? false
  }

  /// Notes who has the data of a revision from now on.
  mutating func note(_ holder: DataHolder, of slot: Int, at revision: Int) {
    sessions[slot].holders[revision, default: []].insert(holder)
  }

  /// Gives up all that is of a revision or an older one. Of the older ones nothing is there any
  /// more, as far as they have had steps.
  private mutating func forgetData(
    of slot: Int, upTo revision: Int, releasing released: inout Released
  ) {
    while let first = sessions[slot].past.entries.first, first.value.revision <= revision {
      removeOldest(.versions(slot), releasing: &released)
    }
    for holder in sessions[slot].holders.removeValue(forKey: revision) ?? [] {
      switch holder {
      case .frames(let group) where frames[group].source == slot:
        while let first = frames[group].past.entries.first, first.number <= revision {
          removeOldest(.frames(group), releasing: &released)
        }
        if frames[group].revision <= revision { dropFrames(group, releasing: &released) }
      case .view(let view) where views[view].source == slot:
        while let first = views[view].past.entries.first, first.value.revision <= revision {
          removeOldest(.view(view), releasing: &released)
        }
      // The slots are those of others by now.
      case .frames, .view: break
      }
    }
  }

  private mutating func hasGone(bytes: Int) {
    statistics.historyBytes -= bytes
    historyOrder.entriesHaveGone(1)
  }

  /// An earlier version is not kept any more. While somebody works with it, it still counts.
  mutating func hasGone(_ held: HeldCollection, bytes: Int, releasing released: inout Released) {
    hasGone(bytes: bytes)
    keepCounting(ObjectIdentifier(held), bytes: held.collection.memoryBytes)
    released.add(held)
  }

  mutating func forgetPast(of slot: Int, releasing released: inout Released) {
    for entry in sessions[slot].past.removeAll() {
      hasGone(entry.value.held, bytes: entry.bytes, releasing: &released)
    }
    for entry in sessions[slot].steps.removeAll() {
      hasGone(bytes: entry.bytes)
      forgetData(of: slot, upTo: entry.number, releasing: &released)
    }
  }

  /// Gives up the oldest until the limit is kept.
  ///
  /// - Returns: False if others should have the lock before it goes on.
  mutating func trimHistory(to limit: Int, releasing released: inout Released) -> Bool {
    var left = Self.evictionsAtOnce
    while statistics.historyBytes > limit {
      guard left > 0 else { return false }
      left -= 1
      guard let (owner, serial) = historyOrder.popFirst() else { break }
      if serial == oldestSerial(of: owner) { removeOldest(owner, releasing: &released) }
    }
    guard historyOrder.isMostlyStale else { return true }
    var order = HistoryOrder()
    swap(&order, &historyOrder)
    order.keep { owner, serial in oldestSerial(of: owner).map { $0 <= serial } ?? false }
    historyOrder = order
    return true
  }

  private func oldestSerial(of owner: HistoryOrder.Owner) -> Int? {
    switch owner {
    case .versions(let slot): sessions[slot].past.entries.first?.serial
    case .steps(let slot): sessions[slot].steps.entries.first?.serial
    case .frames(let slot): frames[slot].past.entries.first?.serial
    case .view(let slot): views[slot].past.entries.first?.serial
    }
  }
}

// MARK: Views

extension SessionTable {
  /// Keeps the versions of a view that had the frames that it leaves.
  ///
  /// - Parameter last: The frames of its current version; `nil` if it goes on with that number.
  mutating func keepPast(
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
    note(.view(slot), of: views[slot].source, at: revision)
    if views[slot].past.entries.count > Self.maxHistory {
      removeOldest(.view(slot), releasing: &released)
    }
  }
}
