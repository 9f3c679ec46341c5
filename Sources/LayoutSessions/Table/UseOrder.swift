/// Slots in the order of their last use.
///
/// The slots are numbers from 0, which the owner uses as indices. A slot that is freed is given out
/// again.
struct UseOrder {
  private struct Link {
    var lastUse: Duration
    /// The next slot towards the most recently used; −1 at the front.
    var newer: Int
    /// The next slot towards the least recently used; −1 at the back.
    var older: Int
    var isLinked = true
  }

  private var links: [Link] = []
  private var freeSlots: [Int] = []
  /// The most recently used slot; −1 if there is none.
  private(set) var newest = -1
  /// The least recently used slot; −1 if there is none.
  private(set) var oldest = -1

  /// Adds a slot that is used now: a freed one, or one more than there have been.
  mutating func add(at now: Duration) -> Int {
    let link = Link(lastUse: now, newer: -1, older: -1)
    let slot = freeSlots.popLast() ?? links.count
    if slot == links.count { links.append(link) } else { links[slot] = link }
    linkAtFront(slot)
    return slot
  }

  /// Frees a slot.
  mutating func free(_ slot: Int) {
    leave(slot)
    freeSlots.append(slot)
  }

  /// Takes a slot out of the order until it is used again.
  mutating func leave(_ slot: Int) {
    guard links[slot].isLinked else { return }
    links[slot].isLinked = false
    let (newer, older) = (links[slot].newer, links[slot].older)
    if newer >= 0 { links[newer].older = older } else { newest = older }
    if older >= 0 { links[older].newer = newer } else { oldest = newer }
  }

  mutating func use(_ slot: Int, at now: Duration) {
    links[slot].lastUse = now
    guard newest != slot else { return }
    leave(slot)
    linkAtFront(slot)
  }

  func lastUse(of slot: Int) -> Duration { links[slot].lastUse }

  private mutating func linkAtFront(_ slot: Int) {
    links[slot].isLinked = true
    links[slot].newer = -1
    links[slot].older = newest
    if newest >= 0 { links[newest].newer = slot }
    newest = slot
    if oldest < 0 { oldest = slot }
  }
}
