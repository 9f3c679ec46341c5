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
  fileprivate struct Place {
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
  fileprivate let pieces: [CellPiece]
  /// In bare memory, so that a query reads the places without counting references.
  fileprivate let places: UnsafeMutableBufferPointer<Place>

  fileprivate init(
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
  fileprivate func piece(of item: Int) -> Int {
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

/// Makes pieces of cells that are placed in the order of the items, and takes pieces of an earlier
/// body whose cells lie as they did.
public struct PiecesBuilder: ~Copyable {
  private let metrics: TrackMetrics?
  private var pieces: [CellPiece] = []
  private var tops: [Double] = []
  /// How many cells the pieces have.
  private var pieceCellCount = 0
  /// Cells that are not in a piece yet, those of the last row behind `rowStart`.
  private var open = OpenCells(capacity: 2 * Self.cellsPerPiece)
  private var rowStart = 0
  /// How many cells the last row had that was ended.
  private(set) var lastRowCount = 0
  /// The lowest bottom of all cells that are in pieces; 0 without them.
  private(set) var bottom = 0.0
  /// The leftmost and the rightmost edge of all cells that have x and widths.
  private var (left, right) = (0.0, 0.0)

  /// A piece ends with the row in which it has so many cells.
  private static let cellsPerPiece = 256

  /// Goes on from an earlier body: it keeps the pieces before the row of the last unchanged item. A
  /// row depends on its own items and on the item behind them.
  init(_ metrics: TrackMetrics? = nil, after earlier: EarlierBody?) {
    self.init(metrics, after: earlier?.body, before: (earlier?.firstChanged ?? 0) - 1)
  }

  /// Goes on from an earlier body: it keeps the pieces before the one that has an item.
  init(_ metrics: TrackMetrics?, after earlier: (any SectionBody)?, before item: Int) {
    self.metrics = metrics
    guard let body = earlier as? PiecesBody, item > 0, body.count > 0,
      body.metrics?.trackCount == metrics?.trackCount
    else { return }
    keep(body, body.piece(of: min(item, body.count - 1)))
  }

  private mutating func keep(_ body: PiecesBody, _ pieceCount: Int) {
    for index in 0..<pieceCount { append(body.pieces[index], at: body.places[index].top) }
    (left, right) = (body.reach.origin.x, body.reach.maxX)
    lastRowCount = pieces.last?.lastRowCount ?? 0
  }

  /// How many cells there are.
  var count: Int { pieceCellCount + open.count }

  /// Whether a row has cells and was not ended.
  var isRowOpen: Bool { open.count > rowStart }

  // MARK: Cells

  /// Adds a cell to the row that is open.
  ///
  /// - Parameters:
  ///   - top: In whole steps, as the height.
  ///   - x: Of cells in columns, the column.
  ///   - width: Of cells in columns, how many they cover.
  @inline(__always)
  mutating func add(x: Double, width: Double, top: Double, height: Double) {
    open.add(x: x, width: width, top: top, height: height)
  }

  /// Ends a row. What is added from here on does not change it any more.
  @inline(__always)
  mutating func endRow() {
    lastRowCount = open.count &- rowStart
    rowStart = open.count
    if rowStart >= Self.cellsPerPiece { closePiece() }
  }

  /// Places the cells of the row that is open, and ends it.
  ///
  /// - Parameter place: Is called with the width and the height of each cell. It returns the cell's
  ///   x, top and height; `nil` for the x leaves it as it is.
  mutating func endRow(
    placing place: (_ width: Double, _ height: Double) -> (x: Double?, top: Double, height: Double)
  ) {
    for index in rowStart..<open.count {
      let placed = place(open.widths[index], open.heights[index])
      if let x = placed.x { open.xs[index] = x }
      open.tops[index] = placed.top
      open.heights[index] = placed.height
    }
    endRow()
  }

  private mutating func closePiece() {
    guard open.count > 0 else { return }
    var top = open.tops[0]
    for index in 0..<open.count { top = open.tops[index] < top ? open.tops[index] : top }
    if metrics == nil {
      for index in 0..<open.count {
        left = min(left, open.xs[index])
        right = max(right, open.xs[index] + open.widths[index])
      }
    }
    let piece = CellPiece(
      open, from: top, hasColumns: metrics != nil, lastRowCount: lastRowCount)
    open.removeAll()
    rowStart = 0
    // Many cells may lie alike, such as rows of one height.
    append(pieces.last.map { $0.isEqual(to: piece) ? $0 : piece } ?? piece, at: top)
  }

  private mutating func append(_ piece: CellPiece, at top: Double) {
    pieces.append(piece)
    tops.append(top)
    pieceCellCount += piece.content.count
    bottom = max(bottom, top + piece.content.length)
  }

  /// - Parameter height: Of the body; `nil` if it ends with the lowest cell.
  consuming func body(height: Double? = nil) -> PiecesBody {
    if isRowOpen { endRow() }
    closePiece()
    let height = height ?? bottom
    return PiecesBody(
      pieces, tops: tops, metrics, height: height,
      reach: metrics?.reach(height: height)
        ?? Rect(x: left, y: 0, width: right - left, height: max(height, bottom)))
  }

  // MARK: Rows

  /// Rows of one width below each other.
  ///
  /// - Parameters:
  ///   - metrics: Of one track.
  ///   - heights: Writes the heights of a range of rows, in whole steps.
  /// - Complexity: O(*n*) for *n* rows. After an earlier body O(*p* + *k* + *c*) for *p* pieces,
  ///   *k* ranges of kept rows, and *c* rows in pieces that changed.
  static func rows(
    _ count: Int, _ metrics: TrackMetrics, after earlier: EarlierBody?,
    heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) -> PiecesBody {
    var builder = PiecesBuilder(metrics, after: nil)
    if let earlier, let body = earlier.body as? PiecesBody, body.metrics?.trackCount == 1 {
      for run in earlier.kept { builder.share(run, of: body, heights) }
    }
    builder.fill(to: count, heights)
    // The spacing behind the last row does not belong to the body.
    return builder.body(height: count == 0 ? 0 : builder.rowTop - metrics.rowSpacing)
  }

  /// Cells that go to columns in turn. Each column is filled from the top.
  ///
  /// The parameters are those of ``rows(_:_:after:heights:)``.
  ///
  /// - Complexity: O(*n*) for *n* cells behind the pieces that are kept.
  static func turns(
    _ count: Int, _ metrics: TrackMetrics, after earlier: EarlierBody?,
    heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) -> PiecesBody {
    var builder = PiecesBuilder(
      metrics, after: earlier?.body, before: earlier?.firstChanged ?? 0)
    let columnCount = metrics.trackCount
    let bottom = withUnsafeTemporaryAllocation(
      of: Double.self, capacity: columnCount + cellsPerPiece
    ) { room in
      let (tops, cellHeights) = (room.baseAddress!, room.baseAddress! + columnCount)
      tops.initialize(repeating: 0, count: columnCount)
      if let body = earlier?.body {
        for item in max(0, builder.count - columnCount)..<builder.count {
          tops[item % columnCount] =
            body.frame(of: item).maxY + (metrics.spacing - metrics.padding)
        }
      }
      var column = builder.count % columnCount
      while builder.count < count {
        let items = builder.count..<min(builder.count + cellsPerPiece, count)
        heights(items, cellHeights)
        for index in 0..<items.count {
          let (top, height) = (tops[column], cellHeights[index])
          builder.add(
            x: Double(column), width: 1, top: top + metrics.padding, height: height)
          tops[column] = top + (height + metrics.spacing)
          column = column &+ 1 == columnCount ? 0 : column &+ 1
        }
        builder.endRow()
      }
      return (0..<columnCount).reduce(0) { max($0, tops[$1]) }
    }
    return builder.body(height: count == 0 ? 0 : bottom - metrics.rowSpacing)
  }

  /// The top of the next row, with its padding.
  private var rowTop: Double {
    pieces.isEmpty ? 0 : bottom + metrics!.spacing - metrics!.padding
  }

  /// Takes the pieces that lie in a range of kept rows, and lays out the rows before them.
  private mutating func share(
    _ run: EarlierBody.Kept, of body: PiecesBody,
    _ heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    guard !run.items.isEmpty else { return }
    let shift = run.items.lowerBound - run.source
    for index in body.piece(of: run.source)...body.piece(of: run.sourceEnd - 1) {
      let place = body.places[index]
      let end = place.first + place.content.count
      // A few rows become pieces with their neighbours, so that pieces do not get smaller and
      // smaller.
      guard place.first >= run.source, end <= run.sourceEnd,
        case let gap = place.first + shift - count, gap == 0 || gap >= Self.cellsPerPiece / 2
      else { continue }
      fill(to: place.first + shift, heights)
      append(body.pieces[index], at: rowTop + metrics!.padding)
    }
  }

  /// Lays out the rows up to a row.
  private mutating func fill(
    to end: Int, _ heights: (Range<Int>, UnsafeMutablePointer<Double>) -> Void
  ) {
    guard count < end else { return }
    if let last = pieces.last, end - count + last.content.count <= Self.cellsPerPiece {
      removeLast()
    }
    let metrics = metrics!
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.cellsPerPiece) { room in
      while count < end {
        // The last two pieces are of about equal size.
        let rest = end - count
        let rows =
          count..<count
          + (rest > 2 * Self.cellsPerPiece
            ? Self.cellsPerPiece : rest > Self.cellsPerPiece ? (rest + 1) / 2 : rest)
        heights(rows, room.baseAddress!)
        var top = rowTop
        for index in 0..<rows.count {
          add(x: 0, width: 1, top: top + metrics.padding, height: room[index])
          top += room[index] + metrics.spacing
        }
        closePiece()
      }
    }
  }

  private mutating func removeLast() {
    pieceCellCount -= pieces.removeLast().content.count
    tops.removeLast()
    bottom = pieces.last.map { tops[tops.count - 1] + $0.content.length } ?? 0
  }
}
