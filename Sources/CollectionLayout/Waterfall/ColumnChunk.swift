/// A few thousand consecutive items of a section, column by column.
///
///     starts   | column 0, top down | column 1, top down | …
///     heights  | the same places
///     items    | the same places: each item's index in the chunk
///
/// A cell's frame begins `cellPadding` below its start. Placed round robin, an item's index
/// follows from its place, and there are no `items`. Shared between versions.
///
/// The columns lie in memory of the chunk's own rather than in arrays, because a query reads a
/// few numbers from each of many chunks: without the arrays' reference counts and bounds checks it
/// takes half the time. All reading is by places that `places(of:)` gave out.
///
/// `@unchecked Sendable`: the memory is written by the initializer and only read after it.
final class ColumnChunk: @unchecked Sendable {
  /// The index in the section of the chunk's first item.
  let firstItem: Int
  let count: Int
  let columnCount: Int
  /// The running y of each cell's column before the cell.
  let starts: UnsafePointer<Double>
  let heights: UnsafePointer<Double>
  let items: UnsafePointer<UInt32>?
  /// Where in the arrays each column begins, and where the last one ends.
  private let columnStarts: UnsafePointer<UInt32>

  /// - Parameters:
  ///   - columnStarts: Where each column begins, and the number of items.
  ///   - fill: Writes the columns; `items` is `nil` when placed round robin.
  init(
    firstItem: Int, columnStarts: [UInt32], hasItems: Bool,
    fill: (
      _ starts: UnsafeMutablePointer<Double>, _ heights: UnsafeMutablePointer<Double>,
      _ items: UnsafeMutablePointer<UInt32>?
    ) -> Void
  ) {
    let count = Int(columnStarts[columnStarts.count - 1])
    let starts = UnsafeMutablePointer<Double>.allocate(capacity: max(1, 2 * count))
    let heights = starts + count
    let items = hasItems ? UnsafeMutablePointer<UInt32>.allocate(capacity: max(1, count)) : nil
    fill(starts, heights, items)
    let columns = UnsafeMutablePointer<UInt32>.allocate(capacity: columnStarts.count)
    columns.initialize(from: columnStarts, count: columnStarts.count)
    self.firstItem = firstItem
    self.count = count
    self.starts = UnsafePointer(starts)
    self.heights = UnsafePointer(heights)
    self.items = UnsafePointer(items)
    self.columnStarts = UnsafePointer(columns)
    columnCount = columnStarts.count - 1
  }

  deinit {
    starts.deallocate()
    items?.deallocate()
    columnStarts.deallocate()
  }

  @inline(__always)
  func places(of column: Int) -> Range<Int> {
    precondition(column >= 0 && column < columnCount, "column \(column) of \(columnCount)")
    return Int(columnStarts[column])..<Int(columnStarts[column + 1])
  }

  /// The index in the section of the item at a place of a column.
  @inline(__always)
  func item(at place: Int, of column: Int) -> Int {
    if let items { return firstItem + Int(items[place]) }
    return firstItem + (place - Int(columnStarts[column])) * columnCount + column
  }

  /// The column and place of an item of the chunk.
  ///
  /// - Complexity: O(*c* · log *n*) for *c* columns unless placed round robin.
  func location(of item: Int) -> (column: Int, place: Int) {
    let local = item - firstItem
    guard let items else {
      let column = local % columnCount
      return (column, places(of: column).lowerBound + local / columnCount)
    }
    for column in 0..<columnCount {
      let places = places(of: column)
      let place = partitionPoint(in: places) { items[$0] < local }
      if place < places.upperBound, items[place] == local { return (column, place) }
    }
    preconditionFailure("item \(item) is in no column of its chunk")
  }

  var memoryBytes: Int {
    count * (items == nil ? 16 : 20) + (columnCount + 1) * 4 + 160
  }
}
