/// Places the items of a grid row by row.
struct GridBuilder {
  let items: Items
  let fields: ItemSpans.Fields
  let layout: GridLayout
  let metrics: GridLayout.Metrics
  let container: Container

  /// An item's place: its first row and column, and how many it covers of each.
  struct Cell {
    var row: Int
    var column: Int
    var span: Int
    var rowSpan: Int
  }

  private var tracks: TrackMetrics { metrics.tracks }

  // MARK: Sparse

  /// Places the items in order, each behind the one before.
  func sparseBody(after earlier: EarlierBody?) -> GridBody {
    let earlierBody = earlier?.body as? GridBody
    return layout.rowSizing == .fixed
      ? sparseFixedBody(after: earlierBody, firstChanged: earlier?.firstChanged ?? 0)
      : sparseTallestBody(after: earlierBody, firstChanged: earlier?.firstChanged ?? 0)
  }

  private func sparseFixedBody(after earlier: GridBody?, firstChanged: Int) -> GridBody {
    var builder = LanesBuilder(tracks, count: items.count)
    var cursor = SparseCursor(columnCount: tracks.trackCount)
    if let earlier, let state = builder.keep(earlier.lanes, before: firstChanged) {
      cursor.restore(state)
    }
    let pieceCount = builder.pieceCount
    let spans = ItemSpans(
      fields, trackCount: tracks.trackCount, capacity: min(pieceCount, items.count))
    while builder.first < items.count {
      let range = builder.first..<min(builder.first + pieceCount, items.count)
      builder.beginPiece(state: cursor.state)
      spans.read(items, in: range)
      for index in 0..<range.count {
        let cell = cursor.place(index, spans)
        addFixed(cell, to: &builder)
      }
      builder.endPiece()
    }
    return fixedBody(builder, rows: cursor.rowCount)
  }

  @inline(__always)
  private func addFixed(_ cell: Cell, to builder: inout LanesBuilder) {
    builder.cells.add(
      column: cell.column, span: cell.span, start: Double(cell.row) * metrics.rowHeight,
      height: Double(cell.rowSpan) * metrics.rowHeight - metrics.rowSpacing)
  }

  private func fixedBody(
    _ builder: consuming LanesBuilder, rows: Int, order: GridBody.Order? = nil
  ) -> GridBody {
    let frames = LatticeBody(
      .single(Size(width: metrics.width, height: metrics.rowHeight - metrics.rowSpacing)),
      count: rows, pitch: metrics.rowHeight, spacing: metrics.rowSpacing)
    return GridBody(builder.body(height: frames.height), rows: frames, order: order)
  }

  private func sparseTallestBody(after earlier: GridBody?, firstChanged: Int) -> GridBody {
    var rows = TallRows(builder: LanesBuilder(tracks, count: items.count), self)
    var cursor = SparseCursor(columnCount: tracks.trackCount)
    // An item is part of what decides the row of the item before.
    if let earlier, rows.keep(earlier, before: firstChanged - 1) {
      cursor = SparseCursor(columnCount: tracks.trackCount, row: rows.row)
    }
    let chunk = 4096
    let spans = ItemSpans(fields, trackCount: tracks.trackCount, capacity: chunk)
    let heights = UnsafeMutablePointer<Double>.allocate(capacity: chunk)
    defer { heights.deallocate() }
    var first = rows.itemCount
    while first < items.count {
      let range = first..<min(first + chunk, items.count)
      spans.read(items, in: range)
      readHeights(range, spans, into: heights)
      for index in 0..<range.count {
        rows.add(cursor.place(index, spans), height: heights[index])
      }
      first = range.upperBound
    }
    return rows.finish(order: nil)
  }

  private func readHeights(
    _ range: Range<Int>, _ spans: borrowing ItemSpans, into heights: UnsafeMutablePointer<Double>
  ) {
    let standard = metrics.rowHeight - metrics.rowSpacing
    if fields.hasColumnSpans {
      items.readHeights(
        range, ofWidths: { tracks.width(ofSpan: spans.columnSpan($0)) }, else: standard,
        in: container, into: heights)
    } else {
      let width = tracks.width(ofSpan: 1)
      items.readHeights(
        range, ofWidths: { _ in width }, else: standard, in: container, into: heights)
    }
  }

  // MARK: Dense

  /// Places each item at the first place that is free.
  func denseBody() throws(LayoutError) -> GridBody {
    var search = DenseSearch(columnCount: tracks.trackCount, itemCount: items.count)
    let spans = ItemSpans(fields, trackCount: tracks.trackCount, capacity: items.count)
    spans.read(items, in: 0..<items.count)
    var rows = [Int](repeating: 0, count: items.count)
    var columns = [Int32](repeating: 0, count: items.count)
    var reserved = 0
    for item in 0..<items.count {
      if item % 256 == 0 {
        // The bits may double before the next look.
        let bytes = 2 * search.byteCount
        try LayoutError.reserve(max(0, bytes - reserved))
        reserved = max(reserved, bytes)
        try LayoutError.check()
      }
      let span = spans.columnSpan(item)
      guard
        let place = search.place(
          span, rowSpan: spans.rowSpan(item), at: spans.column(item, span: span))
      else {
        throw container.invalidOption(
          "placement", "\"sparse\" for items that leave so many different places free")
      }
      rows[item] = place.row
      columns[item] = Int32(place.column)
    }
    let order = GridBody.Order(rows: rows, columns: columns)
    func cell(_ item: Int) -> Cell {
      Cell(
        row: rows[item], column: Int(columns[item]), span: spans.columnSpan(item),
        rowSpan: spans.rowSpan(item))
    }
    if layout.rowSizing == .fixed {
      var builder = LanesBuilder(tracks, count: items.count)
      while builder.first < items.count {
        let range = builder.first..<min(builder.first + builder.pieceCount, items.count)
        builder.beginPiece(state: [])
        for place in range { addFixed(cell(Int(order.items[place])), to: &builder) }
        builder.endPiece()
      }
      return fixedBody(builder, rows: search.rowCount, order: order)
    }
    let heights = UnsafeMutablePointer<Double>.allocate(capacity: items.count)
    defer { heights.deallocate() }
    readHeights(0..<items.count, spans, into: heights)
    var tall = TallRows(builder: LanesBuilder(tracks, count: items.count), self)
    for item in order.items { tall.add(cell(Int(item)), height: heights[Int(item)]) }
    return tall.finish(order: order)
  }
}

/// Rows that are as high as their highest item. They get their items in order.
private struct TallRows: ~Copyable {
  private let grid: GridBuilder
  private var builder: LanesBuilder
  /// The row that is being filled.
  private(set) var row = 0
  private var y = 0.0
  private var height = 0.0
  /// The first cell of the row in its piece.
  private var firstOpen = 0
  /// The heights of the rows from `firstRow` on.
  private var rowHeights: [Double] = []
  private var firstRow = 0
  private var earlierRows: RowsBody?

  init(builder: consuming LanesBuilder, _ grid: GridBuilder) {
    self.grid = grid
    self.builder = builder
    self.builder.beginPiece(state: [0, 0])
  }

  /// How many items are kept.
  var itemCount: Int { builder.first }

  /// Goes on from an earlier body. A piece begins with a row, so the row of the item stays open.
  mutating func keep(_ earlier: GridBody, before item: Int) -> Bool {
    guard let rows = earlier.rows as? RowsBody,
      let state = builder.keep(earlier.lanes, before: item)
    else { return false }
    row = Int(state[0])
    y = state[1]
    firstRow = row
    earlierRows = rows
    builder.beginPiece(state: state)
    return true
  }

  @inline(__always)
  mutating func add(_ cell: GridBuilder.Cell, height: Double) {
    if cell.row != row { closeRow() }
    builder.cells.add(column: cell.column, span: cell.span, start: y, height: height)
    self.height = height > self.height ? height : self.height
  }

  private mutating func closeRow() {
    let cells = firstOpen..<builder.cells.count
    let (starts, heights) = (builder.cells.starts, builder.cells.heights)
    let step = grid.container.step
    switch grid.layout.itemAlignment {
    case .stretch: for cell in cells { heights[cell] = height }
    case .start: break
    case .center:
      for cell in cells { starts[cell] += step.nearest(to: (height - heights[cell]) / 2) }
    case .end: for cell in cells { starts[cell] += height - heights[cell] }
    }
    rowHeights.append(height)
    y = (y + height) + grid.metrics.rowSpacing
    row += 1
    height = 0
    firstOpen = cells.upperBound
    if firstOpen >= builder.pieceCount {
      builder.endPiece()
      builder.beginPiece(state: [Double(row), y])
      firstOpen = 0
    }
  }

  consuming func finish(order: GridBody.Order?) -> GridBody {
    if builder.cells.count > firstOpen { closeRow() }
    builder.endPiece()
    let metrics = TrackMetrics(
      trackCount: 1, pitch: 0, trackWidth: grid.metrics.width, spacing: grid.metrics.rowSpacing,
      rowSpacing: grid.metrics.rowSpacing)
    let (first, newHeights) = (firstRow, rowHeights)
    let earlier = earlierRows.map { EarlierBody(body: $0, kept: [.init(0..<first, from: 0)]) }
    let rows = RowsBody(count: row, metrics, after: earlier) { range, heights in
      for row in range { heights[row - range.lowerBound] = newHeights[row - first] }
    }
    return GridBody(builder.body(height: rows.height), rows: rows, order: order)
  }
}

extension GridBody.Order {
  /// Sorts items by their rows, and by their columns in a row.
  ///
  /// - Complexity: O(*n* + *r*) for *r* rows, and at most O(*n* · log *n*).
  fileprivate init(rows: [Int], columns: [Int32]) {
    var items = [Int32](repeating: 0, count: rows.count)
    let rowCount = (rows.max() ?? 0) + 1
    if rowCount <= 4 * rows.count {
      var starts = [Int32](repeating: 0, count: rowCount + 1)
      for row in rows { starts[row + 1] += 1 }
      for row in 0..<rowCount { starts[row + 1] += starts[row] }
      for item in rows.indices {
        items[Int(starts[rows[item]])] = Int32(item)
        starts[rows[item]] += 1
      }
    } else {
      for item in rows.indices { items[item] = Int32(item) }
      items.sort { (rows[Int($0)], $0) < (rows[Int($1)], $1) }
    }
    var places = [Int32](repeating: 0, count: rows.count)
    for place in items.indices { places[Int(items[place])] = Int32(place) }
    self.init(items: items, places: places)
  }
}
