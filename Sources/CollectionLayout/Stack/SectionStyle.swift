/// What options and bounds say of a section: its kind, and where its body is laid out. Sections
/// that say the same share it.
final class SectionStyle: Sendable {
  let layout: any SectionLayout
  let frame: SectionFrame
  let container: Container
  /// Of a section that scrolls sideways by itself.
  let orthogonalHeight: Double?

  /// - Parameters:
  ///   - kind: `nil` for the options of a layout whose sections have kinds of their own; the style
  ///     is then only checked.
  ///   - section: The section's index, for what is wrong with it; `nil` for the layout's options.
  init<Layout: SectionLayout>(
    _ kind: Layout.Type, _ options: GivenOptions, orthogonalHeight: Double?,
    in metrics: StackMetrics, section: Int?
  ) throws(LayoutError) {
    if let (one, other) = options.conflict {
      throw .invalidOption(
        other, section: section, requirement: "left out where \(one) is given")
    }
    var layout = Layout()
    var frame = Layout.defaultFrame
    let frameOptions =
      SectionKinds.frameOptions[Layout.kind]
      ?? SectionFrame.options(backgrounds: Layout.backgrounds)
    try frameOptions.assign(options, to: &frame, section: section)
    try Layout.options.assign(options, to: &layout, section: section)
    if metrics.isHorizontal { frame.sectionInset = frame.sectionInset.transposed }
    let isTransposed = metrics.isHorizontal != (orthogonalHeight != nil)
    if isTransposed { layout = layout.transposed() }
    let bodyWidth = metrics.width - (frame.sectionInset.left + frame.sectionInset.right)
    guard bodyWidth > 0 else {
      throw .invalidOption(
        "sectionInset", section: section,
        requirement: "narrow enough to leave the body a width within \(metrics.width.messageText)")
    }
    self.layout = layout
    self.frame = frame
    self.orthogonalHeight = orthogonalHeight
    let boundsHeight = orthogonalHeight == nil ? metrics.boundsHeight : bodyWidth
    container = Container(
      width: orthogonalHeight ?? bodyWidth,
      boundsHeight: layout.usesBoundsHeight ? boundsHeight : nil, isTransposed: isTransposed,
      section: section)
    bodyWidthInStack = bodyWidth
  }

  /// The width that the section's insets leave.
  let bodyWidthInStack: Double

  /// Whether sections have the same bodies by both.
  func hasBodies(like other: SectionStyle) -> Bool {
    self === other || container == other.container && layout.isEqual(to: other.layout)
  }

  /// Whether sections have the same elements by both.
  func isEqual(to other: SectionStyle) -> Bool {
    self === other
      || frame == other.frame && orthogonalHeight == other.orthogonalHeight
        && hasBodies(like: other)
  }
}

extension SectionLayout {
  fileprivate func isEqual(to other: any SectionLayout) -> Bool { self == other as? Self }
}

/// The numbers that a stack's sections share.
struct StackMetrics: Equatable, Sendable {
  let isHorizontal: Bool
  let isRightToLeft: Bool
  /// Across the scroll direction, what the insets leave.
  let width: Double
  /// Along the scroll direction, if it is known.
  let boundsHeight: Double?
  /// What frames are mirrored in, from left to right.
  let mirrorWidth: Double
  let sectionSpacing: Double

  init(_ options: StackOptions, bounds: Bounds?) throws(LayoutError) {
    isHorizontal = options.isHorizontal
    isRightToLeft = options.isRightToLeft
    sectionSpacing = options.sectionSpacing
    let boundsWidth = try bounds.requiredWidth()
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
        requirement: "small enough to leave the content a width within bounds")
    }
  }

  /// Whether sections lie alike by both; what a height is good for is the section's business.
  static func == (a: StackMetrics, b: StackMetrics) -> Bool {
    a.isHorizontal == b.isHorizontal && a.isRightToLeft == b.isRightToLeft && a.width == b.width
      && a.sectionSpacing == b.sectionSpacing
      && (!a.isRightToLeft || a.mirrorWidth == b.mirrorWidth)
  }
}
