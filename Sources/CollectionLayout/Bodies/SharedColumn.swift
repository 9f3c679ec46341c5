import Memory

/// A column of numbers that versions of a layout share, in pieces of some thousand.
///
///     piece    │ 0 … 4095 │ 4096 … 8191 │ 8192 … 9000 │
///
/// Whoever goes on from an earlier version shares its whole pieces, and copies what is left. A
/// piece comes from the ``PagePool``.
///
/// `@unchecked Sendable`: a piece is written by the column that adds it, and only read once the
/// column is part of a body.
struct SharedColumn<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private final class Piece {
    let base: UnsafeMutablePointer<Element>
    private let byteCount: Int

    init(capacity: Int) {
      byteCount = capacity * MemoryLayout<Element>.stride
      guard let memory = PagePool.shared.take(byteCount) else {
        fatalError("no memory for \(byteCount) bytes")
      }
      base = memory.bindMemory(to: Element.self, capacity: capacity)
    }

    deinit { PagePool.shared.giveBack(base, byteCount) }
  }

  /// How many elements a piece has; the last one may have fewer.
  private let pieceCount: Int
  private var pieces: [Piece] = []
  /// The pieces' memory, to be read without counting references to them.
  private var bases: [UnsafeMutablePointer<Element>] = []
  private(set) var count = 0
  /// How many elements there is room for.
  private var capacity = 0

  init(pieceCount: Int = 4096) { self.pieceCount = pieceCount }

  /// The elements before an index; what whole pieces hold of them is shared.
  ///
  /// - Complexity: O(*p*) for *p* pieces.
  func prefix(_ end: Int) -> SharedColumn {
    var column = SharedColumn(pieceCount: pieceCount)
    let whole = end / pieceCount
    column.pieces = Array(pieces[..<whole])
    column.bases = Array(bases[..<whole])
    column.count = whole * pieceCount
    column.capacity = column.count
    for index in column.count..<end { column.append(self[index]) }
    return column
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { addPiece() }
    (bases[bases.count - 1] + count % pieceCount).initialize(to: element)
    count += 1
  }

  /// Adds a piece with anything in it.
  ///
  /// - Parameter size: How many elements, if it is the last one that the column will ever have.
  /// - Returns: Its memory, all of which the caller writes before the column is read.
  @inline(never)
  @discardableResult
  mutating func addPiece(of size: Int? = nil) -> UnsafeMutablePointer<Element> {
    let piece = Piece(capacity: size ?? pieceCount)
    pieces.append(piece)
    bases.append(piece.base)
    capacity += size ?? pieceCount
    return piece.base
  }

  /// Says that the memory of the piece that was added last is written.
  mutating func addWritten(_ added: Int) { count += added }

  /// Gives back what the last piece has too much; nothing is to be appended any more.
  mutating func close() {
    guard count < capacity, let last = bases.last else { return }
    let used = count - (bases.count - 1) * pieceCount
    let piece = Piece(capacity: used)
    piece.base.update(from: last, count: used)
    pieces[pieces.count - 1] = piece
    bases[bases.count - 1] = piece.base
    capacity = count
  }

  @inline(__always)
  subscript(index: Int) -> Element { bases[index / pieceCount][index % pieceCount] }

  @inline(__always)
  func base(ofPiece piece: Int) -> UnsafeMutablePointer<Element> { bases[piece] }

  var memoryBytes: Int {
    capacity * MemoryLayout<Element>.stride + pieces.count * 64 + 64
  }
}
