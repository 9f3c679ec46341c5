import System

/// Some thousand consecutive cells of a ``LanesBody``, in one block of memory.
///
///     starts, heights │ columns │ spans │ order │ offsets │ last │ state
///
/// `@unchecked Sendable`: the memory is written once, before the piece is shared.
final class LanePiece: @unchecked Sendable {
  /// What is read of a piece, without counting references.
  ///
  /// `@unchecked Sendable`: it is only read, as long as its piece lives.
  struct Content: @unchecked Sendable {
    /// The first item.
    let first: Int
    let count: Int
    /// The smallest start of a cell, from which the others are measured.
    fileprivate let base: Double
    fileprivate let starts: SharedSteps.Lengths
    fileprivate let heights: SharedSteps.Lengths
    fileprivate let columns: SmallIntegers
    /// `nil` if every cell covers one track.
    fileprivate let spans: SmallIntegers?
    /// The cells by their first track, each track's in the order of the items.
    private let order: SmallIntegers
    /// Where the cells of each track begin in `order`, and the end.
    private let offsets: UnsafePointer<UInt32>
    /// The last item of each track before the piece; −1 if there is none.
    let last: UnsafePointer<Int32>
    /// What the layout needs to go on from the start of the piece.
    let state: UnsafeBufferPointer<Double>

    @inline(__always)
    func start(_ index: Int) -> Double { base + starts[index] }

    @inline(__always)
    func height(_ index: Int) -> Double { heights[index] }

    @inline(__always)
    func column(_ index: Int) -> Int { columns[index] }

    @inline(__always)
    func span(_ index: Int) -> Int { spans?[index] ?? 1 }

    /// The places of a track's cells in the order of tracks.
    @inline(__always)
    func places(inTrack track: Int) -> Range<Int> {
      Range(uncheckedBounds: (Int(offsets[track]), Int(offsets[track &+ 1])))
    }

    /// The cell at a place in the order of tracks.
    @inline(__always)
    func cell(at place: Int) -> Int { order[place] }

    fileprivate init(
      _ cells: borrowing LaneCells, first: Int, last: [Int32], state: [Double],
      to memory: UnsafeMutableRawPointer, _ sizes: Sizes
    ) {
      self.first = first
      count = cells.count
      base = sizes.base
      var next = memory
      func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        defer { next += (byteCount + 7) & ~7 }
        return next
      }
      state.withUnsafeBytes {
        take($0.count).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
      }
      self.state = UnsafeBufferPointer(
        start: memory.assumingMemoryBound(to: Double.self), count: state.count)
      let lengths = sizes.isWide ? 8 : 4
      starts = .write(
        UnsafeBufferPointer(start: cells.starts, count: count), to: take(count * lengths),
        isWide: sizes.isWide)
      heights = .write(
        UnsafeBufferPointer(start: cells.heights, count: count), to: take(count * lengths),
        isWide: sizes.isWide)
      let lastItems = take(last.count * 4).bindMemory(to: Int32.self, capacity: last.count)
      lastItems.initialize(from: last, count: last.count)
      self.last = UnsafePointer(lastItems)
      let offsets = take((last.count + 1) * 4).bindMemory(
        to: UInt32.self, capacity: last.count + 1)
      offsets.initialize(repeating: 0, count: last.count + 1)
      self.offsets = UnsafePointer(offsets)
      columns = .write(cells.columns, count: count, to: take(count * sizes.column), sizes.column)
      spans =
        sizes.span > 0
        ? .write(cells.spans, count: count, to: take(count * sizes.span), sizes.span) : nil
      // The cells are sorted by counting.
      for index in 0..<count { offsets[Int(cells.columns[index]) &+ 1] &+= 1 }
      for track in 0..<last.count { offsets[track + 1] += offsets[track] }
      order = .sorting(
        cells.columns, count: count, by: offsets, to: take(count * sizes.order), sizes.order)
      // Each offset has moved to the start of the next track.
      for track in stride(from: last.count, to: 0, by: -1) { offsets[track] = offsets[track - 1] }
      offsets[0] = 0
    }
  }

  /// From where starts are measured, and the sizes of the parts, in bytes for each cell.
  fileprivate struct Sizes {
    let base: Double
    let isWide: Bool
    let column: Int
    let span: Int
    let order: Int
  }

  let content: Content
  let byteCount: Int
  private let memory: UnsafeMutableRawPointer

  /// - Parameter cells: At least one. Their starts are used up.
  init(_ cells: borrowing LaneCells, first: Int, last: [Int32], state: [Double]) {
    let base = cells.rebase()
    let sizes = Sizes(
      base: base, isWide: cells.needWidth, column: SmallIntegers.width(upTo: last.count),
      span: cells.hasSpans ? SmallIntegers.width(upTo: last.count + 1) : 0,
      order: SmallIntegers.width(upTo: cells.count))
    let lengths = 2 * (sizes.isWide ? 8 : 4)
    byteCount =
      cells.count * (lengths + sizes.column + sizes.span + sizes.order)
      + state.count * 8 + last.count * 8 + 80
    memory = PagePool.shared.allocate(byteCount)
    content = Content(cells, first: first, last: last, state: state, to: memory, sizes)
  }

  deinit { PagePool.shared.giveBack(memory, byteCount) }
}

/// Cells that will become a piece.
struct LaneCells: ~Copyable {
  let starts: UnsafeMutablePointer<Double>
  let heights: UnsafeMutablePointer<Double>
  let columns: UnsafeMutablePointer<Int32>
  let spans: UnsafeMutablePointer<Int32>
  private(set) var count = 0
  private(set) var hasSpans = false
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    starts = .allocate(capacity: capacity)
    heights = .allocate(capacity: capacity)
    columns = .allocate(capacity: capacity)
    spans = .allocate(capacity: capacity)
  }

  deinit {
    starts.deallocate()
    heights.deallocate()
    columns.deallocate()
    spans.deallocate()
  }

  /// - Parameters:
  ///   - start: In whole steps, ≥ 0; so is the height.
  ///   - span: How many tracks the cell covers.
  @inline(__always)
  mutating func add(column: Int, span: Int, start: Double, height: Double) {
    precondition(count < capacity, "no room for more than \(capacity) cells")
    starts[count] = start
    heights[count] = height
    columns[count] = Int32(truncatingIfNeeded: column)
    spans[count] = Int32(truncatingIfNeeded: span)
    if span != 1 { hasSpans = true }
    count &+= 1
  }

  mutating func removeAll() {
    count = 0
    hasSpans = false
  }

  /// Measures all starts from the smallest.
  ///
  /// - Returns: The smallest.
  fileprivate func rebase() -> Double {
    var lowest = starts[0]
    for index in 1..<max(count, 1) { lowest = starts[index] < lowest ? starts[index] : lowest }
    for index in 0..<count { starts[index] -= lowest }
    return lowest
  }

  /// Whether some starts or heights need 64 bits each.
  fileprivate var needWidth: Bool {
    SharedSteps.needWidth(UnsafeBufferPointer(start: starts, count: count))
      || SharedSteps.needWidth(UnsafeBufferPointer(start: heights, count: count))
  }
}

/// Integers of a known size, each in 1, 2 or 4 bytes.
struct SmallIntegers {
  private let memory: UnsafeMutableRawPointer
  private let width: Int

  init(_ memory: UnsafeMutableRawPointer, width: Int) {
    self.memory = memory
    self.width = width
  }

  /// The bytes that an integer below a limit needs.
  static func width(upTo limit: Int) -> Int { limit <= 1 << 8 ? 1 : limit <= 1 << 16 ? 2 : 4 }

  fileprivate static func write(
    _ values: UnsafePointer<Int32>, count: Int, to memory: UnsafeMutableRawPointer, _ width: Int
  ) -> SmallIntegers {
    let integers = SmallIntegers(memory, width: width)
    func write<Integer: FixedWidthInteger>(_: Integer.Type) {
      let target = memory.assumingMemoryBound(to: Integer.self)
      for index in 0..<count { target[index] = Integer(truncatingIfNeeded: values[index]) }
    }
    switch width {
    case 1: write(UInt8.self)
    case 2: write(UInt16.self)
    default: write(UInt32.self)
    }
    return integers
  }

  /// Sorts indices by their tracks.
  ///
  /// - Parameter offsets: Where each track begins; then where the next one does.
  fileprivate static func sorting(
    _ tracks: UnsafePointer<Int32>, count: Int, by offsets: UnsafeMutablePointer<UInt32>,
    to memory: UnsafeMutableRawPointer, _ width: Int
  ) -> SmallIntegers {
    func sort<Integer: FixedWidthInteger>(_: Integer.Type) {
      let target = memory.assumingMemoryBound(to: Integer.self)
      for index in 0..<count {
        let track = Int(tracks[index])
        target[Int(offsets[track])] = Integer(truncatingIfNeeded: index)
        offsets[track] &+= 1
      }
    }
    switch width {
    case 1: sort(UInt8.self)
    case 2: sort(UInt16.self)
    default: sort(UInt32.self)
    }
    return SmallIntegers(memory, width: width)
  }

  @inline(__always)
  subscript(index: Int) -> Int {
    switch width {
    case 1: Int(memory.load(fromByteOffset: index, as: UInt8.self))
    case 2: Int(memory.load(fromByteOffset: 2 &* index, as: UInt16.self))
    default: Int(memory.load(fromByteOffset: 4 &* index, as: UInt32.self))
    }
  }
}
