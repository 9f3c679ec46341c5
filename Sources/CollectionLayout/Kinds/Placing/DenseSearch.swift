/// Places each item at the first place of a grid that is free, as CSS Grid Layout Module Level 1
/// says in 8.5 for `dense`.
///
/// Neighbouring rows in which the same places are taken are one band:
///
///     band   │ rows 3 ..< 6, columns 0 and 2 taken │ ─▸ the next band with a free place
///
/// A size fits into the first row of a band, or into none of its rows. Places are only ever taken,
/// so the first place for a size never moves back: each size is searched on from where the last
/// item of its size, or of a smaller one, was placed. A band without a free place leaves the list
/// and gives its bits back.
///
/// Sizes can be chosen so that most bands are looked at for each item. So the search has a limit.
struct DenseSearch {
  private let columnCount: Int
  private let wordCount: Int
  private var bands: [Band] = []
  /// A bit for each taken column, `wordCount` words for each slot. Bits beyond the last column are
  /// set.
  private var taken: [UInt64] = []
  private var freeSlots: [Int] = []
  /// The band at which each size was placed last.
  private var smallHints = [Int](repeating: 0, count: smallSize * smallSize)
  private var hints: [Size: Int] = [:]
  /// What is taken in any of some bands.
  private var merged: [UInt64]
  /// How many rows there are up to the last that is taken.
  private(set) var rowCount = 0

  private struct Band {
    var start: Int
    /// The row behind the last; the last band has no end.
    var end: Int
    var next: Int
    /// Where its bits are; −1 if all places are taken.
    var slot: Int

    var isFull: Bool { slot < 0 }
  }

  private struct Size: Hashable {
    let span: Int
    let rowSpan: Int
    let column: Int?
  }

  /// The memory of all bits.
  var byteCount: Int { taken.count * 8 }

  private static let smallSize = 16
  /// The largest number of words of all bits, 256 MiB.
  private static let wordLimit = 32 << 20
  /// How many words may still be looked at.
  private var wordsLeft: Int

  /// - Parameter itemCount: How many items will be placed, at most.
  init(columnCount: Int, itemCount: Int) {
    self.columnCount = columnCount
    wordsLeft = 16 << 20 + itemCount << 11
    wordCount = (columnCount + 63) / 64
    merged = Array(repeating: 0, count: wordCount)
    taken = merged
    if columnCount % 64 > 0 { taken[wordCount - 1] = ~0 << UInt64(columnCount % 64) }
    bands.append(Band(start: 0, end: .max, next: -1, slot: 0))
  }

  /// Places an item.
  ///
  /// - Parameter column: The first column of the item, if it has one.
  /// - Returns: `nil` if the bits of all bands would need too much memory, or the search too long.
  mutating func place(
    _ span: Int, rowSpan: Int, at column: Int?
  ) -> (row: Int, column: Int)? {
    let size = Size(span: span, rowSpan: rowSpan, column: column)
    var band = hint(size)
    // Where a size fits, each smaller one does, too.
    for span in 1...min(span, Self.smallSize - 1) {
      for rowSpan in 1...min(rowSpan, Self.smallSize - 1) {
        let other = smallHints[span * Self.smallSize + rowSpan]
        if bands[other].start > bands[band].start { band = other }
      }
    }
    while bands[band].isFull { band = bands[band].next }
    while wordsLeft > 0 {
      if let place = self.column(from: band, size) {
        setHint(size, band)
        let row = bands[band].start
        rowCount = max(rowCount, row + rowSpan)
        guard take(place..<place + span, rowSpan: rowSpan, from: band) else { return nil }
        return (row, place)
      }
      band = open(after: band)
    }
    return nil
  }

  private func hint(_ size: Size) -> Int {
    guard size.column == nil, size.span < Self.smallSize, size.rowSpan < Self.smallSize else {
      return hints[size] ?? 0
    }
    return smallHints[size.span * Self.smallSize + size.rowSpan]
  }

  private mutating func setHint(_ size: Size, _ band: Int) {
    guard size.column == nil, size.span < Self.smallSize, size.rowSpan < Self.smallSize else {
      hints[size] = band
      return
    }
    smallHints[size.span * Self.smallSize + size.rowSpan] = band
  }

  /// The next band that has a free place.
  @inline(__always)
  private mutating func open(after band: Int) -> Int {
    var next = bands[band].next
    while bands[next].isFull { next = bands[next].next }
    bands[band].next = next
    return next
  }

  // MARK: Looking for a place

  /// The first column at which a size fits from the first row of a band on.
  @inline(__always)
  private mutating func column(from band: Int, _ size: Size) -> Int? {
    wordsLeft -= wordCount
    if wordCount == 1 { return narrowColumn(from: band, size) }
    for word in 0..<wordCount { merged[word] = taken[bands[band].slot * wordCount + word] }
    let isFree = forEachBand(below: band, size.rowSpan) { search, slot in
      for word in 0..<search.wordCount {
        search.merged[word] |= search.taken[slot * search.wordCount + word]
      }
    }
    return isFree ? freeColumn(size) : nil
  }

  private mutating func narrowColumn(from band: Int, _ size: Size) -> Int? {
    var bits = taken[bands[band].slot]
    guard Self.column(in: bits, size) != nil else { return nil }
    guard bands[band].end - bands[band].start < size.rowSpan else {
      return Self.column(in: bits, size)
    }
    let isFree = forEachBand(below: band, size.rowSpan) { search, slot in
      bits |= search.taken[slot]
    }
    return isFree ? Self.column(in: bits, size) : nil
  }

  /// Calls `body` with the slots of the bands below one, down to a number of rows.
  ///
  /// - Returns: False if a band in between has no free place.
  @inline(__always)
  private mutating func forEachBand(
    below band: Int, _ rowCount: Int, _ body: (inout DenseSearch, Int) -> Void
  ) -> Bool {
    let start = bands[band].start
    var band = band
    // The last band has no end.
    while bands[band].end - start < rowCount {
      let next = open(after: band)
      guard bands[next].start == bands[band].end else { return false }
      wordsLeft -= wordCount
      body(&self, bands[next].slot)
      band = next
    }
    return true
  }

  /// The first of so many free columns in one word.
  @inline(__always)
  private static func column(in taken: UInt64, _ size: Size) -> Int? {
    var free = ~taken
    var length = 1
    while length < size.span {
      let shift = min(length, size.span - length)
      free &= free >> UInt64(shift)
      length += shift
    }
    if let column = size.column { return free >> UInt64(column) & 1 == 1 ? column : nil }
    return free == 0 ? nil : free.trailingZeroBitCount
  }

  /// The first of so many free columns in the merged bits.
  private func freeColumn(_ size: Size) -> Int? {
    func isTaken(_ column: Int) -> Bool { merged[column / 64] >> UInt64(column % 64) & 1 == 1 }
    if let column = size.column {
      return (column..<column + size.span).contains(where: isTaken) ? nil : column
    }
    // From the end of what is taken to the start of what is taken next.
    var column = 0
    while column + size.span <= columnCount {
      let end = nextTaken(from: column, upTo: column + size.span)
      if end == column + size.span { return column }
      column = end + 1
    }
    return nil
  }

  /// The first taken column of a range; its end if there is none.
  private func nextTaken(from first: Int, upTo end: Int) -> Int {
    var word = first / 64
    var bits = merged[word] & ~0 << UInt64(first % 64)
    while bits == 0 {
      word += 1
      guard word * 64 < end else { return end }
      bits = merged[word]
    }
    return min(word * 64 + bits.trailingZeroBitCount, end)
  }

  // MARK: Taking places

  /// - Returns: False if there is no room for the bits of another band.
  private mutating func take(_ columns: Range<Int>, rowSpan: Int, from first: Int) -> Bool {
    let end = bands[first].start + rowSpan
    var band = first
    while true {
      if bands[band].end > end, !split(band, at: end) { return false }
      let isLast = bands[band].end == end
      let next = bands[band].next
      take(columns, in: band)
      if isLast { return true }
      band = next
    }
  }

  private mutating func split(_ band: Int, at row: Int) -> Bool {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      guard taken.count + wordCount <= Self.wordLimit else { return false }
      slot = taken.count / wordCount
      taken += repeatElement(0, count: wordCount)
    }
    for word in 0..<wordCount {
      taken[slot * wordCount + word] = taken[bands[band].slot * wordCount + word]
    }
    bands.append(
      Band(start: row, end: bands[band].end, next: bands[band].next, slot: slot))
    bands[band].end = row
    bands[band].next = bands.count - 1
    return true
  }

  private mutating func take(_ columns: Range<Int>, in band: Int) {
    let slot = bands[band].slot
    let base = slot * wordCount
    if wordCount == 1 {
      let bits: UInt64 = columns.count == 64 ? ~0 : (1 << UInt64(columns.count)) - 1
      taken[base] |= bits << UInt64(columns.lowerBound)
    } else {
      for column in columns { taken[base + column / 64] |= 1 << UInt64(column % 64) }
    }
    guard (base..<base + wordCount).allSatisfy({ taken[$0] == ~0 }) else { return }
    freeSlots.append(slot)
    bands[band].slot = -1
  }
}
