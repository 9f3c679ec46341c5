/// A hierarchy growing to the right, each depth a column, with connectors between them.
///
/// Source: "Custom Layouts: A Worked Example" in the Collection View Programming Guide.
public struct TreeLayout: CollectionViewLayout {
  /// The size of every cell, in points, both sides > 0.
  public var itemSize = Size(width: 180, height: 48)
  /// The distances from a cell to the edges of the place that it takes, each ≥ 0.
  public var insets = EdgeInsets(all: 20)
  /// How nodes of the same depth are spaced.
  public var spacing = Spacing.rows
  /// Whether each node with children has a connector to them.
  public var connectors = true

  /// How nodes of the same depth are spaced.
  public enum Spacing: String, CaseIterable, Sendable {
    /// Every leaf has a row of its own; a first child stands level with its parent.
    case rows
    /// Subtrees are as close as their outlines allow, parents centred on their children.
    case compact
  }

  public init() {}

  public static let kind = "tree"
  public static let dataForm = DataForm.forest
  public static let options: [LayoutOption<TreeLayout>] = [
    .number("itemSize.width", \.itemSize.width, .positive),
    .number("itemSize.height", \.itemSize.height, .positive),
    .number("insets.top", \.insets.top, .nonNegative),
    .number("insets.left", \.insets.left, .nonNegative),
    .number("insets.bottom", \.insets.bottom, .nonNegative),
    .number("insets.right", \.insets.right, .nonNegative),
    .choice("spacing", \.spacing),
    .boolean("connectors", \.connectors),
  ]

  /// The horizontal distance from one depth to the next.
  var depthPitch: Double { itemSize.width + insets.left + insets.right }
  /// The vertical distance from one row to the next.
  var rowPitch: Double { itemSize.height + insets.top + insets.bottom }

  /// - Complexity: O(*n*) for *n* nodes.
  public func prepared(
    for data: CollectionData, bounds: Bounds?, after previous: PreviousLayout?
  ) throws(LayoutError) -> any PreparedLayout {
    guard case .forest(let forest) = data else {
      throw .unsupportedData(expected: "nodes or root")
    }
    return try PreparedTree(forest: forest, layout: self)
  }

  /// Bounds make no difference.
  public func shouldInvalidate(
    _ prepared: any PreparedLayout, for bounds: Bounds?
  ) throws(LayoutError) -> Bool {
    (prepared as? PreparedTree)?.layout != self
  }
}
