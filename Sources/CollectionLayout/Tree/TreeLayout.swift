/// A hierarchy. Each depth is a column or a row, and connectors join parents and children.
///
/// Source: "Custom Layouts: A Worked Example" in the Collection View Programming Guide.
///
/// Limitations: the sizes of nodes, and ``leaves``, count only in a compact tree; no size can be
/// measured. Each change of nodes or folds lays out the whole tree.
public struct TreeLayout: ForestLayout, Equatable, Sendable {
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
  /// How children that are all leaves stand, in a compact tree.
  public var leaves = Leaves.spread

  /// How children that are all leaves stand.
  public enum Leaves: String, CaseIterable, Sendable {
    case spread
    /// One behind the other, in the direction in which the tree grows.
    case stacked
  }

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
      .choice("leaves", \.leaves),
    ]

  static var table: OptionTable { OptionTable(options, .kind, of: TreeLayout()) }

  init(_ given: GivenOptions) throws(LayoutError) {
    self.init()
    try Self.options.assign(given, to: &self, section: nil)
  }

  init(_ given: GivenLayout) throws(LayoutError) { try self.init(given.options) }

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

  func prepared(
    for forest: Forest, _ folds: Folds, after earlier: (any PreparedForest)?,
    typesetter: (any TextTypesetter)?
  ) throws(LayoutError) -> any PreparedForest {
    let shown = ShownNodes(of: forest, folds)
    if spacing == .compact {
      let sizes = shown.sizes
      if sizes != nil || leaves == .stacked {
        return try SizedTree(shown, sizes: sizes, layout: self)
      }
    }
    return try LayeredTree(shown, layout: self)
  }
}
