/// What is kept of the past of a layout, of frames, or of a document's data.
///
/// Two things are kept: what the last changes touched, without a gap, and earlier values as far as
/// there is room for them. The values are in ascending order, and the oldest goes first.
struct History<Value: Sendable>: Sendable {
  /// How many changes and values are kept at most.
  static var capacity: Int { ChangeHistory.capacity }

  struct Entry: Sendable {
    /// Which one the value was: the number of its version, or the revision of its data.
    let ordinal: Int
    let value: Value
    let bytes: Int
    /// Its place in the order of everything that is kept.
    let serial: Int
  }

  /// What the last changes touched.
  var changes = ChangeHistory()
  private(set) var entries: [Entry] = []

  /// - Returns: Whether there are more than are kept.
  mutating func append(_ value: Value, at ordinal: Int, bytes: Int, serial: Int) -> Bool {
    entries.append(Entry(ordinal: ordinal, value: value, bytes: bytes, serial: serial))
    return entries.count > Self.capacity
  }

  mutating func removeFirst() -> Entry { entries.removeFirst() }

  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  func value(at ordinal: Int) -> Value? { entries.last { $0.ordinal == ordinal }?.value }

  /// The entries from one ordinal on to before another; `nil` if any of them is not kept.
  ///
  /// - Precondition: The entries' ordinals follow each other.
  func entries(in range: Range<Int>) -> [Entry]? {
    guard !range.isEmpty else { return [] }
    guard let first = entries.first?.ordinal, let last = entries.last?.ordinal,
      range.lowerBound >= first, range.upperBound <= last + 1
    else { return nil }
    return Array(entries[range.lowerBound - first..<range.upperBound - first])
  }
}

/// Earlier frames, and the revision of their data.
struct KeptVersion: Sendable {
  let held: HeldCollection
  let revision: Int
}
