/// Finds frames near a rectangle: a packed Hilbert R-tree. It is built once and never changes.
///
/// The boxes of the frames are ordered along a Hilbert curve through their centres. So neighbours
/// in the plane are mostly neighbours in memory. Every 16 boxes have a box around them on the level
/// above, until a level has at most 16 boxes.
///
///     level 1   ┌──── 0 ────┐ ┌──── 1 ────┐      boxes   0 … 31, 32, 33
///     level 0   0 1 2  …   15 16 17  …   31      starts  0, 32, 34
///
/// A box holds four `Float`s, which need half the memory of doubles. The tree still finds every
/// frame: coordinates of frames and of the query are converted by one monotonic function (the
/// distance from one origin, rounded), and equal coordinates count as touching. So rounding can
/// only add candidates.
///
/// If one frame is very far from all others, the curve no longer separates the others. The boxes
/// stay correct. A query is then as fast as the order of the items is close to the order of their
/// places.
///
/// Source: Kamel and Faloutsos, "On Packing R-trees", 1993; Mourner, "flatbush".
struct PackedRTree: Sendable {
  /// The smallest x and y, and the negated largest x and y. So one comparison of four numbers
  /// decides whether boxes touch, and a box around others is their minimum.
  private typealias Box = SIMD4<Float>

  /// The items, in the order of their boxes.
  private let order: [Int32]
  /// The boxes of all levels, those of the items first.
  private let boxes: [Box]
  /// The index at which each level begins, and last the number of boxes.
  private let starts: [Int]
  /// The point from which coordinates are measured. It is the origin of some item, because that is
  /// near most others. A corner of the bounds may be far from all.
  private let origin: Point

  /// The union of all frames, perhaps slightly larger by rounding; `nil` without frames.
  let bounds: Rect?

  private static let nodeBits = 4
  private static let nodeSize = 1 << nodeBits

  /// - Parameters:
  ///   - count: How many frames there are.
  ///   - frame: Returns the frame of an item. It is called three times for each item.
  /// - Complexity: O(*n*).
  init(count: Int, frame: (Int) -> Rect) {
    precondition(count <= Int(Int32.max), "\(count) frames are too many")
    guard count > 0 else {
      (order, boxes, starts, origin, bounds) = ([], [], [0], Point(x: 0, y: 0), nil)
      return
    }
    let origin = frame(count / 2).origin
    var extent = Extent()
    for item in 0..<count { extent.include(frame(item)) }
    let curve = HilbertGrid(extent)
    var keys = [UInt64](unsafeUninitializedCapacity: count) { keys, initialized in
      for item in 0..<count {
        keys.initializeElement(
          at: item, to: UInt64(curve.place(of: frame(item))) << 32 | UInt64(item))
      }
      initialized = count
    }
    Self.sort(&keys)
    order = keys.map { Int32(truncatingIfNeeded: $0) }

    var starts = [0]
    var levelCount = count
    while levelCount > Self.nodeSize {
      starts.append(starts.last! + levelCount)
      levelCount = (levelCount + Self.nodeSize - 1) >> Self.nodeBits
    }
    starts.append(starts.last! + levelCount)
    let order = order
    boxes = [Box](unsafeUninitializedCapacity: starts.last!) { boxes, initialized in
      for place in 0..<count {
        boxes.initializeElement(
          at: place, to: Self.box(around: frame(Int(order[place])), from: origin))
      }
      for level in 1..<starts.count - 1 {
        var child = starts[level - 1]
        for node in starts[level]..<starts[level + 1] {
          let end = min(child + Self.nodeSize, starts[level])
          var box = boxes[child]
          for other in child + 1..<end { box = pointwiseMin(box, boxes[other]) }
          boxes.initializeElement(at: node, to: box)
          child = end
        }
      }
      initialized = starts.last!
    }
    self.starts = starts
    self.origin = origin
    bounds = extent.rect
  }

  var count: Int { order.count }

  var memoryBytes: Int { order.count * 4 + boxes.count * 16 + starts.count * 8 + 160 }

  /// Calls `body` with every item whose frame touches a rectangle, and with some that nearly touch
  /// it, until it returns false. A common edge counts as touching. The items come in no order.
  ///
  /// - Returns: Whether `body` always returned true.
  /// - Complexity: O(log *n* + *k*) for *k* found items, unless most frames overlap.
  @inline(__always)
  func visitCandidates(in rect: Rect, _ body: (Int) -> Bool) -> Bool {
    guard !order.isEmpty else { return true }
    let box = Self.box(around: rect, from: origin)
    // A frame touches the rectangle if it begins before the rectangle ends and ends after it
    // begins.
    let limit = Box(-box.z, -box.w, -box.x, -box.y)
    return boxes.withUnsafeBufferPointer { boxes in
      order.withUnsafeBufferPointer { order in
        starts.withUnsafeBufferPointer { starts in
          let top = starts.count - 2
          var level = top
          // The boxes from `index` to the end of their node are still to be tested. At the end of a
          // node, the walk continues one level up, behind the node's own box.
          var index = 0
          while true {
            let levelCount = starts[level + 1] - starts[level]
            let end = min((index | (Self.nodeSize - 1)) + 1, levelCount)
            if level == 0 {
              for place in index..<end where all(boxes[place] .<= limit) {
                guard body(Int(order[place])) else { return false }
              }
              index = end
            } else {
              while index < end, any(boxes[starts[level] + index] .> limit) { index += 1 }
              if index < end {
                level -= 1
                index <<= Self.nodeBits
                continue
              }
            }
            // Goes up, past all nodes that also end here.
            while true {
              if level == top { return true }
              level += 1
              index = ((index - 1) >> Self.nodeBits) + 1
              if index & (Self.nodeSize - 1) != 0, index < starts[level + 1] - starts[level] {
                break
              }
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func box(around frame: Rect, from origin: Point) -> Box {
    let reach = Reach(of: frame)
    return Box(
      Float(reach.minX - origin.x), Float(reach.minY - origin.y),
      -Float(reach.maxX - origin.x), -Float(reach.maxY - origin.y))
  }

  /// Sorts by the upper 32 bits: a radix sort with three digits of 11 bits.
  private static func sort(_ keys: inout [UInt64]) {
    let digitBits: UInt64 = 11
    let mask: UInt64 = 1 << digitBits - 1
    var spare = [UInt64](repeating: 0, count: keys.count)
    for shift in stride(from: UInt64(32), to: 64, by: Int(digitBits)) {
      var places = [Int](repeating: 0, count: Int(mask) + 1)
      for key in keys { places[Int(key >> shift & mask)] += 1 }
      var sum = 0
      for digit in places.indices {
        (places[digit], sum) = (sum, sum + places[digit])
      }
      keys.withUnsafeBufferPointer { keys in
        spare.withUnsafeMutableBufferPointer { spare in
          places.withUnsafeMutableBufferPointer { places in
            for key in keys {
              let digit = Int(key >> shift & mask)
              spare[places[digit]] = key
              places[digit] += 1
            }
          }
        }
      }
      swap(&keys, &spare)
    }
  }
}

/// The area that a frame covers, with its edges and a margin of a few ulps. Elsewhere its far edges
/// may be rounded differently.
struct Reach {
  let minX: Double
  let minY: Double
  let maxX: Double
  let maxY: Double

  @inline(__always)
  init(of frame: Rect) {
    let marginX = max(abs(frame.origin.x), abs(frame.maxX)) * 0x1p-50
    let marginY = max(abs(frame.origin.y), abs(frame.maxY)) * 0x1p-50
    minX = frame.origin.x - marginX
    minY = frame.origin.y - marginY
    maxX = frame.maxX + marginX
    maxY = frame.maxY + marginY
  }

  @inline(__always)
  func touches(_ other: Reach) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }
}

/// The order of points along a Hilbert curve through 2¹⁶ × 2¹⁶ cells.
private struct HilbertGrid {
  private static let bits: UInt32 = 16
  private static let side = 65_536.0

  private let extent: Extent
  private let columnsPerPoint: Double
  private let rowsPerPoint: Double

  init(_ extent: Extent) {
    self.extent = extent
    columnsPerPoint = Self.side / (extent.maxX - extent.minX)
    rowsPerPoint = Self.side / (extent.maxY - extent.minY)
  }

  /// The place of a frame's centre on the curve.
  @inline(__always)
  func place(of frame: Rect) -> UInt32 {
    Self.place(
      column: Self.cell((frame.origin.x - extent.minX + frame.size.width / 2) * columnsPerPoint),
      row: Self.cell((frame.origin.y - extent.minY + frame.size.height / 2) * rowsPerPoint))
  }

  /// The cell of a position that is given in cells. If the numbers fail, any cell is correct: all
  /// frames have one centre (0 times infinity), or they are farther apart than a double can
  /// express.
  @inline(__always)
  private static func cell(_ position: Double) -> UInt32 {
    position < side ? UInt32(max(position, 0)) : UInt32(side) - 1
  }

  /// Goes from the largest quarters to the smallest. The curve is transposed in the first and the
  /// last quarter, and also mirrored in the last.
  @inline(__always)
  private static func place(column: UInt32, row: UInt32) -> UInt32 {
    var (x, y, place) = (column, row, UInt32(0))
    for bit in (0..<bits).reversed() {
      let (right, lower) = (x >> bit & 1, y >> bit & 1)
      place = place << 2 | (right &* 3 ^ lower)
      let mirror = 0 &- (right & (lower ^ 1))
      (x, y) = (x ^ mirror, y ^ mirror)
      let exchange = (x ^ y) & (lower &- 1)
      (x, y) = (x ^ exchange, y ^ exchange)
    }
    return place
  }
}
