/// Where two versions of a layout differ: a few rects that hold the old and the new frame of every
/// element that differs.
public struct InvalidatedRects: Hashable, Sendable {
  /// The largest number of rects.
  public static let most = 16

  /// In the order of y, then x. They may overlap. Their edges are whole numbers.
  public private(set) var rects: [Rect]
  /// Those of cells of which nothing but the data differs, where they are told apart.
  var dataRects: [Rect] = []

  /// Nothing differs.
  public static let none = InvalidatedRects(joined: [])

  /// Rects that hold frames.
  public init(_ frames: some Sequence<Rect>) {
    var collector = RectCollector()
    for frame in frames { collector.include(frame) }
    self = collector.finish()
  }

  fileprivate init(joined rects: [Rect]) { self.rects = rects }

  /// Whether nothing differs.
  public var isEmpty: Bool { rects.isEmpty && dataRects.isEmpty }

  /// The smallest rect that holds all rects; `nil` if there is none.
  public var boundingBox: Rect? {
    guard let first = rects.first else { return nil }
    return rects.dropFirst().reduce(Box(first)) { $0.union(Box($1)) }.rect
  }

  /// Whether an element that differs may intersect a rect.
  ///
  /// - Parameter withData: Whether cells differ that have other data.
  public func touch(_ rect: Rect, withData: Bool = false) -> Bool {
    rects.contains { $0.intersects(rect) }
      || withData && dataRects.contains { $0.intersects(rect) }
  }

  /// The rects of several changes together, those of data included, joined where there would be too
  /// many.
  public static func union(_ areas: some Sequence<InvalidatedRects>) -> InvalidatedRects {
    InvalidatedRects(areas.lazy.flatMap { $0.rects + $0.dataRects })
  }

  /// Bytes held beyond the value itself.
  public var memoryBytes: Int {
    [rects, dataRects].reduce(0) {
      $1.isEmpty ? $0 : $0 + 32 + $1.count * MemoryLayout<Rect>.stride
    }
  }
}

/// The edges of a rect, in whole numbers.
private struct Box {
  var minX: Double
  var minY: Double
  var maxX: Double
  var maxY: Double

  /// The smallest box that holds a frame. A frame without extent takes one point of room, because
  /// intervals are half open.
  init(_ frame: Rect) {
    (minX, maxX) = Self.edges(frame.origin.x, frame.maxX)
    (minY, maxY) = Self.edges(frame.origin.y, frame.maxY)
  }

  init(_ extent: Extent) {
    (minX, maxX) = Self.edges(extent.minX, extent.maxX)
    (minY, maxY) = Self.edges(extent.minY, extent.maxY)
  }

  private init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
  }

  private static func edges(_ start: Double, _ end: Double) -> (Double, Double) {
    let start = start.rounded(.down)
    let end = end.rounded(.up)
    return (start, end > start ? end : max(start + 1, start.nextUp))
  }

  var area: Double { (maxX - minX) * (maxY - minY) }

  func contains(_ other: Box) -> Bool {
    minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
  }

  func union(_ other: Box) -> Box {
    Box(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }

  /// The area that only the union of both covers.
  func waste(with other: Box) -> Double {
    let common =
      max(0, min(maxX, other.maxX) - max(minX, other.minX))
      * max(0, min(maxY, other.maxY) - max(minY, other.minY))
    return union(other).area - area - other.area + common
  }

  var rect: Rect {
    Rect(
      x: minX, y: minY, width: Self.length(from: minX, to: maxX),
      height: Self.length(from: minY, to: maxY))
  }

  /// A length that reaches at least to `end`. Beyond 2⁵³ a difference may be rounded down.
  private static func length(from start: Double, to end: Double) -> Double {
    let length = end - start
    return start + length < end ? length.nextUp : length
  }
}

/// Collects frames into few rects. Rects are joined where that costs the least area.
struct RectCollector {
  private var boxes: [Box] = []

  private static let mostUnjoined = 48
  /// Rects are joined at once if so little of the whole is wasted.
  private static let acceptedWaste = 1.0 / 16

  /// Includes a frame, rounded outwards to whole points.
  mutating func include(_ frame: Rect) { include(Box(frame)) }

  mutating func include(_ extent: Extent) {
    if !extent.isEmpty { include(Box(extent)) }
  }

  private mutating func include(_ box: Box) {
    for known in boxes where known.contains(box) { return }
    for index in boxes.indices.reversed() {
      let union = boxes[index].union(box)
      if boxes[index].waste(with: box) <= union.area * Self.acceptedWaste {
        boxes[index] = union
        return
      }
    }
    boxes.append(box)
    if boxes.count > Self.mostUnjoined { join(downTo: InvalidatedRects.most) }
  }

  /// Joins the two boxes that waste the least area, as long as there are too many, or the waste is
  /// small.
  private mutating func join(downTo count: Int) {
    while boxes.count > 1 {
      var least = Double.infinity
      var pair = (0, 1)
      for first in 0..<boxes.count - 1 {
        for second in first + 1..<boxes.count {
          let waste = boxes[first].waste(with: boxes[second])
          if waste < least { (least, pair) = (waste, (first, second)) }
        }
      }
      let union = boxes[pair.0].union(boxes[pair.1])
      guard boxes.count > count || least <= union.area * Self.acceptedWaste else { return }
      boxes[pair.0] = union
      boxes.remove(at: pair.1)
      boxes.removeAll { union.contains($0) }
      boxes.append(union)
    }
  }

  consuming func finish() -> InvalidatedRects {
    join(downTo: InvalidatedRects.most)
    boxes.sort { ($0.minY, $0.minX) < ($1.minY, $1.minX) }
    return InvalidatedRects(joined: boxes.map(\.rect))
  }
}
