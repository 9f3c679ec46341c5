import Memory

/// The memory of a few thousand consecutive items of a section, column by column.
///
///     cells  | column 0, top down | column 1, top down | …
///     items  | the same places: each item's index in the chunk
///     places | item by item: the place of its cell
///
/// It is read by way of ``ColumnPiece``s, and shared between versions.
///
/// The columns lie in memory of the chunk's own rather than in arrays, because a query reads a
/// few numbers from each of many chunks: without the arrays' reference counts and bounds checks it
/// takes half the time.
///
/// `@unchecked Sendable`: the memory is written by the initializer and only read after it.
final class ColumnChunk: @unchecked Sendable {
  private let count: Int
  private let cells: UnsafeMutablePointer<Interval>
  private let items: UnsafeMutablePointer<UInt32>?
  private let places: UnsafeMutablePointer<UInt32>?
  /// Where a cell without height follows one that begins at the same y though it has a height,
  /// which rounding took; ascending. There are hardly ever any.
  private let flatPlaces: [UInt32]

  /// A chunk placed round robin: which item is where follows from the place.
  ///
  /// - Parameter fill: Writes the cells.
  init(count: Int, fill: (_ cells: UnsafeMutablePointer<Interval>) -> Void) {
    self.count = count
    cells = Self.cells(count, withNumbers: 0)
    items = nil
    places = nil
    fill(cells)
    flatPlaces = Self.flatPlaces(among: UnsafeBufferPointer(start: cells, count: count))
  }

  /// - Parameters:
  ///   - hasPlaces: Whether to keep each item's place, rather than to look for it in every column.
  ///   - place: Says at which place each item is, and its cell.
  init(count: Int, hasPlaces: Bool, place: (_ item: Int) -> (place: Int, cell: Interval)) {
    self.count = count
    let numbers = hasPlaces ? 2 : 1
    cells = Self.cells(count, withNumbers: numbers)
    let items = UnsafeMutableRawPointer(cells + count)
      .bindMemory(to: UInt32.self, capacity: numbers * count)
    self.items = items
    let places = hasPlaces ? items + count : nil
    self.places = places
    for item in 0..<count {
      let (place, cell) = place(item)
      (cells + place).initialize(to: cell)
      (items + place).initialize(to: UInt32(item))
      if let places { (places + item).initialize(to: UInt32(place)) }
    }
    flatPlaces = Self.flatPlaces(among: UnsafeBufferPointer(start: cells, count: count))
  }

  private static func flatPlaces(among cells: UnsafeBufferPointer<Interval>) -> [UInt32] {
    var places: [UInt32] = []
    for place in cells.indices.dropFirst() where cells[place].length == 0 {
      let above = cells[place - 1]
      if above.length > 0, above.start == cells[place].start { places.append(UInt32(place)) }
    }
    return places
  }

  deinit {
    PagePool.shared.giveBack(cells, byteCount)
  }

  /// Memory for so many cells, and behind them so many numbers for each.
  private static func cells(
    _ count: Int, withNumbers numbers: Int
  ) -> UnsafeMutablePointer<Interval> {
    let bytes = byteCount(ofCells: count, withNumbers: numbers)
    // As an array does.
    guard let memory = PagePool.shared.take(bytes) else {
      fatalError("no memory for \(bytes) bytes")
    }
    return memory.bindMemory(to: Interval.self, capacity: count)
  }

  private static func byteCount(ofCells count: Int, withNumbers numbers: Int) -> Int {
    count * (MemoryLayout<Interval>.stride + numbers * MemoryLayout<UInt32>.stride)
  }

  /// What the cells and their numbers take.
  private var byteCount: Int {
    let numbers = (items == nil ? 0 : 1) + (places == nil ? 0 : 1)
    return Self.byteCount(ofCells: count, withNumbers: numbers)
  }

  /// An item's cell among the ``ColumnPiece/cells``, if places are kept.
  ///
  /// - Parameter item: Its index in the chunk.
  func cell(of item: Int) -> UnsafePointer<Interval>? {
    places.map { UnsafePointer(cells + Int($0[item])) }
  }

  /// The next place of a piece, if any, or of one behind it, at which a cell without height follows
  /// one whose height rounding took.
  ///
  /// - Complexity: O(log *n*) for *n* such cells in the chunk.
  func flatPlace(after place: Int, of piece: ColumnPiece) -> Int? {
    let offset = piece.cells - UnsafePointer(cells)
    let index = partitionPoint(in: 0..<flatPlaces.count) { flatPlaces[$0] <= offset + place }
    return index < flatPlaces.count ? Int(flatPlaces[index]) - offset : nil
  }

  /// A column's piece of this chunk.
  ///
  /// - Parameter start: The running y of the column before the piece.
  func piece(_ places: Range<Int>, from start: Double) -> ColumnPiece {
    precondition(places.lowerBound >= 0 && places.upperBound <= count, "places of another chunk")
    return ColumnPiece(
      start: start, cells: cells + places.lowerBound, items: items.map { $0 + places.lowerBound },
      count: places.count)
  }

  var memoryBytes: Int {
    byteCount + flatPlaces.count * 4 + 72
  }
}

/// What a column holds of a chunk, top down; valid as long as the chunk.
///
/// `@unchecked Sendable`: nobody writes to what the pointers point to.
struct ColumnPiece: BitwiseCopyable, @unchecked Sendable {
  /// The running y of the column before the piece.
  let start: Double
  /// The running y of the column before each cell, and the cell's height; its frame begins
  /// `cellPadding` below.
  let cells: UnsafePointer<Interval>
  /// Each cell's index in the chunk; `nil` if placed round robin, where it follows from the place.
  let items: UnsafePointer<UInt32>?
  let count: Int

  fileprivate init(
    start: Double, cells: UnsafeMutablePointer<Interval>,
    items: UnsafeMutablePointer<UInt32>?, count: Int
  ) {
    self.start = start
    self.cells = UnsafePointer(cells)
    self.items = UnsafePointer(items)
    self.count = count
  }
}
