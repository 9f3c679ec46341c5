/// Columns of cells with different heights.
///
/// Source: the tutorial "UICollectionView Custom Layout Tutorial: Pinterest"; for `lanes`, CSS Grid
/// Layout Module Level 3.
///
/// Limitations: what was measured moves cells within their columns; it does not choose the columns.
/// A change lays out all cells behind it. Where items cover or name columns, there are at most
/// 10,000 of them, and fewer for more than 10,000 items.
public struct WaterfallLayout: SectionLayout {
  /// How items are assigned to columns.
  public enum Placement: String, CaseIterable, Sendable {
    /// To the columns in turn.
    case roundRobin
    /// To the leftmost of the columns that are shortest so far.
    case shortestColumn
    /// To the columns that are shortest so far, in turn, as CSS's grid lanes.
    case lanes
  }

  /// The number of columns, ≥ 1 and few enough to leave the cells a width.
  public var columns = 2
  /// An alternative to ``columns``: the smallest width of a column, in points, > 0. The layout uses
  /// as many columns as fit.
  public var minimumColumnWidth: Double?
  /// The largest number of columns that follows from ``minimumColumnWidth``.
  public var maximumColumns: Int?
  /// The distance between columns, in points, ≥ 0; 0 if not given.
  public var columnSpacing: Double?
  /// The distance from one place to the next in a column, in points, ≥ 0; 0 if not given.
  public var rowSpacing: Double?
  /// The distance from a cell to the edges of its place, in points, ≥ 0. If not given, it is 6, or
  /// 0 if there is a spacing.
  public var cellPadding: Double?
  /// The height of an item without a height, in points, ≥ 0.
  public var itemHeight = 180.0
  public var placement = Placement.roundRobin
  /// Columns that are this much higher count as equally short, in points, ≥ 0. If not given, it is
  /// 1, and 16 for `lanes`.
  public var tolerance: Double?
  public var card: Card?

  public init() {}

  public static let kind = "waterfall"
  public static let options: [LayoutOption<WaterfallLayout>] = [
    .integer("columns", \.columns, from: 1),
    .number("minimumColumnWidth", \.minimumColumnWidth, .positive),
    .integer("maximumColumns", \.maximumColumns, from: 1),
    .number("columnSpacing", \.columnSpacing, .nonNegative, shownAs: 0),
    .number("rowSpacing", \.rowSpacing, .nonNegative, shownAs: 0),
    .number("cellPadding", \.cellPadding, .nonNegative, shownAs: 6),
    .number("itemHeight", \.itemHeight, .nonNegative),
    .choice("placement", \.placement),
    .number("tolerance", \.tolerance, .nonNegative, shownAs: 1),
    .card(\.card),
  ]

  public static let lengths: [any WritableKeyPath<WaterfallLayout, Double> & Sendable] = [
    \.itemHeight
  ]

  public var traits: SectionTraits {
    // Where columns are equally short, the shortest may be another than the next.
    placement == .roundRobin ? .ownHeights : [.ownHeights, .differsWhenUniform]
  }

  public func hasPlainItems(_ items: Items, in container: Container) -> Bool {
    !items.haveHeights(in: container) && ItemSpans.Fields(items, usesRowSpans: false).isEmpty
  }

  /// Whether the items go to columns in turn. What was measured has no say in it.
  private func isInTurn(
    _ items: Items, _ spans: ItemSpans.Fields, in container: Container
  ) -> Bool {
    spans.isEmpty
      && (placement == .roundRobin
        || items.hasMeasured && !items.withoutMeasured.haveHeights(in: container))
  }

  /// - Complexity: O(*n* · log *c*) for *n* items in *c* columns, and O(*c*) for each item that
  ///   covers several columns; O(1) for items without fields.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    let spans = ItemSpans.Fields(items, usesRowSpans: false)
    let (columns, metrics) = try metrics(for: spans, of: items, in: container)
    try container.card?.check(width: metrics.width(ofSpan: 1), in: container)
    guard !isUniform(items, in: container) else {
      return LatticeBody(
        .even(
          count: columns, x: metrics.x, y: metrics.padding, xPitch: metrics.pitch,
          size: Size(width: metrics.width(ofSpan: 1), height: itemHeight)),
        count: items.count, pitch: itemHeight + metrics.spacing, spacing: metrics.rowSpacing)
    }
    // Columns without any item cost nothing.
    var used = metrics
    used.trackCount =
      spans.isEmpty
      ? min(columns, items.count) : ItemSpans.reach(of: items, spans, trackCount: columns)
    guard isInTurn(items, spans, in: container) else {
      return cells(of: items, spans, used, in: container, after: earlier)
    }
    used.isInTurn = true
    let width = used.width(ofSpan: 1)
    let heights = { (range: Range<Int>, heights: UnsafeMutablePointer<Double>) in
      items.readHeights(
        range, ofWidths: { _ in width }, else: itemHeight, in: container, into: heights)
    }
    return used.trackCount == 1
      ? PiecesBuilder.rows(items.count, used, after: earlier, heights: heights)
      : PiecesBuilder.turns(items.count, used, after: earlier, heights: heights)
  }

  private func metrics(
    for spans: ItemSpans.Fields, of items: Items, in container: Container
  ) throws(LayoutError) -> (columns: Int, metrics: TrackMetrics) {
    let columnSpacing = columnSpacing ?? 0
    let columns = try container.columnCount(
      columns, minimumWidth: minimumColumnWidth, maximum: maximumColumns,
      spacing: columnSpacing, for: spans, of: items)
    let hasSpacing = self.columnSpacing != nil || rowSpacing != nil
    let cellPadding = cellPadding ?? (hasSpacing ? 0 : 6)
    let width = (container.width - columnSpacing * Double(columns - 1)) / Double(columns)
    guard width - 2 * cellPadding > 0 else {
      let all = container.width.messageText
      throw minimumColumnWidth == nil && 2 * cellPadding < container.width
        ? container.invalidOption(
          "columns", "few enough to leave the cells a width within the section's \(all)")
        : container.invalidOption(
          "cellPadding",
          "less than half of a column's \(width.messageText), was \(cellPadding.messageText)")
    }
    // Across the scroll direction the padding is not rounded.
    let padding = container.step.length(cellPadding)
    let rowSpacing = container.step.length(rowSpacing ?? 0)
    return (
      columns,
      TrackMetrics(
        trackCount: columns, x: cellPadding, pitch: width + columnSpacing, trackWidth: width,
        trackSpacing: columnSpacing, inset: 2 * cellPadding, padding: padding,
        spacing: 2 * padding + rowSpacing, rowSpacing: rowSpacing)
    )
  }

  private func cells(
    of items: Items, _ fields: ItemSpans.Fields, _ metrics: TrackMetrics, in container: Container,
    after earlier: EarlierBody?
  ) -> PiecesBody {
    var builder = PiecesBuilder(
      metrics, after: earlier?.body, before: earlier?.firstChanged ?? 0)
    let kept = builder.count
    let trackCount = metrics.trackCount
    var lanes = Lanes(trackCount: trackCount, placement: placement, tolerance: tolerance)
    // The collection's heights decide on the columns. Measured ones only move items down in them.
    let movesMeasured = items.hasMeasured
    let plainItems = movesMeasured ? items.withoutMeasured : items
    var bottoms = [Double](repeating: 0, count: movesMeasured ? trackCount : 0)
    let roomCount = min(Self.itemsAtOnce, items.count)
    let spans = ItemSpans(fields, trackCount: trackCount, capacity: roomCount)
    let plainHeights = UnsafeMutablePointer<Double>.allocate(capacity: roomCount)
    defer { plainHeights.deallocate() }
    let heights = movesMeasured ? .allocate(capacity: roomCount) : plainHeights
    defer { if movesMeasured { heights.deallocate() } }
    if !movesMeasured, kept > 0, let body = earlier?.body as? PiecesBody {
      fill(&lanes, as: body, before: kept, of: items, spans, metrics)
    }
    for first in stride(
      from: movesMeasured ? 0 : kept, to: items.count, by: Self.itemsAtOnce)
    {
      let range = first..<min(first + Self.itemsAtOnce, items.count)
      spans.read(items, in: range)
      plainItems.readHeights(
        range, ofWidths: { metrics.width(ofSpan: spans.columnSpan($0)) }, else: itemHeight,
        in: container, into: plainHeights)
      if movesMeasured {
        heights.update(from: plainHeights, count: range.count)
        for entry in items.measured.entries(in: range) {
          heights[entry.item - first] = container.step.length(entry.size)
        }
      }
      for index in 0..<range.count {
        let span = spans.columnSpan(index)
        var (column, top) = lanes.place(span, at: spans.column(index, span: span))
        let columns = column..<column + span
        lanes.fill(columns, to: top + (plainHeights[index] + metrics.spacing))
        if movesMeasured {
          top = bottoms[columns].max()!
          for column in columns { bottoms[column] = top + (heights[index] + metrics.spacing) }
        }
        guard first + index >= kept else { continue }
        builder.add(
          x: Double(column), width: Double(span), top: top + metrics.padding,
          height: heights[index])
        builder.endRow()
      }
    }
    let lowest = movesMeasured ? bottoms.max()! : lanes.highest
    return builder.body(height: items.count == 0 ? 0 : lowest - metrics.rowSpacing)
  }

  /// Fills columns as the cells do that are kept: each down to the last cell that covers it.
  ///
  /// - Complexity: O(*k*) for *k* cells back to the first of those.
  private func fill(
    _ lanes: inout Lanes, as body: PiecesBody, before kept: Int, of items: Items,
    _ spans: borrowing ItemSpans, _ metrics: TrackMetrics
  ) {
    var (isFilled, left) = (Array(repeating: false, count: metrics.trackCount), metrics.trackCount)
    for item in (0..<kept).reversed() {
      guard left > 0 else { break }
      for column in body.columns(of: item) where !isFilled[column] {
        lanes.fill(
          column..<column + 1,
          to: body.frame(of: item).maxY + (metrics.spacing - metrics.padding))
        isFilled[column] = true
        left -= 1
      }
    }
    for item in (0..<kept).reversed() {
      spans.read(items, in: item..<item + 1)
      let columns = body.columns(of: item)
      guard spans.column(0, span: columns.count) == nil else { continue }
      return lanes.goOn(behind: columns)
    }
  }

  /// How many items' fields are read at once.
  private static let itemsAtOnce = 4096
}
