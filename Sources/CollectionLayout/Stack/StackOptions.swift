/// The options of a whole layout of sections.
public struct StackOptions: Equatable, Sendable {
  /// The direction in which the content continues.
  public enum ScrollDirection: String, CaseIterable, Sendable { case vertical, horizontal }
  /// The side at which lines begin.
  public enum LayoutDirection: String, CaseIterable, Sendable { case leftToRight, rightToLeft }
  /// What becomes of a section without items.
  public enum EmptySections: String, CaseIterable, Sendable {
    case keep
    /// It has no elements and takes no room.
    case hide
  }
  /// How sections follow each other.
  public enum SectionPlacement: String, CaseIterable, Sendable {
    /// One below the other.
    case stacked
    /// Sections whose cells stand in one row that is not full are side by side in rows.
    case packed
  }
  /// Where the content lies if it is lower than the collection view.
  public enum ContentAlignment: String, CaseIterable, Sendable { case top, bottom }

  public var scrollDirection = ScrollDirection.vertical
  public var layoutDirection = LayoutDirection.leftToRight
  /// The content inset of the scroll view, in points, each ≥ 0. The two insets across the scroll
  /// direction make the content narrower. The other two are only stored.
  public var contentInset = EdgeInsets(all: 0)
  /// The distance between two sections, in points, ≥ 0.
  public var sectionSpacing = 0.0
  public var sectionPlacement = SectionPlacement.stacked
  /// The distance between two packed sections of a row, in points, ≥ 0; `nil`: ``sectionSpacing``.
  public var sectionColumnSpacing: Double?
  /// The least width of a packed section that shares a row, in points, ≥ 0.
  public var minimumSectionWidth = 0.0
  public var emptySections = EmptySections.keep
  public var contentAlignment = ContentAlignment.top
  /// Whether cells say that their height is a guess.
  public var estimates = false

  public init() {}

  static let options: [LayoutOption<StackOptions>] =
    [
      .choice("scrollDirection", \.scrollDirection),
      .choice("layoutDirection", \.layoutDirection),
    ] + LayoutOption.insets("contentInset", \.contentInset) + [
      .number("sectionSpacing", \.sectionSpacing, .nonNegative),
      .choice("sectionPlacement", \.sectionPlacement),
      .number("sectionColumnSpacing", \.sectionColumnSpacing, .nonNegative),
      .number("minimumSectionWidth", \.minimumSectionWidth, .nonNegative),
      .choice("emptySections", \.emptySections),
      .choice("contentAlignment", \.contentAlignment),
      .boolean("estimates", \.estimates),
    ]

  var isHorizontal: Bool { scrollDirection == .horizontal }
  var isRightToLeft: Bool { layoutDirection == .rightToLeft }
}
