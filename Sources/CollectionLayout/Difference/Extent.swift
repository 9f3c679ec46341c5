/// The smallest rect that holds others, by its edges.
struct Extent {
  private(set) var minX = Double.infinity
  private(set) var minY = Double.infinity
  private(set) var maxX = -Double.infinity
  private(set) var maxY = -Double.infinity

  init() {}

  init(_ frame: Rect) { include(frame) }
  init(_ frames: [Rect]) { for frame in frames { include(frame) } }

  var isEmpty: Bool { minX > maxX }

  mutating func include(_ frame: Rect) {
    minX = min(minX, frame.origin.x)
    minY = min(minY, frame.origin.y)
    maxX = max(maxX, frame.maxX)
    maxY = max(maxY, frame.maxY)
  }

  func union(_ other: Extent) -> Extent {
    var union = self
    union.minX = min(minX, other.minX)
    union.minY = min(minY, other.minY)
    union.maxX = max(maxX, other.maxX)
    union.maxY = max(maxY, other.maxY)
    return union
  }

  // MARK: Whole numbers

  /// The smallest extent around it whose edges are whole numbers. A frame without extent takes one
  /// point of room, because intervals are half open.
  var rounded: Extent {
    func edges(_ start: Double, _ end: Double) -> (Double, Double) {
      let start = start.rounded(.down)
      let end = end.rounded(.up)
      return (start, end > start ? end : max(start + 1, start.nextUp))
    }
    var extent = self
    (extent.minX, extent.maxX) = edges(minX, maxX)
    (extent.minY, extent.maxY) = edges(minY, maxY)
    return extent
  }

  var area: Double { (maxX - minX) * (maxY - minY) }

  /// The area that only the union of both covers.
  func waste(with other: Extent) -> Double {
    let common =
      max(0, min(maxX, other.maxX) - max(minX, other.minX))
      * max(0, min(maxY, other.maxY) - max(minY, other.minY))
    return union(other).area - area - other.area + common
  }

  var rect: Rect {
    /// A length that reaches at least to `end`. Beyond 2⁵³ a difference may be rounded down.
    func length(from start: Double, to end: Double) -> Double {
      let length = end - start
      return start + length < end ? length.nextUp : length
    }
    return Rect(
      x: minX, y: minY, width: length(from: minX, to: maxX), height: length(from: minY, to: maxY))
  }
}
