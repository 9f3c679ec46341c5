/// Everything around the body of a section, for all kinds.
public struct SectionOptions: Equatable, Sendable {
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
  /// The decorations behind the cells: `none`, `section`, `body`, or a value that only the kind
  /// knows.
  public var background = SectionOptions.noBackground
  /// What the background of a section or body is smaller by, in points, each ≥ 0.
  public var backgroundInset = EdgeInsets(all: 0)
  /// Whether lengths along the scroll direction are whole points, and the edges of cells, and of
  /// decorations behind cells and rows, are rounded to whole points on both axes.
  public var integral = false

  public init() {}

  static let noBackground = "none"
  static let sectionBackground = "section"
  static let bodyBackground = "body"

  /// The options that sections of all kinds have.
  ///
  /// - Parameter backgrounds: The values that the kind knows in addition to `none`, `section` and
  ///   `body`.
  static func options(backgrounds: [String]) -> [LayoutOption<SectionOptions>] {
    [
      .number("headerHeight", \.headerHeight, .nonNegative),
      .number("footerHeight", \.footerHeight, .nonNegative),
      .boolean("pinHeaders", \.pinHeaders),
      .boolean("pinFooters", \.pinFooters),
    ] + LayoutOption.insets("sectionInset", \.sectionInset) + [
      .word(
        "background", \.background,
        [noBackground, sectionBackground, bodyBackground] + backgrounds)
    ] + LayoutOption.insets("backgroundInset", \.backgroundInset) + [
      .boolean("integral", \.integral)
    ]
  }

  /// Whether there is one decoration behind the whole section or its body.
  var hasOneBackground: Bool {
    background == Self.sectionBackground || background == Self.bodyBackground
  }

  /// The unit of the section's lengths along the scroll direction.
  var step: LengthStep { integral ? .point : .fine }

  /// The options with the axes of its insets exchanged. Horizontal layouts use it.
  func transposed() -> SectionOptions {
    var options = self
    options.sectionInset = sectionInset.transposed
    options.backgroundInset = backgroundInset.transposed
    return options
  }

  /// The options with its lengths along the scroll direction in whole steps.
  func stepped() -> SectionOptions {
    var options = self
    options.headerHeight = step.length(headerHeight)
    options.footerHeight = step.length(footerHeight)
    options.sectionInset.top = step.length(sectionInset.top)
    options.sectionInset.bottom = step.length(sectionInset.bottom)
    options.backgroundInset.top = step.length(backgroundInset.top)
    options.backgroundInset.bottom = step.length(backgroundInset.bottom)
    return options
  }
}
