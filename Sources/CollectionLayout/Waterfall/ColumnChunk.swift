/// The memory of a few thousand consecutive items of a section, column by column.
///
///     cells  | column 0, top down | column 1, top down | …
///     items  | the same places: each item's index in the chunk
///
/// It is read by way of ``ColumnPiece``s, and shared between versions.
///
/// The columns lie in memory of the chunk's own rather than in arrays, because a query reads a
/// few numbers from each of many chunks: without the arrays' reference counts and bounds checks it
/// takes half the time.
///
/// `@unchecked Sendable`: the memory is written by the initializer and only read after it.
final class ColumnChunk: @unchecked Sendable {
  private let count: Int
  private let cells: UnsafeMutablePointer<Interval>
  private let items: UnsafeMutablePointer<UInt32>?

  /// - Parameter fill: Writes the columns; `items` is `nil` when placed round robin.
  init(
    count: Int, hasItems: Bool,
    fill: (
      _ cells: UnsafeMutablePointer<Interval>, _ items: UnsafeMutablePointer<UInt32>?
    ) -> Void
  ) {
    self.count = count
    cells = .allocate(capacity: max(1, count))
    items = hasItems ? .allocate(capacity: max(1, count)) : nil
    fill(cells, items)
  }

  deinit {
    cells.deallocate()
    items?.deallocate()
  }

  /// A column's piece of this chunk.
  ///
  /// - Parameter start: The running y of the column before the piece.
  func piece(_ places: Range<Int>, from start: Double) -> ColumnPiece {
    precondition(places.lowerBound >= 0 && places.upperBound <= count, "places of another chunk")
    return ColumnPiece(
      start: start, cells: cells + places.lowerBound, items: items.map { $0 + places.lowerBound },
      count: places.count)
  }

  var memoryBytes: Int { count * (items == nil ? 16 : 20) + 64 }
}

/// What a column holds of a chunk, top down; valid as long as the chunk.
///
/// `@unchecked Sendable`: nobody writes to what the pointers point to.
struct ColumnPiece: BitwiseCopyable, @unchecked Sendable {
  /// The running y of the column before the piece.
  let start: Double
  /// The running y of the column before each cell, and the cell's height; its frame begins
  /// `cellPadding` below.
  let cells: UnsafePointer<Interval>
  /// Each cell's index in the chunk; `nil` when placed round robin, where it follows from the place.
  let items: UnsafePointer<UInt32>?
  let count: Int

  fileprivate init(
    start: Double, cells: UnsafeMutablePointer<Interval>,
    items: UnsafeMutablePointer<UInt32>?, count: Int
  ) {
    self.start = start
    self.cells = UnsafePointer(cells)
    self.items = UnsafePointer(items)
    self.count = count
  }
}
