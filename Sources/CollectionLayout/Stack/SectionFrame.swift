/// What a section has around its body, whatever its kind.
public struct SectionFrame: Equatable, Sendable {
  /// In points along the scroll direction, ≥ 0; 0 for no header.
  public var headerHeight = 0.0
  /// In points along the scroll direction, ≥ 0; 0 for no footer.
  public var footerHeight = 0.0
  /// Whether the header stays in sight while its section passes.
  public var pinHeaders = false
  /// Whether the footer stays in sight while its section passes.
  public var pinFooters = false
  /// Around the body, not around header and footer; in points, each ≥ 0.
  public var sectionInset = EdgeInsets(all: 0)
  /// What background decorations lie behind: `none`, `section`, or what the kind knows.
  public var background = SectionFrame.noBackground
  /// Whether the frames of cells, and of decorations of cells and rows, are made integral: origins
  /// rounded down, far edges rounded up.
  public var integral = false

  public init() {}

  static let noBackground = "none"
  static let sectionBackground = "section"

  /// The options of every section.
  ///
  /// - Parameter backgrounds: Those that the kind knows beside `none` and `section`.
  static func options(backgrounds: [String]) -> [LayoutOption<SectionFrame>] {
    [
      .number("headerHeight", \.headerHeight, .nonNegative),
      .number("footerHeight", \.footerHeight, .nonNegative),
      .boolean("pinHeaders", \.pinHeaders),
      .boolean("pinFooters", \.pinFooters),
    ] + LayoutOption.insets("sectionInset", \.sectionInset) + [
      .word(
        "background", \.background, [noBackground, sectionBackground] + backgrounds, { $0 }),
      .boolean("integral", \.integral),
    ]
  }
}

/// The options of a layout of sections as a whole.
public struct StackOptions: Equatable, Sendable {
  /// Where the content goes on.
  public enum ScrollDirection: String, CaseIterable, Sendable { case vertical, horizontal }
  /// Where lines begin.
  public enum LayoutDirection: String, CaseIterable, Sendable { case leftToRight, rightToLeft }

  public var scrollDirection = ScrollDirection.vertical
  public var layoutDirection = LayoutDirection.leftToRight
  /// The scroll view's; in points, each ≥ 0. Those across the scroll direction take their width
  /// from the content, the others are kept for the client.
  public var contentInset = EdgeInsets(all: 0)
  /// Between two sections, in points, ≥ 0.
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
