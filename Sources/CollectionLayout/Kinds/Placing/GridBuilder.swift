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
    let body = earlier?.body as? GridBody
    let earlierBody = body?.isInOrder ?? false ? body : nil
    let firstChanged = earlier?.firstChanged ?? 0
    return layout.rowSizing == .fixed
      ? sparseFixedBody(after: earlierBody, firstChanged: firstChanged)
      : sparseTallestBody(after: earlierBody, firstChanged: firstChanged)
  }

  private func sparseFixedBody(after earlier: GridBody?, firstChanged: Int) -> GridBody {
    var builder = PiecesBuilder(tracks, after: earlier?.lanes, before: firstChanged)
    let kept = builder.count
    var cursor = SparseCursor(columnCount: tracks.trackCount)
    forEachRun { range, spans in
      for index in 0..<range.count {
        let cell = cursor.place(index, spans)
        if range.lowerBound + index >= kept { addFixed(cell, to: &builder) }
      }
    }
    return fixedBody(builder, rows: cursor.rowCount)
  }

  /// Calls `body` with the items in order, some thousand at a time.
  private func forEachRun(_ body: (Range<Int>, borrowing ItemSpans) -> Void) {
    let chunk = 4096
    let spans = ItemSpans(fields, trackCount: tracks.trackCount, capacity: chunk)
    for first in stride(from: 0, to: items.count, by: chunk) {
      let range = first..<min(first + chunk, items.count)
      spans.read(items, in: range)
      body(range, spans)
    }
  }

  @inline(__always)
  private func addFixed(_ cell: Cell, to builder: inout PiecesBuilder) {
    builder.add(
      x: Double(cell.column), width: Double(cell.span),
      top: Double(cell.row) * metrics.rowHeight,
      height: Double(cell.rowSpan) * metrics.rowHeight - metrics.rowSpacing)
    builder.endRow()
  }

  private func fixedBody(
    _ builder: consuming PiecesBuilder, rows: Int, order: GridBody.Order? = nil
  ) -> GridBody {
    let frames = LatticeBody(
      .single(Size(width: metrics.width, height: metrics.rowHeight - metrics.rowSpacing)),
      count: rows, pitch: metrics.rowHeight, spacing: metrics.rowSpacing)
    return GridBody(builder.body(height: frames.height), rows: frames, order: order)
  }

  private func sparseTallestBody(after earlier: GridBody?, firstChanged: Int) -> GridBody {
    // An item is part of what decides the row of the item before.
    var rows = TallRows(self, after: earlier, before: firstChanged - 1)
    let kept = rows.keptCount
    var keptRows = 0
    var cursor = SparseCursor(columnCount: tracks.trackCount)
    let heights = UnsafeMutablePointer<Double>.allocate(capacity: 4096)
    defer { heights.deallocate() }
    forEachRun { range, spans in
      if range.upperBound > kept { readHeights(range, spans, into: heights) }
      for index in 0..<range.count {
        let cell = cursor.place(index, spans)
        switch range.lowerBound + index {
        case ..<kept: keptRows = cell.row + 1
        case kept:
          rows.begin(at: keptRows)
          rows.add(cell, height: heights[index])
        default: rows.add(cell, height: heights[index])
        }
      }
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
      var builder = PiecesBuilder(tracks, after: nil)
      for item in order.items { addFixed(cell(Int(item)), to: &builder) }
      return fixedBody(builder, rows: search.rowCount, order: order)
    }
    let heights = UnsafeMutablePointer<Double>.allocate(capacity: items.count)
    defer { heights.deallocate() }
    readHeights(0..<items.count, spans, into: heights)
    var tall = TallRows(self, after: nil, before: 0)
    for item in order.items { tall.add(cell(Int(item)), height: heights[Int(item)]) }
    return tall.finish(order: order)
  }
}

/// Rows that are as high as their highest item. They get their items in order.
private struct TallRows: ~Copyable {
  private let grid: GridBuilder
  private var builder: PiecesBuilder
  /// How many items lie as in an earlier body, in whole rows.
  let keptCount: Int
  /// The row that is being filled.
  private var row = 0
  private var y = 0.0
  private var height = 0.0
  private let earlierRows: (any SectionBody)?
  /// How many rows lie as in the earlier body.
  private var keptRows = 0
  /// The heights of the rows behind those.
  private var rowHeights: [Double] = []

  init(_ grid: GridBuilder, after earlier: GridBody?, before item: Int) {
    self.grid = grid
    builder = PiecesBuilder(grid.metrics.tracks, after: earlier?.lanes, before: item)
    keptCount = builder.count
    earlierRows = keptCount > 0 ? earlier?.rows : nil
  }

  /// Goes on behind the rows that are kept.
  mutating func begin(at row: Int) {
    keptRows = row
    self.row = row
    if row > 0, let earlierRows { y = earlierRows.frame(of: row).origin.y }
  }

  @inline(__always)
  mutating func add(_ cell: GridBuilder.Cell, height: Double) {
    if cell.row != row { closeRow() }
    builder.add(x: Double(cell.column), width: Double(cell.span), top: y, height: height)
    self.height = height > self.height ? height : self.height
  }

  private mutating func closeRow() {
    let (step, top, rowHeight) = (grid.container.step, y, height)
    let alignment = grid.layout.itemAlignment
    builder.endRow { _, height in
      switch alignment {
      case .stretch: (nil, top, rowHeight)
      case .start: (nil, top, height)
      case .center: (nil, top + step.nearest(to: (rowHeight - height) / 2), height)
      case .end: (nil, top + (rowHeight - height), height)
      }
    }
    rowHeights.append(height)
    y = (y + height) + grid.metrics.rowSpacing
    row += 1
    height = 0
  }

  consuming func finish(order: GridBody.Order?) -> GridBody {
    if builder.isRowOpen { closeRow() }
    let metrics = TrackMetrics(
      trackCount: 1, pitch: 0, trackWidth: grid.metrics.width, spacing: grid.metrics.rowSpacing,
      rowSpacing: grid.metrics.rowSpacing)
    let (kept, earlierRows, newHeights) = (keptRows, earlierRows, rowHeights)
    let earlier = earlierRows.map { EarlierBody(body: $0, kept: [.init(0..<kept, from: 0)]) }
    let rows = PiecesBuilder.rows(row, metrics, after: earlier) { range, heights in
      for row in range {
        heights[row - range.lowerBound] =
          row < kept ? earlierRows!.frame(of: row).size.height : newHeights[row - kept]
      }
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
