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
  /// The ordinals of the cells with a match.
  private let cells: [UInt32]
  /// How many matches there are up to each of these cells.
  private let ends: [Int]
  /// Whether all cells were looked at.
  let isComplete: Bool

  var count: Int { ends.last ?? 0 }
  var memoryBytes: Int { cells.count * 12 + 256 }

  /// So many cells are looked at until the clock is.
  private static let cellsAtOnce = 2048

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
    var (cells, ends): ([UInt32], [Int]) = ([], [])
    var count = 0
    func add(_ ordinal: Int, _ matches: Int) {
      guard matches > 0 else { return }
      count += matches
      cells.append(UInt32(ordinal))
      ends.append(count)
    }
    var reason: Stop?
    if let earlier {
      for (number, ordinal) in earlier.cells.enumerated() {
        if number % Self.cellsAtOnce == 0 { reason = stop() }
        if reason != nil { break }
        question.count(inOrdinals: Int(ordinal)..<Int(ordinal) + 1, of: collection, add)
      }
    } else {
      let all = collection.prepared.counts.cells
      var start = 0
      while start < all, reason == nil {
        let end = min(all, start + Self.cellsAtOnce)
        question.count(inOrdinals: start..<end, of: collection, add)
        start = end
        reason = stop()
      }
      if start == all, reason == .isLate { reason = nil }
    }
    if reason == .isAbandoned { return nil }
    isComplete = reason == nil
    self.cells = cells
    self.ends = ends
  }

  /// The first match from a cell on, or in the other direction; around the ends.
  func first(from ordinal: Int?, backwards isBackwards: Bool) -> Int {
    guard let ordinal else { return isBackwards ? max(count - 1, 0) : 0 }
    let index = partitionPoint { isBackwards ? $0 <= ordinal : $0 < ordinal }
    let before = index == 0 ? 0 : ends[index - 1]
    guard count > 0 else { return 0 }
    return isBackwards ? (before + count - 1) % count : before % count
  }

  /// The cell of a match, and which of the matches there it is.
  func place(ofMatch number: Int) -> (ordinal: Int, index: Int) {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return (Int(cells[low]), number - (low == 0 ? 0 : ends[low - 1]))
  }

  private func partitionPoint(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, cells.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(Int(cells[middle])) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How many matches begin in each stretch of the content that has some.
  ///
  /// - Complexity: O(*c*) for *c* cells with matches.
  func marks(_ count: Int, in collection: PreparedCollection) -> [(start: Double, count: Int)] {
    let stretches = PreparedCollection.Stretches(of: collection, count: count)
    var matches = [Int](repeating: 0, count: count)
    for (index, ordinal) in cells.enumerated() {
      guard let path = collection.indexPath(ofOrdinal: Int(ordinal)),
        let frame = collection.markedFrame(ofCellAt: path)
      else { continue }
      matches[stretches.index(of: frame)] += ends[index] - (index == 0 ? 0 : ends[index - 1])
    }
    return matches.indices.filter { matches[$0] > 0 }
      .map { (stretches.start(of: $0), matches[$0]) }
  }
}

extension FoundTexts.Question {
  /// Calls `add` with each cell that has matches, in order, and with their number.
  fileprivate func count(
    inOrdinals ordinals: Range<Int>, of collection: PreparedCollection,
    _ add: (_ ordinal: Int, _ matches: Int) -> Void
  ) {
    collection.forEachTexts(inOrdinals: ordinals) { first, texts, items in
      let names = names(in: texts)
      if names.count == 1 {
        forEachMatch(of: names[0], in: texts, items) { add(first + $0 - items.lowerBound, $1) }
        return true
      }
      var counts: [Int: Int] = [:]
      for name in names {
        forEachMatch(of: name, in: texts, items) { counts[$0, default: 0] += $1 }
      }
      for (item, count) in counts.sorted(by: { $0.key < $1.key }) {
        add(first + item - items.lowerBound, count)
      }
      return true
    }
  }

  /// The names of the texts that are looked at, in their order.
  private func names(in texts: ItemTexts) -> [ValueName] {
    texts.names.filter { $0.kind == .text && name.map { [name = $0] in $0 == name } ?? true }
      .sorted()
  }

  /// Calls `body` with each item that has matches in its text of a name, and with their number.
  private func forEachMatch(
    of name: ValueName, in texts: ItemTexts, _ items: Range<Int>, _ body: (Int, Int) -> Void
  ) {
    guard let column = texts.column(name) else { return }
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
  func matches(inCell ordinal: Int, of collection: PreparedCollection) -> [TextMatch] {
    var matches: [TextMatch] = []
    collection.forEachTexts(inOrdinals: ordinal..<ordinal + 1) { _, texts, items in
      for name in names(in: texts) {
        guard let column = texts.column(name) else { continue }
        column.withBytes { bytes in
          var (units, position) = (0, column.place(of: items.lowerBound).lowerBound)
          pattern.forEachMatch(in: bytes, texts: items, end: { column.place(of: $0).upperBound }) {
            _, range in
            units += bytes[position..<range.lowerBound].utf16Count
            let length = bytes[range].utf16Count
            matches.append(TextMatch(name: name.name, range: units..<units + length))
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
