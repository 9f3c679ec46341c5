/// The result of options and bounds for a section: its kind, its options and the container of its
/// body. Sections with the same options share one style.
final class SectionStyle: Sendable {
  let layout: any SectionLayout
  /// What sections of all kinds have.
  let options: SectionOptions
  let container: Container
  /// The height of the body, if the section scrolls sideways by itself.
  let orthogonalHeight: Double?

  /// - Parameters:
  ///   - kind: The kind of the section.
  ///   - section: The section's index, for errors; `nil` for the layout's own options.
  init<Layout: SectionLayout>(
    _ kind: Layout.Type, _ given: GivenOptions, orthogonalHeight: Double?,
    in metrics: StackMetrics, section: Int?
  ) throws(LayoutError) {
    if let (one, other) = given.conflict {
      throw .invalidOption(
        other, section: section, requirement: "left out if \(one) is given")
    }
    var layout = Layout()
    var options = Layout.defaultOptions
    let known =
      SectionKinds.sectionOptions[Layout.kind]
      ?? SectionOptions.options(backgrounds: Layout.backgrounds)
    try known.assign(given, to: &options, section: section)
    try Layout.options.assign(given, to: &layout, section: section)
    if metrics.isHorizontal { options = options.transposed() }
    options = options.stepped()
    let isTransposed = metrics.isHorizontal != (orthogonalHeight != nil)
    if isTransposed { layout = layout.transposed() }
    let step = options.step
    layout = layout.stepped(by: step)
    let orthogonalHeight = orthogonalHeight.map { step.length($0) }
    let bodyWidth = metrics.width - (options.sectionInset.left + options.sectionInset.right)
    guard bodyWidth > 0 else {
      throw .invalidOption(
        "sectionInset", section: section,
        requirement: "small enough to leave the body a width > 0 of \(metrics.width.messageText)")
    }
    self.layout = layout
    self.options = options
    self.orthogonalHeight = orthogonalHeight
    if layout.card != nil, isTransposed {
      throw .invalidOption(
        Card.option, section: section, requirement: "left out of a layout that scrolls sideways")
    }
    let boundsHeight = orthogonalHeight == nil ? metrics.boundsHeight : bodyWidth
    var container = Container(
      width: orthogonalHeight ?? bodyWidth,
      boundsHeight: layout.traits.contains(.boundsHeight) ? boundsHeight : nil,
      isTransposed: isTransposed, step: step, section: section)
    if layout.traits.contains(.ownHeights), let card = layout.card {
      container.card = try TypesetCard(
        card, step: step, by: metrics.typesetter, section: section)
    }
    self.container = container
    bodyWidthInStack = bodyWidth
  }

  /// The width of the body in the stack: what the section's insets leave.
  let bodyWidthInStack: Double

  /// Bytes held.
  var hasCard: Bool { container.card != nil }
  var memoryBytes: Int { 400 + layout.memoryBytes + (container.card?.memoryBytes ?? 0) }

  /// Whether equal items have equal bodies in both styles.
  func hasBodies(like other: SectionStyle) -> Bool {
    self === other || container == other.container && layout.isEqual(to: other.layout)
  }

  /// Whether equal items have equal elements in both styles.
  func isEqual(to other: SectionStyle) -> Bool {
    self === other
      || options == other.options && orthogonalHeight == other.orthogonalHeight
        && hasBodies(like: other)
  }
}

extension SectionLayout {
  fileprivate func isEqual(to other: any SectionLayout) -> Bool { self == other as? Self }
}

/// The numbers that all sections of a stack share.
struct StackMetrics: Equatable, Sendable {
  let isHorizontal: Bool
  let isRightToLeft: Bool
  /// The width of the content across the scroll direction, without the insets.
  let width: Double
  /// The collection view's size along the scroll direction, if it is known.
  let boundsHeight: Double?
  /// The width in which frames are mirrored from left to right.
  let mirrorWidth: Double
  let sectionSpacing: Double
  /// How sections share rows; `nil` if each has rows of its own.
  let packing: Packing?
  /// Whether sections without items are hidden.
  let hidesEmptySections: Bool
  /// Whether cells say that their height is a guess.
  let marksEstimates: Bool
  /// The height that content at least has because it lies at the bottom; `nil` if it lies at the
  /// top.
  let bottomAlignedHeight: Double?
  /// What knows fonts, for cards; `nil` if there are none.
  let typesetter: (any TextTypesetter)?

  struct Packing: Equatable, Sendable {
    /// The distance between two sections of a row.
    let columnSpacing: Double
    let minimumWidth: Double
  }

  init(
    _ options: StackOptions, bounds: Bounds?, typesetter: (any TextTypesetter)?
  ) throws(LayoutError) {
    self.typesetter = typesetter
    isHorizontal = options.isHorizontal
    isRightToLeft = options.isRightToLeft
    sectionSpacing = LengthStep.fine.length(options.sectionSpacing)
    packing =
      options.sectionPlacement == .stacked
      ? nil
      : Packing(
        columnSpacing: options.sectionColumnSpacing ?? options.sectionSpacing,
        minimumWidth: options.minimumSectionWidth)
    hidesEmptySections = options.emptySections == .hide
    marksEstimates = options.estimates
    guard let boundsWidth = bounds?.width else {
      throw .invalidBounds("width", requirement: "given for this kind")
    }
    let inset = options.contentInset
    mirrorWidth = boundsWidth - (inset.left + inset.right)
    if isHorizontal {
      guard let height = bounds?.height, height > 0 else {
        throw .invalidBounds("height", requirement: "given and > 0 for a horizontal layout")
      }
      width = height - (inset.top + inset.bottom)
      boundsHeight = boundsWidth
    } else {
      width = mirrorWidth
      boundsHeight = bounds?.height
    }
    guard width > 0 else {
      throw .invalidOption(
        "contentInset", section: nil,
        requirement: "small enough to leave the content a width > 0 within bounds")
    }
    switch options.contentAlignment {
    case .top: bottomAlignedHeight = nil
    case .bottom:
      guard let boundsHeight, boundsHeight > 0 else {
        throw .invalidBounds(
          "height", requirement: "given and > 0, because contentAlignment is \"bottom\"")
      }
      bottomAlignedHeight = LengthStep.fine.length(boundsHeight)
    }
  }

  /// Whether sections are placed equally in both. `boundsHeight` does not count here: it only
  /// matters to the containers of sections.
  static func == (a: StackMetrics, b: StackMetrics) -> Bool {
    a.isHorizontal == b.isHorizontal && a.isRightToLeft == b.isRightToLeft && a.width == b.width
      && a.sectionSpacing == b.sectionSpacing && a.packing == b.packing
      && a.hidesEmptySections == b.hidesEmptySections
      && a.bottomAlignedHeight == b.bottomAlignedHeight && a.marksEstimates == b.marksEstimates
      && (!a.isRightToLeft || a.mirrorWidth == b.mirrorWidth)
  }

  func width(of section: SectionStack.Section, _ items: Items) -> Double {
    section.isFolded ? width : width(of: section.body, items, in: section.style)
  }

  /// The width of a section: as far as to the end of its last cell if it may share a row, else that
  /// of the content.
  func width(of body: any SectionBody, _ items: Items, in style: SectionStyle) -> Double {
    guard let packing, style.orthogonalHeight == nil, body.count > 0,
      let end = style.layout.endOfShortRow(body, of: items, in: style.container)
    else { return width }
    let inset = style.options.sectionInset
    return min(width, max(packing.minimumWidth, (inset.left + end) + inset.right))
  }
}
