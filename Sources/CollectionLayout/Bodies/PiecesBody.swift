/// Cells in pieces, in the order of the items: lists, waterfalls, grids whose items have fields,
/// flows, galleries and justified rows.
///
///     place    │ item 0, top 0 │ item 256, top 11264 │ item 512, top 22480 │ …
///     piece    │ 256 cells     │ 256 cells           │ 256 cells           │ …
///
/// A version that continues an earlier one shares each piece whose cells lie as they did, wherever
/// the piece stands. A query takes the pieces that meet the rect, and tests their cells.
///
/// Limitations: where cells of one piece lie far apart, as those of columns of very different
/// heights do, a query tests many cells. In rows it goes over all columns, however wide.
///
/// `@unchecked Sendable`: the places are written once, before the body is shared.
final class PiecesBody: SectionBody, @unchecked Sendable {
  /// A piece, and where it stands.
  struct Place {
    /// The first item.
    let first: Int
    let top: Double
    let content: CellPiece.Content
    /// The lowest bottom up to here.
    let lowestBottom: Double
    /// The highest top from here on.
    var highestTop: Double
  }

  let count: Int
  let height: Double
  let reach: Rect
  /// Of columns; `nil` for cells that have x and widths.
  let metrics: TrackMetrics?
  let pieces: [CellPiece]
  /// In bare memory, so that a query reads the places without counting references.
  let places: UnsafeMutableBufferPointer<Place>

  /// - Parameter tops: Where each piece stands.
  init(
    _ pieces: [CellPiece], tops: [Double], _ metrics: TrackMetrics?, height: Double, reach: Rect
  ) {
    self.pieces = pieces
    self.metrics = metrics
    self.height = height
    self.reach = reach
    places = .allocate(capacity: pieces.count)
    var (count, lowestBottom) = (0, -Double.infinity)
    for (index, piece) in pieces.enumerated() {
      lowestBottom = max(lowestBottom, tops[index] + piece.content.length)
      places.initializeElement(
        at: index,
        to: Place(
          first: count, top: tops[index], content: piece.content, lowestBottom: lowestBottom,
          highestTop: tops[index]))
      count += piece.content.count
    }
    self.count = count
    for index in places.indices.dropLast().reversed() {
      places[index].highestTop = min(places[index].top, places[index + 1].highestTop)
    }
  }

  deinit { places.deallocate() }

  /// Pieces that follow each other and are one count once.
  var memoryBytes: Int { memoryBytes(of: pieces.indices) }

  private func memoryBytes(of range: Range<Int>) -> Int {
    range.reduce(256 + places.count * (MemoryLayout<Place>.stride + 8)) {
      $1 > 0 && pieces[$1] === pieces[$1 - 1] ? $0 : $0 + pieces[$1].memoryBytes
    }
  }

  /// Bytes held beyond the pieces at the start and at the end that another body has, too.
  func unsharedBytes(besides other: PiecesBody) -> Int {
    memoryBytes(of: pieces.unsharedIndices(besides: other.pieces) { $0 === $1 })
  }

  // MARK: Cells

  /// Whether all cells are one row, of a layout in rows.
  var isOneRow: Bool { pieces.count == 1 && pieces[0].lastRowCount == count }

  /// The index of the piece that has an item, which must exist.
  ///
  /// - Complexity: O(log *p*) for *p* pieces; O(1) if they are of equal size.
  @inline(__always)
  func piece(of item: Int) -> Int {
    let guess = Int(Double(item) / Double(count) * Double(places.count))
    return partitionPoint(in: 1..<places.count, near: guess) { places[$0].first <= item } - 1
  }

  func frame(of item: Int) -> Rect {
    let place = places[piece(of: item)]
    return place.content.frame(item - place.first, from: place.top, metrics)
  }

  /// The columns of a cell.
  func columns(of item: Int) -> Range<Int> {
    let place = places[piece(of: item)]
    return place.content.columns(of: item - place.first)
  }

  /// Behind the last of the pieces at the start that both bodies have, at the same place.
  func firstItem(differingFrom other: any SectionBody, changedFrom first: Int) -> Int {
    guard let other = other as? PiecesBody else { return first }
    let common = min(pieces.count, other.pieces.count)
    let shared = (0..<common).prefix {
      pieces[$0] === other.pieces[$0] && places[$0].top == other.places[$0].top
    }
    return shared.last.map { places[$0].first + places[$0].content.count } ?? 0
  }

  func outermostFrames(of items: Range<Int>) -> [Rect] {
    guard !items.isEmpty else { return [] }
    var (top, bottom) = (Double.infinity, -Double.infinity)
    for index in piece(of: items.lowerBound)...piece(of: items.upperBound - 1) {
      let place = places[index]
      let part = items.clamped(to: place.first..<place.first + place.content.count)
      if part.count == place.content.count {
        top = min(top, place.top)
        bottom = max(bottom, place.top + place.content.length)
        continue
      }
      for item in part {
        let cell = place.top + place.content.top(item - place.first)
        top = min(top, cell)
        bottom = max(bottom, cell + place.content.height(item - place.first))
      }
    }
    return [
      Rect(x: reach.origin.x, y: top, width: reach.size.width, height: bottom - top).widened
    ]
  }

  // MARK: Search

  /// So many cells cost less to test than one frame to offer.
  private static let cellsPerVisit = 32

  /// Calls `body` with at least every item from `start` on whose frame meets a rect, in order,
  /// until it returns false.
  ///
  /// - Parameter pass: Is called with what the cells of a piece cost, and the first of them.
  /// - Complexity: O(log *p* + *q*) for *p* pieces and the cells of *q* pieces that meet the rect.
  @inline(__always)
  func forEachCell(
    in rect: Rect, from start: Int, pass: (Int, Int) -> Bool, _ body: (Int, Rect) -> Bool
  ) -> Bool {
    guard start < count else { return true }
    let (low, high) = (rect.origin.y, rect.maxY)
    let guess = Int(clamping: low / height * Double(places.count))
    let first = partitionPoint(in: 0..<places.count, near: guess) { places[$0].lowestBottom < low }
    for index in max(first, start > 0 ? piece(of: start) : 0)..<max(first, places.count) {
      let place = places[index]
      if place.highestTop > high { return true }
      let content = place.content
      let isMet = place.top <= high && place.top + content.length >= low
      let begin = max(0, start - place.first)
      let cost = isMet ? 1 + content.count / Self.cellsPerVisit : 1
      if !pass(cost, place.first + begin) { return false }
      guard isMet else { continue }
      var cell = begin - 1
      while true {
        cell = content.firstCell(from: cell + 1, meeting: low - place.top, high - place.top)
        guard cell < content.count else { break }
        let frame = content.frame(cell, from: place.top, metrics)
        if !body(place.first + cell, frame) { return false }
      }
    }
    return true
  }

  func offerFrames(in rect: Rect, from start: Int, to sink: inout FrameSink) -> Bool {
    forEachCell(in: rect, from: start) {
      sink.pass($0, before: $1)
    } _: {
      sink.offer($0, $1)
    }
  }
}
