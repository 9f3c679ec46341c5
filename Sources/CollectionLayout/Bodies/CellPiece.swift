import Glibc
import System

/// Some hundred cells in the order of their items, measured from the highest of their tops.
///
///     tops │ heights │ columns │ spans          of cells in columns
///     tops │ heights │ xs │ widths              of others
///
/// Tops and heights are whole steps of 1/1024 point: 32 bits each, or doubles where the piece is
/// 2³¹ steps long or more. A piece never changes and knows nothing of where it stands. So versions
/// of a layout share it.
///
/// `@unchecked Sendable`: the memory is written once, before the piece is shared.
final class CellPiece: @unchecked Sendable {
  /// What is read of a piece as long as it lives. Reading it this way counts no references.
  struct Content: @unchecked Sendable {
    let count: Int
    /// The distance from the highest top to the lowest bottom.
    let length: Double
    fileprivate let memory: UnsafeMutableRawPointer
    fileprivate let isWide: Bool
    /// The column of each cell; `nil` if all are in the first column.
    fileprivate let columns: UnsafePointer<UInt16>?
    /// How many columns each cell covers; `nil` if it is one.
    fileprivate let spans: UnsafePointer<UInt16>?
    /// The x of each cell, and behind them the widths; `nil` for cells in columns.
    fileprivate let sides: UnsafePointer<Double>?

    @inline(__always)
    func top(_ index: Int) -> Double { length(index) }

    @inline(__always)
    func height(_ index: Int) -> Double { length(count &+ index) }

    @inline(__always)
    private func length(_ index: Int) -> Double {
      isWide
        ? memory.load(fromByteOffset: index &* 8, as: Double.self)
        : Double(memory.load(fromByteOffset: index &* 4, as: Int32.self)) * 0x1p-10
    }

    @inline(__always)
    func columns(of index: Int) -> Range<Int> {
      let column = columns.map { Int($0[index]) } ?? 0
      return Range(uncheckedBounds: (column, column &+ (spans.map { Int($0[index]) } ?? 1)))
    }

    /// - Parameter metrics: Of the columns, for cells in columns.
    @inline(__always)
    func frame(_ index: Int, from top: Double, _ metrics: TrackMetrics?) -> Rect {
      let (y, height) = (top + self.top(index), height(index))
      guard let metrics else {
        return Rect(x: sides![index], y: y, width: sides![count &+ index], height: height)
      }
      let columns = columns(of: index)
      return Rect(
        x: metrics.x(of: columns.lowerBound), y: y,
        width: metrics.width(ofSpan: columns.upperBound &- columns.lowerBound), height: height)
    }

    /// The first cell from one on that meets a range of y, which is measured as the tops are;
    /// `count` if there is none. Eight are tested at a time.
    @inline(__always)
    func firstCell(from first: Int, meeting low: Double, _ high: Double) -> Int {
      var index = first
      if !isWide {
        let lowest = SIMD8<Int32>(repeating: Int32(clamping: Int(clamping: low * 1024 - 1)))
        let highest = SIMD8<Int32>(repeating: Int32(clamping: Int(clamping: high * 1024 + 1)))
        while index &+ 8 <= count {
          let tops = memory.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Int32>.self)
          let heights = memory.loadUnaligned(
            fromByteOffset: (count &+ index) &* 4, as: SIMD8<Int32>.self)
          let isMet = (tops .<= highest) .& (tops &+ heights .>= lowest)
          if any(isMet) { break }
          index &+= 8
        }
      }
      while index < count {
        let top = top(index)
        if top <= high, top + height(index) >= low { break }
        index &+= 1
      }
      return index
    }
  }

  let content: Content
  /// How many cells its last row has, of a layout in rows.
  let lastRowCount: Int
  private let byteCount: Int

  /// - Parameters:
  ///   - top: The highest top of the cells.
  ///   - hasColumns: Whether the cells are in columns.
  init(_ cells: borrowing OpenCells, from top: Double, hasColumns: Bool, lastRowCount: Int) {
    self.lastRowCount = lastRowCount
    let count = cells.count
    var length = 0.0
    var (hasManyColumns, hasSpans) = (false, false)
    for index in 0..<count {
      let bottom = cells.tops[index] + cells.heights[index]
      length = bottom - top > length ? bottom - top : length
      hasManyColumns = hasManyColumns || cells.xs[index] != 0
      hasSpans = hasSpans || cells.widths[index] != 1
    }
    let isWide = length >= 0x1p21
    let lengthBytes = 2 * count * (isWide ? 8 : 4)
    let columnBytes = hasManyColumns || hasSpans ? 2 * count : 0
    byteCount =
      lengthBytes + (hasColumns ? columnBytes + (hasSpans ? 2 * count : 0) : 16 * count)
    let memory = PagePool.shared.allocate(byteCount)
    if isWide {
      let lengths = memory.bindMemory(to: Double.self, capacity: 2 * count)
      for index in 0..<count { lengths[index] = cells.tops[index] - top }
      (lengths + count).update(from: cells.heights, count: count)
    } else {
      let lengths = memory.bindMemory(to: Int32.self, capacity: 2 * count)
      for index in 0..<count { lengths[index] = Self.whole((cells.tops[index] - top) * 1024) }
      for index in 0..<count {
        lengths[count &+ index] = Self.whole(cells.heights[index] * 1024)
      }
    }
    let across = memory + lengthBytes
    func columns(_ values: UnsafeMutablePointer<Double>, at offset: Int) -> UnsafePointer<UInt16> {
      let columns = (across + offset).bindMemory(to: UInt16.self, capacity: count)
      for index in 0..<count {
        columns[index] = UInt16(truncatingIfNeeded: Self.whole(values[index]))
      }
      return UnsafePointer(columns)
    }
    func sides() -> UnsafePointer<Double> {
      let sides = across.bindMemory(to: Double.self, capacity: 2 * count)
      sides.update(from: cells.xs, count: count)
      (sides + count).update(from: cells.widths, count: count)
      return UnsafePointer(sides)
    }
    content = Content(
      count: count, length: length, memory: memory, isWide: isWide,
      columns: hasColumns && columnBytes > 0 ? columns(cells.xs, at: 0) : nil,
      spans: hasColumns && hasSpans ? columns(cells.widths, at: columnBytes) : nil,
      sides: hasColumns ? nil : sides())
  }

  deinit { PagePool.shared.giveBack(content.memory, byteCount) }

  /// A whole number as an integer: the lower half of the sum is the number that was added.
  @inline(__always)
  private static func whole(_ value: Double) -> Int32 {
    Int32(truncatingIfNeeded: (value + 0x1p52).bitPattern)
  }

  /// Whether another piece has the same cells.
  func isEqual(to other: CellPiece) -> Bool {
    content.count == other.content.count && byteCount == other.byteCount
      && content.isWide == other.content.isWide && lastRowCount == other.lastRowCount
      && (content.columns == nil) == (other.content.columns == nil)
      && (content.spans == nil) == (other.content.spans == nil)
      && memcmp(content.memory, other.content.memory, byteCount) == 0
  }

  var memoryBytes: Int { byteCount + 128 }
}

/// Cells that will become a piece.
struct OpenCells: ~Copyable {
  /// In whole steps, as the heights.
  private(set) var tops: UnsafeMutablePointer<Double>
  private(set) var heights: UnsafeMutablePointer<Double>
  /// Of cells in columns, the columns.
  private(set) var xs: UnsafeMutablePointer<Double>
  /// Of cells in columns, how many each covers.
  private(set) var widths: UnsafeMutablePointer<Double>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    tops = .allocate(capacity: 4 * capacity)
    (heights, xs, widths) = (tops + capacity, tops + 2 * capacity, tops + 3 * capacity)
  }

  deinit { tops.deallocate() }

  @inline(__always)
  mutating func add(x: Double, width: Double, top: Double, height: Double) {
    if count == capacity { grow() }
    tops[count] = top
    heights[count] = height
    xs[count] = x
    widths[count] = width
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let more = OpenCells(capacity: 2 * capacity)
    for (source, target) in [
      (tops, more.tops), (heights, more.heights), (xs, more.xs), (widths, more.widths),
    ] {
      target.update(from: source, count: count)
    }
    let added = count
    self = more
    count = added
  }

  mutating func removeAll() { count = 0 }
}
