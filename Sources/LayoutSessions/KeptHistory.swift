import CollectionLayout

/// A collection that is held beside the current versions. Like a version's, its memory is freed by
/// the thread for that.
final class HeldCollection: Sendable {
  let collection: PreparedCollection
  private let contents: OwnedContents

  init(_ collection: PreparedCollection) {
    self.collection = collection
    contents = OwnedContents(collection, names: nil)
  }
}

/// An earlier version of a session or view, and the revision of its data.
struct KeptVersion: Sendable {
  let held: HeldCollection
  let revision: Int
}

/// What is kept of the past of one layout, or of the steps between the revisions of a collection.
///
/// The entries are in ascending order, and the oldest goes first.
struct KeptHistory<Value: Sendable>: Sendable {
  struct Entry: Sendable {
    /// The number or revision that the entry is about.
    let number: Int
    let value: Value
    let bytes: Int
    /// Its place in the order of everything that is kept.
    let serial: Int
  }

  private(set) var entries: [Entry] = []

  mutating func append(_ entry: Entry) { entries.append(entry) }

  mutating func removeFirst() -> Entry { entries.removeFirst() }

  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  /// The value of a number or revision, if it is kept.
  func value(at number: Int) -> Value? { entries.last { $0.number == number }?.value }

  /// The values from one number on to before another; `nil` if any of them is not kept.
  ///
  /// - Precondition: The entries' numbers follow each other.
  func values(in range: Range<Int>) -> [Value]? { entries(in: range).map { $0.map(\.value) } }

  /// The entries from one number on to before another; `nil` if any of them is not kept.
  ///
  /// - Precondition: The entries' numbers follow each other.
  func entries(in range: Range<Int>) -> [Entry]? {
    guard !range.isEmpty else { return [] }
    guard let first = entries.first?.number, let last = entries.last?.number,
      range.lowerBound >= first, range.upperBound <= last + 1
    else { return nil }
    return Array(entries[range.lowerBound - first..<range.upperBound - first])
  }
}

/// The order in which what is kept of the past has to go, oldest first.
struct HistoryOrder: Sendable {
  enum Owner: Equatable, Sendable {
    /// The earlier versions of a session.
    case versions(Int)
    /// The steps between the revisions of a session's collection.
    case steps(Int)
    /// The earlier frames of views.
    case frames(Int)
    /// The versions of a view from before its own kind, bounds or options changed.
    case view(Int)
  }

  private var queue: [(owner: Owner, serial: Int)] = []
  private var head = 0
  private var lastSerial = 0
  /// How many entries there are; the others in the queue have gone.
  private var count = 0

  /// Gives a new entry its place.
  mutating func add(_ owner: Owner) -> Int {
    lastSerial += 1
    queue.append((owner, lastSerial))
    count += 1
    return lastSerial
  }

  /// Takes the oldest place out, whose entry may have gone.
  mutating func popFirst() -> (owner: Owner, serial: Int)? {
    guard head < queue.count else { return nil }
    defer { head += 1 }
    return queue[head]
  }

  /// Says that so many entries have gone.
  mutating func entriesHaveGone(_ number: Int) { count -= number }

  /// Whether most places in the queue are of entries that have gone.
  var isMostlyStale: Bool { queue.count > 64 + 4 * count }

  /// Takes the places of entries that have gone out of the queue.
  ///
  /// An owner's oldest entry goes first, so an entry is there if an older one or itself is.
  mutating func keep(_ isThere: (Owner, Int) -> Bool) {
    queue = queue[head...].filter { isThere($0.owner, $0.serial) }
    head = 0
  }
}
