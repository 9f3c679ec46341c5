import CollectionLayout
import TextMeasure

/// A match in a text of a cell.
struct TextMatch {
  let name: String
  /// In UTF-16 units.
  let range: Range<Int>
}

/// In which cells of a version a text was found, and how often.
///
///     cells    3  17  20          matches 0 and 1 are in the cell 3, match 2 in the cell 17, …
///     ends     2   3   7
final class FoundTexts: Sendable {
  /// What is looked for.
  struct Question: Hashable, Sendable {
    let pattern: TextPattern
    /// The name of the texts; `nil` for all.
    let name: ValueName?

    /// Whether every cell with a match of this has one of another.
    func continues(_ other: Question) -> Bool {
      name == other.name && pattern.continues(other.pattern)
    }
  }

  /// Why a search ends before all was looked at.
  enum Stop {
    case isAbandoned, isLate
  }

  let question: Question
  /// The places of the cells with a match.
  private let cells: [UInt32]
  /// So many bytes and cells are looked at until the clock is. At worst each byte is compared with
  /// each character of what is looked for.
  private static let workAtOnce = 32 << 10

  /// How many matches there are up to each of these cells.
  private let ends: [Int]
  /// Whether all cells were looked at.
  let isComplete: Bool

  var count: Int { ends.last ?? 0 }
  var memoryBytes: Int {
    cells.capacity * 4 + ends.capacity * 8 + question.pattern.memoryBytes + 256
  }

  /// Looks for a text.
  ///
  /// - Parameters:
  ///   - earlier: A complete result for what this continues; only its cells are looked at.
  ///   - stop: Says whether to end. It is asked again and again.
  /// - Returns: `nil` if nobody waits for it any more.
  /// - Complexity: O(bytes).
  init?(
    _ question: Question, in collection: PreparedCollection, within earlier: FoundTexts?,
    _ stop: () -> Stop?
  ) {
    self.question = question
    var found: [(place: UInt32, count: Int)] = []
    func add(_ stored: Int, _ matches: Int) {
      guard matches > 0 else { return }
      found.append((UInt32(collection.place(ofStored: stored)), matches))
    }
    var reason: Stop?
    var work = 0
    func look(_ stored: Range<Int>) {
      collection.forEachTexts(ofStored: stored) { first, texts, items in
        let columns = question.columns(of: texts)
        var start = items.lowerBound
        while start < items.upperBound {
          let end = columns.end(of: Self.workAtOnce, start..<items.upperBound)
          let next = columns.work(start..<end)
          // It is asked before, so that what is looked at to its end is complete.
          if work > 0, work + next > Self.workAtOnce {
            work = 0
            reason = stop()
            if reason != nil { return false }
          }
          work += next
          question.count(in: columns, start..<end) { add(first + $0 - items.lowerBound, $1) }
          start = end
        }
        return true
      }
    }
    if let earlier {
      for cell in earlier.cells where reason == nil {
        let stored = collection.stored(atPlace: Int(cell))
        look(stored..<stored + 1)
      }
    } else {
      look(0..<collection.placeCount)
    }
    if reason == nil, stop() == .isAbandoned { reason = .isAbandoned }
    if reason == .isAbandoned { return nil }
    isComplete = reason == nil
    if collection.isStoredInOtherOrder { found.sort { $0.place < $1.place } }
    cells = found.map(\.place)
    var count = 0
    ends = found.map {
      count += $0.count
      return count
    }
  }

  /// The first match from a cell on, or in the other direction; around the ends.
  func first(from place: Int?, backwards isBackwards: Bool) -> Int {
    guard let place else { return isBackwards ? max(count - 1, 0) : 0 }
    let index = partitionPoint(in: 0..<cells.count) {
      isBackwards ? cells[$0] <= place : cells[$0] < place
    }
    let before = index == 0 ? 0 : ends[index - 1]
    guard count > 0 else { return 0 }
    return isBackwards ? (before + count - 1) % count : before % count
  }

  /// The cell of a match, and which of the matches there it is.
  func place(ofMatch number: Int) -> (cell: Int, index: Int) {
    let index = partitionPoint(in: 0..<ends.count) { ends[$0] <= number }
    return (Int(cells[index]), number - (index == 0 ? 0 : ends[index - 1]))
  }

  /// How many matches begin in each stretch of the content that has some.
  ///
  /// - Complexity: O(*c*) for *c* cells with matches.
  func marks(_ count: Int, in collection: PreparedCollection) -> [(start: Double, count: Int)] {
    let stretches = PreparedCollection.Stretches(of: collection, count: count)
    var matches = [Int](repeating: 0, count: count)
    for (index, cell) in cells.enumerated() {
      let path = collection.indexPath(ofPlace: Int(cell))
      guard let frame = collection.markedFrame(ofCellAt: path) else { continue }
      matches[stretches.index(of: frame)] += ends[index] - (index == 0 ? 0 : ends[index - 1])
    }
    return matches.indices.filter { matches[$0] > 0 }
      .map { (stretches.start(of: $0), matches[$0]) }
  }
}

/// The texts that are looked at, in the order of their names.
private typealias LookedAt = [(name: String, column: TextColumn)]

extension LookedAt {
  /// The bytes of the texts of items, and one for each item.
  func work(_ items: Range<Int>) -> Int {
    guard let last = items.last else { return 0 }
    return reduce(items.count) { work, text in
      work + text.column.place(of: last).upperBound
        - text.column.place(of: items.lowerBound).lowerBound
    }
  }

  /// The end of as many items as are some work, but at least of one.
  func end(of work: Int, _ items: Range<Int>) -> Int {
    let first = items.lowerBound
    return partitionPoint(in: first + 1..<items.upperBound) { self.work(first..<$0 + 1) <= work }
  }
}

extension FoundTexts.Question {
  /// Whether all texts of a collection have at most so many bytes, with one more for each cell.
  func isShort(in collection: PreparedCollection, upTo limit: Int) -> Bool {
    var work = 0
    collection.forEachTexts(ofStored: 0..<collection.placeCount) { _, texts, items in
      work += columns(of: texts).work(items)
      return work <= limit
    }
    return work <= limit
  }

  fileprivate func columns(of texts: ItemTexts) -> LookedAt {
    texts.names.filter { $0.kind == .text && (name == nil || $0 == name) }.sorted()
      .compactMap { name in texts.column(name).map { (name.name, $0) } }
  }

  /// Calls `add` with each item that has matches, in order, and with their number.
  fileprivate func count(
    in texts: LookedAt, _ items: Range<Int>, _ add: (_ item: Int, _ matches: Int) -> Void
  ) {
    if texts.count == 1 { return forEachMatch(in: texts[0].column, items, add) }
    var counts: [Int: Int] = [:]
    for text in texts {
      forEachMatch(in: text.column, items) { counts[$0, default: 0] += $1 }
    }
    for (item, count) in counts.sorted(by: { $0.key < $1.key }) { add(item, count) }
  }

  /// Calls `body` with each item that has matches in a column, and with their number.
  private func forEachMatch(
    in column: TextColumn, _ items: Range<Int>, _ body: (Int, Int) -> Void
  ) {
    var last: (item: Int, count: Int) = (-1, 0)
    column.withBytes { bytes in
      pattern.forEachMatch(in: bytes, texts: items, end: { column.place(of: $0).upperBound }) {
        item, _ in
        if item != last.item {
          if last.count > 0 { body(last.item, last.count) }
          last = (item, 0)
        }
        last.count += 1
        return true
      }
    }
    if last.count > 0 { body(last.item, last.count) }
  }

  /// All matches in a cell, in order.
  func matches(inCell place: Int, of collection: PreparedCollection) -> [TextMatch] {
    var matches: [TextMatch] = []
    let stored = collection.stored(atPlace: place)
    collection.forEachTexts(ofStored: stored..<stored + 1) { _, texts, items in
      for (name, column) in columns(of: texts) {
        column.withBytes { bytes in
          var (units, position) = (0, column.place(of: items.lowerBound).lowerBound)
          pattern.forEachMatch(in: bytes, texts: items, end: { column.place(of: $0).upperBound }) {
            _, range in
            units += bytes[position..<range.lowerBound].utf16Count
            let length = bytes[range].utf16Count
            matches.append(TextMatch(name: name, range: units..<units + length))
            (units, position) = (units + length, range.upperBound)
            return true
          }
        }
      }
      return true
    }
    return matches
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// How many UTF-16 units the characters have.
  fileprivate var utf16Count: Int {
    reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : $1 >= 0xf0 ? 2 : 1) }
  }
}
