/// Cells with frames anywhere. A packed R-tree finds them.
final class FramesBody: SectionBody {
  let height: Double
  let reach: Rect
  let frames: IndexedFrames

  init(_ frames: IndexedFrames, step: LengthStep) {
    self.frames = frames
    height = step.roundedUp(max(0, frames.far?.y ?? 0))
    reach = frames.bounds ?? Rect(x: 0, y: 0, width: 0, height: 0)
  }

  var count: Int { frames.count }
  var maxX: Double { frames.far?.x ?? 0 }
  var memoryBytes: Int { frames.memoryBytes + 160 }

  func frame(of item: Int) -> Rect { frames[item] }

  func offerFrames(in rect: Rect, from item: Int, to sink: inout FrameSink) -> Bool {
    guard item < count else { return true }
    guard !rect.covers(reach) else { return offerAll(from: item, to: &sink) }
    // The tree finds frames in no order, so they must be sorted, although most may belong to later
    // pages. If many frames are found, it is cheaper to go through all frames in order.
    let most = count / 8
    var candidates = 0
    var found: [Int32] = []
    let isWhole = frames.visitCandidates(in: rect) { candidate in
      candidates += 1
      guard candidates <= most else { return false }
      if candidate >= item { found.append(Int32(candidate)) }
      return candidates % 4 != 0 || sink.pass(1, before: item)
    }
    guard isWhole else { return candidates > most && offerAll(from: item, to: &sink) }
    found.sort()
    for item in found where !sink.offer(Int(item), frames[Int(item)]) { return false }
    return true
  }

  private func offerAll(from item: Int, to sink: inout FrameSink) -> Bool {
    for item in item..<count where !sink.offer(item, frames[item]) { return false }
    return true
  }
}
