/// A body whose slots repeat. Frames are computed by arithmetic, so a billion items cost what ten
/// do.
///
///     ┌──┐ ┌──┐ ┌──┐   repetition 0: the slots
///     └──┘ └──┘ └──┘
///     ┌──┐ ┌──┐ ┌──┐   repetition 1: the same, a pitch lower
///     └──┘ └──┘ └──┘
///
/// Groups are lattices. So are grids, lists, waterfalls, flows and frames whose items are plain.
final class LatticeBody: SectionBody {
  enum Slots: Sendable {
    /// Slots side by side.
    case even(count: Int, x: Double, y: Double, xPitch: Double, size: Size)
    /// Slots side by side at these x. Those of the last repetition have x of their own, perhaps
    /// fewer.
    case listed(xs: [Double], lastXs: [Double], size: Size)
    case given([Rect])

    var count: Int {
      switch self {
      case .even(let count, _, _, _, _): count
      case .listed(let xs, _, _): xs.count
      case .given(let slots): slots.count
      }
    }

    /// One slot.
    static func single(_ size: Size, y: Double = 0) -> Slots {
      .even(count: 1, x: 0, y: y, xPitch: 0, size: size)
    }
  }

  let count: Int
  let height: Double
  let reach: Rect
  private let slots: Slots
  private let slotCount: Int
  private let pitch: Double
  let repetitions: Int
  /// The distance from the top of a repetition to its lowest edge.
  private let slotReach: Double

  /// - Parameters:
  ///   - count: How many items there are.
  ///   - pitch: The distance from one repetition to the next, ≥ 0.
  init(_ slots: Slots, count: Int, pitch: Double, height: Double) {
    self.count = count
    self.slots = slots
    slotCount = slots.count
    self.pitch = pitch
    self.height = height
    let left: Double
    let right: Double
    switch slots {
    case .even(let slotCount, let x, let y, let xPitch, let size):
      slotReach = y + size.height
      left = x
      right = x + Double(slotCount - 1) * xPitch + size.width
    case .listed(let xs, let lastXs, let size):
      slotReach = size.height
      left = min(xs[0], lastXs.first ?? xs[0])
      right = max(xs[xs.count - 1], lastXs.last ?? 0) + size.width
    case .given(let slots):
      slotReach = slots.reduce(0) { max($0, $1.maxY) }
      left = 0
      right = slots.reduce(0) { max($0, $1.maxX) }
    }
    repetitions = count == 0 ? 0 : (count - 1) / slotCount + 1
    let bottom = repetitions == 0 ? 0 : Double(repetitions - 1) * pitch + slotReach
    reach = Rect(x: left, y: 0, width: right - left, height: max(height, bottom))
  }

  /// A body that ends with its last repetition.
  ///
  /// - Parameter spacing: The part of the pitch that is between two repetitions.
  convenience init(_ slots: Slots, count: Int, pitch: Double, spacing: Double) {
    let repetitions = count == 0 ? 0 : (count - 1) / slots.count + 1
    self.init(
      slots, count: count, pitch: pitch,
      height: repetitions == 0 ? 0 : Double(repetitions) * pitch - spacing)
  }

  var memoryBytes: Int {
    switch slots {
    case .even: 224
    case .listed(let xs, _, _): 224 + 2 * xs.count * MemoryLayout<Double>.stride
    case .given(let slots): 224 + slots.count * MemoryLayout<Rect>.stride
    }
  }

  @inline(__always)
  private func slot(_ index: Int, in repetition: Int) -> Rect {
    let top = Double(repetition) * pitch
    switch slots {
    case .even(_, let x, let y, let xPitch, let size):
      return Rect(
        x: x + Double(index) * xPitch, y: top + y, width: size.width, height: size.height)
    case .listed(let xs, let lastXs, let size):
      let x = repetition == repetitions - 1 ? lastXs[index] : xs[index]
      return Rect(x: x, y: top, width: size.width, height: size.height)
    case .given(let slots):
      var frame = slots[index]
      frame.origin.y += top
      return frame
    }
  }

  func frame(of item: Int) -> Rect { slot(item % slotCount, in: item / slotCount) }

  /// The number of items decides where those of the last repetition lie.
  func firstItem(differingFrom other: any SectionBody, changedFrom first: Int) -> Int {
    max(0, first - 1) / slotCount * slotCount
  }

  // The last repetition may begin at another x, so the one before it counts, too.
  func outermostFrames(of items: Range<Int>) -> [Rect] {
    outermostFrames(of: items, period: 2 * slotCount)
  }

  func offerFrames(in rect: Rect, from item: Int, to sink: inout FrameSink) -> Bool {
    let first = partitionPoint(
      in: 0..<repetitions, near: Int(clamping: (rect.origin.y - slotReach) / pitch)
    ) { Double($0) * pitch + slotReach < rect.origin.y }
    let start = max(first, item / slotCount)
    guard start < repetitions else { return true }
    for repetition in start..<repetitions {
      if Double(repetition) * pitch > rect.maxY { return true }
      let base = repetition * slotCount
      let columns = columns(meeting: rect, in: repetition).from(item - base)
      if columns.isEmpty {
        if !sink.pass(1, before: base) { return false }
        continue
      }
      for column in columns {
        guard base + column < count else { return true }
        if !sink.offer(base + column, slot(column, in: repetition)) { return false }
      }
    }
    return true
  }

  /// The rows: one frame of full width for each repetition.
  ///
  /// - Precondition: The slots are side by side.
  func rows(ofWidth width: Double) -> LatticeBody {
    guard case .even(_, _, let y, _, let size) = slots else {
      preconditionFailure("slots that are not side by side have no rows")
    }
    return LatticeBody(
      .single(Size(width: width, height: size.height), y: y), count: repetitions, pitch: pitch,
      height: height)
  }

  /// The slots whose frames may meet a rect.
  private func columns(meeting rect: Rect, in repetition: Int) -> Range<Int> {
    switch slots {
    case .even(let slotCount, let x, _, let pitch, let size):
      let first = partitionPoint(
        in: 0..<slotCount, near: Int(clamping: (rect.origin.x - x - size.width) / pitch)
      ) { x + Double($0) * pitch + size.width < rect.origin.x }
      let last = partitionPoint(
        in: first..<slotCount, near: Int(clamping: (rect.maxX - x) / pitch)
      ) { x + Double($0) * pitch <= rect.maxX }
      return first..<last
    case .listed(let xs, let lastXs, let size):
      let xs = repetition == repetitions - 1 ? lastXs : xs
      let first = partitionPoint(in: 0..<xs.count) { xs[$0] + size.width < rect.origin.x }
      return first..<partitionPoint(in: first..<xs.count) { xs[$0] <= rect.maxX }
    case .given: return 0..<slotCount
    }
  }
}
