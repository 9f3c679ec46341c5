import System

/// Lengths in pieces, each in 32 bits if possible. Versions of a layout share the pieces.
///
/// All lengths are whole steps of 1/1024 point. A piece whose lengths are all below 2³² steps,
/// about 4 million points, holds their numbers of steps. Any other piece holds doubles.
///
/// `@unchecked Sendable`: a piece is written once, before it is shared.
struct SharedSteps: @unchecked Sendable {
  private final class Piece {
    let memory: UnsafeMutableRawPointer
    let byteCount: Int

    init(byteCount: Int) {
      self.byteCount = byteCount
      memory = PagePool.shared.allocate(byteCount)
    }

    deinit { PagePool.shared.giveBack(memory, byteCount) }
  }

  /// A piece, read without counting references.
  struct Lengths {
    private let memory: UnsafeRawPointer
    private let isWide: Bool

    /// Writes lengths into memory, 8 bytes for each if `isWide`, else 4.
    static func write(
      _ lengths: UnsafeBufferPointer<Double>, to memory: UnsafeMutableRawPointer, isWide: Bool
    ) -> Lengths {
      if isWide {
        memory.copyMemory(from: lengths.baseAddress!, byteCount: lengths.count * 8)
      } else {
        let steps = memory.assumingMemoryBound(to: UInt32.self)
        for index in lengths.indices {
          // The lower half of such a double is the whole number that was added.
          steps[index] = UInt32(
            truncatingIfNeeded: (lengths[index] * 1024 + 0x1p52).bitPattern)
        }
      }
      return Lengths(memory: UnsafeRawPointer(memory), isWide: isWide)
    }

    @inline(__always)
    subscript(index: Int) -> Double {
      isWide
        ? memory.load(fromByteOffset: index &* 8, as: Double.self)
        : Double(memory.load(fromByteOffset: index &* 4, as: UInt32.self)) * 0x1p-10
    }
  }

  private var pieces: [Piece] = []
  private(set) var lengths: [Lengths] = []

  /// Whether some lengths need 64 bits each.
  static func needWidth(_ lengths: UnsafeBufferPointer<Double>) -> Bool {
    var narrow = 0
    for length in lengths { narrow &+= length < 0x1p22 ? 1 : 0 }
    return narrow < lengths.count
  }

  /// Adds a piece.
  ///
  /// - Parameter lengths: At least one, each ≥ 0.
  mutating func append(_ lengths: UnsafeBufferPointer<Double>) {
    let isWide = Self.needWidth(lengths)
    let piece = Piece(byteCount: lengths.count * (isWide ? 8 : 4))
    pieces.append(piece)
    self.lengths.append(.write(lengths, to: piece.memory, isWide: isWide))
  }

  /// The first pieces.
  ///
  /// - Complexity: O(*p*) for *p* pieces.
  func prefix(_ pieceCount: Int) -> SharedSteps {
    var steps = SharedSteps()
    steps.pieces = Array(pieces[..<pieceCount])
    steps.lengths = Array(lengths[..<pieceCount])
    return steps
  }

  var memoryBytes: Int { memoryBytes(from: 0) }

  private func memoryBytes(from first: Int) -> Int {
    pieces[first...].reduce(64) { $0 + $1.byteCount + 72 }
  }

  /// Bytes held beyond the pieces at the start that another version has, too.
  ///
  /// - Complexity: O(*p*) for *p* pieces.
  func memoryBytes(besides other: SharedSteps) -> Int {
    memoryBytes(from: zip(pieces, other.pieces).prefix { $0 === $1 }.count)
  }
}
