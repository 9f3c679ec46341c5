/// What goes when there is no room.
///
/// First what can be made again: frames of views, and indexes of ids. Then sessions and views, each
/// of the two in the order of their last use. The newest session and the newest view always stay.
extension SessionTable {
  private enum Victim {
    case frames(Int)
    case index(Int)
    case session(Int)
    case view(Int)
  }

  /// How much goes before others have the lock.
  static let evictionsAtOnce = 256

  /// Makes room until the limits are kept, or others should have the lock.
  mutating func evict(to limits: SessionStore.Limits) -> Released {
    var released = Released()
    guard trimHistory(to: limits.maxHistoryBytes, releasing: &released) else {
      released.isUnfinished = true
      return released
    }
    for _ in 0..<Self.evictionsAtOnce {
      guard let victim = nextVictim(limits) else { return released }
      switch victim {
      case .frames(let slot):
        dropFrames(slot, releasing: &released)
        statistics.framesDropped += 1
      case .index(let slot): dropIndex(of: slot, releasing: &released)
      case .session(let slot):
        removeSession(slot, .evicted, releasing: &released)
        statistics.evictions += 1
      case .view(let slot):
        removeView(slot, .evicted, releasing: &released)
        statistics.evictions += 1
      }
    }
    released.isUnfinished = true
    return released
  }

  private func nextVictim(_ limits: SessionStore.Limits) -> Victim? {
    if statistics.bytes > limits.maxBytes {
      let made = Self.older(framesOrder, { .frames($0) }, indexOrder, { .index($0) })
      if let victim = made ?? Self.older(viewOrder, { .view($0) }, sessionOrder, { .session($0) }) {
        return victim
      }
      // The newest session is alone with what belongs to it.
      if indexOrder.newest >= 0 { return .index(indexOrder.newest) }
      if framesOrder.newest >= 0 { return .frames(framesOrder.newest) }
    }
    if statistics.sessions > limits.maxSessions, let slot = Self.oldest(of: sessionOrder) {
      return .session(slot)
    }
    if statistics.views > limits.maxViews, let slot = Self.oldest(of: viewOrder) {
      return .view(slot)
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
