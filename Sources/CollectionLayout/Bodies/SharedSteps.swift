import System

/// Lengths in pieces, each in 32 bits if possible. Versions of a layout share the pieces.
///
/// All lengths are whole steps of 1/1024 point. A piece whose lengths are all below 2³² steps,
/// about 4 million points, holds their numbers of steps. Any other piece holds doubles.
///
/// `@unchecked Sendable`: a piece is written once, before it is shared.
struct SharedSteps: @unchecked Sendable {
  final class Piece {
    fileprivate let memory: UnsafeMutableRawPointer
    let byteCount: Int

    init(byteCount: Int) {
      self.byteCount = byteCount
      memory = PagePool.shared.allocate(byteCount)
    }

    deinit { PagePool.shared.giveBack(memory, byteCount) }

    var memoryBytes: Int { byteCount + 72 }
  }

  /// A piece, read without counting references.
  struct Lengths {
    fileprivate let memory: UnsafeRawPointer
    fileprivate let isWide: Bool

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

  /// Adds a piece of running sums: of each length, how far its place is from the top of its track.
  ///
  ///     [track 0, from the top down] [track 1, from the top down] …
  ///
  /// Lengths go to the tracks in turn. Where the last row has no length for a track, the piece has
  /// the bottom of the track.
  ///
  /// - Parameters:
  ///   - lengths: At least one and at most some thousand, each ≥ 0, in whole steps.
  ///   - spacing: What is behind each length.
  ///   - ends: The bottom of each track, which moves down by the sum of its lengths.
  mutating func append(
    sumsOf lengths: UnsafeBufferPointer<Double>, spacing: Double, to ends: inout [Double]
  ) {
    let (piece, starts) = Self.sums(of: lengths, spacing: spacing, to: &ends)
    pieces.append(piece)
    self.lengths.append(starts)
  }

  /// A piece of running sums, as ``append(sumsOf:spacing:to:)`` adds it.
  static func sums(
    of lengths: UnsafeBufferPointer<Double>, spacing: Double, to ends: inout [Double]
  ) -> (Piece, Lengths) {
    let trackCount = ends.count
    let rows = (lengths.count - 1) / trackCount + 1
    let isNarrow = spacing < 0x1p22 && !needWidth(lengths)
    if isNarrow, let (piece, sums) = narrowSums(of: lengths, rows, spacing, trackCount) {
      for track in sums.indices { ends[track] += Double(sums[track]) * 0x1p-10 }
      return (piece, Lengths(memory: UnsafeRawPointer(piece.memory), isWide: false))
    }
    let piece = Piece(byteCount: rows * trackCount * 8)
    let starts = piece.memory.bindMemory(to: Double.self, capacity: rows * trackCount)
    for track in 0..<trackCount {
      var sum = 0.0
      for row in 0..<rows {
        starts[track * rows + row] = sum
        let index = row * trackCount + track
        if index < lengths.count { sum += lengths[index] + spacing }
      }
      ends[track] += sum
    }
    return (piece, Lengths(memory: UnsafeRawPointer(piece.memory), isWide: true))
  }

  /// The sums in 32 bits each; `nil` if a sum needs more.
  ///
  /// Whole numbers are added in one cycle, doubles in four.
  private static func narrowSums(
    of lengths: UnsafeBufferPointer<Double>, _ rows: Int, _ spacing: Double, _ trackCount: Int
  ) -> (Piece, [UInt64])? {
    let piece = Piece(byteCount: rows * trackCount * 4)
    let steps = piece.memory.bindMemory(to: UInt32.self, capacity: rows * trackCount)
    let space = UInt64(spacing * 1024)
    var sums = [UInt64](repeating: 0, count: trackCount)
    for track in 0..<trackCount {
      var sum: UInt64 = 0
      var place = steps + track * rows
      var index = track
      while index < lengths.count {
        place.initialize(to: UInt32(truncatingIfNeeded: sum))
        place += 1
        // The lower half of such a double is the whole number that was added.
        let length = (lengths[index] * 1024 + 0x1p52).bitPattern
        sum &+= UInt64(UInt32(truncatingIfNeeded: length)) &+ space
        index &+= trackCount
      }
      if place < steps + (track + 1) * rows {
        place.initialize(to: UInt32(truncatingIfNeeded: sum))
      }
      guard sum <= UInt32.max else { return nil }
      sums[track] = sum
    }
    return (piece, sums)
  }

  /// Adds pieces of another version, which both share then.
  mutating func append(_ range: Range<Int>, of other: SharedSteps) {
    pieces += other.pieces[range]
    lengths += other.lengths[range]
  }

  var memoryBytes: Int { memoryBytes(of: pieces.indices) }

  private func memoryBytes(of range: Range<Int>) -> Int {
    pieces[range].reduce(64) { $0 + $1.memoryBytes }
  }

  /// Bytes held beyond the pieces at the start and at the end that another version has, too.
  ///
  /// - Complexity: O(*p*) for *p* pieces.
  func memoryBytes(besides other: SharedSteps) -> Int {
    memoryBytes(of: pieces.unsharedIndices(besides: other.pieces) { $0 === $1 })
  }
}
