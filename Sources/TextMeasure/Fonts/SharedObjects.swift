/// Objects that are used somewhere, or were made lately. While one is used it is found again, so
/// that there is only one of it.
struct SharedObjects<Key: Hashable, Object: AnyObject> {
  private struct Entry {
    weak var object: Object?
  }

  private var entries: [Key: Entry] = [:]
  /// Held though nobody may use them; the oldest is the next to go.
  private var recent: [Object] = []
  private var oldest = 0
  private let recentCount: Int
  /// When there are so many entries, those without an object go.
  private var sweepCount = 64

  /// - Parameter recentCount: How many are held though nobody uses them.
  init(holding recentCount: Int) {
    self.recentCount = recentCount
  }

  subscript(key: Key) -> Object? { entries[key]?.object }

  /// Keeps an object.
  ///
  /// - Complexity: O(1), amortized.
  mutating func insert(_ object: Object, _ key: Key) {
    entries[key] = Entry(object: object)
    if recent.count < recentCount {
      recent.append(object)
    } else {
      recent[oldest] = object
      oldest = (oldest + 1) % recentCount
    }
    guard entries.count >= sweepCount else { return }
    entries = entries.filter { $0.value.object != nil }
    sweepCount = max(64, entries.count * 2)
  }

  /// Holds no object any longer that nobody uses.
  ///
  /// - Returns: The objects that were held.
  mutating func forget() -> [Object] {
    oldest = 0
    defer { recent = [] }
    return recent
  }
}
