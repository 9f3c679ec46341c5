/// A section's cells in columns, laid out from an origin of its own.
///
/// Each column is a track: its starts never decrease. Items are cut into chunks of a fixed
/// number, and `fences` holds each column's running y where a chunk begins, so that a search
/// touches one small array and then one chunk.
final class ColumnStack: Sendable {
  /// How many columns can hold a cell: no more than there are items.
  let columnCount: Int
  /// The number of items in every chunk but the last.
  let chunkCapacity: Int
  let chunks: [ColumnChunk]
  /// The running y of every column at the start of each chunk, chunk by chunk, then at the end.
  let fences: [Double]
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
    fences = placer.fences
    itemCount = items.count
    self.origin = origin
    bottom = placer.fences.suffix(columnCount).reduce(origin) { max($0, $1) }
    isExact = placer.isExact && Exactness.isExact(origin) && bottom < Exactness.limit
    dependsOnWidth = placer.dependsOnWidth
    memoryBytes = chunks.reduce(fences.count * 8 + chunks.count * 8 + 192) {
      $0 + $1.memoryBytes
    }
  }

  /// No cell from `item` on begins above this.
  ///
  /// - Complexity: O(*c* · log *n*) for *c* columns.
  func minimumStart(from item: Int) -> Double {
    let chunk = min(item / chunkCapacity, chunks.count)
    return (0..<columnCount).reduce(.infinity) { minimum, column in
      guard chunk < chunks.count else { return min(minimum, fence(chunk, column)) }
      let current = chunks[chunk]
      let places = current.places(of: column)
      let place = partitionPoint(in: places) { current.item(at: $0, of: column) < item }
      let start =
        place < places.upperBound ? current.starts[place] : fence(chunk + 1, column)
      return min(minimum, start)
    }
  }

  @inline(__always)
  func fence(_ chunk: Int, _ column: Int) -> Double {
    fences[chunk * columnCount + column]
  }

  /// How far the stack has to move to begin at another origin; `nil` when moving would not give
  /// the same bits as laying it out there.
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
  var chunks: [ColumnChunk] = []
  var fences: [Double] = []
  var isExact = true
  var dependsOnWidth = false
  private var placedCount = 0
  /// The running y of each column.
  private var columnEnds: [Double]
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
    chunks = Array(earlier.chunks[..<count])
    fences = Array(earlier.fences[..<(count * columnCount)])
    columnEnds = Array(earlier.fences[(count * columnCount)..<((count + 1) * columnCount)])
    queue = ShortestColumnQueue(columnEnds)
    placedCount = count * chunkCapacity
    isExact = earlier.isExact
    dependsOnWidth = earlier.dependsOnWidth
  }

  mutating func place(_ items: Items) {
    chunks.reserveCapacity((items.count - placedCount) / chunkCapacity + 1 + chunks.count)
    while placedCount < items.count {
      let range = placedCount..<min(placedCount + chunkCapacity, items.count)
      let heights = heights(of: items, in: range)
      fences += columnEnds
      chunks.append(
        metrics.placement == .roundRobin
          ? placeRoundRobin(heights, from: range.lowerBound)
          : placeInShortest(heights, from: range.lowerBound))
      placedCount = range.upperBound
    }
    fences += columnEnds
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

  private mutating func placeRoundRobin(
    _ heights: [Double], from firstItem: Int
  ) -> ColumnChunk {
    let count = heights.count
    let padding = 2 * metrics.cellPadding
    var columnStarts: [UInt32] = [0]
    columnStarts.reserveCapacity(columnCount + 1)
    for column in 0..<columnCount {
      let rows = column < count ? (count - column - 1) / columnCount + 1 : 0
      columnStarts.append(columnStarts[column] + UInt32(rows))
    }
    var inexact = false
    let chunk = ColumnChunk(
      firstItem: firstItem, columnStarts: columnStarts, hasItems: false
    ) { starts, columnHeights, _ in
      heights.withUnsafeBufferPointer { heights in
        for column in 0..<min(columnCount, count) {
          var y = columnEnds[column]
          var place = Int(columnStarts[column])
          for item in stride(from: column, to: count, by: columnCount) {
            let height = heights[item]
            (starts + place).initialize(to: y)
            (columnHeights + place).initialize(to: height)
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
    return chunk
  }

  private mutating func placeInShortest(
    _ heights: [Double], from firstItem: Int
  ) -> ColumnChunk {
    let count = heights.count
    let padding = 2 * metrics.cellPadding
    var inexact = false
    var columns = [UInt32](repeating: 0, count: count)
    var tops = [Double](repeating: 0, count: count)
    var columnStarts = [UInt32](repeating: 0, count: columnCount + 1)
    for item in 0..<count {
      let advance = padding + heights[item]
      inexact = inexact || !Exactness.isExact(advance)
      let (column, y) = queue.first
      columns[item] = UInt32(column)
      tops[item] = y
      columnStarts[column + 1] += 1
      columnEnds[column] = y + advance
      queue.advanceFirst(to: y + advance)
    }
    for column in 0..<columnCount { columnStarts[column + 1] += columnStarts[column] }
    isExact = isExact && !inexact
    return ColumnChunk(
      firstItem: firstItem, columnStarts: columnStarts, hasItems: true
    ) { starts, columnHeights, items in
      var next = columnStarts
      for item in 0..<count {
        let place = Int(next[Int(columns[item])])
        next[Int(columns[item])] += 1
        (starts + place).initialize(to: tops[item])
        (columnHeights + place).initialize(to: heights[item])
        items.map { ($0 + place).initialize(to: UInt32(item)) }
      }
    }
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
