import System

/// Some thousand consecutive cells of a ``LanesBody``, in one block of memory.
///
///     state │ starts │ heights │ last │ offsets │ columns │ spans │ order
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
    private let columns: UnsafePointer<UInt16>
    /// `nil` if every cell covers one track.
    private let spans: UnsafePointer<UInt16>?
    /// The cells by their first track, each track's in the order of the items.
    private let order: UnsafePointer<UInt16>
    /// Where the cells of each track begin in `order`, and the end.
    private let offsets: UnsafePointer<Int32>
    /// The last item of each track before the piece; −1 if there is none.
    let last: UnsafePointer<Int32>
    /// What the layout needs to go on from the start of the piece.
    let state: UnsafeBufferPointer<Double>

    @inline(__always)
    func start(_ index: Int) -> Double { base + starts[index] }

    @inline(__always)
    func height(_ index: Int) -> Double { heights[index] }

    @inline(__always)
    func column(_ index: Int) -> Int { Int(columns[index]) }

    @inline(__always)
    func span(_ index: Int) -> Int { spans.map { Int($0[index]) } ?? 1 }

    /// The places of a track's cells in the order of tracks.
    @inline(__always)
    func places(inTrack track: Int) -> Range<Int> {
      Range(uncheckedBounds: (Int(offsets[track]), Int(offsets[track &+ 1])))
    }

    /// The cell at a place in the order of tracks.
    @inline(__always)
    func cell(at place: Int) -> Int { Int(order[place]) }

    fileprivate init(
      _ cells: borrowing LaneCells, first: Int, last: [Int32], state: [Double],
      base: Double, isWide: Bool, to memory: UnsafeMutableRawPointer
    ) {
      self.first = first
      let (count, trackCount) = (cells.count, last.count)
      self.count = count
      self.base = base
      var next = memory
      func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
        defer { next += (byteCount + 7) & ~7 }
        return next
      }
      func takeIntegers<Integer: FixedWidthInteger>(
        _ count: Int
      ) -> UnsafeMutablePointer<Integer> {
        take(count * MemoryLayout<Integer>.stride).bindMemory(to: Integer.self, capacity: count)
      }
      func copy<Integer: FixedWidthInteger>(
        _ values: UnsafePointer<Integer>, _ count: Int
      ) -> UnsafePointer<Integer> {
        let target: UnsafeMutablePointer<Integer> = takeIntegers(count)
        target.initialize(from: values, count: count)
        return UnsafePointer(target)
      }
      let states = take(state.count * 8).bindMemory(to: Double.self, capacity: state.count)
      states.initialize(from: state, count: state.count)
      self.state = UnsafeBufferPointer(start: states, count: state.count)
      let lengths = isWide ? 8 : 4
      starts = .write(
        UnsafeBufferPointer(start: cells.starts, count: count), to: take(count * lengths),
        isWide: isWide)
      heights = .write(
        UnsafeBufferPointer(start: cells.heights, count: count), to: take(count * lengths),
        isWide: isWide)
      self.last = copy(last, trackCount)
      // The cells are sorted by counting.
      let offsets: UnsafeMutablePointer<Int32> = takeIntegers(trackCount + 1)
      offsets.initialize(repeating: 0, count: trackCount + 1)
      for index in 0..<count { offsets[Int(cells.columns[index]) &+ 1] &+= 1 }
      for track in 0..<trackCount { offsets[track + 1] += offsets[track] }
      columns = copy(cells.columns, count)
      spans = cells.hasSpans ? copy(cells.spans, count) : nil
      let order: UnsafeMutablePointer<UInt16> = takeIntegers(count)
      for index in 0..<count {
        let track = Int(cells.columns[index])
        order[Int(offsets[track])] = UInt16(truncatingIfNeeded: index)
        offsets[track] &+= 1
      }
      self.order = UnsafePointer(order)
      // Each offset has moved to the start of the next track.
      for track in stride(from: trackCount, to: 0, by: -1) { offsets[track] = offsets[track - 1] }
      offsets[0] = 0
      self.offsets = UnsafePointer(offsets)
    }
  }

  let content: Content
  let byteCount: Int
  private let memory: UnsafeMutableRawPointer

  /// - Parameter cells: At least one. Their starts are used up.
  init(_ cells: borrowing LaneCells, first: Int, last: [Int32], state: [Double]) {
    let base = cells.rebase()
    let isWide = cells.needWidth
    let integers = cells.hasSpans ? 3 : 2
    byteCount =
      cells.count * (2 * (isWide ? 8 : 4) + integers * 2) + state.count * 8 + last.count * 8 + 80
    memory = PagePool.shared.allocate(byteCount)
    content = Content(
      cells, first: first, last: last, state: state, base: base, isWide: isWide, to: memory)
  }

  deinit { PagePool.shared.giveBack(memory, byteCount) }
}

/// Cells that will become a piece. There are at most 10,000 tracks.
struct LaneCells: ~Copyable {
  let starts: UnsafeMutablePointer<Double>
  let heights: UnsafeMutablePointer<Double>
  let columns: UnsafeMutablePointer<UInt16>
  let spans: UnsafeMutablePointer<UInt16>
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
    columns[count] = UInt16(truncatingIfNeeded: column)
    spans[count] = UInt16(truncatingIfNeeded: span)
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
