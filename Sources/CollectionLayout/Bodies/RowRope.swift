/// Rows in pieces, one behind the other. Versions of a layout share the pieces.
///
///     places   │ row 0, top 0 │ row 1024, top 45056 │ row 1028, top 45232 │ …
///
/// A piece knows nothing of where it stands. So a change of a row makes one new piece, and the
/// places anew: a thousand of them for 1,000,000 rows.
///
/// `@unchecked Sendable`: the places are written once, before the rope is shared.
struct RowRope: @unchecked Sendable {
  /// A piece, and where it stands.
  private struct Place {
    let first: Int
    let top: Double
    let piece: RowPiece
  }

  /// Holds the places in bare memory, so that a query reads them without counting references.
  private final class Memory {
    let places: UnsafeMutableBufferPointer<Place>

    init(_ places: [Place]) {
      self.places = .allocate(capacity: places.count)
      _ = self.places.initialize(from: places)
    }

    deinit {
      places.deinitialize()
      places.deallocate()
    }
  }

  private let memory: Memory
  private let places: UnsafeBufferPointer<Place>
  /// The number of rows.
  let count: Int
  /// The length of all rows together.
  let length: Double

  init(_ pieces: [RowPiece]) {
    var (count, length) = (0, 0.0)
    memory = Memory(
      pieces.map { piece in
        defer {
          count += piece.count
          length += piece.length
        }
        return Place(first: count, top: length, piece: piece)
      })
    places = UnsafeBufferPointer(memory.places)
    (self.count, self.length) = (count, length)
  }

  var pieceCount: Int { places.count }

  /// The index of the piece that has a row.
  ///
  /// - Parameter row: From 0 to `count` − 1.
  /// - Complexity: O(log *p*) for *p* pieces; O(1) if they are of equal size.
  @inline(__always)
  func index(ofRow row: Int) -> Int {
    let guess = Int(Double(row) / Double(count) * Double(places.count))
    return partitionPoint(in: 1..<places.count, near: guess) { places[$0].first <= row } - 1
  }

  /// The index of the last piece whose top is above `y`; 0 if there is none.
  ///
  /// - Precondition: There are rows.
  @inline(__always)
  func index(above y: Double) -> Int {
    let guess = Int(clamping: y / length * Double(places.count))
    return partitionPoint(in: 1..<places.count, near: guess) { places[$0].top < y } - 1
  }

  /// The first row of a piece.
  @inline(__always)
  func first(ofPiece index: Int) -> Int { places[index].first }

  /// The length of all that is before a piece.
  @inline(__always)
  func top(ofPiece index: Int) -> Double { places[index].top }

  /// Calls `body` with a piece, without counting a reference.
  @inline(__always)
  func withPiece<R>(_ index: Int, _ body: (borrowing RowPiece) -> R) -> R {
    body(places[index].piece)
  }

  /// The piece that has a row, and its rows.
  func piece(ofRow row: Int) -> (piece: RowPiece, rows: Range<Int>) {
    let place = places[index(ofRow: row)]
    return (place.piece, place.first..<place.first + place.piece.count)
  }

  /// Writes the lengths of rows, with what is behind each.
  func readLengths(_ rows: Range<Int>, into lengths: UnsafeMutablePointer<Double>) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      let (piece, all) = piece(ofRow: row)
      for index in row..<min(all.upperBound, rows.upperBound) {
        lengths[index - rows.lowerBound] =
          piece.start(of: index + 1 - all.lowerBound) - piece.start(of: index - all.lowerBound)
      }
      row = all.upperBound
    }
  }

  /// The pieces of a range of rows. They are whole, but for the first and the last.
  func pieces(ofRows rows: Range<Int>) -> [RowPiece] {
    guard !rows.isEmpty else { return [] }
    return (index(ofRow: rows.lowerBound)...index(ofRow: rows.upperBound - 1)).map { index in
      let (piece, first) = (places[index].piece, places[index].first)
      let part = rows.clamped(to: first..<first + piece.count)
      return part.count == piece.count
        ? piece : piece.slice(part.lowerBound - first..<part.upperBound - first)
    }
  }

  var memoryBytes: Int { memoryBytes { _ in true } }

  private func memoryBytes(where isCounted: (Int) -> Bool) -> Int {
    places.indices.reduce(64 + places.count * MemoryLayout<Place>.stride) {
      isCounted($1) ? $0 + places[$1].piece.memoryBytes : $0
    }
  }

  /// Bytes held that another rope does not hold, too. It may be more than that, but not less.
  ///
  /// - Complexity: O(*p*) for *p* pieces.
  func memoryBytes(besides other: RowRope) -> Int {
    // Most pieces are where they were, counted from the first or from the last.
    let shift = other.places.count - places.count
    return memoryBytes { index in
      ![index, index + shift].contains {
        other.places.indices.contains($0) && places[index].piece.isSame(as: other.places[$0].piece)
      }
    }
  }
}
