/// Where two versions of a layout differ: a few rects that hold the old and the new frame of every
/// element that differs.
///
///     rects         (0, 44, 390, 132)            row 1 of a list is behind row 3 now
///     valueRects    data: (0, 1320, 390, 44)     row 30 has other data, and the frame that it had
public struct InvalidatedRects: Hashable, Sendable {
  /// The largest number of rects.
  public static let most = 16

  /// In the order of y, then x. They may overlap. Their edges are whole numbers.
  public private(set) var rects: [Rect]
  /// Those of elements of which nothing but data or texts differs, where they are told apart.
  var valueRects: [ValueKind: [Rect]] = [:]

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
  public var isEmpty: Bool { rects.isEmpty && valueRects.isEmpty }

  /// The smallest rect that holds all rects; `nil` if there is none.
  public var boundingBox: Rect? {
    rects.isEmpty ? nil : rects.reduce(Extent()) { $0.union(Extent($1)) }.rect
  }

  /// Whether an element that differs may intersect a rect.
  ///
  /// - Parameter values: Elements differ that have other ones of these.
  public func touch(_ rect: Rect, with values: [ValueKind] = []) -> Bool {
    rects.contains { $0.intersects(rect) }
      || values.contains { valueRects[$0]?.contains { $0.intersects(rect) } ?? false }
  }

  /// The rects of several changes together, those of data and texts included, joined where there
  /// would be too many.
  public static func union(_ areas: some Sequence<InvalidatedRects>) -> InvalidatedRects {
    InvalidatedRects(areas.lazy.flatMap { $0.rects + $0.valueRects.values.joined() })
  }

  /// Bytes held beyond the value itself.
  public var memoryBytes: Int {
    ([rects] + valueRects.values).reduce(0) {
      $1.isEmpty ? $0 : $0 + 32 + $1.count * MemoryLayout<Rect>.stride
    }
  }
}

/// Collects frames into few rects. Rects are joined where that costs the least area.
struct RectCollector {
  private var boxes: [Extent] = []

  /// Rects are joined at once if so little of the whole is wasted.
  private static let acceptedWaste = 1.0 / 16

  mutating func include(_ frame: Rect) { include(Extent(frame)) }

  /// Includes an extent, rounded outwards to whole points.
  mutating func include(_ extent: Extent) {
    guard !extent.isEmpty else { return }
    var box = extent.rounded
    while let near = boxes.lastIndex(where: {
      $0.waste(with: box) <= $0.union(box).area * Self.acceptedWaste
    }) {
      box = box.union(boxes.remove(at: near))
    }
    boxes.append(box)
    if boxes.count > InvalidatedRects.most { joinNearest() }
  }

  /// Joins the two boxes that waste the least area.
  private mutating func joinNearest() {
    var least = Double.infinity
    var pair = (0, 1)
    for second in boxes.indices {
      for first in 0..<second {
        let waste = boxes[first].waste(with: boxes[second])
        if waste < least { (least, pair) = (waste, (first, second)) }
      }
    }
    boxes[pair.0] = boxes[pair.0].union(boxes.remove(at: pair.1))
  }

  consuming func finish() -> InvalidatedRects {
    boxes.sort { ($0.minY, $0.minX) < ($1.minY, $1.minX) }
    return InvalidatedRects(joined: boxes.map(\.rect))
  }
}
