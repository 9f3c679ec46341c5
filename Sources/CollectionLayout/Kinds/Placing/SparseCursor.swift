/// Places items one behind the other, as CSS Grid Layout Module Level 1 says in 8.5 for `sparse`.
///
/// No item is placed above the one before. So of the taken places only one row for each column is
/// remembered: the first that is free from there on down.
struct SparseCursor: ~Copyable {
  private let columnCount: Int
  private var row = 0
  private var column = 0
  private let freeFrom: UnsafeMutablePointer<Int>
  /// Columns, for ``firstRow(of:)``.
  private var window: [Int] = []
  /// How many rows there are up to the last that is taken.
  private(set) var rowCount = 0

  init(columnCount: Int) {
    self.columnCount = columnCount
    freeFrom = .allocate(capacity: columnCount)
    freeFrom.initialize(repeating: 0, count: columnCount)
  }

  deinit { freeFrom.deallocate() }

  /// Places an item of a run.
  @inline(__always)
  mutating func place(_ index: Int, _ spans: borrowing ItemSpans) -> GridBuilder.Cell {
    guard !spans.isEmpty else { return nextPlace() }
    let span = spans.columnSpan(index)
    let rowSpan = spans.rowSpan(index)
    if let first = spans.column(index, span: span) {
      if first < column { row += 1 }
      column = first
      row = max(row, firstFreeRow(first..<first + span))
    } else {
      findPlace(span)
    }
    for taken in column..<column + span { freeFrom[taken] = row + rowSpan }
    rowCount = max(rowCount, row + rowSpan)
    return GridBuilder.Cell(row: row, column: column, span: span, rowSpan: rowSpan)
  }

  /// Places an item of one column and one row behind others like it.
  @inline(__always)
  private mutating func nextPlace() -> GridBuilder.Cell {
    if rowCount > row { column += 1 }
    if column == columnCount {
      row += 1
      column = 0
    }
    rowCount = row + 1
    return GridBuilder.Cell(row: row, column: column, span: 1, rowSpan: 1)
  }

  @inline(__always)
  private func firstFreeRow(_ columns: Range<Int>) -> Int {
    var row = 0
    for column in columns { row = max(row, freeFrom[column]) }
    return row
  }

  @inline(__always)
  private mutating func findPlace(_ span: Int) {
    if let place = place(inRow: row, from: column, span) {
      column = place
      return
    }
    // Some rows may be taken so far that nothing fits there.
    row = max(row + 1, firstRow(of: span))
    column = place(inRow: row, from: 0, span)!
  }

  /// The first row from which so many columns side by side are free.
  private mutating func firstRow(of span: Int) -> Int {
    window.removeAll(keepingCapacity: true)
    var (head, lowest) = (0, Int.max)
    // The window holds those of the last `span` columns that are taken further than all behind.
    for column in 0..<columnCount {
      while window.count > head, freeFrom[window[window.count - 1]] <= freeFrom[column] {
        window.removeLast()
      }
      window.append(column)
      if window[head] + span <= column { head += 1 }
      guard column + 1 >= span else { continue }
      lowest = min(lowest, freeFrom[window[head]])
      if lowest <= row + 1 { break }
    }
    return lowest
  }

  /// The first column from one on at which an item fits into a row.
  ///
  /// - Complexity: O(*c*) for *c* columns.
  @inline(__always)
  private func place(inRow row: Int, from first: Int, _ span: Int) -> Int? {
    guard first + span <= columnCount else { return nil }
    var free = 0
    for column in first..<columnCount {
      free = freeFrom[column] > row ? 0 : free + 1
      if free == span { return column - span + 1 }
    }
    return nil
  }
}
