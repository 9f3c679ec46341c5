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
    rects.isEmpty ? nil : rects.reduce(Extent()) { $0.union(Extent($1)) }.rect
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

/// Collects frames into few rects. Rects are joined where that costs the least area.
struct RectCollector {
  private var boxes: [Extent] = []

  private static let mostUnjoined = 48
  /// Rects are joined at once if so little of the whole is wasted.
  private static let acceptedWaste = 1.0 / 16

  mutating func include(_ frame: Rect) { include(Extent(frame)) }

  /// Includes an extent, rounded outwards to whole points.
  mutating func include(_ extent: Extent) {
    guard !extent.isEmpty else { return }
    let box = extent.rounded
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
