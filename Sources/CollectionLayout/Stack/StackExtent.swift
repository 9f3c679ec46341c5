/// Where the sections of a stack lie, and how far they reach. They are added one behind the other.
///
/// Packed sections that fit stand beside each other, with one top:
///
///     ┌─────┐ ┌───┐ ┌────┐
///     │  0  │ │ 1 │ │ 2  │
///     │     │ └───┘ └────┘
///     └─────┘              the lowest bottom, and the section spacing
///     ┌──────────────────┐
///     │        3         │
struct StackExtent: Sendable {
  private let metrics: StackMetrics
  /// The top of each section, and at the end the top that one more would have.
  private(set) var tops: [Double] = []
  /// The left edge of each section if they are packed; else there is none.
  private(set) var lefts: [Double] = []
  /// The bottom of the content: of the last section, or of the collection view if the content lies
  /// there.
  private(set) var bottom = 0.0
  /// The top of the next row.
  private var next = 0.0
  /// The top of the row that was begun, and the end of its last section.
  private var row = (top: 0.0, end: Double.infinity)
  /// The width of the content. It is larger than the sections' if frames reach beyond them.
  private(set) var width: Double
  /// The largest distance by which cells reach beyond their section, upwards and downwards.
  private(set) var overhang = (above: 0.0, below: 0.0)
  /// How far cells reach to the side.
  private var right = 0.0
  private(set) var headerCount = 0
  private(set) var footerCount = 0
  private(set) var decorationCount = 0
  /// Whether headers or footers are pinned.
  private(set) var isPinned = false
  /// The memory of styles and bodies. Neighbors may share them.
  private(set) var memoryBytes: Int
  private var lastStyle: SectionStyle?
  private var lastBody: (any SectionBody)?

  /// - Parameter style: The style of the layout's own options, if all sections are of one kind.
  init(_ metrics: StackMetrics, sectionCount: Int, style: SectionStyle?) {
    self.metrics = metrics
    tops.reserveCapacity(sectionCount + 1)
    width = metrics.width
    memoryBytes = style?.memoryBytes ?? 0
    lastStyle = style
  }

  /// The size of the content.
  var contentSize: Size {
    let size = Size(width: width, height: bottom)
    return metrics.isHorizontal ? size.transposed : size
  }

  /// Adds the next section.
  ///
  /// - Parameter sectionWidth: How wide it is.
  mutating func add(
    _ section: SectionStack.Section, width sectionWidth: Double
  ) throws(LayoutError) {
    if section.style !== lastStyle { memoryBytes += section.style.memoryBytes }
    lastStyle = section.style
    guard !section.isHidden else {
      // Tops ascend, also within a row.
      tops.append(metrics.packing == nil ? bottom : row.top)
      if metrics.packing != nil { lefts.append(0) }
      return
    }
    place(ofWidth: sectionWidth)
    tops.append(row.top)
    bottom = max(bottom, section.bottom(from: row.top))
    next = bottom + metrics.sectionSpacing
    try reach(around: section)
    count(section)
  }

  /// Places a section in the row that was begun, or else begins one.
  private mutating func place(ofWidth sectionWidth: Double) {
    let limit = metrics.width * (1 + 1e-9)
    guard let packing = metrics.packing, (row.end + packing.columnSpacing) + sectionWidth <= limit
    else {
      row = (next, sectionWidth)
      if metrics.packing != nil { lefts.append(0) }
      return
    }
    lefts.append(row.end + packing.columnSpacing)
    row.end = (row.end + packing.columnSpacing) + sectionWidth
  }

  private mutating func reach(around section: SectionStack.Section) throws(LayoutError) {
    let options = section.style.options
    let reach = section.reach
    if section.isFolded { return }
    overhang.above = max(
      overhang.above, -reach.origin.y - (options.headerHeight + options.sectionInset.top))
    overhang.below = max(
      overhang.below,
      reach.maxY - (section.bodyHeight + options.sectionInset.bottom + options.footerHeight))
    right = max(right, abs(reach.origin.x), options.sectionInset.left + reach.maxX)
    if let length = section.orthogonalLength {
      guard length <= LengthStep.limit else { throw .contentTooLarge }
    } else if section.style.layout.traits.contains(.widensContent), section.body.count > 0 {
      width = max(width, options.sectionInset.left + section.body.maxX)
    }
  }

  private mutating func count(_ section: SectionStack.Section) {
    let options = section.style.options
    if options.headerHeight > 0 {
      headerCount += 1
      isPinned = isPinned || options.pinHeaders
    }
    if options.footerHeight > 0, !section.isFolded {
      footerCount += 1
      isPinned = isPinned || options.pinFooters
    }
    decorationCount += section.backgroundCount
    if section.body !== lastBody { memoryBytes += section.body.memoryBytes }
    if let background = section.background, background !== section.body {
      memoryBytes += background.memoryBytes
    }
    lastBody = section.body
  }

  /// Ends the stack. If it must lie at the bottom of the collection view, all sections move there.
  mutating func close() throws(LayoutError) {
    tops.append(next)
    if let height = metrics.bottomAlignedHeight, bottom < height {
      let distance = height - bottom
      for index in tops.indices { tops[index] += distance }
      bottom = height
    }
    guard bottom <= LengthStep.limit, overhang.above.isReachable, overhang.below.isReachable,
      right.isReachable, width.isReachable
    else { throw .contentTooLarge }
  }
}
