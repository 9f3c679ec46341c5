/// Cells that go to tracks in turn; each track is filled from the top. The tracks are the columns
/// of a round-robin waterfall, or the one column of a list.
///
///     piece   │ track 0, top down │ track 1, top down │ …
///
/// In each track the tops never decrease, so the cells of a rect lie together. All pieces have the
/// same number of rows of all tracks, except the last one, which holds the rest.
final class TracksBody: SectionBody {
  /// The positions of the tracks, and the spacing of their cells.
  struct Metrics: Sendable {
    let trackCount: Int
    /// The x of the cells of track 0.
    let x: Double
    let pitch: Double
    let width: Double
    /// The distance from the running y of a track to the top of its next cell.
    let padding: Double
    let spacing: Spacing

    enum Spacing: Sendable {
      /// The running y grows by the sum of this and the cell's height.
      case around(Double)
      /// The running y grows by the cell's height, then by this.
      case behind(Double)
    }

    @inline(__always)
    func x(of track: Int) -> Double { Double(track) * pitch + x }

    @inline(__always)
    func next(after y: Double, _ height: Double) -> Double {
      switch spacing {
      case .around(let space): y + (space + height)
      case .behind(let space): (y + height) + space
      }
    }

    /// The tracks whose cells may meet a rect.
    func tracks(meeting rect: Rect) -> Range<Int> {
      let first = partitionPoint(in: 0..<trackCount) { x(of: $0) + width < rect.origin.x }
      return first..<partitionPoint(in: first..<trackCount) { x(of: $0) <= rect.maxX }
    }
  }

  let count: Int
  let height: Double
  let reach: Rect
  private let metrics: Metrics
  private let rowsPerPiece: Int
  private let rowShift: Int
  /// The number of rows in the last piece.
  private let lastRows: Int
  private let lastPiece: Int
  /// The running y of the cell's track before the cell, and the cell's height.
  private let cells: SharedColumn<Interval>
  /// The running y of each track at the start of each piece, and at the end of the last piece.
  private let tops: SharedColumn<Double>

  private static let cellsPerPiece = 4096

  /// - Parameter heights: Writes the heights of a range of items.
  init(
    count: Int, _ metrics: Metrics, after earlier: EarlierBody?,
    heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.count = count
    let trackCount = metrics.trackCount
    self.metrics = metrics
    let rowShift =
      Int.bitWidth - 1 - max(16, Self.cellsPerPiece / trackCount).leadingZeroBitCount
    self.rowShift = rowShift
    rowsPerPiece = 1 << rowShift
    let pieceCount = trackCount << rowShift
    var cells = SharedColumn<Interval>(pieceCount: pieceCount)
    var tops = SharedColumn<Double>(pieceCount: max(1, 4096 / trackCount) * trackCount)
    var ends = [Double](repeating: 0, count: trackCount)
    var item = 0
    if let earlier, let body = earlier.body as? TracksBody,
      body.metrics.trackCount == trackCount
    {
      item = min(earlier.firstChanged, body.count) / pieceCount * pieceCount
      cells = body.cells.prefix(item)
      tops = body.tops.prefix((item / pieceCount + 1) * trackCount)
      for track in 0..<trackCount { ends[track] = tops[tops.count - trackCount + track] }
    } else {
      for _ in 0..<trackCount { tops.append(0) }
    }
    let buffer = UnsafeMutablePointer<Double>.allocate(
      capacity: max(1, min(pieceCount, count - item)))
    defer { buffer.deallocate() }
    while item < count {
      let end = min(item + pieceCount, count)
      heights(item..<end, buffer)
      let isWhole = end - item == pieceCount
      let rows = isWhole ? 1 << rowShift : (end - item - 1) / trackCount + 1
      let base = cells.addPiece(of: isWhole ? nil : rows * trackCount)
      for track in 0..<trackCount {
        var y = ends[track]
        var place = base + track * rows
        var index = track
        while index < end - item {
          let height = buffer[index]
          place.initialize(to: Interval(start: y, length: height))
          place += 1
          y = metrics.next(after: y, height)
          index += trackCount
        }
        // The last row has no cell for this track.
        if place < base + (track + 1) * rows {
          place.initialize(to: Interval(start: y, length: 0))
        }
        ends[track] = y
      }
      cells.addWritten(isWhole ? pieceCount : rows * trackCount)
      for end in ends { tops.append(end) }
      item = end
    }
    tops.close()
    self.cells = cells
    self.tops = tops
    let isCut = count % pieceCount != 0
    lastPiece = count == 0 ? 0 : (count - 1) / pieceCount
    lastRows = isCut ? (count % pieceCount - 1) / trackCount + 1 : 1 << rowShift
    var height = 0.0
    switch metrics.spacing {
    case .around: height = ends.reduce(0, max)
    case .behind:
      // The spacing behind the last cell does not belong to the body.
      if count > 0 {
        let row = lastRows - 1
        let cell = cells.base(ofPiece: lastPiece)[row]
        height = cell.end
      }
    }
    self.height = height
    reach = Rect(
      x: metrics.x(of: 0), y: 0,
      width: metrics.x(of: trackCount - 1) + metrics.width - metrics.x(of: 0), height: height)
  }

  var memoryBytes: Int { cells.memoryBytes + tops.memoryBytes + 320 }

  /// Bytes held that another body does not hold.
  func unsharedBytes(besides other: TracksBody) -> Int {
    cells.memoryBytes(besides: other.cells) + tops.memoryBytes(besides: other.tops) + 320
  }

  @inline(__always)
  private func cell(_ row: Int, in track: Int) -> Interval {
    let piece = row &>> rowShift
    let rows = piece == lastPiece ? lastRows : rowsPerPiece
    return cells.base(ofPiece: piece)[track &* rows &+ row & (rowsPerPiece &- 1)]
  }

  @inline(__always)
  private func frame(_ row: Int, in track: Int) -> Rect {
    let cell = cell(row, in: track)
    return Rect(
      x: metrics.x(of: track), y: cell.start + metrics.padding, width: metrics.width,
      height: cell.length)
  }

  func frame(of item: Int) -> Rect {
    frame(item / metrics.trackCount, in: item % metrics.trackCount)
  }

  private func rowCount(of track: Int) -> Int {
    (count - track + metrics.trackCount - 1) / metrics.trackCount
  }

  func top(ofItemsFrom item: Int) -> Double {
    let trackCount = metrics.trackCount
    let row = item / trackCount
    return (0..<trackCount).reduce(height) { top, track in
      let next = row + (track < item % trackCount ? 1 : 0)
      return next < rowCount(of: track) ? min(top, cell(next, in: track).start) : top
    }
  }

  /// The first row of a track whose running y is at least `y`.
  @inline(__always)
  private func firstRow(in track: Int, at y: Double) -> Int {
    let trackCount = metrics.trackCount
    let rows = rowCount(of: track)
    guard rows > 0 else { return 0 }
    let pieces = (rows - 1) >> rowShift + 1
    let guess = Int(clamping: y / height * Double(pieces))
    let piece = max(
      0,
      partitionPoint(in: 0..<pieces, near: guess) { tops[$0 * trackCount + track] < y } - 1)
    let inPiece = piece << rowShift..<min((piece + 1) << rowShift, rows)
    let top = tops[piece * trackCount + track]
    let bottom = tops[(piece + 1) * trackCount + track]
    let near = Int(clamping: (y - top) / (bottom - top) * Double(inPiece.count))
    return partitionPoint(in: inPiece, near: inPiece.lowerBound + near) {
      cell($0, in: track).start < y
    }
  }

  private struct Place {
    var item: Int
    var row: Int
    var track: Int
  }

  func offerFrames(in rect: Rect, from start: Int, to sink: inout FrameSink) -> Bool {
    let tracks = metrics.tracks(meeting: rect).clamped(to: 0..<min(metrics.trackCount, count))
    guard !tracks.isEmpty else { return true }
    guard sink.pass(tracks.count, before: start) else { return false }
    let trackCount = metrics.trackCount
    let low = rect.origin.y - metrics.padding
    let high = rect.maxY - metrics.padding
    if trackCount == 1 {
      for row in max(firstRow(in: 0, at: low) - 1, start, 0)..<max(count, start) {
        if cell(row, in: 0).start > high { return true }
        if !sink.offer(row, frame(row, in: 0)) { return false }
      }
      return true
    }
    // For each track, the heap holds its first cell in the rect that is not offered yet. The cell
    // with the lowest item is offered next.
    return withUnsafeTemporaryAllocation(of: Place.self, capacity: tracks.count) { places in
      var heap = BinaryHeap(places) { $0.item < $1.item }
      for track in tracks {
        // The cell before may also reach into the rect.
        let row = max(
          firstRow(in: track, at: low) - 1, (start - track + trackCount - 1) / trackCount, 0)
        if row < rowCount(of: track), cell(row, in: track).start <= high {
          heap.insert(Place(item: row * trackCount + track, row: row, track: track))
        }
      }
      while var place = heap.first {
        if !sink.offer(place.item, frame(place.row, in: place.track)) { return false }
        place.row += 1
        place.item += trackCount
        if place.item < count, cell(place.row, in: place.track).start <= high {
          heap.replaceFirst(with: place)
        } else {
          heap.removeFirst()
        }
      }
      return true
    }
  }
}
