import CollectionLayout

extension SessionTable {
  /// How many earlier versions of a layout, or steps of a collection, are kept at most.
  static let maxHistory = ChangeHistory.capacity

  /// Keeps the version that a session had, and how its data came to the next revision.
  ///
  /// - Parameters:
  ///   - bytes: What keeping the version costs.
  ///   - step: `nil` if nobody knows which item is which of the version before.
  mutating func keepPast(
    _ version: LayoutVersion, bytes: Int, step: DataLineage?, releasing released: inout Released
  ) {
    guard case .session(let slot)? = places[version.id] else { return }
    let revision = sessions[slot].revision
    guard let step else {
      forgetPast(of: slot, releasing: &released)
      sessions[slot].revision += 1
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
    let stepBytes = step.memoryBytes
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
    case .steps(let slot): hasGone(bytes: sessions[slot].steps.removeFirst().bytes)
    case .frames(let slot):
      let entry = frames[slot].past.removeFirst()
      hasGone(entry.value, bytes: entry.bytes, releasing: &released)
    case .view(let slot):
      let entry = views[slot].past.removeFirst()
      hasGone(entry.value.held, bytes: entry.bytes, releasing: &released)
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
    for entry in sessions[slot].steps.removeAll() { hasGone(bytes: entry.bytes) }
  }

  mutating func trimHistory(to limit: Int, releasing released: inout Released) {
    while statistics.historyBytes > limit, let (owner, serial) = historyOrder.popFirst() {
      if serial == oldestSerial(of: owner) { removeOldest(owner, releasing: &released) }
    }
    guard historyOrder.isMostlyStale else { return }
    var serials = Set<Int>()
    for session in sessions {
      serials.formUnion(session.past.entries.map(\.serial))
      serials.formUnion(session.steps.entries.map(\.serial))
    }
    for group in frames { serials.formUnion(group.past.entries.map(\.serial)) }
    for view in views { serials.formUnion(view.past.entries.map(\.serial)) }
    historyOrder.keep(serials)
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
    if views[slot].past.entries.count > Self.maxHistory {
      removeOldest(.view(slot), releasing: &released)
    }
  }
}
