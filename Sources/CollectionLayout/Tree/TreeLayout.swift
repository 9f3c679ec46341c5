/// A hierarchy. Each depth is a column or a row, and connectors join parents and children.
///
/// Source: "Custom Layouts: A Worked Example" in the Collection View Programming Guide.
public struct TreeLayout: Equatable, Sendable {
  /// The size of a cell whose node has no size, in points, both sides > 0.
  public var itemSize = Size(width: 180, height: 48)
  /// The distances from a cell to the edges of its slot, in points, each ≥ 0.
  public var insets = EdgeInsets(all: 20)
  /// How nodes of the same depth are spaced.
  public var spacing = Spacing.rows
  /// Whether each node with children has a connector to them.
  public var connectors = true
  /// The direction in which the tree grows.
  public var direction = Direction.right

  /// How nodes of the same depth are spaced.
  public enum Spacing: String, CaseIterable, Sendable {
    /// Every leaf has a row of its own. A first child is level with its parent.
    case rows
    /// Subtrees are as close as their outlines allow. Parents are centred on their children.
    case compact
  }

  /// The direction from a parent to its children.
  public enum Direction: String, CaseIterable, Sendable {
    case right, down, left, up

    var isTransposed: Bool { self == .down || self == .up }
  }

  public init() {}

  public static let kind = "tree"
  public static let options: [LayoutOption<TreeLayout>] =
    LayoutOption.size("itemSize", \.itemSize) + LayoutOption.insets("insets", \.insets) + [
      .choice("spacing", \.spacing),
      .boolean("connectors", \.connectors),
      .choice("direction", \.direction),
    ]

  init(_ given: GivenOptions) throws(LayoutError) {
    self.init()
    try Self.options.assign(given, to: &self, section: nil)
  }

  /// With both axes exchanged.
  var transposed: TreeLayout {
    var layout = self
    layout.itemSize = itemSize.transposed
    layout.insets = insets.transposed
    return layout
  }

  /// The distance from one depth to the next, for a tree that grows to the right.
  var depthPitch: Double { itemSize.width + insets.left + insets.right }
  /// The distance from one row to the next, for a tree that grows to the right.
  var rowPitch: Double { itemSize.height + insets.top + insets.bottom }

  /// - Complexity: O(*n*) for *n* nodes.
  func prepared(for forest: Forest) throws(LayoutError) -> any PreparedTree {
    guard let sizes = forest.sizes else { return try LayeredTree(forest: forest, layout: self) }
    guard spacing == .compact else {
      throw .invalidOption(
        "spacing", section: nil, requirement: "\"compact\" where nodes have sizes of their own")
    }
    return try SizedTree(forest: forest, sizes: sizes, layout: self)
  }
}
