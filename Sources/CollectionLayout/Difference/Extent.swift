/// The smallest rect that holds others.
struct Extent {
  private var minX = Double.infinity
  private var minY = Double.infinity
  private var maxX = -Double.infinity
  private var maxY = -Double.infinity

  mutating func include(_ frame: Rect) {
    minX = min(minX, frame.origin.x)
    minY = min(minY, frame.origin.y)
    maxX = max(maxX, frame.maxX)
    maxY = max(maxY, frame.maxY)
  }

  /// The extent in the content's coordinates. It is slightly larger, because frames may be rounded
  /// beyond it: at the far edges, and at all edges if they are mirrored.
  func turned(_ placement: Placement) -> Extent {
    guard minX <= maxX else { return self }
    var extent = Extent()
    let margin = 8 * max(abs(minX), abs(minY), abs(maxX), abs(maxY)).ulp
    let isMirrored = !placement.mirrorWidth.isNaN || !placement.mirrorHeight.isNaN
    let near = isMirrored ? margin : 0
    extent.include(
      placement.frame(
        Rect(
          x: minX - near, y: minY - near, width: maxX - minX + margin + near,
          height: maxY - minY + margin + near)))
    return extent
  }

  /// The extent as a rect, with edges rounded outwards to whole numbers.
  var rect: Rect? {
    guard minX <= maxX else { return nil }
    let x = minX.rounded(.down)
    let y = minY.rounded(.down)
    return Rect(
      x: x, y: y, width: Self.length(from: x, to: maxX.rounded(.up)),
      height: Self.length(from: y, to: maxY.rounded(.up)))
  }

  /// A length that reaches at least to `end`. Beyond 2⁵³ a difference may be rounded down.
  private static func length(from start: Double, to end: Double) -> Double {
    let length = end - start
    return start + length < end ? length.nextUp : length
  }
}
