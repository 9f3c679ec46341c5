/// A stack's columns as a vertical interval of a rect meets them.
///
/// It keeps no reference to the stack: all threads that query a layout would count theirs in one
/// place, and wait for each other.
struct ColumnTrack: ~Copyable {
  private let unmanagedStack: Unmanaged<ColumnStack>
  let interval: Interval
  private let shift: Double
  private let padding: Double
  // What the searches of all columns need, once.

  /// The interval's start, less what rounding may have added to a cell that ends there.
  private let closeBefore: Double
  /// The interval's start in the running y of the columns.
  private let target: Double
  /// The chunk at the interval's start, by proportion.
  private let likelyChunk: Int

  /// - Precondition: Somebody else keeps the stack for as long as there is the track.
  init(stack: Unmanaged<ColumnStack>, shift: Double, padding: Double, interval: Interval) {
    unmanagedStack = stack
    self.interval = interval
    self.shift = shift
    self.padding = padding
    closeBefore = interval.start.roundedDownForSearch
    let target = interval.start - shift - padding
    self.target = target
    likelyChunk = stack._withUnsafeGuaranteedRef { stack in
      let part = (target - stack.origin) / (stack.bottom - stack.origin)
      return Self.index(part * Double(stack.chunkCount), below: stack.chunkCount)
    }
  }

  @inline(__always)
  func withStack<R>(_ body: (ColumnStack) -> R) -> R {
    unmanagedStack._withUnsafeGuaranteedRef(body)
  }

  private var chunkCount: Int {
    @inline(__always) get { withStack { $0.chunkCount } }
  }

  @inline(__always)
  private func piece(of column: Int, in chunk: Int) -> ColumnPiece {
    withStack { $0.piece(of: column, in: chunk) }
  }

  private func end(of column: Int, in chunk: Int) -> Double {
    withStack { $0.end(of: column, in: chunk) }
  }

  @inline(__always)
  private func item(at place: Int, in piece: ColumnPiece, of column: Int, in chunk: Int) -> Int {
    withStack { $0.item(at: place, in: piece, of: column, in: chunk) }
  }

  /// A cell of a column, with what is read from there on: the stack keeps the memory.
  struct Cursor {
    let column: Int
    fileprivate var chunk: Int
    fileprivate var piece: ColumnPiece
    fileprivate var place: Int
    /// How many of the piece's cells there are to a point.
    fileprivate let density: Double
    /// Where the cell begins that was looked at.
    fileprivate var start = 0.0
    // What else was read, for nothing but to have its memory near.
    fileprivate var nearby = 0.0
    fileprivate var itemsNearby: UInt32 = 0
    /// The item of the cell, once it is known to be in the interval.
    fileprivate(set) var item = 0
    /// How many pieces were gone to since somebody asked: thousands may be empty.
    fileprivate var visitedPieces = 0

    /// How many pieces were gone to since the last time.
    @inline(__always)
    mutating func takeVisits() -> Int {
      defer { visitedPieces = 0 }
      return visitedPieces
    }
  }

  /// Stands where the column's first cell in the interval is by proportion, without reading a cell.
  ///
  /// - Complexity: O(1) where the cells are of similar heights, else O(log *n*).
  func approach(_ column: Int) -> Cursor {
    let after = partitionPoint(in: 0..<chunkCount, near: likelyChunk) {
      top(self.piece(of: column, in: $0).start) < closeBefore
    }
    let chunk = max(0, after - 1)
    let piece = self.piece(of: column, in: chunk)
    let density = Double(piece.count) / (end(of: column, in: chunk) - piece.start)
    let place = Self.index((target - piece.start) * density, below: piece.count)
    return Cursor(column: column, chunk: chunk, piece: piece, place: place, density: density)
  }

  /// Reads where the cell begins that a cursor stands at, and a number of each line of the caches
  /// around it in which the cells of the interval are likely to be.
  @inline(__always)
  func look(_ cursor: inout Cursor) {
    let (piece, place) = (cursor.piece, cursor.place)
    guard piece.count > 0 else { return }
    cursor.start = piece.cells[place].start
    let last = piece.count - 1
    cursor.nearby =
      piece.cells[max(0, place - 4)].start + piece.cells[min(last, place + 4)].start
      + piece.cells[min(last, place + 8)].start + piece.cells[min(last, place + 12)].start
    if let items = piece.items {
      cursor.itemsNearby = items[max(0, place - 4)] &+ items[min(last, place + 12)]
    }
  }

  /// Goes on in proportion from the cell that was looked at: most often to the first cell in the
  /// interval.
  @inline(__always)
  func correct(_ cursor: inout Cursor) {
    let distance = (target - cursor.start) * cursor.density
    cursor.place = Self.index(Double(cursor.place) + distance, below: cursor.piece.count)
  }

  /// The index of so many that a place falls on, or is nearest to; 0 of none.
  @inline(__always)
  private static func index(_ place: Double, below count: Int) -> Int {
    guard place > 0 else { return 0 }
    return place < Double(count) ? Int(place) : max(0, count - 1)
  }

  /// Moves from near the column's first cell in the interval to that cell, or to the first from an
  /// item on; false when there is none.
  ///
  /// - Complexity: O(log *d*) for *d* cells between, and O(log *n*) more to find the item; O(1) for
  ///   each piece without cells on the way.
  func settle(_ cursor: inout Cursor, fromItem firstItem: Int) -> Bool {
    let piece = cursor.piece
    cursor.place = partitionPoint(in: 0..<piece.count, near: cursor.place) {
      top(piece.cells[$0].start) < closeBefore
    }
    // The cell above may reach into the interval; one more above it not even by a rounding error.
    stepBack(&cursor)
    if firstItem > 0 { skip(to: firstItem, &cursor) }
    return findCell(&cursor)
  }

  /// How far a column was walked.
  enum Progress {
    /// The cursor stands at another cell in the interval.
    case more
    /// There are no more cells in the interval.
    case finished
    /// No more are wanted.
    case stopped
  }

  /// Calls `body` with a column's cells from the cursor on that belong to items before another one,
  /// at least with the cursor's own.
  @inline(__always)
  func walk(
    _ cursor: inout Cursor, before item: Int,
    _ body: (_ item: Int, _ vertical: Interval) -> Bool
  ) -> Progress {
    let piece = cursor.piece
    repeat {
      guard body(cursor.item, extent(piece.cells[cursor.place])) else { return .stopped }
      cursor.place += 1
      // Which begins inside and not behind meets the interval, whatever its height.
      guard cursor.place < piece.count,
        case let next = top(piece.cells[cursor.place].start),
        next > interval.start, next < interval.end
      else { return findCell(&cursor) ? .more : .finished }
      takeItem(&cursor)
    } while cursor.item < item
    return .more
  }

  @inline(__always)
  private func takeItem(_ cursor: inout Cursor) {
    cursor.item = item(at: cursor.place, in: cursor.piece, of: cursor.column, in: cursor.chunk)
  }

  /// Moves on to the first cell that meets the interval, if this one does not.
  private func findCell(_ cursor: inout Cursor) -> Bool {
    while true {
      while cursor.place < cursor.piece.count {
        let cell = extent(cursor.piece.cells[cursor.place])
        if interval.ends(before: cell.start) { return false }
        if cell.meets(interval) {
          takeItem(&cursor)
          return true
        }
        cursor.place = placeToTry(after: cursor)
      }
      guard cursor.chunk + 1 < chunkCount else { return false }
      move(&cursor, toChunk: chunkToTry(after: cursor.chunk, in: cursor.column))
      // The piece may be empty, and so may thousands behind it.
      if interval.ends(before: top(cursor.piece.start)) { return false }
    }
  }

  /// The next chunk, but above the interval, of those in which the column begins at one place, the
  /// last: the others have only cells that end there, of which none meets it.
  private func chunkToTry(after chunk: Int, in column: Int) -> Int {
    let next = chunk + 1
    let start = piece(of: column, in: next).start
    guard top(start) < interval.start else { return next }
    return partitionPoint(in: next + 1..<chunkCount, near: next + 1) {
      piece(of: column, in: $0).start <= start
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
    return withStack {
      min(last, $0.flatPlace(after: cursor.place, of: piece, in: cursor.chunk) ?? last)
    }
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
    let chunk = firstItem / withStack { $0.chunkCapacity }
    guard chunk >= cursor.chunk else { return }
    if chunk > cursor.chunk {
      guard chunk < chunkCount else {
        move(&cursor, toChunk: chunkCount - 1)
        cursor.place = cursor.piece.count
        return
      }
      move(&cursor, toChunk: chunk)
    }
    let (piece, column) = (cursor.piece, cursor.column)
    cursor.place = partitionPoint(in: (0..<piece.count).from(cursor.place)) {
      item(at: $0, in: piece, of: column, in: chunk) < firstItem
    }
  }

  private func move(_ cursor: inout Cursor, toChunk chunk: Int) {
    cursor.chunk = chunk
    cursor.piece = piece(of: cursor.column, in: chunk)
    cursor.place = 0
    cursor.visitedPieces += 1
  }

  /// Whether any of a chunk's cells in some columns may be in the interval.
  func mayMeet(_ columns: Range<Int>, ofChunk chunk: Int) -> Bool {
    return columns.contains { column in
      top(self.piece(of: column, in: chunk).start) <= interval.end
        && top(end(of: column, in: chunk)) >= closeBefore
    }
  }

  /// Where a cell's frame is.
  @inline(__always)
  func extent(_ cell: Interval) -> Interval {
    Interval(start: top(cell.start), length: cell.length)
  }

  @inline(__always)
  private func top(_ start: Double) -> Double { start + shift + padding }
}
