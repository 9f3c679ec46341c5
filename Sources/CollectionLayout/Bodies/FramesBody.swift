/// Frames anywhere, found by a packed R-tree.
final class FramesBody: SectionBody {
  let height: Double
  let reach: Rect
  let frames: IndexedFrames

  init(_ frames: IndexedFrames) {
    self.frames = frames
    height = max(0, frames.maxY ?? 0)
    reach = frames.bounds ?? Rect(x: 0, y: 0, width: 0, height: 0)
  }

  var count: Int { frames.count }
  var memoryBytes: Int { frames.memoryBytes + 160 }

  func frame(of item: Int) -> Rect { frames[item] }

  func offerFrames(in rect: Rect, from item: Int, to sink: inout FrameSink) -> Bool {
    guard item < count else { return true }
    var found: [Int32] = []
    frames.forEachCandidate(in: rect) { if $0 >= item { found.append(Int32($0)) } }
    // What is found has to be put in order, and most of it may be for later pages.
    guard sink.pass(found.count / 16, before: item) else { return false }
    if found.count > (count - item) / 8 {
      for item in item..<count where !sink.offer(item, frames[item]) { return false }
      return true
    }
    found.sort()
    for item in found where !sink.offer(Int(item), frames[Int(item)]) { return false }
    return true
  }
}
