/// Cells in columns and rows.
///
/// Source: the article "Building a Custom UICollectionViewLayout from Scratch"; for spans, CSS Grid
/// Layout Module Level 1, section 8.5.
///
/// Limitations: heights count, and can be measured, only in rows as high as their highest item;
/// `rowSpan` counts only in fixed rows. Where items have spans or name columns, there are at most
/// 10,000 columns, and fewer for more than 10,000 items. A dense grid of such items is laid out as
/// a whole after each change.
public struct GridLayout: SectionLayout {
  /// How high the rows are.
  public enum RowSizing: String, CaseIterable, Sendable {
    /// All as high as ``GridLayout/rowHeight`` says.
    case fixed
    /// Each as high as its highest item.
    case tallest
  }

  /// Where items lie in rows that are higher.
  public enum ItemAlignment: String, CaseIterable, Sendable {
    /// They are made as high as the row.
    case stretch
    case start, center, end
  }

  /// Which places items may take.
  public enum Placement: String, CaseIterable, Sendable {
    /// Those behind the item before. So items are in order, and some places stay free.
    case sparse
    /// The first that is free.
    case dense
  }

  /// The number of columns, ≥ 1 and few enough to leave the cells a width.
  public var columns = 2
  /// An alternative to ``columns``: the smallest width of a column, in points, > 0. The layout uses
  /// as many columns as fit.
  public var minimumColumnWidth: Double?
  /// The largest number of columns that follows from ``minimumColumnWidth``.
  public var maximumColumns: Int?
  /// The distance from the top of a row to the top of the next, in points, > 0. Cells are lower by
  /// `rowSpacing`.
  public var rowHeight = 50.0
  /// An alternative to ``rowHeight``: a cell's width divided by its height, > 0.
  public var itemAspectRatio: Double?
  /// The distance between columns, in points, ≥ 0.
  public var columnSpacing = 5.0
  /// The distance between rows of cells, in points, ≥ 0 and < `rowHeight`.
  public var rowSpacing = 5.0
  public var rowSizing = RowSizing.fixed
  /// Used with rows as high as their highest item.
  public var itemAlignment = ItemAlignment.stretch
  public var placement = Placement.sparse
  /// Used with rows as high as their highest item.
  public var card: Card?

  public init() {}

  public static let kind = "grid"
  public static let backgrounds = [itemBackground, rowBackground]
  private static let itemBackground = "item"
  private static let rowBackground = "row"
  public static let options: [LayoutOption<GridLayout>] = [
    .integer("columns", \.columns, from: 1),
    .number("minimumColumnWidth", \.minimumColumnWidth, .positive),
    .integer("maximumColumns", \.maximumColumns, from: 1),
    .number("rowHeight", \.rowHeight, .positive),
    .number("itemAspectRatio", \.itemAspectRatio, .positive),
    .number("columnSpacing", \.columnSpacing, .nonNegative),
    .number("rowSpacing", \.rowSpacing, .nonNegative),
    .choice("rowSizing", \.rowSizing),
    .choice("itemAlignment", \.itemAlignment),
    .choice("placement", \.placement),
    .card(\.card),
  ]

  public static let lengths: [any WritableKeyPath<GridLayout, Double> & Sendable] = [
    \.rowHeight, \.rowSpacing,
  ]

  public var traits: SectionTraits { rowSizing == .tallest ? .ownHeights : [] }

  public func hasPlainItems(_ items: Items, in container: Container) -> Bool {
    ItemSpans.Fields(items, usesRowSpans: rowSizing == .fixed).isEmpty
      && (rowSizing == .fixed || !items.haveHeights(in: container))
  }

  /// - Complexity: O(1) for items without fields. Else O(*n*) for *n* items, if each covers few
  ///   columns and rows.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    let fields = ItemSpans.Fields(items, usesRowSpans: rowSizing == .fixed)
    let metrics = try metrics(for: fields, of: items, in: container)
    if rowSizing == .tallest {
      try container.card?.check(width: metrics.tracks.width(ofSpan: 1), in: container)
    }
    guard !isUniform(items, in: container) else {
      return LatticeBody(
        .even(
          count: metrics.tracks.trackCount, x: 0, y: 0, xPitch: metrics.tracks.pitch,
          size: Size(
            width: metrics.tracks.trackWidth, height: metrics.rowHeight - metrics.rowSpacing)),
        count: items.count, pitch: metrics.rowHeight, spacing: metrics.rowSpacing)
    }
    var used = metrics
    if !fields.isEmpty {
      used.tracks.trackCount = ItemSpans.reach(
        of: items, fields, trackCount: metrics.tracks.trackCount)
    }
    let builder = GridBuilder(
      items: items, fields: fields, layout: self, metrics: used, container: container)
    return placement == .dense && !fields.isEmpty
      ? try builder.denseBody() : builder.sparseBody(after: earlier)
  }

  public func endOfShortRow(
    _ body: any SectionBody, of items: Items, in container: Container
  ) -> Double? {
    let fields = ItemSpans.Fields(items, usesRowSpans: rowSizing == .fixed)
    guard fields.isEmpty, let metrics = try? metrics(for: fields, of: items, in: container),
      body.count < metrics.tracks.trackCount
    else { return nil }
    return body.frame(of: body.count - 1).maxX
  }

  /// The measures of columns and rows.
  struct Metrics {
    var tracks: TrackMetrics
    /// In whole steps, as `rowSpacing`.
    let rowHeight: Double
    let rowSpacing: Double
    let width: Double
  }

  private func metrics(
    for fields: ItemSpans.Fields, of items: Items, in container: Container
  ) throws(LayoutError) -> Metrics {
    let columns = try container.columnCount(
      columns, minimumWidth: minimumColumnWidth, maximum: maximumColumns,
      spacing: columnSpacing, for: fields, of: items)
    let width = (container.width - columnSpacing * Double(columns - 1)) / Double(columns)
    guard width > 0 else {
      throw container.invalidOption(
        "columns",
        "few enough to leave the items a width within the section's "
          + container.width.messageText)
    }
    var rowHeight = rowHeight
    if let itemAspectRatio {
      rowHeight = container.height(ofWidth: width, ratio: itemAspectRatio) + rowSpacing
    }
    guard rowHeight.isReachable else {
      throw container.invalidOption(
        "itemAspectRatio", "large enough that cells are at most 1e300 high")
    }
    guard rowSpacing < rowHeight else {
      throw container.invalidOption(
        "rowSpacing",
        "less than the rows' height, \(rowHeight.messageText), was \(rowSpacing.messageText)")
    }
    return Metrics(
      tracks: TrackMetrics(
        trackCount: columns, pitch: width + columnSpacing, trackWidth: width,
        trackSpacing: columnSpacing),
      rowHeight: rowHeight, rowSpacing: rowSpacing, width: container.width)
  }

  public func backgroundBody(
    _ background: String, behind body: any SectionBody, in container: Container
  ) -> any SectionBody {
    guard background == Self.rowBackground else { return body }
    switch body {
    case let cells as LatticeBody: return cells.rows(ofWidth: container.width)
    case let cells as GridBody: return cells.rows
    default: return body
    }
  }
}
