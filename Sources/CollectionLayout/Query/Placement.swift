/// Where frames stand in the content that were laid out somewhere from (0, 0): the only place that
/// knows of directions.
///
/// The order of the steps is: transposed within the body, moved, made integral, transposed as a
/// whole, mirrored.
struct Placement: BitwiseCopyable, Sendable {
  var dx = 0.0
  var dy = 0.0
  private(set) var isPlain = true
  /// Of an orthogonal section, whose body is laid out sideways.
  var isBodyTransposed = false { didSet { update() } }
  var isIntegral = false { didSet { update() } }
  var isTransposed = false { didSet { update() } }
  /// What `x + width` is taken from where frames are mirrored from left to right; else NaN.
  var mirrorWidth = Double.nan { didSet { update() } }
  /// The same from top to bottom.
  var mirrorHeight = Double.nan { didSet { update() } }
  /// How far from 0 the edges lie that frames begin with in the content: their ends are rounded as
  /// coarsely as that.
  var reach = 0.0

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
    if isIntegral {
      let (x, y) = (frame.origin.x.rounded(.down), frame.origin.y.rounded(.down))
      frame = Rect(
        x: x, y: y, width: frame.maxX.rounded(.up) - x, height: frame.maxY.rounded(.up) - y)
    }
    if isTransposed { frame = frame.transposed }
    if !mirrorWidth.isNaN { frame.origin.x = mirrorWidth - (frame.origin.x + frame.size.width) }
    if !mirrorHeight.isNaN {
      frame.origin.y = mirrorHeight - (frame.origin.y + frame.size.height)
    }
    // No −0.
    frame.origin.x += 0
    frame.origin.y += 0
    return frame
  }

  /// A rect of the content in the coordinates that frames were laid out in, so much wider that
  /// rounding hides no frame.
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
