/// Walks a stack's cells item by item.
///
/// For rects that meet so many columns that the cursors of a ``ColumnMerge`` would take more memory
/// than a query should have, and longer to be set up than a page of cells to be found.
enum ColumnScan {
  /// From so many columns on, if they are a good part of all: the others' cells are gone over, too.
  static let minimumColumns = 1 << 16
  private static let maximumShare = 16
  /// How many items are gone over at a time.
  private static let blockSize = 1 << 14

  static func isWorthwhile(_ columns: Int, of columnCount: Int) -> Bool {
    columns >= minimumColumns && columns >= columnCount / maximumShare
  }

  /// Calls `body` with each cell of some columns from an item on; false when `body` did not want to
  /// go on.
  ///
  /// - Parameter pass: Asked before so many items from an item on are gone over; false to stop.
  /// - Complexity: O(*n*) for *n* items in the chunks that meet the interval, and O(log *c*) for
  ///   each cell found among *c* columns.
  static func forEachCell(
    _ track: borrowing ColumnTrack, columns: Range<Int>, firstItem: Int,
    pass: (_ count: Int, _ item: Int) -> Bool,
    _ body: (_ item: Int, _ column: Int, _ vertical: Interval) -> Bool
  ) -> Bool {
    track.withStack { stack in
      var item = firstItem
      while item < stack.itemCount {
        let chunk = item / stack.chunkCapacity
        let chunkEnd = min((chunk + 1) * stack.chunkCapacity, stack.itemCount)
        guard track.mayMeet(columns, ofChunk: chunk) else {
          item = chunkEnd
          continue
        }
        while item < chunkEnd {
          let end = min(item + blockSize, chunkEnd)
          guard pass(end - item, item) else { return false }
          for item in item..<end {
            let found = stack.cell(of: item) { track.extent($0).meets(track.interval) }
            guard let found, columns.contains(found.column) else { continue }
            guard body(item, found.column, track.extent(found.cell)) else { return false }
          }
          item = end
        }
      }
      return true
    }
  }
}
