/// A section's cells in columns, laid out from an origin of its own.
///
/// Each column is a track: its starts never decrease. Items are cut into chunks of a fixed
/// number, and a column's part of a chunk is a piece. The pieces lie one after the other, so that a
/// search touches one small array and then the cells themselves.
final class ColumnStack: SectionStack {
  /// How many columns can hold a cell: no more than there are items.
  let columnCount: Int
  /// The number of items in every chunk but the last.
  let chunkCapacity: Int
  /// Keep the memory that the pieces point to.
  let chunks: [ColumnChunk]
  /// Every column's piece of each chunk, chunk by chunk.
  let pieces: [ColumnPiece]
  /// The running y of every column at the end.
  private let columnEnds: [Double]
  let itemCount: Int
  /// The y from which the columns run.
  let origin: Double
  /// The largest running y at the end.
  let bottom: Double
  let isExact: Bool
  /// Whether a height was computed from the width of the columns.
  let dependsOnWidth: Bool
  let memoryBytes: Int

  /// Lays out items, going on from what an earlier stack holds of the items before `firstChanged`.
  ///
  /// - Parameters:
  ///   - items: All items of the section, at least one.
  ///   - origin: The y where the columns begin.
  ///   - earlier: A stack with the same origin and metrics that place items alike, whose items
  ///     before `firstChanged` are the same.
  init(
    items: Items, metrics: WaterfallMetrics, origin: Double,
    continuing earlier: PlacedStack<ColumnStack>.Earlier?
  ) {
    let columnCount = min(metrics.columns, items.count)
    let chunkCapacity = max(4, 4096 / columnCount) * columnCount
    var placer = ColumnPlacer(
      metrics: metrics, columnCount: columnCount, chunkCapacity: chunkCapacity, origin: origin)
    if let earlier, earlier.stack.columnCount == columnCount {
      precondition(earlier.stack.origin == origin, "columns go on from where they began")
      placer.take(
        earlier.stack,
        chunks: min(earlier.firstChanged, earlier.stack.itemCount) / chunkCapacity)
    }
    placer.place(items)
    self.columnCount = columnCount
    self.chunkCapacity = chunkCapacity
    chunks = placer.chunks
    pieces = placer.pieces
    columnEnds = placer.columnEnds
    itemCount = items.count
    self.origin = origin
    bottom = placer.columnEnds.reduce(origin) { max($0, $1) }
    isExact = placer.isExact && Exactness.isExact(origin) && bottom < Exactness.limit
    dependsOnWidth = placer.dependsOnWidth
    memoryBytes = chunks.reduce(
      pieces.count * MemoryLayout<ColumnPiece>.stride + (columnEnds.count + chunks.count) * 8 + 192
    ) { $0 + $1.memoryBytes }
  }

  /// No cell from `item` on begins above this.
  ///
  /// - Complexity: O(*c* · log *n*) for *c* columns.
  func minimumStart(from item: Int) -> Double {
    let chunk = item / chunkCapacity
    return (0..<columnCount).reduce(.infinity) { minimum, column in
      guard chunk < chunkCount else { return min(minimum, columnEnds[column]) }
      let piece = piece(of: column, in: chunk)
      let place = partitionPoint(in: 0..<piece.count) {
        self.item(at: $0, in: piece, of: column, in: chunk) < item
      }
      return min(
        minimum, place < piece.count ? piece.cells[place].start : end(of: column, in: chunk))
    }
  }

  var lowestY: Double { bottom }

  var chunkCount: Int { chunks.count }

  /// What a column holds of a chunk. Bounds are checked by the array, and there alone.
  @inline(__always)
  func piece(of column: Int, in chunk: Int) -> ColumnPiece {
    pieces[chunk &* columnCount &+ column]
  }

  /// The running y of a column at the end of a chunk.
  func end(of column: Int, in chunk: Int) -> Double {
    chunk + 1 < chunkCount ? piece(of: column, in: chunk + 1).start : columnEnds[column]
  }

  /// The index in the section of the item at a place of a piece.
  ///
  /// - Parameter piece: The column's in the chunk.
  @inline(__always)
  func item(at place: Int, in piece: ColumnPiece, of column: Int, in chunk: Int) -> Int {
    // None of these overflows: the result is an index.
    let firstItem = chunk &* chunkCapacity
    if let items = piece.items { return firstItem &+ Int(items[place]) }
    return firstItem &+ place &* columnCount &+ column
  }

  /// The next place of a piece, if any, or of one behind it, at which a cell without height follows
  /// one whose height rounding took.
  func flatPlace(after place: Int, of piece: ColumnPiece, in chunk: Int) -> Int? {
    chunks[chunk].flatPlace(after: place, of: piece)
  }

  /// Up to so many columns are searched for an item; with more, chunks keep their items' places.
  static let searchedColumns = 64

  /// The column of an item, and its cell.
  ///
  /// - Complexity: O(1) round robin; otherwise O(*c* · log *n*) for *c* columns and *n* items of a
  ///   chunk, but O(log *c*) if there are more than ``searchedColumns``.
  func cell(of item: Int) -> (column: Int, cell: Interval) {
    cell(of: item) { _ in true }!
  }

  /// The same where the cell is wanted; of others the column is not looked for.
  @inline(__always)
  func cell(
    of item: Int, where isWanted: (Interval) -> Bool
  ) -> (column: Int, cell: Interval)? {
    let (chunk, local) = item.quotientAndRemainder(dividingBy: chunkCapacity)
    if piece(of: 0, in: chunk).items == nil {
      let (place, column) = local.quotientAndRemainder(dividingBy: columnCount)
      let cell = piece(of: column, in: chunk).cells[place]
      return isWanted(cell) ? (column, cell) : nil
    }
    if let cell = chunks[chunk].cell(of: local) {
      guard isWanted(cell.pointee) else { return nil }
      // The last column that begins there: those without cells begin where the next one does.
      let behind = partitionPoint(in: 0..<columnCount) { piece(of: $0, in: chunk).cells <= cell }
      return (behind - 1, cell.pointee)
    }
    for column in 0..<columnCount {
      let piece = piece(of: column, in: chunk)
      guard let items = piece.items else { break }
      let place = partitionPoint(in: 0..<piece.count) { items[$0] < local }
      if place < piece.count, items[place] == local {
        return isWanted(piece.cells[place]) ? (column, piece.cells[place]) : nil
      }
    }
    preconditionFailure("item \(item) is in no column of its chunk")
  }
}
