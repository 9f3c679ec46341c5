import CollectionLayout

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
        let own = frames[slot].current.map { OwnState(of: $0.collection) } ?? frames[slot].own
        forgetPast(ofFrames: slot)
        dropFrames(slot)
        loseMeasured(ofFrames: slot, own)
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
      if let victim = Self.oldest(of: (framesOrder, Victim.frames), (indexOrder, Victim.index))
        ?? Self.oldest(of: (layoutOrder, Victim.layout), (documentOrder, Victim.document))
      {
        return victim
      }
      // The newest document is alone with what belongs to it.
      if indexOrder.newest >= 0 { return .index(indexOrder.newest) }
      if framesOrder.newest >= 0 { return .frames(framesOrder.newest) }
    }
    if statistics.sessions > limits.maxSessions,
      let victim = Self.oldest(of: (documentOrder, Victim.document))
    {
      return victim
    }
    return statistics.views > limits.maxViews ? Self.oldest(of: (layoutOrder, Victim.layout)) : nil
  }

  /// What was used longest ago in some orders, without the newest of each; the first of equals.
  private static func oldest(of orders: (UseOrder, (Int) -> Victim)...) -> Victim? {
    orders.filter { order, _ in order.oldest != order.newest }
      .min { $0.0.lastUse(of: $0.0.oldest) < $1.0.lastUse(of: $1.0.oldest) }
      .map { order, victim in victim(order.oldest) }
  }
}
