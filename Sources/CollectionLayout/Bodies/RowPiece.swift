/// Rows below each other, with what is between them: a piece of a ``RowsBody``.
///
/// `@unchecked Sendable`: the tops are written once, before the piece is shared.
struct RowPiece: RopePiece, @unchecked Sendable {
  /// The largest number of rows whose tops are stored together.
  static let mostRows = 1024
  /// So many rows of one height are worth a piece of their own.
  static let leastEvenRows = 256

  let count: Int
  let length: Double
  /// Held for ``starts``; `nil` if all rows are of one height.
  private let storage: SharedSteps.Piece?
  private let starts: SharedSteps.Lengths?
  private let pitch: Double

  /// Rows of one height.
  ///
  /// - Parameter pitch: From the top of one to the top of the next.
  init(count: Int, pitch: Double) {
    self.count = count
    self.pitch = pitch
    length = Double(count) * pitch
    storage = nil
    starts = nil
  }

  /// - Parameters:
  ///   - heights: In whole steps.
  ///   - spacing: What is behind each row.
  init(_ heights: UnsafeBufferPointer<Double>, spacing: Double) {
    var ends = [0.0]
    let (storage, starts) = SharedSteps.sums(of: heights, spacing: spacing, to: &ends)
    self.init(storage, starts, count: heights.count, length: ends[0])
  }

  private init(
    _ storage: SharedSteps.Piece, _ starts: SharedSteps.Lengths, count: Int, length: Double
  ) {
    self.count = count
    self.length = length
    self.storage = storage
    self.starts = starts
    pitch = 0
  }

  var isEven: Bool { storage == nil }
  var memoryBytes: Int { storage?.memoryBytes ?? 0 }

  /// The distance of a row from the top of the piece; the length for the row behind the last.
  @inline(__always)
  func start(of index: Int) -> Double {
    if index == count { return length }
    return starts.map { $0[index] } ?? Double(index) * pitch
  }

  func isSame(as other: RowPiece) -> Bool {
    count == other.count
      && (isEven ? other.isEven && pitch == other.pitch : storage === other.storage)
  }

  /// - Precondition: The rows are of one height.
  func slice(_ range: Range<Int>) -> RowPiece {
    precondition(isEven, "pieces with stored tops are not cut")
    return RowPiece(count: range.count, pitch: pitch)
  }

  func joined(with next: RowPiece) -> RowPiece? {
    isEven && next.isEven && pitch == next.pitch
      ? RowPiece(count: count + next.count, pitch: pitch) : nil
  }

  /// The piece with other heights of some rows; `nil` if it must be made from all heights.
  ///
  /// - Parameter rows: Their places, and their heights with what is behind them; in order.
  /// - Complexity: O(*r* · *n*) for *r* of *n* rows, a few of which fit in a cycle.
  func replacing(_ rows: [(index: Int, length: Double)]) -> RowPiece? {
    guard let starts,
      let (storage, lengths, end) = SharedSteps.replacing(
        rows, in: starts, count: count, end: length)
    else { return nil }
    return RowPiece(storage, lengths, count: count, length: end)
  }
}

/// Makes pieces of rows, and takes those of an earlier version whose rows are unchanged.
struct RowPiecesBuilder {
  private var pieces = PieceRopeBuilder<RowPiece>()
  private let spacing: Double
  private let heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  private let room: UnsafeMutableBufferPointer<Double>

  /// More rows of a piece are not replaced one by one.
  private static let mostReplaced = 16

  init(
    spacing: Double, roomCount: Int,
    heights: @escaping (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.spacing = spacing
    self.heights = heights
    room = .allocate(capacity: roomCount)
  }

  consuming func finish() -> PieceRope<RowPiece> {
    room.deallocate()
    return pieces.finish()
  }

  /// Takes the pieces of which rows are kept, and lays out the rows between them.
  mutating func keep(_ kept: [EarlierBody.Kept], of old: PieceRope<RowPiece>) {
    var rest = kept[...]
    while let first = rest.popFirst() {
      var start = first.items.lowerBound
      var end = first.items.upperBound
      let shift = start - first.source
      // Rows between that are others, but as many.
      while let next = rest.first, next.items.lowerBound - next.source == shift {
        let replaced = end..<next.items.lowerBound
        guard !replaced.isEmpty else {
          (end, rest) = (next.items.upperBound, rest.dropFirst())
          continue
        }
        let (_, rows) = old.piece(of: replaced.lowerBound - shift)
        let piece = rows.lowerBound + shift..<rows.upperBound + shift
        var changed = [replaced]
        var last = rest.dropFirst()
        var lastEnd = next.items.upperBound
        while lastEnd < piece.upperBound, let next = last.first,
          next.items.lowerBound - next.source == shift
        {
          changed.append(lastEnd..<next.items.lowerBound)
          lastEnd = next.items.upperBound
          last = last.dropFirst()
        }
        if start <= piece.lowerBound, lastEnd >= piece.upperBound,
          changed[changed.count - 1].upperBound <= piece.upperBound,
          let other = self.replacing(changed, in: old, at: replaced.lowerBound - shift, shift)
        {
          share(start..<piece.lowerBound, of: old, shift)
          fill(to: piece.lowerBound)
          pieces.append(other)
          (start, end, rest) = (piece.upperBound, lastEnd, last)
        } else {
          share(start..<end, of: old, shift)
          (start, end, rest) = (next.items.lowerBound, next.items.upperBound, rest.dropFirst())
        }
      }
      share(start..<end, of: old, shift)
    }
  }

  /// A piece of an earlier version with other heights of a few rows; `nil` if it must be made anew.
  ///
  /// - Parameters:
  ///   - changed: The rows of other heights.
  ///   - row: A row of the piece, in the earlier version.
  private func replacing(
    _ changed: [Range<Int>], in old: PieceRope<RowPiece>, at row: Int, _ shift: Int
  ) -> RowPiece? {
    let (piece, rows) = old.piece(of: row)
    guard !piece.isEven, changed.reduce(0, { $0 + $1.count }) <= Self.mostReplaced else {
      return nil
    }
    var lengths: [(index: Int, length: Double)] = []
    for range in changed {
      heights(range, room.baseAddress!)
      for row in range {
        lengths.append(
          (row - shift - rows.lowerBound, room[row - range.lowerBound] + spacing))
      }
    }
    return piece.replacing(lengths)
  }

  /// Takes the pieces that lie in a range of kept rows.
  private mutating func share(_ range: Range<Int>, of old: PieceRope<RowPiece>, _ shift: Int) {
    guard !range.isEmpty else { return }
    let kept = range.lowerBound - shift..<range.upperBound - shift
    var (start, end) = (kept.lowerBound, kept.upperBound)
    let (first, firstRows) = old.piece(of: start)
    if firstRows.lowerBound < start || first.isEven,
      !first.isEven || min(firstRows.upperBound, end) - start < RowPiece.leastEvenRows
    {
      start = firstRows.upperBound
    }
    guard start < end else { return }
    let (last, lastRows) = old.piece(of: end - 1)
    if lastRows.upperBound > end || last.isEven,
      !last.isEven || end - max(lastRows.lowerBound, start) < RowPiece.leastEvenRows
    {
      end = lastRows.lowerBound
    }
    guard start < end else { return }
    // A few rows become a piece with their neighbours, so that pieces do not get smaller and
    // smaller.
    let gap = start + shift - pieces.count
    let (next, nextRows) = old.piece(of: start)
    if gap > 0, !next.isEven, nextRows.count + gap <= RowPiece.mostRows {
      start = nextRows.upperBound
    }
    guard start < end else { return }
    fill(to: start + shift)
    pieces.append(start..<end, of: old)
  }

  /// Lays out the rows up to a row.
  mutating func fill(to end: Int) {
    guard pieces.count < end else { return }
    if let last = pieces.last, !last.isEven,
      end - (pieces.count - last.count) <= RowPiece.mostRows
    {
      pieces.removeLast()
    }
    let start = pieces.count
    // Pieces of equal size, of whole rows.
    let count = (end - start - 1) / RowPiece.mostRows + 1
    for piece in 1...count {
      let rows = pieces.count..<start + (end - start) * piece / count
      heights(rows, room.baseAddress!)
      pieces.append(RowPiece(UnsafeBufferPointer(rebasing: room[..<rows.count]), spacing: spacing))
    }
  }
}
