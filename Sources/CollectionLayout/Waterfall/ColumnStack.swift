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
  fileprivate let chunks: [ColumnChunk]
  /// Every column's piece of each chunk, chunk by chunk.
  fileprivate let pieces: [ColumnPiece]
  /// The running y of every column at the end.
  private let columnEnds: [Double]
  let itemCount: Int
  /// The y from which the columns run.
  let origin: Double
  /// The largest running y at the end; `origin` without items.
  let bottom: Double
  /// Whether every sum was without rounding, so that the stack can be moved; see ``Exactness``.
  let isExact: Bool
  /// Whether a height was computed from the width of the columns.
  let dependsOnWidth: Bool
  let memoryBytes: Int

  /// Lays out items, going on from what an earlier stack holds of the items before `firstChanged`.
  ///
  /// - Parameters:
  ///   - items: All items of the section.
  ///   - origin: The y where the columns begin.
  ///   - earlier: A stack with the same origin and metrics that place items alike, whose items before
  ///     `firstChanged` are the same.
  init(
    items: Items, metrics: WaterfallMetrics, origin: Double,
    continuing earlier: (stack: ColumnStack, firstChanged: Int)? = nil
  ) {
    let columnCount = min(metrics.columns, max(items.count, 1))
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

  var chunkCount: Int { chunks.count }

  /// What a column holds of a chunk.
  @inline(__always)
  func piece(of column: Int, in chunk: Int) -> ColumnPiece {
    pieces[chunk * columnCount + column]
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
    let firstItem = chunk * chunkCapacity
    if let items = piece.items { return firstItem + Int(items[place]) }
    return firstItem + place * columnCount + column
  }

  /// The next place of a piece, if any, or of one behind it, at which a cell without height follows one
  /// whose height rounding took.
  func flatPlace(after place: Int, of piece: ColumnPiece, in chunk: Int) -> Int? {
    chunks[chunk].flatPlace(after: place, of: piece)
  }

  /// Up to so many columns are searched for an item; with more, chunks keep their items' places.
  fileprivate static let searchedColumns = 64

  /// The column of an item, and its cell.
  ///
  /// - Complexity: O(log *c* + log *n*) for *c* columns.
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

  func shift(to newOrigin: Double) -> Double? {
    if newOrigin == origin { return 0 }
    guard isExact, Exactness.isExact(newOrigin),
      newOrigin + (bottom - origin) < Exactness.limit
    else { return nil }
    return newOrigin - origin
  }
}

/// Runs down the columns and fills chunks.
private struct ColumnPlacer {
  let metrics: WaterfallMetrics
  let columnCount: Int
  let chunkCapacity: Int
  private(set) var chunks: [ColumnChunk] = []
  private(set) var pieces: [ColumnPiece] = []
  private(set) var isExact = true
  private(set) var dependsOnWidth = false
  private var placedCount = 0
  /// The running y of each column.
  private(set) var columnEnds: [Double]
  private var queue: ShortestColumnQueue

  init(metrics: WaterfallMetrics, columnCount: Int, chunkCapacity: Int, origin: Double) {
    self.metrics = metrics
    self.columnCount = columnCount
    self.chunkCapacity = chunkCapacity
    columnEnds = Array(repeating: origin, count: columnCount)
    queue = ShortestColumnQueue(columnEnds)
  }

  /// Takes over an earlier stack's first chunks as they are.
  mutating func take(_ earlier: ColumnStack, chunks count: Int) {
    guard count > 0 else { return }
    chunks = Array(earlier.chunks[..<count])
    pieces = Array(earlier.pieces[..<(count * columnCount)])
    columnEnds = (0..<columnCount).map { earlier.end(of: $0, in: count - 1) }
    queue = ShortestColumnQueue(columnEnds)
    placedCount = count * chunkCapacity
    isExact = earlier.isExact
    dependsOnWidth = earlier.dependsOnWidth
  }

  mutating func place(_ items: Items) {
    let chunkCount = (items.count + chunkCapacity - 1) / chunkCapacity
    chunks.reserveCapacity(chunkCount)
    pieces.reserveCapacity(chunkCount * columnCount)
    while placedCount < items.count {
      let range = placedCount..<min(placedCount + chunkCapacity, items.count)
      let heights = heights(of: items, in: range)
      if metrics.placement == .roundRobin {
        placeRoundRobin(heights)
      } else {
        placeInShortest(heights)
      }
      placedCount = range.upperBound
    }
  }

  /// Adds a chunk.
  ///
  /// - Parameters:
  ///   - columnPlaces: Where in the chunk each column begins, and the number of items.
  ///   - starts: The running y of each column before the chunk.
  private mutating func append(
    _ chunk: ColumnChunk, _ columnPlaces: [Int], from starts: [Double]
  ) {
    chunks.append(chunk)
    for column in 0..<columnCount {
      pieces.append(
        chunk.piece(columnPlaces[column]..<columnPlaces[column + 1], from: starts[column]))
    }
  }

  /// The heights of the items in the range.
  ///
  /// In loops over bare memory, where appending number by number took a seventh of a prepare.
  private mutating func heights(of items: Items, in range: Range<Int>) -> [Double] {
    let itemHeight = metrics.itemHeight
    let photoWidth = metrics.photoWidth
    var hasRatios = false
    let heights = [Double](unsafeUninitializedCapacity: range.count) { heights, count in
      items.forEachRun(in: range) { storage, run in
        let target = UnsafeMutableBufferPointer(rebasing: heights[count..<count + run.count])
        count += run.count
        if let given = storage?.columns[WaterfallLayout.heightField] {
          given.withUnsafeBufferPointer { given in
            for place in 0..<run.count {
              let height = given[run.lowerBound + place]
              target[place] = height.isNaN ? itemHeight : height
            }
          }
        } else {
          target.initialize(repeating: itemHeight)
        }
        guard let ratios = storage?.columns[WaterfallLayout.aspectRatioField] else { return }
        for (place, ratio) in ratios[run].enumerated() where !ratio.isNaN {
          hasRatios = true
          target[place] = photoWidth / ratio
        }
      }
    }
    if hasRatios { dependsOnWidth = true }
    return heights
  }

  private mutating func placeRoundRobin(_ heights: [Double]) {
    let count = heights.count
    let padding = 2 * metrics.cellPadding
    let starts = columnEnds
    var columnPlaces = [0]
    columnPlaces.reserveCapacity(columnCount + 1)
    for column in 0..<columnCount {
      let rows = column < count ? (count - column - 1) / columnCount + 1 : 0
      columnPlaces.append(columnPlaces[column] + rows)
    }
    var inexact = false
    let chunk = ColumnChunk(count: count) { cells in
      heights.withUnsafeBufferPointer { heights in
        for column in 0..<min(columnCount, count) {
          var y = columnEnds[column]
          var place = columnPlaces[column]
          for item in stride(from: column, to: count, by: columnCount) {
            let height = heights[item]
            (cells + place).initialize(to: Interval(start: y, length: height))
            place += 1
            let advance = padding + height
            inexact = inexact || !Exactness.isExact(advance)
            y += advance
          }
          columnEnds[column] = y
        }
      }
    }
    isExact = isExact && !inexact
    append(chunk, columnPlaces, from: starts)
  }

  private mutating func placeInShortest(_ heights: [Double]) {
    let count = heights.count
    let padding = 2 * metrics.cellPadding
    let starts = columnEnds
    var inexact = false
    var columns = [Int32](repeating: 0, count: count)
    var tops = [Double](repeating: 0, count: count)
    var columnPlaces = [Int](repeating: 0, count: columnCount + 1)
    for item in 0..<count {
      let advance = padding + heights[item]
      inexact = inexact || !Exactness.isExact(advance)
      let (column, y) = queue.first
      columns[item] = Int32(column)
      tops[item] = y
      columnPlaces[column + 1] += 1
      columnEnds[column] = y + advance
      queue.advanceFirst(to: y + advance)
    }
    for column in 0..<columnCount { columnPlaces[column + 1] += columnPlaces[column] }
    isExact = isExact && !inexact
    var next = columnPlaces
    let chunk = ColumnChunk(
      count: count, hasPlaces: columnCount > ColumnStack.searchedColumns
    ) { item in
      let column = Int(columns[item])
      next[column] += 1
      return (next[column] - 1, Interval(start: tops[item], length: heights[item]))
    }
    append(chunk, columnPlaces, from: starts)
  }
}

/// The columns as a binary heap by running y, the leftmost first among equals.
private struct ShortestColumnQueue {
  private var heap: [(y: Double, column: Int)]

  init(_ columnEnds: [Double]) {
    heap = columnEnds.enumerated().map { (y: $1, column: $0) }
    heap.sort { ($0.y, $0.column) < ($1.y, $1.column) }
  }

  var first: (column: Int, y: Double) { (heap[0].column, heap[0].y) }

  /// Lets the first column grow.
  ///
  /// - Complexity: O(log *c*) for *c* columns.
  mutating func advanceFirst(to y: Double) {
    heap.withUnsafeMutableBufferPointer { heap in
      let moved = (y: y, column: heap[0].column)
      var hole = 0
      while true {
        var child = 2 * hole + 1
        guard child < heap.count else { break }
        if child + 1 < heap.count,
          (heap[child + 1].y, heap[child + 1].column) < (heap[child].y, heap[child].column)
        {
          child += 1
        }
        guard (heap[child].y, heap[child].column) < (moved.y, moved.column) else { break }
        heap[hole] = heap[child]
        hole = child
      }
      heap[hole] = moved
    }
  }
}
