/// Places frames in the content. They were laid out from (0, 0). This is the only type that knows
/// of directions.
///
/// The order: transpose within the body, move, transpose as a whole, mirror, round to whole points.
struct Placement: BitwiseCopyable, Sendable {
  var dx = 0.0
  var dy = 0.0
  private(set) var isPlain = true
  /// Whether the section is orthogonal, so its body is laid out sideways.
  var isBodyTransposed = false { didSet { update() } }
  var isIntegral = false { didSet { update() } }
  var isTransposed = false { didSet { update() } }
  /// The width in which frames are mirrored from left to right: the new x is this minus the old
  /// right edge. NaN if frames are not mirrored.
  var mirrorWidth = Double.nan { didSet { update() } }
  /// Like `mirrorWidth`, from top to bottom.
  var mirrorHeight = Double.nan { didSet { update() } }
  /// The largest distance from 0 of the edges at which frames begin in the content. Their far edges
  /// are sums of this size and are rounded accordingly.
  var reach = 0.0

  /// Whether frames that are laid out alike stand in the same place.
  func places(like other: Placement) -> Bool {
    func isSame(_ a: Double, _ b: Double) -> Bool { a == b || a.isNaN && b.isNaN }
    return dx == other.dx && dy == other.dy && isBodyTransposed == other.isBodyTransposed
      && isIntegral == other.isIntegral && isTransposed == other.isTransposed
      && isSame(mirrorWidth, other.mirrorWidth) && isSame(mirrorHeight, other.mirrorHeight)
  }

  private mutating func update() {
    isPlain =
      !isBodyTransposed && !isIntegral && !isTransposed && mirrorWidth.isNaN && mirrorHeight.isNaN
  }

  @inline(__always)
  func frame(_ local: Rect) -> Rect {
    if isPlain { return moved(local) }
    return turned(local)
  }

  @inline(__always)
  private func moved(_ local: Rect) -> Rect {
    Rect(
      x: dx + local.origin.x, y: dy + local.origin.y, width: local.size.width,
      height: local.size.height)
  }

  @inline(never)
  private func turned(_ local: Rect) -> Rect {
    var frame = moved(isBodyTransposed ? local.transposed : local)
    if isTransposed { frame = frame.transposed }
    if !mirrorWidth.isNaN { frame.origin.x = mirrorWidth - (frame.origin.x + frame.size.width) }
    if !mirrorHeight.isNaN {
      frame.origin.y = mirrorHeight - (frame.origin.y + frame.size.height)
    }
    if isIntegral { frame = frame.roundedToPoints }
    // No −0.
    frame.origin.x += 0
    frame.origin.y += 0
    return frame
  }

  /// A rect of the content, in the coordinates in which frames were laid out. It is widened, so
  /// that rounding hides no frame.
  func search(_ rect: Rect) -> Rect {
    var rect = rect
    var largest = max(abs(rect.origin.x), abs(rect.origin.y), abs(rect.maxX), abs(rect.maxY))
    largest = max(largest, abs(dx), abs(dy), reach)
    if !mirrorHeight.isNaN {
      largest = max(largest, abs(mirrorHeight))
      rect.origin.y = mirrorHeight - (rect.origin.y + rect.size.height)
    }
    if !mirrorWidth.isNaN {
      largest = max(largest, abs(mirrorWidth))
      rect.origin.x = mirrorWidth - (rect.origin.x + rect.size.width)
    }
    if isTransposed { rect = rect.transposed }
    let margin = 8 * largest.ulp + (isIntegral ? 1 : 0)
    rect = Rect(
      x: rect.origin.x - dx - margin, y: rect.origin.y - dy - margin,
      width: rect.size.width + 2 * margin, height: rect.size.height + 2 * margin)
    return isBodyTransposed ? rect.transposed : rect
  }
}

extension Rect {
  /// The rect with all edges at whole points. Rects that share an edge still share it.
  ///
  /// Edges are rounded to steps first, so that no rounding error decides about halves.
  fileprivate var roundedToPoints: Rect {
    func rounded(_ edge: Double) -> Double {
      LengthStep.point.nearest(to: LengthStep.fine.nearest(to: edge))
    }
    let (x, y) = (rounded(origin.x), rounded(origin.y))
    return Rect(x: x, y: y, width: rounded(maxX) - x, height: rounded(maxY) - y)
  }
}
