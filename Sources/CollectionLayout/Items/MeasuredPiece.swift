/// Makes sizes from the first item to the last.
struct MeasuredSizesBuilder {
  private var rope = PieceRopeBuilder<MeasuredPiece>()
  private var hasUnknownWidths = false

  init() {}

  /// The number of items so far.
  var count: Int { rope.count }

  /// Goes on to an item. Nothing is measured of those before it.
  mutating func skip(to item: Int) {
    if item > rope.count { rope.append(MeasuredPiece([], count: item - rope.count)) }
  }

  /// Adds the sizes of a range of items, as many as the range has.
  mutating func append(_ range: Range<Int>, of other: MeasuredSizes) {
    let end = count + range.count
    hasUnknownWidths = hasUnknownWidths || other.hasUnknownWidths
    rope.append(range.clamped(to: 0..<other.rope.count), of: other.rope)
    skip(to: end)
  }

  /// Adds sizes of items that are not there yet.
  ///
  /// - Parameters:
  ///   - entries: In ascending order of items.
  ///   - first: The item that is the first of theirs.
  mutating func append(_ entries: [MeasuredSizes.Entry], at first: Int) {
    guard !entries.isEmpty else { return }
    let pieceCount = (entries.count - 1) / MeasuredPiece.mostEntries + 1
    for piece in 0..<pieceCount {
      let part = entries[
        entries.count * piece / pieceCount..<entries.count * (piece + 1) / pieceCount]
      // Few sizes among many items are found by a piece of their own.
      let start = count
      let end = first + part[part.endIndex - 1].item + 1
      let piece = MeasuredPiece(part.map { $0.moved(by: first - start) }, count: end - start)
      hasUnknownWidths = hasUnknownWidths || piece.hasUnknownWidths
      rope.append(piece)
    }
  }

  consuming func finish() -> MeasuredSizes {
    MeasuredSizes(rope.finish(), hasUnknownWidths: hasUnknownWidths)
  }
}

/// The sizes of a range of items.
struct MeasuredPiece: RopePiece {
  /// Held by all pieces that have them.
  private final class Sizes: Sendable {
    let entries: [MeasuredSizes.Entry]
    init(_ entries: [MeasuredSizes.Entry]) { self.entries = entries }
  }

  /// The largest number of sizes.
  static let mostEntries = 256

  private(set) var count: Int
  let hasUnknownWidths: Bool
  private let entryCount: Int
  /// In ascending order of items, which count from the first of the range; `nil` for none.
  private let sizes: Sizes?

  /// - Parameter count: The number of items, > 0.
  init(_ entries: [MeasuredSizes.Entry], count: Int) {
    self.count = count
    entryCount = entries.count
    hasUnknownWidths = entries.contains { $0.width.isNaN }
    sizes = entries.isEmpty ? nil : Sizes(entries)
  }

  /// The number of sizes.
  var length: Double { Double(entryCount) }

  var memoryBytes: Int {
    sizes.map { 64 + $0.entries.capacity * MemoryLayout<MeasuredSizes.Entry>.stride } ?? 0
  }

  /// The entries of a range of items, which may reach beyond the piece.
  func entries(in range: Range<Int>) -> ArraySlice<MeasuredSizes.Entry> {
    guard let entries = sizes?.entries else { return [] }
    guard range.lowerBound > 0 || range.upperBound < count else { return entries[...] }
    let first = partitionPoint(in: 0..<entries.count) { entries[$0].item < range.lowerBound }
    let end = partitionPoint(in: first..<entries.count) { entries[$0].item < range.upperBound }
    return entries[first..<end]
  }

  func isSame(as other: MeasuredPiece) -> Bool { count == other.count && sizes === other.sizes }

  func slice(_ range: Range<Int>) -> MeasuredPiece {
    MeasuredPiece(
      entries(in: range).map { $0.moved(by: -range.lowerBound) }, count: range.count)
  }

  func joined(with next: MeasuredPiece) -> MeasuredPiece? {
    // A full piece stays what it is, because others share it.
    guard entryCount + next.entryCount <= Self.mostEntries,
      min(entryCount, next.entryCount) < Self.mostEntries / 4
    else { return nil }
    if next.entryCount == 0 {
      var longer = self
      longer.count += next.count
      return longer
    }
    return MeasuredPiece(
      Array(entries(in: 0..<count)) + next.entries(in: 0..<next.count).map { $0.moved(by: count) },
      count: count + next.count)
  }
}
