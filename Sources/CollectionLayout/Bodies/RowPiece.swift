/// Rows below each other, with what is between them: a piece of a ``RowRope``. It never changes.
///
/// `@unchecked Sendable`: the tops are written once, before the piece is shared.
struct RowPiece: @unchecked Sendable {
  /// The largest number of rows whose tops are stored together.
  static let mostRows = 1024
  /// So many rows of one height are worth a piece of their own.
  static let leastEvenRows = 256

  /// How many rows it has, > 0.
  let count: Int
  /// How long they are together. Lengths are whole steps, so sums of them are exact.
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

  /// Whether both certainly are one.
  func isSame(as other: RowPiece) -> Bool {
    count == other.count
      && (isEven ? other.isEven && pitch == other.pitch : storage === other.storage)
  }

  /// Some of the rows.
  ///
  /// - Precondition: The rows are of one height.
  func slice(_ range: Range<Int>) -> RowPiece {
    precondition(isEven, "pieces with stored tops are not cut")
    return RowPiece(count: range.count, pitch: pitch)
  }

  /// This piece and the one behind it as one; `nil` if they are better kept apart.
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

/// Kept rows that have all moved by the same distance, and the rows between them that are others.
private struct KeptRows {
  var rows: Range<Int>
  /// By how many rows they have moved.
  let shift: Int
  var replaced: [Range<Int>] = []

  /// - Parameter kept: In order.
  static func all(_ kept: [EarlierBody.Kept]) -> [KeptRows] {
    var all: [KeptRows] = []
    for run in kept {
      let (shift, last) = (run.items.lowerBound - run.source, all.count - 1)
      guard last >= 0, all[last].shift == shift else {
        all.append(KeptRows(rows: run.items, shift: shift))
        continue
      }
      let between = all[last].rows.upperBound..<run.items.lowerBound
      if !between.isEmpty { all[last].replaced.append(between) }
      all[last].rows = all[last].rows.lowerBound..<run.items.upperBound
    }
    return all
  }
}

/// Makes pieces of rows, and takes those of an earlier version whose rows are unchanged.
struct RowPiecesBuilder {
  private var pieces: [RowPiece] = []
  /// How many rows they have.
  private var count = 0
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

  consuming func finish() -> RowRope {
    room.deallocate()
    return RowRope(pieces)
  }

  private mutating func append(_ piece: RowPiece) {
    count += piece.count
    if let joined = pieces.last?.joined(with: piece) {
      pieces[pieces.count - 1] = joined
    } else {
      pieces.append(piece)
    }
  }

  /// Takes the pieces of which rows are kept, and lays out the rows between them.
  mutating func keep(_ kept: [EarlierBody.Kept], of old: RowRope) {
    for kept in KeptRows.all(kept) {
      let shift = kept.shift
      var start = kept.rows.lowerBound
      var rest = kept.replaced[...]
      while let first = rest.first {
        let (piece, oldRows) = old.piece(ofRow: first.lowerBound - shift)
        let rows = oldRows.lowerBound + shift..<oldRows.upperBound + shift
        let replaced = rest.prefix { $0.lowerBound < rows.upperBound }
        rest = rest.dropFirst(replaced.count)
        let isWhole =
          start <= rows.lowerBound && kept.rows.upperBound >= rows.upperBound
          && replaced[replaced.endIndex - 1].upperBound <= rows.upperBound
        if isWhole, let other = self.replacing(replaced, in: piece, from: rows.lowerBound) {
          share(start..<rows.lowerBound, of: old, shift)
          fill(to: rows.lowerBound)
          append(other)
          start = rows.upperBound
        } else {
          for range in replaced {
            share(start..<range.lowerBound, of: old, shift)
            start = range.upperBound
          }
        }
      }
      share(start..<kept.rows.upperBound, of: old, shift)
    }
  }

  /// A piece of an earlier version with other heights of a few rows; `nil` if it must be made anew.
  ///
  /// - Parameters:
  ///   - changed: The rows of other heights.
  ///   - first: The first row of the piece.
  private func replacing(
    _ changed: ArraySlice<Range<Int>>, in piece: RowPiece, from first: Int
  ) -> RowPiece? {
    guard !piece.isEven, changed.reduce(0, { $0 + $1.count }) <= Self.mostReplaced else {
      return nil
    }
    var lengths: [(index: Int, length: Double)] = []
    for range in changed {
      heights(range, room.baseAddress!)
      for row in range { lengths.append((row - first, room[row - range.lowerBound] + spacing)) }
    }
    return piece.replacing(lengths)
  }

  /// Takes the pieces that lie in a range of kept rows.
  private mutating func share(_ range: Range<Int>, of old: RowRope, _ shift: Int) {
    guard !range.isEmpty else { return }
    let kept = range.lowerBound - shift..<range.upperBound - shift
    var (start, end) = (kept.lowerBound, kept.upperBound)
    let (first, firstRows) = old.piece(ofRow: start)
    if firstRows.lowerBound < start || first.isEven,
      !first.isEven || min(firstRows.upperBound, end) - start < RowPiece.leastEvenRows
    {
      start = firstRows.upperBound
    }
    guard start < end else { return }
    let (last, lastRows) = old.piece(ofRow: end - 1)
    if lastRows.upperBound > end || last.isEven,
      !last.isEven || end - max(lastRows.lowerBound, start) < RowPiece.leastEvenRows
    {
      end = lastRows.lowerBound
    }
    guard start < end else { return }
    // A few rows become a piece with their neighbours, so that pieces do not get smaller and
    // smaller.
    let gap = start + shift - count
    let (next, nextRows) = old.piece(ofRow: start)
    if gap > 0, !next.isEven, nextRows.count + gap <= RowPiece.mostRows {
      start = nextRows.upperBound
    }
    guard start < end else { return }
    fill(to: start + shift)
    for piece in old.pieces(ofRows: start..<end) { append(piece) }
  }

  /// Lays out the rows up to a row.
  mutating func fill(to end: Int) {
    guard count < end else { return }
    if let last = pieces.last, !last.isEven, end - (count - last.count) <= RowPiece.mostRows {
      count -= pieces.removeLast().count
    }
    let start = count
    // Pieces of equal size, of whole rows.
    let pieceCount = (end - start - 1) / RowPiece.mostRows + 1
    for piece in 1...pieceCount {
      let rows = count..<start + (end - start) * piece / pieceCount
      heights(rows, room.baseAddress!)
      append(RowPiece(UnsafeBufferPointer(rebasing: room[..<rows.count]), spacing: spacing))
    }
  }
}
