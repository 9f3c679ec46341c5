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
      body.metrics?.trackCount == metrics?.trackCount,
      body.metrics?.isInTurn == metrics?.isInTurn
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
