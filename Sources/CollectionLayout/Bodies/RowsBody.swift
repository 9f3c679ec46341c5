/// Rows of one width below each other: those of a list, of a waterfall with one column, and of a
/// grid with rows of different heights.
///
///     piece    │ rows 0 … 1023 │ rows 1024 … 1027 │ rows 1028 … 900000 │
///
/// Of a row only its distance from the top of the piece is stored. Its height is what is left of
/// the distance to the next row. So a piece is the same wherever it stands: a version that
/// continues an earlier one shares every piece whose rows are unchanged, and makes new pieces where
/// rows came, went or changed. Many rows of one height are a piece without anything stored. All
/// distances are whole steps, so tops that are summed up anew are exact.
final class RowsBody: SectionBody {
  let count: Int
  let height: Double
  let reach: Rect
  private let metrics: TrackMetrics
  private let pieces: RowRope

  /// - Parameters:
  ///   - metrics: Of one track.
  ///   - heights: Writes the heights of a range of rows, in whole steps.
  /// - Complexity: O(*n*) for *n* rows. After an earlier body O(*p* + *k* + *c*) for *p* pieces,
  ///   *k* ranges of kept rows, and *c* rows in pieces that changed.
  init(
    count: Int, _ metrics: TrackMetrics, after earlier: EarlierBody?,
    heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.count = count
    self.metrics = metrics
    pieces = withoutActuallyEscaping(heights) { heights in
      var builder = RowPiecesBuilder(
        spacing: metrics.spacing, roomCount: min(count, RowPiece.mostRows),
        after: earlier.flatMap { Self.pieces(of: $0.body) }, keeping: earlier?.kept ?? [],
        heights: heights)
      builder.keepPieces()
      builder.fill(to: count)
      return builder.finish()
    }
    // The spacing behind the last row does not belong to the body.
    height = count == 0 ? 0 : pieces.length - metrics.rowSpacing
    reach = metrics.reach(height: height)
  }

  /// The rows of another body as pieces; `nil` if it has other cells than rows.
  private static func pieces(of body: any SectionBody) -> RowRope? {
    if let lattice = body as? LatticeBody, lattice.count > 0 {
      return lattice.rowPitch.map { RowRope([RowPiece(count: lattice.count, pitch: $0)]) }
    }
    return (body as? RowsBody)?.pieces
  }

  var memoryBytes: Int { pieces.memoryBytes + 320 }

  /// Bytes held that another body does not hold.
  func unsharedBytes(besides other: RowsBody) -> Int {
    pieces.memoryBytes(besides: other.pieces) + 320
  }

  @inline(__always)
  private func frame(top: Double, bottom: Double) -> Rect {
    Rect(
      x: metrics.x(of: 0), y: top + metrics.padding, width: metrics.width(ofSpan: 1),
      height: (bottom - top) - metrics.spacing)
  }

  func frame(of row: Int) -> Rect {
    let piece = pieces.index(ofRow: row)
    let top = pieces.top(ofPiece: piece)
    let index = row - pieces.first(ofPiece: piece)
    return pieces.withPiece(piece) {
      frame(top: top + $0.start(of: index), bottom: top + $0.start(of: index + 1))
    }
  }

  func outermostFrames(of rows: Range<Int>) -> [Rect] { outermostFrames(of: rows, period: 1) }

  func offerFrames(in rect: Rect, from start: Int, to sink: inout FrameSink) -> Bool {
    let left = metrics.x(of: 0)
    guard count > 0, left <= rect.maxX, rect.origin.x <= left + metrics.width(ofSpan: 1) else {
      return true
    }
    guard sink.pass(1, before: start) else { return false }
    let (low, high) = (rect.origin.y - metrics.padding, rect.maxY - metrics.padding)
    // The row before may also reach into the rect.
    var row = max(firstRow(at: low) - 1, start, 0)
    guard row < count else { return true }
    for index in pieces.index(ofRow: row)..<pieces.pieceCount {
      let first = pieces.first(ofPiece: index)
      let pieceTop = pieces.top(ofPiece: index)
      let end: Bool? = pieces.withPiece(index) { piece in
        var top = pieceTop + piece.start(of: row - first)
        while row < first + piece.count {
          if top > high { return true }
          let bottom = pieceTop + piece.start(of: row + 1 - first)
          if !sink.offer(row, frame(top: top, bottom: bottom)) { return false }
          top = bottom
          row += 1
        }
        return nil
      }
      if let end { return end }
    }
    return true
  }

  /// The first row whose top is at least `y`.
  @inline(__always)
  private func firstRow(at y: Double) -> Int {
    let index = pieces.index(above: y)
    let first = pieces.first(ofPiece: index)
    let rest = y - pieces.top(ofPiece: index)
    return pieces.withPiece(index) { piece in
      let near = Int(clamping: rest / piece.length * Double(piece.count))
      return first + partitionPoint(in: 0..<piece.count, near: near) { piece.start(of: $0) < rest }
    }
  }
}
