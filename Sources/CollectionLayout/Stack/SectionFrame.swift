/// Everything around the body of a section, for all kinds.
public struct SectionFrame: Equatable, Sendable {
  /// In points along the scroll direction, ≥ 0; 0 for no header.
  public var headerHeight = 0.0
  /// In points along the scroll direction, ≥ 0; 0 for no footer.
  public var footerHeight = 0.0
  /// Whether the header stays in sight while its section passes.
  public var pinHeaders = false
  /// Whether the footer stays in sight while its section passes.
  public var pinFooters = false
  /// Around the body, but not around header and footer. In points, each ≥ 0.
  public var sectionInset = EdgeInsets(all: 0)
  /// The decorations behind the cells: `none`, `section`, or a value that only the kind knows.
  public var background = SectionFrame.noBackground
  /// Whether the frames of cells, and of the decorations behind cells and rows, are made integral.
  /// Origins are rounded down, far edges are rounded up.
  public var integral = false

  public init() {}

  static let noBackground = "none"
  static let sectionBackground = "section"

  /// The options that sections of all kinds have.
  ///
  /// - Parameter backgrounds: The values that the kind knows in addition to `none` and `section`.
  static func options(backgrounds: [String]) -> [LayoutOption<SectionFrame>] {
    [
      .number("headerHeight", \.headerHeight, .nonNegative),
      .number("footerHeight", \.footerHeight, .nonNegative),
      .boolean("pinHeaders", \.pinHeaders),
      .boolean("pinFooters", \.pinFooters),
    ] + LayoutOption.insets("sectionInset", \.sectionInset) + [
      .word("background", \.background, [noBackground, sectionBackground] + backgrounds),
      .boolean("integral", \.integral),
    ]
  }
}

/// The options of a whole layout of sections.
public struct StackOptions: Equatable, Sendable {
  /// The direction in which the content continues.
  public enum ScrollDirection: String, CaseIterable, Sendable { case vertical, horizontal }
  /// The side at which lines begin.
  public enum LayoutDirection: String, CaseIterable, Sendable { case leftToRight, rightToLeft }

  public var scrollDirection = ScrollDirection.vertical
  public var layoutDirection = LayoutDirection.leftToRight
  /// The content inset of the scroll view, in points, each ≥ 0. The two insets across the scroll
  /// direction make the content narrower. The other two are only stored.
  public var contentInset = EdgeInsets(all: 0)
  /// The distance between two sections, in points, ≥ 0.
  public var sectionSpacing = 0.0

  public init() {}

  static let options: [LayoutOption<StackOptions>] =
    [
      .choice("scrollDirection", \.scrollDirection),
      .choice("layoutDirection", \.layoutDirection),
    ] + LayoutOption.insets("contentInset", \.contentInset) + [
      .number("sectionSpacing", \.sectionSpacing, .nonNegative)
    ]

  var isHorizontal: Bool { scrollDirection == .horizontal }
  var isRightToLeft: Bool { layoutDirection == .rightToLeft }
}
