/// Cells in tracks side by side, each in any track and over any number of tracks.
///
///     piece   │ cells in the order of the items │ the same, by their first track │ …
///
/// The cells that begin in a track lie below each other in the order of the items, and do not
/// overlap. So in each track those of a rect lie together, and at most one earlier cell reaches
/// into it. A cell over several tracks is found in its first one.
final class LanesBody: SectionBody {
  let count: Int
  let height: Double
  let reach: Rect
  let metrics: TrackMetrics
  private let pieces: [LanePiece]
  /// The contents of the pieces. Reading them this way counts no references.
  private let contents: [LanePiece.Content]
  /// The last item of each track; −1 if there is none.
  private let last: [Int32]
  /// How many tracks the widest cell covers that begins in a track, at least 1.
  private let widest: [Int32]
  /// The number of cells of a piece, at least; the last piece may have fewer.
  private let pieceCount: Int

  fileprivate init(_ builder: consuming LanesBuilder, height: Double) {
    pieces = builder.pieces
    contents = builder.contents
    count = contents.last.map { $0.first + $0.count } ?? 0
    self.height = height
    metrics = builder.metrics
    last = builder.last
    widest = builder.widest
    pieceCount = builder.pieceCount
    reach = metrics.reach(height: height)
  }

  var memoryBytes: Int { memoryBytes(from: 0) }

  private func memoryBytes(from piece: Int) -> Int {
    pieces[piece...].reduce(pieces.count * (MemoryLayout<LanePiece.Content>.stride + 8)) {
      $0 + $1.byteCount + MemoryLayout<LanePiece.Content>.stride + 48
    } + last.count * 8 + 320
  }

  /// Bytes held that another body does not hold.
  func unsharedBytes(besides other: LanesBody) -> Int {
    memoryBytes(from: zip(pieces, other.pieces).prefix { $0 === $1 }.count)
  }

  // MARK: Cells

  /// The piece that holds an item, which must exist.
  @inline(__always)
  private func piece(of item: Int) -> Int {
    let guess = min(item / pieceCount, contents.count &- 1)
    if contents[guess].first <= item,
      guess &+ 1 == contents.count || item < contents[guess &+ 1].first
    {
      return guess
    }
    return partitionPoint(in: 0..<contents.count) { contents[$0].first <= item } - 1
  }

  func frame(of item: Int) -> Rect {
    let piece = contents[piece(of: item)]
    return frame(item - piece.first, in: piece)
  }

  @inline(__always)
  private func frame(_ index: Int, in piece: LanePiece.Content) -> Rect {
    Rect(
      x: metrics.x(of: piece.column(index)), y: piece.start(index) + metrics.padding,
      width: metrics.width(ofSpan: piece.span(index)), height: piece.height(index))
  }

  private func start(of item: Int) -> Double {
    let piece = contents[piece(of: item)]
    return piece.start(item - piece.first)
  }

  // MARK: The cells of a track

  /// A cell among those that begin in a track.
  private struct Place {
    var item: Int
    let track: Int
    var piece: Int
    /// In the piece's order of tracks.
    var index: Int
  }

  /// The last item of a track before a piece, which may be the end; −1 if there is none.
  @inline(__always)
  private func last(in track: Int, before piece: Int) -> Int {
    piece == contents.count ? Int(last[track]) : Int(contents[piece].last[track])
  }

  /// The first cell of a track in a piece or behind it, if all cells up to `item` are before it.
  private func place(in track: Int, fromPiece piece: Int, after item: Int) -> Place? {
    var piece = piece
    if piece < contents.count, contents[piece].places(inTrack: track).isEmpty {
      piece =
        partitionPoint(in: piece + 1..<contents.count + 1) {
          last(in: track, before: $0) <= item
        } - 1
    }
    guard piece < contents.count else { return nil }
    let index = contents[piece].places(inTrack: track).lowerBound
    return Place(
      item: contents[piece].first + contents[piece].cell(at: index), track: track, piece: piece,
      index: index)
  }

  /// The first cell of a track from an item on.
  private func place(in track: Int, from item: Int) -> Place? {
    guard item < count else { return nil }
    let piece = piece(of: item)
    let content = contents[piece]
    let places = content.places(inTrack: track)
    let index = partitionPoint(in: places) { content.first + content.cell(at: $0) < item }
    guard index < places.upperBound else {
      return place(in: track, fromPiece: piece + 1, after: last(in: track, before: piece + 1))
    }
    return Place(
      item: content.first + content.cell(at: index), track: track, piece: piece, index: index)
  }

  @inline(__always)
  private func next(after place: Place) -> Place? {
    let content = contents[place.piece]
    guard place.index &+ 1 < content.places(inTrack: place.track).upperBound else {
      return self.place(in: place.track, fromPiece: place.piece + 1, after: place.item)
    }
    var next = place
    next.index &+= 1
    next.item = content.first &+ content.cell(at: next.index)
    return next
  }

  /// Where the first cell of a track in a piece begins; without one, where the last cell before the
  /// piece does.
  @inline(__always)
  private func firstStart(in track: Int, ofPiece piece: Int) -> Double {
    let content = contents[piece]
    let places = content.places(inTrack: track)
    if !places.isEmpty { return content.start(content.cell(at: places.lowerBound)) }
    return content.last[track] < 0 ? -.infinity : start(of: Int(content.last[track]))
  }

  /// The last cell of a track whose place begins above `y`; `nil` if there is none.
  ///
  /// - Parameter guess: A piece in which to look first; then the one in which `y` lies.
  private func lastPlace(in track: Int, above y: Double, near guess: inout Int) -> Place? {
    func isAbove(_ piece: Int) -> Bool { firstStart(in: track, ofPiece: piece) < y }
    if !isAbove(guess) || guess + 1 < contents.count && isAbove(guess + 1) {
      let end = partitionPoint(in: 0..<contents.count, near: guess, where: isAbove)
      guess = max(0, end - 1)
      guard end > 0 else { return nil }
    }
    let content = contents[guess]
    let places = content.places(inTrack: track)
    guard !places.isEmpty else {
      return content.last[track] < 0 ? nil : place(in: track, from: Int(content.last[track]))
    }
    let top = content.start(content.cell(at: places.lowerBound))
    let bottom =
      guess + 1 < contents.count ? firstStart(in: track, ofPiece: guess + 1) : height
    let part = Int(clamping: (y - top) / (bottom - top) * Double(places.count))
    let next = partitionPoint(in: places, near: places.lowerBound + part) {
      content.start(content.cell(at: $0)) < y
    }
    return Place(
      item: content.first + content.cell(at: next - 1), track: track, piece: guess, index: next - 1)
  }

  func outermostFrames(of items: Range<Int>) -> [Rect] {
    /// Where the first cell of each track from an item on begins, or the last one ends.
    func starts(from item: Int) -> [Double] {
      (0..<metrics.trackCount).map { track in
        place(in: track, from: item).map { contents[$0.piece].start(index(of: $0)) } ?? height
      }
    }
    let top = starts(from: items.lowerBound).min()!
    let bottom = starts(from: items.upperBound).max()!
    return [
      Rect(x: reach.origin.x, y: top, width: reach.size.width, height: bottom - top).widened
    ]
  }

  @inline(__always)
  private func index(of place: Place) -> Int { place.item &- contents[place.piece].first }

  // MARK: Search

  /// Calls `body` with at least every item from `start` on whose frame meets a rect, in order,
  /// until it returns false.
  ///
  /// - Parameters:
  ///   - pass: Is called with the number of tracks that are searched.
  /// - Complexity: O(*t* · log *n* + *r* · log *t*) for *t* tracks and *r* cells.
  @inline(__always)
  func forEachCell(
    in rect: Rect, from start: Int, pass: (Int) -> Bool, _ body: (Int, Rect) -> Bool
  ) -> Bool {
    let shown = metrics.tracks(meeting: rect)
    let low = rect.origin.y - metrics.padding
    let high = rect.maxY - metrics.padding
    return withUnsafeTemporaryAllocation(of: Place.self, capacity: shown.upperBound) { places in
      // For each track, the heap holds its first cell in the rect that was not yet found.
      var heap = BinaryHeap(places) { $0.item < $1.item }
      var searched = 0
      for track in 0..<shown.upperBound
      where track >= shown.lowerBound || track + Int(widest[track]) > shown.lowerBound {
        searched += 1
      }
      guard pass(searched) else { return false }
      var piece = min(
        max(Int(clamping: low / height * Double(contents.count)), 0), contents.count - 1)
      for track in 0..<shown.upperBound
      where track >= shown.lowerBound || track + Int(widest[track]) > shown.lowerBound {
        var first = lastPlace(in: track, above: low, near: &piece)
        if first.map({ $0.item < start }) ?? true { first = place(in: track, from: start) }
        if let first, contents[first.piece].start(index(of: first)) <= high { heap.insert(first) }
      }
      while let place = heap.first {
        let content = contents[place.piece]
        if !body(place.item, frame(place.item &- content.first, in: content)) { return false }
        if let next = next(after: place), contents[next.piece].start(index(of: next)) <= high {
          heap.replaceFirst(with: next)
        } else {
          heap.removeFirst()
        }
      }
      return true
    }
  }

  func offerFrames(in rect: Rect, from start: Int, to sink: inout FrameSink) -> Bool {
    guard start < count else { return true }
    return forEachCell(in: rect, from: start) {
      sink.pass($0, before: start)
    } _: {
      sink.offer($0, $1)
    }
  }
}

/// Places cells piece by piece.
struct LanesBuilder: ~Copyable {
  let metrics: TrackMetrics
  /// The number of cells of a piece, at least.
  let pieceCount: Int
  fileprivate private(set) var pieces: [LanePiece] = []
  fileprivate private(set) var contents: [LanePiece.Content] = []
  fileprivate private(set) var last: [Int32]
  fileprivate private(set) var widest: [Int32]
  /// The cells of the piece that was begun last.
  var cells: LaneCells
  private var state: [Double] = []
  private var lastState: [Double]?
  /// How many cells there are before the piece that was begun last.
  private(set) var first = 0

  /// With the cells that may come in addition, a piece has fewer than 2¹⁶: it counts them in two
  /// bytes.
  private static func pieceCount(for metrics: TrackMetrics) -> Int {
    min(max(4096, 8 * metrics.trackCount), 65_535 - metrics.trackCount)
  }

  /// - Parameter count: About how many cells there will be. A piece may have up to `trackCount`
  ///   cells more than ``pieceCount``.
  init(_ metrics: TrackMetrics, count: Int) {
    self.metrics = metrics
    pieceCount = Self.pieceCount(for: metrics)
    last = Array(repeating: -1, count: metrics.trackCount)
    widest = Array(repeating: 1, count: metrics.trackCount)
    cells = LaneCells(capacity: min(pieceCount, count) + metrics.trackCount)
  }

  /// Goes on from an earlier body: it keeps the pieces before the one that holds an item.
  ///
  /// - Parameter item: The first item that may be placed in another way.
  /// - Returns: The state at the end of the kept pieces; `nil` if there are none.
  mutating func keep(_ earlier: LanesBody, before item: Int) -> [Double]? {
    earlier.keepPieces(in: &self, before: item)
    return lastState
  }

  fileprivate mutating func keep(
    _ kept: ArraySlice<LanePiece>, _ contents: ArraySlice<LanePiece.Content>, last: [Int32],
    widest: [Int32], state: [Double], first: Int
  ) {
    pieces = Array(kept)
    self.contents = Array(contents)
    self.last = last
    self.widest = widest
    self.first = first
    lastState = state
  }

  /// - Parameter state: What the layout needs to go on from here.
  mutating func beginPiece(state: [Double]) { self.state = state }

  mutating func endPiece() {
    guard cells.count > 0 else { return }
    let piece = LanePiece(cells, first: first, last: last, state: state)
    pieces.append(piece)
    contents.append(piece.content)
    let (columns, spans) = (cells.columns, cells.spans)
    if cells.hasSpans {
      for index in 0..<cells.count {
        let track = Int(columns[index])
        widest[track] = max(widest[track], Int32(spans[index]))
      }
    }
    for track in last.indices {
      let places = piece.content.places(inTrack: track)
      if !places.isEmpty {
        last[track] = Int32(first + piece.content.cell(at: places.upperBound - 1))
      }
    }
    first += cells.count
    cells.removeAll()
  }

  consuming func body(height: Double) -> LanesBody { LanesBody(self, height: height) }
}

extension LanesBody {
  fileprivate func keepPieces(in builder: inout LanesBuilder, before item: Int) {
    guard metrics.trackCount == builder.metrics.trackCount, pieceCount == builder.pieceCount,
      count > 0, item > 0
    else { return }
    let kept = piece(of: min(item, count - 1))
    guard kept > 0 else { return }
    let content = contents[kept]
    builder.keep(
      pieces[..<kept], contents[..<kept],
      last: (0..<metrics.trackCount).map { content.last[$0] }, widest: widest,
      state: Array(content.state), first: content.first)
  }
}
