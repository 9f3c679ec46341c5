/// What goes when there is no room.
///
/// First what can be made again: frames, and indexes of ids. Then documents and layouts, each of
/// the two in the order of their last use. The newest document and the newest layout always stay.
extension SessionTable {
  private enum Victim {
    case frames(Int)
    case index(Int)
    case document(Int)
    case layout(Int)
  }

  /// How much goes before others have the lock.
  static let evictionsAtOnce = 256

  /// Makes room until the limits are kept, or others should have the lock.
  mutating func evict() {
    guard trimHistory() else {
      released.isUnfinished = true
      return
    }
    for _ in 0..<Self.evictionsAtOnce {
      guard let victim = nextVictim() else { return }
      switch victim {
      case .frames(let slot):
        dropFrames(slot)
        loseMeasured(ofFrames: slot)
        statistics.framesDropped += 1
      case .index(let slot): dropIndex(of: slot)
      case .document(let slot):
        removeDocument(slot, .evicted)
        statistics.evictions += 1
      case .layout(let slot):
        removeLayout(slot, .evicted)
        statistics.evictions += 1
      }
    }
    released.isUnfinished = true
  }

  private func nextVictim() -> Victim? {
    if statistics.bytes > limits.maxBytes {
      let made = Self.older(framesOrder, { .frames($0) }, indexOrder, { .index($0) })
      if let victim = made
        ?? Self.older(
          layoutOrder, { .layout($0) }, documentOrder, { .document($0) })
      {
        return victim
      }
      // The newest document is alone with what belongs to it.
      if indexOrder.newest >= 0 { return .index(indexOrder.newest) }
      if framesOrder.newest >= 0 { return .frames(framesOrder.newest) }
    }
    if statistics.sessions > limits.maxSessions, let slot = Self.oldest(of: documentOrder) {
      return .document(slot)
    }
    if statistics.views > limits.maxViews, let slot = Self.oldest(of: layoutOrder) {
      return .layout(slot)
    }
    return nil
  }

  /// The least recently used slot, unless it is the newest, too.
  private static func oldest(of order: UseOrder) -> Int? {
    order.oldest == order.newest ? nil : order.oldest
  }

  /// What was used longer ago of two orders, without the newest of each; the first of equals.
  private static func older(
    _ first: UseOrder, _ makeFirst: (Int) -> Victim,
    _ second: UseOrder, _ makeSecond: (Int) -> Victim
  ) -> Victim? {
    switch (oldest(of: first), oldest(of: second)) {
    case (nil, nil): nil
    case (let slot?, nil): makeFirst(slot)
    case (nil, let slot?): makeSecond(slot)
    case (let one?, let two?):
      first.lastUse(of: one) <= second.lastUse(of: two) ? makeFirst(one) : makeSecond(two)
    }
  }
}
