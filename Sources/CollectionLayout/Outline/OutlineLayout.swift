/// A row for each node of a hierarchy, in the order of a walk that takes each node before its
/// children: folders, threads, spans.
///
/// Limitations: no size can be measured, and a node's width does not count. Each change of nodes
/// lays out all rows; a fold lays out none. At most 16 depths of ancestors stay in sight.
public struct OutlineLayout: ForestLayout, Equatable, Sendable {
  /// How much further a row begins than that of its parent, in points, ≥ 0.
  public var indent = 16.0
  /// The height of a node without a height, in points, > 0.
  public var rowHeight = 28.0
  /// The distance between rows, in points, ≥ 0.
  public var rowSpacing = 0.0
  /// The least width of a row, in points, > 0.
  public var minimumRowWidth = 120.0
  /// Around all rows, in points, each ≥ 0.
  public var insets = EdgeInsets(all: 0)
  /// Rows of how many depths stay in sight while what is below them passes.
  public var pinAncestors = 0.0
  public var card: Card?
  public var layoutDirection = StackOptions.LayoutDirection.leftToRight
  /// The width of the collection view, in points, > 0.
  private(set) var width = 0.0

  public init() {}

  /// The kind's name on the wire.
  public static let name = "outline"
  static let kind = name
  static let needsWidth = true
  public static let options: [LayoutOption<OutlineLayout>] =
    [
      .number("indent", \.indent, .nonNegative),
      .number("rowHeight", \.rowHeight, .positive),
      .number("rowSpacing", \.rowSpacing, .nonNegative),
      .number("minimumRowWidth", \.minimumRowWidth, .positive),
    ] + LayoutOption.insets("insets", \.insets) + [
      .number("pinAncestors", \.pinAncestors, .integers(from: 0, to: 16, orAll: false)),
      .card(\.card),
      .choice("layoutDirection", \.layoutDirection),
    ]
  static var table: OptionTable { OptionTable(options, .kind, of: OutlineLayout()) }

  /// Its lengths along y are whole steps.
  init(_ given: GivenLayout) throws(LayoutError) {
    self.init()
    try Self.options.assign(given.options, to: &self, section: nil)
    guard let width = given.bounds?.width else {
      throw .invalidBounds("width", requirement: "given")
    }
    self.width = width
    rowHeight = LengthStep.fine.length(rowHeight)
    rowSpacing = LengthStep.fine.length(rowSpacing)
    insets.top = LengthStep.fine.length(insets.top)
    insets.bottom = LengthStep.fine.length(insets.bottom)
  }

  func x(atDepth depth: Int) -> Double { insets.left + Double(depth) * indent }

  func rowWidth(atDepth depth: Int) -> Double {
    max(minimumRowWidth, (width - insets.right) - x(atDepth: depth))
  }

  func prepared(
    for forest: Forest, _ folds: Folds, after earlier: (any PreparedForest)?,
    typesetter: (any TextTypesetter)?
  ) throws(LayoutError) -> any PreparedForest {
    let earlier = (earlier as? PreparedOutline)?.rows
    let isSame =
      earlier.map {
        $0.layout == self && $0.walk === forest.walk
          && $0.items.hasSameStorage(as: forest.items)
      } ?? false
    return try PreparedOutline(
      forest, folds.fitted(to: forest),
      isSame ? earlier! : OutlineRows(forest, self, typesetter: typesetter))
  }
}
