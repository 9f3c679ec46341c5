/// The smallest rect that holds others.
struct Extent {
  private(set) var minX = Double.infinity
  private(set) var minY = Double.infinity
  private(set) var maxX = -Double.infinity
  private(set) var maxY = -Double.infinity

  var isEmpty: Bool { minX > maxX }

  mutating func include(_ frame: Rect) {
    minX = min(minX, frame.origin.x)
    minY = min(minY, frame.origin.y)
    maxX = max(maxX, frame.maxX)
    maxY = max(maxY, frame.maxY)
  }

  /// The extent in the content's coordinates. It is slightly larger, because frames may be rounded
  /// beyond it.
  func turned(_ placement: Placement) -> Extent {
    guard !isEmpty else { return self }
    var extent = Extent()
    let margin = 8 * max(abs(minX), abs(minY), abs(maxX), abs(maxY)).ulp
    extent.include(
      placement.frame(
        Rect(
          x: minX - margin, y: minY - margin, width: maxX - minX + 2 * margin,
          height: maxY - minY + 2 * margin)))
    return extent
  }
}
