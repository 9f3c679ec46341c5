/// Fixed columns and rows, with optional headers, footers and backgrounds.
///
/// Source: the article "Building a Custom UICollectionViewLayout from Scratch".
public struct GridLayout: CollectionViewLayout {
  /// The number of columns, ≥ 1 and few enough to leave the cells a width.
  public var columns = 2
  /// The pitch of the rows, in points, > 0; a cell is lower by `rowSpacing`.
  public var rowHeight = 50.0
  /// The distance between columns, in points, ≥ 0.
  public var columnSpacing = 5.0
  /// What is left free below each row of cells, in points, ≥ 0 and < `rowHeight`.
  public var rowSpacing = 5.0
  /// The height of each section's header, in points, ≥ 0; 0 for none.
  public var headerHeight = 0.0
  /// The height of each section's footer, in points, ≥ 0; 0 for none.
  public var footerHeight = 0.0
  /// Which background decorations there are.
  public var background = Background.none

  /// What the background decorations lie behind.
  public enum Background: String, CaseIterable, Sendable {
    case none, item, row, section
  }

  public init() {}

  public static let kind = "grid"
  public static let dataForm = DataForm.sections([])
  public static let options: [LayoutOption<GridLayout>] = [
    .integer("columns", \.columns, from: 1),
    .number("rowHeight", \.rowHeight, .positive),
    .number("columnSpacing", \.columnSpacing, .nonNegative),
    .number("rowSpacing", \.rowSpacing, .nonNegative),
    .number("headerHeight", \.headerHeight, .nonNegative),
    .number("footerHeight", \.footerHeight, .nonNegative),
    .choice("background", \.background),
  ]

  /// - Complexity: O(*s*) for *s* sections; nothing is stored for an item.
  public func prepared(
    for data: CollectionData, bounds: Bounds?, after previous: PreviousLayout?
  ) throws(LayoutError) -> any PreparedLayout {
    let sections = try data.requiredSections()
    let metrics = try metrics(in: bounds)
    return try PreparedGrid(
      layout: self, width: metrics.width, itemWidth: metrics.itemWidth, sections: sections)
  }

  public func shouldInvalidate(
    _ prepared: any PreparedLayout, for bounds: Bounds?
  ) throws(LayoutError) -> Bool {
    guard let prepared = prepared as? PreparedGrid else { return true }
    let width = try metrics(in: bounds).width
    return prepared.layout != self || width != prepared.width
  }

  private func metrics(
    in bounds: Bounds?
  ) throws(LayoutError) -> (width: Double, itemWidth: Double) {
    precondition(columns >= 1, "there is at least one column, were \(columns)")
    let boundsWidth = try bounds.requiredWidth()
    guard rowSpacing < rowHeight else {
      throw .invalidOption(
        "rowSpacing",
        requirement: "less than rowHeight (\(rowHeight.messageText)), was \(rowSpacing.messageText)"
      )
    }
    let itemWidth =
      (boundsWidth - columnSpacing * Double(columns - 1)) / Double(columns)
    guard itemWidth > 0 else {
      throw .invalidOption(
        "columns", requirement: "few enough to leave the items a width within bounds.width")
    }
    return (boundsWidth, itemWidth)
  }
}
