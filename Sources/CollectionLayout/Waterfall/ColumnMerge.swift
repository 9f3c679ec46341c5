/// Walks the columns of a stack that a rect meets, all at once, by ascending item.
///
/// Each column stands at its first cell in the interval; the column that stands at the lowest
/// item moves on. A binary heap by item says which that is, so that a result costs O(log *c*).
///
/// A hot path: both lists lie on the stack unless there are many columns, and only the heap's small
/// entries move.
struct ColumnMerge: ~Copyable {
  private struct Entry {
    var item: Int
    var cursor: Int
  }

  private let track: ColumnTrack
  private let cursors: UnsafeMutableBufferPointer<ColumnTrack.Cursor>
  private let heap: UnsafeMutableBufferPointer<Entry>
  private var count = 0

  private init(
    _ track: ColumnTrack, columns: Range<Int>, firstItem: Int,
    _ cursors: UnsafeMutableBufferPointer<ColumnTrack.Cursor>,
    _ heap: UnsafeMutableBufferPointer<Entry>
  ) {
    self.track = track
    self.cursors = cursors
    self.heap = heap
    for column in columns {
      guard let cursor = track.firstCursor(in: column, fromItem: firstItem) else { continue }
      cursors.initializeElement(at: count, to: cursor)
      heap.initializeElement(at: count, to: Entry(item: cursor.item, cursor: count))
      count += 1
    }
    for index in stride(from: count / 2 - 1, through: 0, by: -1) {
      siftDown(heap[index], from: index)
    }
  }

  /// Calls `body` with each cell of some columns from an item on; false when `body` did not want to
  /// go on.
  @inline(__always)
  static func forEachCell(
    _ track: ColumnTrack, columns: Range<Int>, firstItem: Int,
    _ body: (_ item: Int, _ column: Int, _ vertical: Interval) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: ColumnTrack.Cursor.self, capacity: columns.count) { cursors in
      withUnsafeTemporaryAllocation(of: Entry.self, capacity: columns.count) { heap in
        var merge = ColumnMerge(track, columns: columns, firstItem: firstItem, cursors, heap)
        return merge.forEachCell(body)
      }
    }
  }

  @inline(__always)
  private mutating func forEachCell(
    _ body: (_ item: Int, _ column: Int, _ vertical: Interval) -> Bool
  ) -> Bool {
    while count > 0 {
      var first = heap[0]
      let cursor = cursors.baseAddress! + first.cursor
      guard body(first.item, cursor.pointee.column, cursor.pointee.vertical) else { return false }
      if track.advance(&cursor.pointee) {
        first.item = cursor.pointee.item
      } else {
        count -= 1
        first = heap[count]
      }
      siftDown(first, from: 0)
    }
    return true
  }

  /// Puts an entry in the place at an index, or further down.
  @inline(__always)
  private func siftDown(_ entry: Entry, from index: Int) {
    var hole = index
    while true {
      var child = 2 * hole + 1
      guard child < count else { break }
      if child + 1 < count, heap[child + 1].item < heap[child].item { child += 1 }
      guard heap[child].item < entry.item else { break }
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = entry
  }
}

/// A stack's columns as a vertical interval of a rect meets them.
struct ColumnTrack {
  let stack: ColumnStack
  let shift: Double
  let padding: Double
  let interval: Interval

  /// A cell in the interval, with what is read from there on: the stack keeps its chunks alive.
  struct Cursor {
    var item: Int
    let column: Int
    var vertical: Interval
    fileprivate var place: Int
    /// Where the column ends in this chunk.
    fileprivate var end: Int
    fileprivate var chunk: Int
    fileprivate var starts: UnsafePointer<Double>
    fileprivate var heights: UnsafePointer<Double>
    fileprivate var items: UnsafePointer<UInt32>?
    fileprivate var firstItem: Int
  }

  /// The column's first cell in the interval, from an item on; `nil` when there is none.
  ///
  /// - Complexity: O(log *n*), and less where the cells are of similar heights.
  func firstCursor(in column: Int, fromItem firstItem: Int) -> Cursor? {
    var (chunk, place) = firstPlace(in: column)
    if firstItem > 0 { skip(to: firstItem, in: column, chunk: &chunk, place: &place) }
    return cursor(in: column, chunk: chunk, place: place)
  }

  /// Moves on to the column's next cell that meets the interval; false when there is none.
  @inline(__always)
  func advance(_ cursor: inout Cursor) -> Bool {
    cursor.place += 1
    if cursor.place < cursor.end {
      let vertical = Interval(
        start: top(cursor.starts[cursor.place]), length: cursor.heights[cursor.place])
      if interval.ends(before: vertical.start) { return false }
      if vertical.meets(interval) {
        cursor.vertical = vertical
        if let items = cursor.items {
          cursor.item = cursor.firstItem + Int(items[cursor.place])
        } else {
          cursor.item += stack.columnCount
        }
        return true
      }
    }
    guard let next = self.cursor(in: cursor.column, chunk: cursor.chunk, place: cursor.place)
    else { return false }
    cursor = next
    return true
  }

  /// The first cell from a place on that meets the interval.
  private func cursor(in column: Int, chunk: Int, place: Int) -> Cursor? {
    var (chunk, place) = (chunk, place)
    while chunk < stack.chunks.count {
      let current = stack.chunks[chunk]
      let end = current.places(of: column).upperBound
      while place < end {
        let vertical = Interval(
          start: top(current.starts[place]), length: current.heights[place])
        if vertical.meets(interval) {
          return Cursor(
            item: current.item(at: place, of: column), column: column, vertical: vertical,
            place: place, end: end, chunk: chunk, starts: current.starts,
            heights: current.heights, items: current.items, firstItem: current.firstItem)
        }
        if interval.ends(before: vertical.start) { return nil }
        place += 1
      }
      chunk += 1
      if chunk < stack.chunks.count {
        place = stack.chunks[chunk].places(of: column).lowerBound
      }
    }
    return nil
  }

  @inline(__always)
  private func top(_ start: Double) -> Double { start + shift + padding }

  /// A place in the column before which no cell meets the interval, and little after the last
  /// such place.
  private func firstPlace(in column: Int) -> (chunk: Int, place: Int) {
    let target = interval.start
    let span = stack.fence(stack.chunks.count, 0) - stack.origin
    let chunkGuess =
      span > 0
      ? Int(clamping: (target - shift - stack.origin) / span * Double(stack.chunks.count)) : 0
    let after = partitionPoint(in: 0..<stack.chunks.count, near: chunkGuess) {
      top(stack.fence($0, column)) < target
    }
    guard after > 0 else { return (0, stack.chunks[0].places(of: column).lowerBound) }
    var chunk = after - 1
    let current = stack.chunks[chunk]
    let places = current.places(of: column)
    let (low, high) = (stack.fence(chunk, column), stack.fence(chunk + 1, column))
    let proportion = high > low ? (target - shift - padding - low) / (high - low) : 0
    var place = partitionPoint(
      in: places, near: places.lowerBound + Int(clamping: proportion * Double(places.count))
    ) { top(current.starts[$0]) < target }
    // The cell above may reach into the interval; one more above it only by a rounding error.
    let closeBefore = target.roundedDownForSearch
    while let above = self.place(before: (chunk, place), in: column) {
      (chunk, place) = above
      if top(stack.chunks[chunk].starts[place]) < closeBefore { break }
    }
    return (chunk, place)
  }

  private func place(
    before position: (chunk: Int, place: Int), in column: Int
  ) -> (chunk: Int, place: Int)? {
    var (chunk, place) = position
    while place == stack.chunks[chunk].places(of: column).lowerBound {
      guard chunk > 0 else { return nil }
      chunk -= 1
      place = stack.chunks[chunk].places(of: column).upperBound
    }
    return (chunk, place - 1)
  }

  /// Moves a place on to the column's first item from `firstItem` on, unless it is there already.
  private func skip(to firstItem: Int, in column: Int, chunk: inout Int, place: inout Int) {
    let target = firstItem / stack.chunkCapacity
    guard target >= chunk else { return }
    guard target < stack.chunks.count else {
      chunk = stack.chunks.count
      return
    }
    let current = stack.chunks[target]
    let places = current.places(of: column)
    let start = target == chunk ? max(place, places.lowerBound) : places.lowerBound
    chunk = target
    place = partitionPoint(in: start..<max(start, places.upperBound)) {
      current.item(at: $0, of: column) < firstItem
    }
  }
}
