/// Frames anywhere.
final class FramesBody: SectionBody {
  let height: Double
  let reach: Rect
  private let frames: [Rect]

  init(_ frames: [Rect]) {
    self.frames = frames
    var (minX, minY, maxX, maxY) = (0.0, 0.0, 0.0, 0.0)
    for frame in frames {
      (minX, minY) = (min(minX, frame.origin.x), min(minY, frame.origin.y))
      (maxX, maxY) = (max(maxX, frame.maxX), max(maxY, frame.maxY))
    }
    height = maxY
    reach = Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
  }

  var count: Int { frames.count }
  var memoryBytes: Int { frames.count * 32 + 128 }

  func frame(of item: Int) -> Rect { frames[item] }

  func offerFrames(in rect: Rect, from item: Int, to sink: inout FrameSink) -> Bool {
    for item in item..<max(item, frames.count) {
      if !sink.offer(item, frames[item]) { return false }
    }
    return true
  }
}
