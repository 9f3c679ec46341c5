/// A stack's columns as a vertical interval of a rect meets them.
struct ColumnTrack {
  let stack: ColumnStack
  let shift: Double
  let padding: Double
  let interval: Interval

  /// A cell of a column, with what is read from there on: the stack keeps the memory.
  struct Cursor {
    let column: Int
    fileprivate var chunk: Int
    fileprivate var piece: ColumnPiece
    fileprivate var place: Int
    /// Of the piece's cells, with what lies between them.
    fileprivate let averageHeight: Double
    /// The item of the cell, once it is known to be in the interval.
    fileprivate(set) var item = 0
    /// The cell's extent, once it is known to be in the interval; before, what was looked at.
    fileprivate(set) var vertical = Interval(start: 0, length: 0)
  }

  /// Stands where the column's first cell in the interval is by proportion, without reading a cell.
  ///
  /// - Complexity: O(1) where the cells are of similar heights, else O(log *n*).
  func approach(_ column: Int) -> Cursor {
    let target = interval.start - shift - padding
    let span = stack.bottom - stack.origin
    let closeBefore = interval.start.roundedDownForSearch
    let after = partitionPoint(
      in: 0..<stack.chunkCount,
      near: Self.part((target - stack.origin) / span, of: stack.chunkCount)
    ) { top(stack.piece(of: column, in: $0).start) < closeBefore }
    let chunk = max(0, after - 1)
    let piece = stack.piece(of: column, in: chunk)
    let height = stack.end(of: column, in: chunk) - piece.start
    let place =
      piece.count > 0 ? Self.part((target - piece.start) / height, of: piece.count) : 0
    return Cursor(
      column: column, chunk: chunk, piece: piece, place: place,
      averageHeight: height / Double(piece.count))
  }

  /// Reads the cell that a cursor stands at.
  @inline(__always)
  func look(_ cursor: inout Cursor) {
    if cursor.piece.count > 0 { cursor.vertical = cursor.piece.cells[cursor.place] }
  }

  /// Goes on by the average height from the cell that was looked at: most often that is the cell.
  func correct(_ cursor: inout Cursor) {
    guard cursor.piece.count > 0 else { return }
    let distance = interval.start - shift - padding - cursor.vertical.start
    let place = cursor.place + Int(clamping: distance / cursor.averageHeight)
    cursor.place = min(max(place, 0), cursor.piece.count - 1)
  }

  /// An index below a count, by its proportion to it.
  private static func part(_ proportion: Double, of count: Int) -> Int {
    min(max(Int(clamping: proportion * Double(count)), 0), count - 1)
  }

  /// Moves from near the column's first cell in the interval to that cell, or to the first from an
  /// item on; false when there is none.
  ///
  /// - Complexity: O(log *d*) for *d* cells between, and O(log *n*) more to find the item.
  func settle(_ cursor: inout Cursor, fromItem firstItem: Int) -> Bool {
    let piece = cursor.piece
    let closeBefore = interval.start.roundedDownForSearch
    cursor.place = partitionPoint(in: 0..<piece.count, near: cursor.place) {
      top(piece.cells[$0].start) < closeBefore
    }
    // The cell above may reach into the interval; one more above it not even by a rounding error.
    stepBack(&cursor)
    if firstItem > 0 { skip(to: firstItem, &cursor) }
    return findCell(&cursor)
  }

  /// Moves on to the column's next cell that meets the interval; false when there is none.
  @inline(__always)
  func advance(_ cursor: inout Cursor) -> Bool {
    cursor.place += 1
    if cursor.place < cursor.piece.count {
      let vertical = extent(cursor)
      if interval.ends(before: vertical.start) { return false }
      if vertical.meets(interval) {
        cursor.vertical = vertical
        cursor.item = item(cursor)
        return true
      }
    }
    return findCell(&cursor)
  }

  /// Moves on to the first cell that meets the interval, if this one does not.
  private func findCell(_ cursor: inout Cursor) -> Bool {
    while true {
      while cursor.place < cursor.piece.count {
        let vertical = extent(cursor)
        if vertical.meets(interval) {
          cursor.vertical = vertical
          cursor.item = item(cursor)
          return true
        }
        if interval.ends(before: vertical.start) { return false }
        cursor.place = placeToTry(after: cursor)
      }
      guard cursor.chunk + 1 < stack.chunkCount else { return false }
      move(&cursor, toChunk: chunkToTry(after: cursor.chunk, in: cursor.column))
    }
  }

  /// The next chunk, but above the interval, of those in which the column begins at one place, the
  /// last: the others have only cells that end there, of which none meets it.
  private func chunkToTry(after chunk: Int, in column: Int) -> Int {
    let next = chunk + 1
    let start = stack.piece(of: column, in: next).start
    guard top(start) < interval.start else { return next }
    return partitionPoint(in: next + 1..<stack.chunkCount, near: next + 1) {
      stack.piece(of: column, in: $0).start <= start
    } - 1
  }

  /// The next place, but of cells that begin where the cursor's does, which does not meet the
  /// interval, only one that may: at its edge there may be thousands of them.
  ///
  /// All but the last end where they begin, having no height or one that rounding takes. Above the
  /// interval none of those meets it. Where it begins, those without height do.
  private func placeToTry(after cursor: Cursor) -> Int {
    let (piece, next) = (cursor.piece, cursor.place + 1)
    let start = piece.cells[cursor.place].start
    guard next < piece.count, piece.cells[next].start == start else { return next }
    let last =
      partitionPoint(in: next..<piece.count, near: next) { piece.cells[$0].start <= start } - 1
    guard top(start) == interval.start else { return last }
    return min(
      last, stack.flatPlace(after: cursor.place, of: piece, in: cursor.chunk) ?? last)
  }

  /// Moves to the cell above, if there is one.
  private func stepBack(_ cursor: inout Cursor) {
    while cursor.place == 0 {
      guard cursor.chunk > 0 else { return }
      move(&cursor, toChunk: cursor.chunk - 1)
      cursor.place = cursor.piece.count
    }
    cursor.place -= 1
  }

  /// Moves on to the column's first item from `firstItem` on, unless the cursor is there already.
  private func skip(to firstItem: Int, _ cursor: inout Cursor) {
    let chunk = firstItem / stack.chunkCapacity
    guard chunk >= cursor.chunk else { return }
    if chunk > cursor.chunk {
      guard chunk < stack.chunkCount else {
        move(&cursor, toChunk: stack.chunkCount - 1)
        cursor.place = cursor.piece.count
        return
      }
      move(&cursor, toChunk: chunk)
    }
    let (piece, column) = (cursor.piece, cursor.column)
    cursor.place = partitionPoint(in: (0..<piece.count).from(cursor.place)) {
      stack.item(at: $0, in: piece, of: column, in: chunk) < firstItem
    }
  }

  private func move(_ cursor: inout Cursor, toChunk chunk: Int) {
    cursor.chunk = chunk
    cursor.piece = stack.piece(of: cursor.column, in: chunk)
    cursor.place = 0
  }

  @inline(__always)
  private func item(_ cursor: Cursor) -> Int {
    stack.item(
      at: cursor.place, in: cursor.piece, of: cursor.column, in: cursor.chunk)
  }

  /// Whether any of a chunk's cells in some columns may be in the interval.
  func mayMeet(_ columns: Range<Int>, ofChunk chunk: Int) -> Bool {
    let closeBefore = interval.start.roundedDownForSearch
    return columns.contains { column in
      top(stack.piece(of: column, in: chunk).start) <= interval.end
        && top(stack.end(of: column, in: chunk)) >= closeBefore
    }
  }

  @inline(__always)
  private func extent(_ cursor: Cursor) -> Interval { extent(cursor.piece.cells[cursor.place]) }

  /// Where a cell's frame is.
  @inline(__always)
  func extent(_ cell: Interval) -> Interval {
    Interval(start: top(cell.start), length: cell.length)
  }

  @inline(__always)
  private func top(_ start: Double) -> Double { start + shift + padding }
}
