/// The memory of a few thousand consecutive items of a gallery's section, in whole rows.
///
/// It is read by way of a ``RowPiece``, and shared between versions. Memory of its own rather than
/// arrays for the same reason as a waterfall's; see ``ColumnChunk``.
///
/// `@unchecked Sendable`: the memory is written by the initializer and only read after it.
final class RowChunk: @unchecked Sendable {
  private let cells: UnsafeMutableBufferPointer<Interval>
  private let rows: UnsafeMutableBufferPointer<RowPiece.Row>

  /// - Parameters:
  ///   - cells: The running x of each item and its width.
  ///   - rows: The rows, and one more that begins behind the last item.
  init(cells: [Interval], rows: [RowPiece.Row]) {
    self.cells = .allocate(capacity: cells.count)
    self.rows = .allocate(capacity: rows.count)
    _ = self.cells.initialize(from: cells)
    _ = self.rows.initialize(from: rows)
  }

  deinit {
    cells.deallocate()
    rows.deallocate()
  }

  /// What there is to read.
  ///
  /// - Parameter firstItem: The index in the section of the chunk's first item.
  func piece(from firstItem: Int) -> RowPiece {
    RowPiece(
      firstItem: firstItem, count: cells.count, y: rows[0].y, rowCount: rows.count - 1,
      cells: UnsafePointer(cells.baseAddress!), rows: UnsafePointer(rows.baseAddress!))
  }

  var memoryBytes: Int { cells.count * 16 + rows.count * 16 + 80 }
}

/// The rows of a chunk; valid as long as the chunk.
///
/// `@unchecked Sendable`: nobody writes to what the pointers point to.
struct RowPiece: BitwiseCopyable, @unchecked Sendable {
  struct Row: BitwiseCopyable {
    /// The running y.
    var y: Double
    /// The index in the chunk of the row's first item.
    var start: Int
  }

  /// The index in the section of the chunk's first item.
  let firstItem: Int
  let count: Int
  /// The y of the first row.
  let y: Double
  let rowCount: Int
  /// The running x of each item and its width, before the frame is made integral.
  fileprivate let cells: UnsafePointer<Interval>
  fileprivate let rows: UnsafePointer<Row>

  func y(ofRow row: Int) -> Double { rows[row].y }

  /// Reads a number every 64 bytes, as cache lines are, of some rows and of their first hundred
  /// cells or so: what will be looked at is then on its way from memory all at once, where each row
  /// would be waited for.
  ///
  /// - Parameter range: Of the rows that there are, or empty.
  func read(rows range: Range<Int>) {
    guard !range.isEmpty else { return }
    // Both are always so; what nobody asks about would not be read.
    for row in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
      precondition(rows[row].start >= 0)
    }
    let first = rows[range.lowerBound].start
    for local in stride(from: first, to: min(rows[range.upperBound].start, first + 96), by: 4) {
      precondition(cells[local].length >= 0)
    }
  }

  func items(inRow row: Int) -> Range<Int> { rows[row].start..<rows[row + 1].start }

  /// The row of an item, by its index in the chunk.
  func row(of local: Int) -> Int {
    partitionPoint(in: 0..<rowCount) { rows[$0 + 1].start <= local }
  }

  /// The running x of an item and its width.
  @inline(__always)
  func cell(_ local: Int) -> Interval { cells[local] }

  /// The horizontal extent of an item, made integral.
  @inline(__always)
  func horizontal(of local: Int) -> Interval {
    let cell = cells[local]
    let minX = cell.start.rounded(.down)
    return Interval(start: minX, length: cell.end.rounded(.up) - minX)
  }
}
