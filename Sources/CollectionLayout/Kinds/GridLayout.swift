/// Cells of one size in columns and rows.
///
/// Source: the article "Building a Custom UICollectionViewLayout from Scratch".
public struct GridLayout: SectionLayout {
  /// The number of columns, ≥ 1 and few enough to leave the cells a width.
  public var columns = 2
  /// An alternative to ``columns``: the smallest width of a column, in points, > 0. The layout uses
  /// as many columns as fit.
  public var minimumColumnWidth: Double?
  /// The distance from the top of a row to the top of the next, in points, > 0. Cells are lower by
  /// `rowSpacing`.
  public var rowHeight = 50.0
  /// An alternative to ``rowHeight``: a cell's width divided by its height, > 0.
  public var itemAspectRatio: Double?
  /// The distance between columns, in points, ≥ 0.
  public var columnSpacing = 5.0
  /// The distance between rows of cells, in points, ≥ 0 and < `rowHeight`.
  public var rowSpacing = 5.0

  public init() {}

  public static let kind = "grid"
  public static let uniformity = Uniformity.always
  public static let backgrounds = [itemBackground, rowBackground]
  private static let itemBackground = "item"
  private static let rowBackground = "row"
  public static let options: [LayoutOption<GridLayout>] = [
    .integer("columns", \.columns, from: 1),
    .number("minimumColumnWidth", \.minimumColumnWidth, .positive),
    .number("rowHeight", \.rowHeight, .positive),
    .number("itemAspectRatio", \.itemAspectRatio, .positive),
    .number("columnSpacing", \.columnSpacing, .nonNegative),
    .number("rowSpacing", \.rowSpacing, .nonNegative),
  ]

  /// - Complexity: O(1).
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    let cells = try cells(in: container)
    let rows = items.count == 0 ? 0 : (items.count - 1) / cells.columns + 1
    return LatticeBody(
      .even(
        count: cells.columns, x: 0, lastX: 0, y: 0, xPitch: cells.size.width + columnSpacing,
        size: cells.size),
      count: items.count, pitch: cells.rowHeight,
      height: rows == 0 ? 0 : Double(rows) * cells.rowHeight - rowSpacing)
  }

  private func cells(
    in container: Container
  ) throws(LayoutError) -> (columns: Int, size: Size, rowHeight: Double) {
    var columns = columns
    if let minimumColumnWidth {
      let fitting = (container.width + columnSpacing) / (minimumColumnWidth + columnSpacing)
      columns = max(1, Int(clamping: fitting.rounded(.down)))
    }
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
    return (columns, Size(width: width, height: rowHeight - rowSpacing), rowHeight)
  }

  public func backgroundBody(
    _ background: String, behind body: any SectionBody, in container: Container
  ) -> any SectionBody {
    guard background == Self.rowBackground, let cells = body as? LatticeBody else { return body }
    return cells.rows(ofWidth: container.width)
  }
}
