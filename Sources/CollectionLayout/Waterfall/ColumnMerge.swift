/// Walks the columns of a stack that a rect meets, all at once, by ascending item.
///
/// Each column stands at its first cell in the interval; the column that stands at the lowest
/// item moves on, past the lowest item of the others. A binary heap by item says which that is, so
/// that a result costs O(log *c*).
///
/// A hot path: both lists lie on the stack for up to nine columns, and only the heap's small
/// entries move.
struct ColumnMerge: ~Copyable {
  private struct Entry {
    var item: Int
    var cursor: Int
  }

  private let cursors: UnsafeMutableBufferPointer<ColumnTrack.Cursor>
  private let heap: UnsafeMutableBufferPointer<Entry>
  private var count = 0

  /// Finds each column's first cell; `nil` if `pass` does not want all columns to be searched.
  private init?(
    _ track: borrowing ColumnTrack, columns: Range<Int>, firstItem: Int,
    _ cursors: UnsafeMutableBufferPointer<ColumnTrack.Cursor>,
    _ heap: UnsafeMutableBufferPointer<Entry>, pass: (_ count: Int, _ item: Int) -> Bool
  ) {
    self.cursors = cursors
    self.heap = heap
    // Of a large layout hardly anything is in the caches. So each step is taken for all columns
    // before the next one, with nothing but a read for each in between: the memory that they are in
    // is then on its way for all at once, which takes a sixth off a query of a million items.
    for (index, column) in columns.enumerated() {
      cursors.initializeElement(at: index, to: track.approach(column))
    }
    for index in 0..<columns.count { track.look(&cursors[index]) }
    for index in 0..<columns.count { track.correct(&cursors[index]) }
    for index in 0..<columns.count {
      let isThere = track.settle(&cursors[index], fromItem: firstItem)
      let visits = cursors[index].takeVisits()
      guard visits == 0 || pass(visits, firstItem) else { return nil }
      guard isThere else { continue }
      heap.initializeElement(at: count, to: Entry(item: cursors[index].item, cursor: index))
      count += 1
    }
    for index in stride(from: count / 2 - 1, through: 0, by: -1) {
      siftDown(heap[index], from: index)
    }
  }

  /// Calls `body` with each cell of some columns from an item on; false when `body` did not want to
  /// go on.
  ///
  /// - Parameter pass: Asked after so many pieces of columns were gone over, with the item to go on
  ///   from; false to stop.
  @inline(__always)
  static func forEachCell(
    _ track: borrowing ColumnTrack, columns: Range<Int>, firstItem: Int,
    pass: (_ count: Int, _ item: Int) -> Bool,
    _ body: (_ item: Int, _ column: Int, _ vertical: Interval) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: ColumnTrack.Cursor.self, capacity: columns.count) { cursors in
      withUnsafeTemporaryAllocation(of: Entry.self, capacity: columns.count) { heap in
        guard
          var merge = ColumnMerge(
            track, columns: columns, firstItem: firstItem, cursors, heap, pass: pass)
        else { return false }
        return merge.forEachCell(track, pass: pass, body)
      }
    }
  }

  @inline(__always)
  private mutating func forEachCell(
    _ track: borrowing ColumnTrack, pass: (_ count: Int, _ item: Int) -> Bool,
    _ body: (_ item: Int, _ column: Int, _ vertical: Interval) -> Bool
  ) -> Bool {
    while count > 0 {
      var first = heap[0]
      let cursor = cursors.baseAddress! + first.cursor
      let next = (1..<min(3, count)).reduce(Int.max) { min($0, heap[$1].item) }
      let column = cursor.pointee.column
      let progress = track.walk(&cursor.pointee, before: next, { body($0, column, $1) })
      let visits = cursor.pointee.takeVisits()
      switch progress {
      case .more:
        first.item = cursor.pointee.item
      case .finished:
        count -= 1
        first = heap[count]
      case .stopped:
        return false
      }
      siftDown(first, from: 0)
      guard visits == 0 || count == 0 || pass(visits, heap[0].item) else { return false }
    }
    return true
  }

  @inline(__always)
  private func siftDown(_ entry: Entry, from index: Int) {
    heap.siftDown(entry, from: index, count: count) { $0.item < $1.item }
  }
}
