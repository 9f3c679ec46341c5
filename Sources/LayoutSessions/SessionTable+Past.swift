import CollectionLayout

/// What is kept of the past.
///
/// The data that a change leaves counts with the step from that revision to the next one. Without
/// the step nothing can be made of what is older. So all that is of that revision, or older, goes
/// with its step: what is there is counted.
extension SessionTable {
  /// Moves the data of a document on.
  ///
  /// - Parameters:
  ///   - step: How the data came from the last revision; `nil` if nobody knows: then nothing of the
  ///     past is kept.
  ///   - bytes: What it costs to keep the data of the last revision.
  mutating func moveData(
    of document: Int, to data: HistoryPosition.DataPosition, by step: DataLineage?, bytes: Int
  ) {
    let revision = documents[document].revision
    documents[document].data = data
    guard let step else {
      forgetPast(of: document)
      return forgetData(of: document, upTo: revision)
    }
    let bytes = step.memoryBytes + bytes
    let isFull = documents[document].steps.append(
      step, at: revision, bytes: bytes, serial: historyOrder.add(.document(document)))
    statistics.historyBytes += bytes
    if isFull { removeOldest(.document(document)) }
  }

  /// Keeps the versions of a layout that had the frames that it leaves.
  ///
  /// - Parameters:
  ///   - last: The frames of its current version; `nil` if it goes on with that number.
  ///   - bytes: What it costs to keep them.
  mutating func keepPast(ofLayout slot: Int, _ last: HeldCollection?, bytes: Int) {
    let layout = layouts[slot]
    let number = layout.position.number(bornAt: layout.birth, at: layout.revision)
    func keep(_ version: KeptVersion, _ bytes: Int) {
      let isFull = layouts[slot].history.append(
        version, at: number - (layout.revision - version.revision), bytes: bytes,
        serial: historyOrder.add(.layout(slot)))
      statistics.historyBytes += bytes
      note(.layout(slot), of: layout.document, at: version.revision)
      if isFull { removeOldest(.layout(slot)) }
    }
    let firstRevision = layout.revision - (number - layout.firstNumber)
    for entry in frames[layout.frames].history.entries
    where (firstRevision..<layout.revision).contains(entry.ordinal) {
      keep(entry.value, entry.bytes)
    }
    if let last { keep(KeptVersion(held: last, revision: layout.revision), bytes) }
  }

  mutating func removeOldest(_ owner: HistoryOrder.Owner) {
    switch owner {
    case .document(let slot):
      let step = documents[slot].steps.removeFirst()
      statistics.historyBytes -= step.bytes
      forgetData(of: slot, upTo: step.ordinal)
    case .layout(let slot): hasGone(layouts[slot].history.removeFirst())
    case .frames(let slot): hasGone(frames[slot].history.removeFirst())
    }
  }

  // MARK: Data of earlier revisions

  /// Whether what is of a revision can still be used: all steps from there on are kept.
  func isKept(_ revision: Int, of document: Int) -> Bool {
    documents[document].revision == revision
      || documents[document].steps.entries.first.map { $0.ordinal <= revision } ?? false
  }

  /// Notes who has the data of a revision from now on.
  mutating func note(_ holder: HistoryOrder.Owner, of document: Int, at revision: Int) {
    documents[document].holders[revision, default: []].insert(holder)
  }

  /// Gives up all that is of a revision. Of older ones nothing is there any more, as far as they
  /// have had steps.
  private mutating func forgetData(of document: Int, upTo revision: Int) {
    for holder in documents[document].holders.removeValue(forKey: revision) ?? [] {
      switch holder {
      case .frames(let group) where frames[group].document == document:
        while let first = frames[group].history.entries.first, first.ordinal <= revision {
          removeOldest(.frames(group))
        }
        if frames[group].revision <= revision, frames[group].isInOrder {
          dropFrames(group)
        }
      case .layout(let slot) where layouts[slot].document == document:
        while let first = layouts[slot].history.entries.first, first.value.revision <= revision {
          removeOldest(.layout(slot))
        }
      // The slots are those of others by now.
      case .frames, .layout, .document: break
      }
    }
  }

  /// An earlier version is not kept any more.
  mutating func hasGone(_ entry: History<KeptVersion>.Entry) {
    statistics.historyBytes -= entry.bytes
    released.add(entry.value.held)
  }

  mutating func forgetPast(of document: Int) {
    for entry in documents[document].steps.removeAll() {
      statistics.historyBytes -= entry.bytes
      forgetData(of: document, upTo: entry.ordinal)
    }
  }

  /// Gives up the oldest until the limit is kept.
  ///
  /// - Returns: False if others should have the lock before it goes on.
  mutating func trimHistory() -> Bool {
    var left = Self.evictionsAtOnce
    while statistics.historyBytes > limits.maxHistoryBytes {
      guard left > 0 else { return false }
      left -= 1
      guard let (owner, serial) = historyOrder.popFirst() else { break }
      if serial == oldestSerial(of: owner) { removeOldest(owner) }
    }
    guard historyOrder.isLong else { return true }
    var order = HistoryOrder()
    swap(&order, &historyOrder)
    order.keep { owner, serial in oldestSerial(of: owner).map { $0 <= serial } ?? false }
    historyOrder = order
    return true
  }

  private func oldestSerial(of owner: HistoryOrder.Owner) -> Int? {
    switch owner {
    case .document(let slot): documents[slot].steps.entries.first?.serial
    case .layout(let slot): layouts[slot].history.entries.first?.serial
    case .frames(let slot): frames[slot].history.entries.first?.serial
    }
  }
}
