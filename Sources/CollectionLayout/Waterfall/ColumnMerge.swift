/// Walks the columns of a stack that a rect meets, all at once, by ascending item.
///
/// Each column stands at its first cell in the interval; the column that stands at the lowest
/// item moves on. The columns are a binary heap by item, so that a result costs O(log *c*).
struct ColumnMerge {
  /// A cell in the interval.
  struct Cell {
    let item: Int
    let column: Int
    let vertical: Interval
  }

  private let stack: ColumnStack
  private let shift: Double
  private let padding: Double
  private let interval: Interval
  private var cursors: [Cursor]

  /// A place in a column.
  private struct Cursor {
    var item: Int
    let column: Int
    var chunk: Int
    var place: Int
    var vertical: Interval
  }

  init(
    stack: ColumnStack, shift: Double, padding: Double, columns: Range<Int>, interval: Interval,
    firstItem: Int
  ) {
    self.stack = stack
    self.shift = shift
    self.padding = padding
    self.interval = interval
    cursors = []
    cursors.reserveCapacity(columns.count)
    for column in columns {
      var (chunk, place) = firstPlace(in: column)
      if firstItem > 0 { skip(to: firstItem, in: column, chunk: &chunk, place: &place) }
      if let cursor = cursor(in: column, chunk: chunk, place: place) { cursors.append(cursor) }
    }
    for index in stride(from: cursors.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
  }

  mutating func next() -> Cell? {
    guard let first = cursors.first else { return nil }
    if let advanced = cursor(in: first.column, chunk: first.chunk, place: first.place + 1) {
      cursors[0] = advanced
    } else {
      cursors[0] = cursors[cursors.count - 1]
      cursors.removeLast()
    }
    siftDown(from: 0)
    return Cell(item: first.item, column: first.column, vertical: first.vertical)
  }

  /// The first cell from a place on that meets the interval.
  @inline(__always)
  private func cursor(in column: Int, chunk: Int, place: Int) -> Cursor? {
    var (chunk, place) = (chunk, place)
    while chunk < stack.chunks.count {
      let current = stack.chunks[chunk]
      let end = current.places(of: column).upperBound
      while place < end {
        let vertical = Interval(
          start: current.starts[place] + shift + padding, length: current.heights[place])
        if vertical.meets(interval) {
          return Cursor(
            item: current.item(at: place, of: column), column: column, chunk: chunk,
            place: place, vertical: vertical)
        }
        if interval.ends(before: vertical.start) { return nil }
        place += 1
      }
      chunk += 1
      if chunk < stack.chunks.count {
        place = stack.chunks[chunk].places(of: column).lowerBound
      }
    }
    return nil
  }

  private func top(_ start: Double) -> Double { start + shift + padding }

  /// A place in the column before which no cell meets the interval, and little after the last
  /// such place.
  private func firstPlace(in column: Int) -> (chunk: Int, place: Int) {
    let target = interval.start
    let span = stack.fence(stack.chunks.count, 0) - stack.origin
    let chunkGuess =
      span > 0
      ? Int(clamping: (target - shift - stack.origin) / span * Double(stack.chunks.count)) : 0
    let after = partitionPoint(in: 0..<stack.chunks.count, near: chunkGuess) {
      top(stack.fence($0, column)) < target
    }
    guard after > 0 else { return (0, stack.chunks[0].places(of: column).lowerBound) }
    var chunk = after - 1
    let current = stack.chunks[chunk]
    let places = current.places(of: column)
    let (low, high) = (stack.fence(chunk, column), stack.fence(chunk + 1, column))
    let proportion = high > low ? (target - shift - padding - low) / (high - low) : 0
    var place = partitionPoint(
      in: places, near: places.lowerBound + Int(clamping: proportion * Double(places.count))
    ) { top(current.starts[$0]) < target }
    // The cell above may reach into the interval; one more above it only by a rounding error.
    let closeBefore = target.roundedDownForSearch
    while let above = self.place(before: (chunk, place), in: column) {
      (chunk, place) = above
      if top(stack.chunks[chunk].starts[place]) < closeBefore { break }
    }
    return (chunk, place)
  }

  private func place(
    before position: (chunk: Int, place: Int), in column: Int
  ) -> (chunk: Int, place: Int)? {
    var (chunk, place) = position
    while place == stack.chunks[chunk].places(of: column).lowerBound {
      guard chunk > 0 else { return nil }
      chunk -= 1
      place = stack.chunks[chunk].places(of: column).upperBound
    }
    return (chunk, place - 1)
  }

  /// Moves a place on to the column's first item from `firstItem` on, unless it is there already.
  private func skip(to firstItem: Int, in column: Int, chunk: inout Int, place: inout Int) {
    let target = firstItem / stack.chunkCapacity
    guard target >= chunk else { return }
    guard target < stack.chunks.count else {
      chunk = stack.chunks.count
      return
    }
    let current = stack.chunks[target]
    let places = current.places(of: column)
    let start = target == chunk ? max(place, places.lowerBound) : places.lowerBound
    chunk = target
    place = partitionPoint(in: start..<max(start, places.upperBound)) {
      current.item(at: $0, of: column) < firstItem
    }
  }

  private mutating func siftDown(from index: Int) {
    guard index < cursors.count else { return }
    let moved = cursors[index]
    var hole = index
    while true {
      var child = 2 * hole + 1
      guard child < cursors.count else { break }
      if child + 1 < cursors.count, cursors[child + 1].item < cursors[child].item { child += 1 }
      guard cursors[child].item < moved.item else { break }
      cursors[hole] = cursors[child]
      hole = child
    }
    cursors[hole] = moved
  }
}
