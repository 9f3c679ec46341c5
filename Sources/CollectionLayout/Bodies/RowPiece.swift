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
}

/// Makes pieces of rows, and takes those of an earlier version whose rows are unchanged.
struct RowPiecesBuilder {
  private var pieces: [RowPiece] = []
  /// How many rows they have.
  private var count = 0
  private let spacing: Double
  private let heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  private let room: UnsafeMutableBufferPointer<Double>
  /// The rows of an earlier version, and which of them are kept.
  private let old: RowRope?
  private let kept: [EarlierBody.Kept]

  init(
    spacing: Double, roomCount: Int, after old: RowRope?, keeping kept: [EarlierBody.Kept],
    heights: @escaping (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.spacing = spacing
    self.heights = heights
    self.old = old
    self.kept = old == nil ? [] : kept
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

  /// Takes the pieces all of whose rows are kept, and lays out the rows between them.
  mutating func keepPieces() {
    for run in kept { share(run.items, of: old!, run.items.lowerBound - run.source) }
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
      readHeights(of: rows, into: room.baseAddress!)
      append(RowPiece(UnsafeBufferPointer(rebasing: room[..<rows.count]), spacing: spacing))
    }
  }

  /// Writes the heights of rows: those of kept rows as they were.
  private func readHeights(of rows: Range<Int>, into target: UnsafeMutablePointer<Double>) {
    var row = rows.lowerBound
    func readNew(upTo end: Int) {
      if row < end { heights(row..<end, target + row - rows.lowerBound) }
    }
    let first = partitionPoint(in: 0..<kept.count) { kept[$0].items.upperBound <= row }
    for run in kept[first...] {
      let part = run.items.clamped(to: rows)
      guard !part.isEmpty else { break }
      readNew(upTo: part.lowerBound)
      let source = run.source + part.lowerBound - run.items.lowerBound
      let lengths = target + part.lowerBound - rows.lowerBound
      old!.readLengths(source..<source + part.count, into: lengths)
      for index in 0..<part.count { lengths[index] -= spacing }
      row = part.upperBound
    }
    readNew(upTo: rows.upperBound)
  }
}
