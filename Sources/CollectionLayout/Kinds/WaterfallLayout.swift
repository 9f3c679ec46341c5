/// Columns of cells with different heights.
///
/// Source: the tutorial "UICollectionView Custom Layout Tutorial: Pinterest".
public struct WaterfallLayout: SectionLayout {
  /// How items are assigned to columns.
  public enum Placement: String, CaseIterable, Sendable {
    /// To the columns in turn.
    case roundRobin
    /// To the column that is shortest so far, the leftmost of equals.
    case shortestColumn
  }

  /// The number of columns, ≥ 1 and few enough to leave the cells a width.
  public var columns = 2
  /// An alternative to ``columns``: the smallest width of a column, in points, > 0. The layout uses
  /// as many columns as fit.
  public var minimumColumnWidth: Double?
  /// The distance from a cell to the edges of its slot, in points, ≥ 0.
  public var cellPadding = 6.0
  /// The height of an item without a height, in points, ≥ 0.
  public var itemHeight = 180.0
  public var placement = Placement.roundRobin

  public init() {}

  public static let kind = "waterfall"
  public static let options: [LayoutOption<WaterfallLayout>] = [
    .integer("columns", \.columns, from: 1),
    .number("minimumColumnWidth", \.minimumColumnWidth, .positive),
    .number("cellPadding", \.cellPadding, .nonNegative),
    .number("itemHeight", \.itemHeight, .nonNegative),
    .choice("placement", \.placement),
  ]

  // Where columns are equally short, the shortest may be another than the next.
  public var isAlikeWhenUniform: Bool { placement == .roundRobin }

  public func hasPlainItems(_ items: Items, in container: Container) -> Bool {
    !items.has(container.field(.height)) && !items.hasRatios
  }

  /// - Complexity: O(*n*) for *n* items with heights or ratios, and O(*n* · log *c*) if they go to
  ///   the shortest of *c* columns; O(1) without heights and ratios.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    var columns = columns
    if let minimumColumnWidth {
      columns = max(1, Int(clamping: (container.width / minimumColumnWidth).rounded(.down)))
    }
    let columnWidth = container.width / Double(columns)
    let photoWidth = columnWidth - 2 * cellPadding
    guard photoWidth > 0 else {
      let width = container.width.messageText
      throw minimumColumnWidth == nil && 2 * cellPadding < container.width
        ? container.invalidOption(
          "columns", "few enough to leave the cells a width within the section's \(width)")
        : container.invalidOption(
          "cellPadding",
          "less than half of a column's \(columnWidth.messageText), was \(cellPadding.messageText)")
    }
    guard !isUniform(items, in: container) else {
      let pitch = 2 * cellPadding + itemHeight
      let rows = items.count == 0 ? 0 : (items.count - 1) / columns + 1
      return LatticeBody(
        .even(
          count: columns, x: cellPadding, lastX: cellPadding, y: cellPadding, xPitch: columnWidth,
          size: Size(width: photoWidth, height: itemHeight)),
        count: items.count, pitch: pitch, height: Double(rows) * pitch)
    }
    let metrics = TracksBody.Metrics(
      trackCount: min(columns, items.count), x: cellPadding, pitch: columnWidth, width: photoWidth,
      padding: cellPadding, spacing: .around(2 * cellPadding))
    func readHeights(_ range: Range<Int>, into heights: UnsafeMutablePointer<Double>) {
      items.readHeights(
        range, ofWidth: photoWidth, else: itemHeight, in: container, into: heights)
    }
    switch placement {
    case .roundRobin:
      return TracksBody(count: items.count, metrics, after: earlier, heights: readHeights)
    case .shortestColumn:
      return ShortestTracksBody(count: items.count, metrics, after: earlier, heights: readHeights)
    }
  }
}
