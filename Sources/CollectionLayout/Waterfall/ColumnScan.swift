/// Walks a stack's cells item by item.
///
/// For rects that meet so many columns that the cursors of a ``ColumnMerge`` would take more memory
/// than a query should have, and longer to be set up than a page of cells to be found.
enum ColumnScan {
  /// From so many columns on.
  static let minimumColumns = 1 << 16

  /// Calls `body` with each cell of some columns from an item on; false when `body` did not want to
  /// go on.
  ///
  /// - Complexity: O(*n*) for *n* items in the chunks that meet the interval, and O(log *c*) for each
  ///   cell found among *c* columns.
  static func forEachCell(
    _ track: ColumnTrack, columns: Range<Int>, firstItem: Int,
    _ body: (_ item: Int, _ column: Int, _ vertical: Interval) -> Bool
  ) -> Bool {
    let stack = track.stack
    var item = firstItem
    while item < stack.itemCount {
      let chunk = item / stack.chunkCapacity
      let end = min((chunk + 1) * stack.chunkCapacity, stack.itemCount)
      defer { item = end }
      guard track.mayMeet(columns, ofChunk: chunk) else { continue }
      for item in item..<end {
        let found = stack.cell(of: item) { track.extent($0).meets(track.interval) }
        guard let found, columns.contains(found.column) else { continue }
        guard body(item, found.column, track.extent(found.cell)) else { return false }
      }
    }
    return true
  }
}
