import System

/// A column of numbers in pieces of some thousand. Versions of a layout share the pieces.
///
///     piece    │ 0 … 4095 │ 4096 … 8191 │ 8192 … 9000 │
///
/// A version that continues an earlier one shares its full pieces and copies the rest of the last
/// one. The memory of a piece comes from the ``PagePool``.
///
/// `@unchecked Sendable`: only the column that adds a piece writes to it. Once the column is part
/// of a body, the piece is only read.
struct SharedColumn<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private final class Piece {
    let base: UnsafeMutablePointer<Element>
    private let byteCount: Int

    init(capacity: Int) {
      byteCount = capacity * MemoryLayout<Element>.stride
      base = PagePool.shared.allocate(byteCount).bindMemory(to: Element.self, capacity: capacity)
    }

    deinit { PagePool.shared.giveBack(base, byteCount) }
  }

  /// How many elements a full piece has. The last piece may have fewer.
  private let pieceCount: Int
  /// To divide by ``pieceCount``, which would take longer than all else of reading an element.
  private let shift: Int
  private var pieces: [Piece] = []
  /// The memory of the pieces. Reading it this way counts no references.
  private var bases: [UnsafeMutablePointer<Element>] = []
  private(set) var count = 0
  /// How many elements there is room for.
  private var capacity = 0

  /// - Parameter pieceCount: A power of two.
  init(pieceCount: Int = 4096) {
    precondition(pieceCount.nonzeroBitCount == 1, "\(pieceCount) is no power of two")
    self.pieceCount = pieceCount
    shift = pieceCount.trailingZeroBitCount
  }

  /// The elements before an index. Full pieces are shared, the rest is copied.
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
    (bases[bases.count - 1] + count & (pieceCount - 1)).initialize(to: element)
    count += 1
  }

  @inline(never)
  private mutating func addPiece() {
    let piece = Piece(capacity: pieceCount)
    pieces.append(piece)
    bases.append(piece.base)
    capacity += pieceCount
  }

  /// Frees the unused part of the last piece. Nothing may be appended afterwards.
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
  subscript(index: Int) -> Element { bases[index &>> shift][index & (pieceCount &- 1)] }

  var memoryBytes: Int {
    capacity * MemoryLayout<Element>.stride + pieces.count * 64 + 64
  }

  /// Bytes held beyond the pieces at the start that another column has, too.
  ///
  /// - Complexity: O(*p*) for *p* pieces.
  func memoryBytes(besides other: SharedColumn) -> Int {
    let shared = zip(bases, other.bases).prefix { $0 == $1 }.count
    return memoryBytes
      - min(shared * pieceCount, capacity) * MemoryLayout<Element>.stride - shared * 64
  }
}
