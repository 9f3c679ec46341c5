/// Rows of one width below each other: those of a list, of a waterfall with one column, and of a
/// grid with rows of different heights.
///
///     piece    │ rows 0 … 4095 │ rows 4096 … 4099 │ rows 4100 … 8195 │
///
/// Of a row only its distance from the top of the piece is stored. Its height is what is left of
/// the distance to the next row. So a piece is the same wherever it stands: a version that
/// continues an earlier one shares every piece whose rows are unchanged, and makes new pieces where
/// rows came, went or changed. All distances are whole steps, so tops that are summed up anew are
/// exact.
final class RowsBody: SectionBody {
  let count: Int
  let height: Double
  let reach: Rect
  private let metrics: TrackMetrics
  fileprivate let pieces: RowPieces

  /// - Parameters:
  ///   - metrics: Of one track.
  ///   - heights: Writes the heights of a range of rows, in whole steps.
  /// - Complexity: O(*n*) for *n* rows. After an earlier body O(*p* + *c*) for *p* pieces and *c*
  ///   rows in pieces that changed.
  init(
    count: Int, _ metrics: TrackMetrics, after earlier: EarlierBody?,
    heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.count = count
    self.metrics = metrics
    var pieces = RowPieces()
    withoutActuallyEscaping(heights) { heights in
      var builder = RowPiecesBuilder(
        spacing: metrics.spacing, roomCount: min(count, RowPieces.mostRows), heights: heights)
      if let earlier, let body = earlier.body as? RowsBody {
        for kept in earlier.kept { builder.keep(kept, of: body.pieces) }
      }
      builder.fill(to: count)
      pieces = builder.finish()
    }
    self.pieces = pieces
    // The spacing behind the last row does not belong to the body.
    height = count == 0 ? 0 : pieces.bottom - metrics.rowSpacing
    reach = metrics.reach(height: height)
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
    let piece = pieces.piece(of: row)
    return frame(top: pieces.top(of: row, in: piece), bottom: pieces.top(of: row + 1, in: piece))
  }

  var movingPeriod: Int? { 1 }

  func forEachOutermostFrame(of rows: Range<Int>, _ body: (Rect) -> Void) {
    // Between the first and the last row there are only others of the same width.
    body(frame(of: rows.lowerBound))
    if rows.count > 1 { body(frame(of: rows.upperBound - 1)) }
  }

  func top(ofItemsFrom row: Int) -> Double {
    row < count ? pieces.top(of: row, in: pieces.piece(of: row)) : height
  }

  func offerFrames(in rect: Rect, from start: Int, to sink: inout FrameSink) -> Bool {
    let left = metrics.x(of: 0)
    guard count > 0, left <= rect.maxX, rect.origin.x <= left + metrics.width(ofSpan: 1) else {
      return true
    }
    guard sink.pass(1, before: start) else { return false }
    let (low, high) = (rect.origin.y - metrics.padding, rect.maxY - metrics.padding)
    // The row before may also reach into the rect.
    var row = max(pieces.firstRow(at: low) - 1, start, 0)
    guard row < count else { return true }
    for piece in pieces.piece(of: row)..<pieces.count {
      var top = pieces.top(of: row, in: piece)
      while row < pieces.firsts[piece + 1] {
        if top > high { return true }
        let bottom = pieces.top(of: row + 1, in: piece)
        if !sink.offer(row, frame(top: top, bottom: bottom)) { return false }
        top = bottom
        row += 1
      }
    }
    return true
  }
}

/// The distances of rows from the top, in pieces of any length.
private struct RowPieces: Sendable {
  static let mostRows = 4096

  /// The distances of the rows of each piece from its top.
  fileprivate(set) var starts = SharedSteps()
  /// The first row of each piece, and the number of all rows.
  fileprivate(set) var firsts = [0]
  /// The top of each piece, and the bottom of the last.
  fileprivate(set) var tops = [0.0]

  var count: Int { firsts.count - 1 }
  var bottom: Double { tops[tops.count - 1] }

  /// The piece of a row that exists.
  @inline(__always)
  func piece(of row: Int) -> Int {
    let guess = Int(Double(row) / Double(firsts[count]) * Double(count))
    return partitionPoint(in: 0..<count, near: guess) { firsts[$0 + 1] <= row }
  }

  /// The top of a row of a piece, or of the first one behind it.
  @inline(__always)
  func top(of row: Int, in piece: Int) -> Double {
    row < firsts[piece + 1]
      ? tops[piece] + starts.lengths[piece][row - firsts[piece]] : tops[piece + 1]
  }

  /// The first row whose top is at least `y`.
  @inline(__always)
  func firstRow(at y: Double) -> Int {
    guard count > 0 else { return 0 }
    let guess = Int(clamping: y / bottom * Double(count))
    let piece = max(0, partitionPoint(in: 0..<count, near: guess) { tops[$0] < y } - 1)
    let rows = firsts[piece]..<firsts[piece + 1]
    let near = (y - tops[piece]) / (tops[piece + 1] - tops[piece]) * Double(rows.count)
    return partitionPoint(in: rows, near: rows.lowerBound + Int(clamping: near)) {
      top(of: $0, in: piece) < y
    }
  }

  private var indexBytes: Int { firsts.count * 16 + 64 }
  var memoryBytes: Int { starts.memoryBytes + indexBytes }

  func memoryBytes(besides other: RowPieces) -> Int {
    starts.memoryBytes(besides: other.starts) + indexBytes
  }
}

/// Makes pieces, and takes those of an earlier version whose rows are unchanged.
private struct RowPiecesBuilder {
  private var pieces = RowPieces()
  private let spacing: Double
  private let heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  private let room: UnsafeMutableBufferPointer<Double>

  init(
    spacing: Double, roomCount: Int,
    heights: @escaping (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.spacing = spacing
    self.heights = heights
    room = .allocate(capacity: roomCount)
  }

  consuming func finish() -> RowPieces {
    room.deallocate()
    return pieces
  }

  /// Takes the pieces of which all rows are kept, and lays out the rows before them.
  mutating func keep(_ kept: EarlierBody.Kept, of old: RowPieces) {
    var first = partitionPoint(in: 0..<old.count) { old.firsts[$0] < kept.source }
    let end = partitionPoint(in: first..<old.count) { old.firsts[$0 + 1] <= kept.sourceEnd }
    let shift = kept.items.lowerBound - kept.source
    // A few rows become a piece with their neighbours, so that pieces do not get smaller and
    // smaller.
    if first < end {
      let gap = old.firsts[first] + shift - pieces.firsts[pieces.count]
      if gap > 0, old.firsts[first + 1] - old.firsts[first] + gap <= RowPieces.mostRows {
        first += 1
      }
    }
    guard first < end else { return }
    fill(to: old.firsts[first] + shift)
    pieces.starts.append(first..<end, of: old.starts)
    let down = pieces.bottom - old.tops[first]
    for piece in first..<end {
      pieces.firsts.append(old.firsts[piece + 1] + shift)
      pieces.tops.append(old.tops[piece + 1] + down)
    }
  }

  /// Lays out the rows up to a row.
  mutating func fill(to end: Int) {
    guard pieces.firsts[pieces.count] < end else { return }
    if pieces.count > 0, end - pieces.firsts[pieces.count - 1] <= RowPieces.mostRows {
      pieces.starts.removeLast()
      pieces.firsts.removeLast()
      pieces.tops.removeLast()
    }
    let start = pieces.firsts[pieces.count]
    // Pieces of equal size, of whole rows.
    let count = (end - start - 1) / RowPieces.mostRows + 1
    for piece in 1...count {
      let rows = pieces.firsts[pieces.count]..<start + (end - start) * piece / count
      heights(rows, room.baseAddress!)
      var ends = [pieces.bottom]
      pieces.starts.append(
        sumsOf: UnsafeBufferPointer(start: room.baseAddress!, count: rows.count), spacing: spacing,
        to: &ends)
      pieces.firsts.append(rows.upperBound)
      pieces.tops += ends
    }
  }
}
