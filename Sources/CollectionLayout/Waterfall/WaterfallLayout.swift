/// Columns of cells of different heights, as Pinterest has them.
///
/// Source: the tutorial "UICollectionView Custom Layout Tutorial: Pinterest".
public struct WaterfallLayout: CollectionViewLayout {
  /// The number of columns, ≥ 1 and few enough to leave the cells a width.
  public var columns = 2
  /// The distance from a cell to the edges of its place, on all four sides, in points, ≥ 0.
  public var cellPadding = 6.0
  /// The scroll view's, each side ≥ 0: left and right narrow the content, whose frames begin at 0
  /// nonetheless.
  public var contentInset = EdgeInsets(all: 0)
  /// The height of an item that has neither a height nor an aspect ratio, in points, ≥ 0.
  public var itemHeight = 180.0
  /// How an item's column is chosen.
  public var placement = Placement.roundRobin
  /// The height of each section's header, in points, ≥ 0; 0 for none.
  public var headerHeight = 0.0
  /// The height of each section's footer, in points, ≥ 0; 0 for none.
  public var footerHeight = 0.0

  /// How an item's column is chosen.
  public enum Placement: String, CaseIterable, Sendable {
    /// Item *i* goes to column *i* mod `columns`.
    case roundRobin
    /// An item goes to the column that is shortest so far, the leftmost of equals.
    case shortestColumn
  }

  public init() {}

  public static let kind = "waterfall"
  public static let dataForm = DataForm.sections(
    [ItemField("height", .nonNegative), ItemField("aspectRatio", .positive)], isExclusive: true)
  static let heightField = 0
  static let aspectRatioField = 1

  public static let options: [LayoutOption<WaterfallLayout>] = [
    .integer("columns", \.columns, from: 1),
    .number("cellPadding", \.cellPadding, .nonNegative),
    .number("contentInset.top", \.contentInset.top, .nonNegative),
    .number("contentInset.left", \.contentInset.left, .nonNegative),
    .number("contentInset.bottom", \.contentInset.bottom, .nonNegative),
    .number("contentInset.right", \.contentInset.right, .nonNegative),
    .number("itemHeight", \.itemHeight, .nonNegative),
    .choice("placement", \.placement),
    .number("headerHeight", \.headerHeight, .nonNegative),
    .number("footerHeight", \.footerHeight, .nonNegative),
  ]

  /// - Complexity: O(*n*) for *n* items round robin, O(*n* · log *c*) for *c* columns otherwise.
  public func prepared(
    for data: CollectionData, bounds: Bounds?, after previous: PreviousLayout?
  ) throws(LayoutError) -> any PreparedLayout {
    let sections = try data.requiredSections()
    let metrics = try metrics(in: bounds)
    let earlier = previous?.prepared as? PreparedWaterfall
    return try PreparedWaterfall(sections: sections, metrics: metrics) { section in
      guard let earlier, let origin = previous?.origin(of: section) else { return nil }
      return earlier.reusableStack(
        ofSection: origin.base, firstChanged: origin.firstChanged, for: metrics)
    }
  }

  public func shouldInvalidate(
    _ prepared: any PreparedLayout, for bounds: Bounds?
  ) throws(LayoutError) -> Bool {
    try (prepared as? PreparedWaterfall)?.metrics != metrics(in: bounds)
  }

  func metrics(in bounds: Bounds?) throws(LayoutError) -> WaterfallMetrics {
    precondition(columns >= 1, "there is at least one column, were \(columns)")
    let boundsWidth = try bounds.requiredWidth()
    let contentWidth = boundsWidth - (contentInset.left + contentInset.right)
    guard contentWidth > 0 else {
      throw .invalidOption(
        "contentInset", requirement: "narrow enough to leave a width within bounds.width")
    }
    let columnWidth = contentWidth / Double(columns)
    let metrics = WaterfallMetrics(
      columns: columns, placement: placement, cellPadding: cellPadding, itemHeight: itemHeight,
      headerHeight: headerHeight, footerHeight: footerHeight, contentWidth: contentWidth,
      columnWidth: columnWidth, photoWidth: columnWidth - 2 * cellPadding)
    guard metrics.photoWidth > 0 else {
      throw .invalidOption(
        "columns",
        requirement: "few enough, and cellPadding small enough, to leave the cells a width")
    }
    return metrics
  }
}

/// The numbers that place a waterfall's cells.
struct WaterfallMetrics: Equatable, Sendable {
  var columns: Int
  var placement: WaterfallLayout.Placement
  var cellPadding: Double
  var itemHeight: Double
  var headerHeight: Double
  var footerHeight: Double
  var contentWidth: Double
  var columnWidth: Double
  var photoWidth: Double

  /// Whether columns with these metrics run like those with others.
  ///
  /// - Parameter includingWidth: Whether there are heights that follow from the columns' width.
  func placesItems(like other: WaterfallMetrics, includingWidth: Bool) -> Bool {
    var other = other
    other.headerHeight = headerHeight
    other.footerHeight = footerHeight
    other.contentWidth = contentWidth
    other.columnWidth = columnWidth
    if !includingWidth { other.photoWidth = photoWidth }
    return self == other
  }

  func columnX(_ column: Int) -> Double {
    Double(column) * columnWidth + cellPadding
  }

  /// The columns whose cells meet the interval.
  func columns(meeting interval: Interval, among count: Int) -> Range<Int> {
    tracks(among: count, of: photoWidth, meeting: interval) { columnX($0) }
  }
}
