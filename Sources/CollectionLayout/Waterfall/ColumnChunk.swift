/// A few thousand consecutive items of a section, column by column.
///
///     starts   | column 0, top down | column 1, top down | …
///     heights  | the same places
///     items    | the same places: each item's index in the chunk
///
/// A cell's frame begins `cellPadding` below its start. Placed round robin, an item's index
/// follows from its place, and `items` is left out. Immutable and shared between versions.
final class ColumnChunk: Sendable {
  /// The index in the section of the chunk's first item.
  let firstItem: Int
  let count: Int
  /// The running y of each cell's column before the cell.
  let starts: [Double]
  let heights: [Double]
  let items: [UInt32]?
  /// Where in the arrays each column begins, and where the last one ends.
  let columnStarts: [UInt32]

  init(
    firstItem: Int, starts: [Double], heights: [Double], items: [UInt32]?, columnStarts: [UInt32]
  ) {
    self.firstItem = firstItem
    self.count = starts.count
    self.starts = starts
    self.heights = heights
    self.items = items
    self.columnStarts = columnStarts
  }

  var columnCount: Int { columnStarts.count - 1 }

  @inline(__always)
  func places(of column: Int) -> Range<Int> {
    Int(columnStarts[column])..<Int(columnStarts[column + 1])
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
      return (column, Int(columnStarts[column]) + local / columnCount)
    }
    for column in 0..<columnCount {
      let places = places(of: column)
      let place = partitionPoint(in: places) { items[$0] < local }
      if place < places.upperBound, items[place] == local { return (column, place) }
    }
    preconditionFailure("item \(item) is in no column of its chunk")
  }

  var memoryBytes: Int {
    let arrays = 16 * count + (items?.count ?? 0) * 4 + columnStarts.count * 4
    return arrays + 224
  }
}
