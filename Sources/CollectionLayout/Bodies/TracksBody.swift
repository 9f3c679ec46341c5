/// Cells that go to tracks in turn; each track is filled from the top. The tracks are the columns
/// of a round-robin waterfall.
///
///     piece   │ track 0, top down │ track 1, top down │ …
///
/// In each track the tops never decrease, so the cells of a rect lie together. All pieces have the
/// same number of rows of all tracks, except the last one, which holds the rest.
///
/// Of a cell only its distance from the top of the piece is stored. Its height is what is left of
/// the distance to the next cell of the track. So a version that continues an earlier one shares
/// every piece whose cells are the same items as before, with the same index paths.
final class TracksBody: SectionBody {
  let count: Int
  let height: Double
  let reach: Rect
  fileprivate let metrics: TrackMetrics
  private let rowsPerPiece: Int
  private let rowShift: Int
  /// The number of rows in the last piece.
  private let lastRows: Int
  private let lastPiece: Int
  /// The distance of each cell's place from the top of its track in the piece.
  fileprivate let starts: SharedSteps
  /// The running y of each track at the start of each piece, and at the end of the last piece.
  fileprivate let tops: [Double]

  private static let cellsPerPiece = 4096

  /// - Parameters:
  ///   - metrics: Every cell covers one track.
  ///   - heights: Writes the heights of a range of items, in whole steps.
  init(
    count: Int, _ metrics: TrackMetrics, after earlier: EarlierBody?,
    heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.count = count
    self.metrics = metrics
    rowShift =
      Int.bitWidth - 1 - max(16, Self.cellsPerPiece / metrics.trackCount).leadingZeroBitCount
    rowsPerPiece = 1 << rowShift
    let pieceCount = metrics.trackCount << rowShift
    var builder = TracksBuilder(metrics, pieceCount: pieceCount, after: earlier)
    builder.add(count, heights)
    starts = builder.starts
    tops = builder.tops
    lastPiece = count == 0 ? 0 : (count - 1) / pieceCount
    let cut = count % pieceCount
    lastRows = cut == 0 ? rowsPerPiece : (cut - 1) / metrics.trackCount + 1
    // The spacing behind the last cell does not belong to the body.
    height = count == 0 ? 0 : builder.ends.reduce(0, max) - metrics.rowSpacing
    reach = metrics.reach(height: height)
  }

  var memoryBytes: Int { starts.memoryBytes + tops.count * 8 + 320 }

  /// Bytes held that another body does not hold.
  func unsharedBytes(besides other: TracksBody) -> Int {
    starts.memoryBytes(besides: other.starts) + tops.count * 8 + 320
  }

  /// The y of the place of a track's cell.
  @inline(__always)
  private func placeTop(_ row: Int, in track: Int) -> Double {
    let piece = row &>> rowShift
    let rows = piece == lastPiece ? lastRows : rowsPerPiece
    return tops[piece &* metrics.trackCount &+ track]
      + starts.lengths[piece][track &* rows &+ row & (rowsPerPiece &- 1)]
  }

  @inline(__always)
  private func frame(_ row: Int, in track: Int) -> Rect {
    let piece = row &>> rowShift
    let rows = piece == lastPiece ? lastRows : rowsPerPiece
    let place = row & (rowsPerPiece &- 1)
    let lengths = starts.lengths[piece]
    let top = tops[piece &* metrics.trackCount &+ track]
    let start = top + lengths[track &* rows &+ place]
    let next =
      place &+ 1 < rows
      ? top + lengths[track &* rows &+ place &+ 1]
      : tops[(piece &+ 1) &* metrics.trackCount &+ track]
    return Rect(
      x: metrics.x(of: track), y: start + metrics.padding, width: metrics.width(ofSpan: 1),
      height: (next - start) - metrics.spacing)
  }

  func frame(of item: Int) -> Rect {
    frame(item / metrics.trackCount, in: item % metrics.trackCount)
  }

  func outermostFrames(of items: Range<Int>) -> [Rect] {
    outermostFrames(of: items, period: metrics.trackCount)
  }

  private func rowCount(of track: Int) -> Int {
    (count - track + metrics.trackCount - 1) / metrics.trackCount
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
      placeTop($0, in: track) < y
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
    // For each track, the heap holds its first cell in the rect that is not offered yet. The cell
    // with the lowest item is offered next.
    return withUnsafeTemporaryAllocation(of: Place.self, capacity: tracks.count) { places in
      var heap = BinaryHeap(places) { $0.item < $1.item }
      for track in tracks {
        // The cell before may also reach into the rect.
        let row = max(
          firstRow(in: track, at: low) - 1, (start - track + trackCount - 1) / trackCount, 0)
        if row < rowCount(of: track), placeTop(row, in: track) <= high {
          heap.insert(Place(item: row * trackCount + track, row: row, track: track))
        }
      }
      while var place = heap.first {
        if !sink.offer(place.item, frame(place.row, in: place.track)) { return false }
        place.row += 1
        place.item += trackCount
        if place.item < count, placeTop(place.row, in: place.track) <= high {
          heap.replaceFirst(with: place)
        } else {
          heap.removeFirst()
        }
      }
      return true
    }
  }
}

/// Fills tracks from the top, piece by piece. It takes pieces whose cells are the same from an
/// earlier body.
private struct TracksBuilder {
  private let metrics: TrackMetrics
  /// The number of cells in a whole piece.
  private let pieceCount: Int
  private let earlier: TracksBody?
  /// The cells with the same index paths as before that may lie in the next pieces.
  private var kept: ArraySlice<EarlierBody.Kept> = []
  private(set) var starts = SharedSteps()
  /// As ``TracksBody/tops``.
  private(set) var tops: [Double]
  /// The running y at the end of each track.
  private(set) var ends: [Double]

  init(_ metrics: TrackMetrics, pieceCount: Int, after earlier: EarlierBody?) {
    self.metrics = metrics
    self.pieceCount = pieceCount
    ends = [Double](repeating: 0, count: metrics.trackCount)
    tops = ends
    if let earlier, let body = earlier.body as? TracksBody,
      body.metrics.trackCount == metrics.trackCount
    {
      self.earlier = body
      kept = earlier.kept.filter { $0.source == $0.items.lowerBound }[...]
    } else {
      self.earlier = nil
    }
  }

  /// Adds all cells.
  mutating func add(_ count: Int, _ heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void) {
    let buffer = UnsafeMutablePointer<Double>.allocate(capacity: min(pieceCount, count))
    defer { buffer.deallocate() }
    for first in stride(from: 0, to: count, by: pieceCount) {
      let cells = first..<min(first + pieceCount, count)
      if !keep(cells) {
        heights(cells, buffer)
        starts.append(
          sumsOf: UnsafeBufferPointer(start: buffer, count: cells.count),
          spacing: metrics.spacing, to: &ends)
      }
      tops += ends
    }
  }

  /// Adds the piece of the earlier body, if its cells are the same.
  private mutating func keep(_ cells: Range<Int>) -> Bool {
    while let first = kept.first, first.items.upperBound < cells.upperBound { kept.removeFirst() }
    guard let earlier, let first = kept.first, first.items.lowerBound <= cells.lowerBound,
      cells.count == pieceCount || cells.upperBound == earlier.count
    else { return false }
    let piece = cells.lowerBound / pieceCount
    starts.append(piece..<piece + 1, of: earlier.starts)
    for track in ends.indices {
      let place = piece * metrics.trackCount + track
      ends[track] += earlier.tops[place + metrics.trackCount] - earlier.tops[place]
    }
    return true
  }
}
