/// Runs down the columns and fills chunks.
struct ColumnPlacer {
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

  init(metrics: WaterfallMetrics, columnCount: Int, chunkCapacity: Int, origin: Double) {
    self.metrics = metrics
    self.columnCount = columnCount
    self.chunkCapacity = chunkCapacity
    columnEnds = Array(repeating: origin, count: columnCount)
  }

  /// Takes over an earlier stack's first chunks as they are.
  mutating func take(_ earlier: ColumnStack, chunks count: Int) {
    guard count > 0 else { return }
    chunks = Array(earlier.chunks[..<count])
    pieces = Array(earlier.pieces[..<(count * columnCount)])
    columnEnds = (0..<columnCount).map { earlier.end(of: $0, in: count - 1) }
    placedCount = count * chunkCapacity
    isExact = earlier.isExact
    dependsOnWidth = earlier.dependsOnWidth
  }

  mutating func place(_ items: Items) {
    let chunkCount = (items.count + chunkCapacity - 1) / chunkCapacity
    chunks.reserveCapacity(chunkCount)
    pieces.reserveCapacity(chunkCount * columnCount)
    var queue = metrics.placement == .shortestColumn ? ShortestColumnQueue(columnEnds) : nil
    while placedCount < items.count {
      giveWay(atStep: chunks.count, of: 8)
      let range = placedCount..<min(placedCount + chunkCapacity, items.count)
      let (heights, hasRatios) = heights(of: items, in: range)
      if hasRatios { dependsOnWidth = true }
      switch metrics.placement {
      case .roundRobin: placeRoundRobin(heights)
      case .shortestColumn: placeInShortest(heights, &queue!)
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

  /// The heights of the items in the range, and whether any of them follows from an aspect ratio.
  ///
  /// In loops over bare memory, where appending number by number took a seventh of a prepare.
  private func heights(
    of items: Items, in range: Range<Int>
  ) -> (heights: [Double], hasRatios: Bool) {
    let itemHeight = metrics.itemHeight
    let photoWidth = metrics.photoWidth
    var hasRatios = false
    let heights = [Double](unsafeUninitializedCapacity: range.count) { heights, count in
      items.forEachRun(in: range) { storage, run in
        let target = UnsafeMutableBufferPointer(rebasing: heights[count..<count + run.count])
        count += run.count
        if let given = storage?.columns[WaterfallLayout.heightField] {
          given.withUnsafeBufferPointer { given in
            let given = UnsafeBufferPointer(rebasing: given[run])
            for place in 0..<run.count {
              let height = given[place]
              // Only NaN is not itself; isNaN takes each number apart, one at a time.
              target[place] = height == height ? height : itemHeight
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
    return (heights, hasRatios)
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

  /// - Parameter queue: The columns as they end before the chunk, and then behind it.
  private mutating func placeInShortest(_ heights: [Double], _ queue: inout ShortestColumnQueue) {
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
      heap.siftDown((y: y, column: heap[0].column), from: 0, count: heap.count) {
        ($0.y, $0.column) < ($1.y, $1.column)
      }
    }
  }
}
