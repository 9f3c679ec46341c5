/// Cells in columns: each goes to the column that is shortest so far, the leftmost of equals.
///
/// The running y never decreases from item to item. So the items that begin inside a rect are
/// consecutive. In each column, one earlier item may also reach into the rect. To find these
/// without a walk, the body stores marks: for every `stride` items, the last earlier item of each
/// column.
final class ShortestTracksBody: SectionBody {
  let count: Int
  let height: Double
  let reach: Rect
  private let metrics: TracksBody.Metrics
  /// The running y of the item's column before the item, and the item's height.
  private let cells: SharedColumn<Interval>
  private let tracks: SharedColumn<UInt32>
  private let stride: Int
  /// For each mark: the running y of the first item behind it, and for each column the last item
  /// before it, −1 if there is none.
  private let ys: SharedColumn<Double>
  private let lastItems: SharedColumn<Int32>

  /// - Parameter heights: Writes the heights of a range of items.
  init(
    count: Int, _ metrics: TracksBody.Metrics, after earlier: EarlierBody?,
    heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    self.count = count
    self.metrics = metrics
    let trackCount = metrics.trackCount
    let stride = max(256, 8 * trackCount)
    self.stride = stride
    var cells = SharedColumn<Interval>()
    var tracks = SharedColumn<UInt32>()
    var ys = SharedColumn<Double>(pieceCount: 256)
    var lastItems = SharedColumn<Int32>(pieceCount: max(1, 1024 / trackCount) * trackCount)
    var last = [Int32](repeating: -1, count: trackCount)
    var ends = [Double](repeating: 0, count: trackCount)
    if let earlier, let body = earlier.body as? ShortestTracksBody,
      body.metrics.trackCount == trackCount
    {
      let kept = min(earlier.firstChanged, body.count) / stride * stride
      cells = body.cells.prefix(kept)
      tracks = body.tracks.prefix(kept)
      ys = body.ys.prefix(kept / stride)
      lastItems = body.lastItems.prefix(kept / stride * trackCount)
      if kept > 0 { last = body.lastItems(before: kept) }
      for (track, item) in last.enumerated() where item >= 0 {
        let cell = cells[Int(item)]
        ends[track] = metrics.next(after: cell.start, cell.length)
      }
    }
    let blockCount = 4096
    let buffer = UnsafeMutablePointer<Double>.allocate(
      capacity: max(1, min(blockCount, count - cells.count)))
    defer { buffer.deallocate() }
    withUnsafeTemporaryAllocation(of: (y: Double, track: Int).self, capacity: trackCount) {
      memory in
      var queue = BinaryHeap(memory) { ($0.y, $0.track) < ($1.y, $1.track) }
      for (track, y) in ends.enumerated() { queue.insert((y: y, track: track)) }
      var item = cells.count
      while item < count {
        let end = min(item + blockCount, count)
        heights(item..<end, buffer)
        let first = item
        while item < end {
          let (y, track) = queue.first!
          if item % stride == 0 {
            ys.append(y)
            for last in last { lastItems.append(last) }
          }
          let height = buffer[item - first]
          cells.append(Interval(start: y, length: height))
          tracks.append(UInt32(track))
          last[track] = Int32(item)
          ends[track] = metrics.next(after: y, height)
          queue.replaceFirst(with: (y: ends[track], track: track))
          item += 1
        }
      }
    }
    cells.close()
    tracks.close()
    ys.close()
    lastItems.close()
    self.cells = cells
    self.tracks = tracks
    self.ys = ys
    self.lastItems = lastItems
    height = ends.reduce(0, max)
    reach = Rect(
      x: metrics.x(of: 0), y: 0,
      width: metrics.x(of: trackCount - 1) + metrics.width - metrics.x(of: 0), height: height)
  }

  var memoryBytes: Int {
    cells.memoryBytes + tracks.memoryBytes + ys.memoryBytes + lastItems.memoryBytes + 320
  }

  /// Bytes held that another body does not hold.
  func unsharedBytes(besides other: ShortestTracksBody) -> Int {
    cells.memoryBytes(besides: other.cells) + tracks.memoryBytes(besides: other.tracks)
      + ys.memoryBytes(besides: other.ys) + lastItems.memoryBytes(besides: other.lastItems) + 320
  }

  func frame(of item: Int) -> Rect {
    let cell = cells[item]
    return Rect(
      x: metrics.x(of: Int(tracks[item])), y: cell.start + metrics.padding, width: metrics.width,
      height: cell.length)
  }

  func top(ofItemsFrom item: Int) -> Double { item < count ? cells[item].start : height }

  /// The last item before an item, for each column; −1 if there is none.
  private func lastItems(before item: Int) -> [Int32] {
    let mark = min(item / stride, ys.count - 1)
    let unseen: Int32 = -2
    var last = [Int32](repeating: unseen, count: metrics.trackCount)
    var missing = last.count
    var index = item - 1
    while missing > 0, index >= mark * stride {
      let track = Int(tracks[index])
      if last[track] == unseen {
        last[track] = Int32(index)
        missing -= 1
      }
      index -= 1
    }
    for track in last.indices where last[track] == unseen {
      last[track] = lastItems[mark * last.count + track]
    }
    return last
  }

  func offerFrames(in rect: Rect, from start: Int, to sink: inout FrameSink) -> Bool {
    let shown = metrics.tracks(meeting: rect)
    guard count > 0, !shown.isEmpty else { return true }
    guard sink.pass(metrics.trackCount, before: start) else { return false }
    let low = rect.origin.y - metrics.padding
    let high = rect.maxY - metrics.padding
    let first = firstItem(at: low)
    for item in lastItems(before: first).sorted() where item >= start {
      let item = Int(item)
      if item >= 0, shown.contains(Int(tracks[item])), !sink.offer(item, frame(of: item)) {
        return false
      }
    }
    var item = max(first, start)
    while item < count, cells[item].start <= high {
      if shown.contains(Int(tracks[item])) {
        if !sink.offer(item, frame(of: item)) { return false }
      } else if !sink.pass(1, before: item) {
        return false
      }
      item += 1
    }
    return true
  }

  /// The first item whose running y is at least `y`.
  private func firstItem(at y: Double) -> Int {
    let guess = Int(clamping: y / height * Double(ys.count))
    let mark = max(0, partitionPoint(in: 0..<ys.count, near: guess) { ys[$0] < y } - 1)
    let near = mark * stride..<min((mark + 1) * stride, count)
    let part = (y - ys[mark]) / (cells[near.upperBound - 1].end - ys[mark])
    return partitionPoint(
      in: near, near: near.lowerBound + Int(clamping: part * Double(near.count))
    ) { cells[$0].start < y }
  }
}
