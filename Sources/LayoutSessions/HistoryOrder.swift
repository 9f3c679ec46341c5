import System

/// The order in which what is kept of the past has to go, oldest first.
struct HistoryOrder: Sendable {
  /// Whose history an entry is of, by slots.
  enum Owner: Hashable, Sendable {
    case document(Int)
    case layout(Int)
    case frames(Int)
  }

  private var queue = Queue<(owner: Owner, serial: Int)>()
  private var lastSerial = 0
  /// From how many places on it is looked which of them are of entries that have gone.
  private var limit = 64

  /// Gives a new entry its place.
  mutating func add(_ owner: Owner) -> Int {
    lastSerial += 1
    queue.append((owner, lastSerial))
    return lastSerial
  }

  /// Takes the oldest place out, whose entry may have gone.
  mutating func popFirst() -> (owner: Owner, serial: Int)? { queue.popFirst() }

  /// Whether many places in the queue may be of entries that have gone.
  var isLong: Bool { queue.count > limit }

  /// Takes the places of entries that have gone out of the queue.
  ///
  /// An owner's oldest entry goes first, so an entry is there if an older one or itself is.
  mutating func keep(_ isThere: (Owner, Int) -> Bool) {
    for place in queue.removeAll() where isThere(place.owner, place.serial) { queue.append(place) }
    limit = 64 + 4 * queue.count
  }
}
