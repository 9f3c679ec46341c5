/// A collection and its layout as they are together: one version of what a client sees.
public struct PreparedCollection: Sendable {
  /// What the client asked for.
  public let layout: GivenLayout
  /// What the collection holds.
  public let data: CollectionData
  /// Where everything is.
  public let prepared: any PreparedLayout
  /// Bytes held by the data and the layout.
  public let memoryBytes: Int

  /// How many items count as stored: all but those without fields and names of sections whose
  /// frames are arithmetic.
  public var storedItemCount: Int {
    (prepared as? SectionStack)?.countedItems ?? prepared.counts.cells
  }

  /// Lays the data out.
  ///
  /// - Parameter itemLimit: How many items may count as stored.
  /// - Precondition: Items' fields are in their documented ranges.
  /// - Throws: ``LayoutError`` when the layout cannot be had for this data and these bounds.
  public init(
    _ layout: GivenLayout, _ data: CollectionData, itemLimit: Int = .max
  ) throws(LayoutError) {
    try self.init(layout, data, after: nil, itemLimit: itemLimit)
  }

  init(
    _ layout: GivenLayout, _ data: CollectionData, after earlier: EarlierStack?, itemLimit: Int
  ) throws(LayoutError) {
    try Self.check(layout.bounds)
    let prepared: any PreparedLayout
    switch data {
    case .sections(let sections):
      guard !layout.kind.isForest else { throw .unsupportedData(expected: "nodes or root") }
      prepared = try SectionStack(layout, sections, after: earlier, itemLimit: itemLimit)
    case .forest(let forest):
      guard layout.kind.isForest else { throw .unsupportedData(expected: "sections") }
      guard forest.count <= itemLimit else { throw .tooManyItems(limit: itemLimit) }
      prepared = try TreeLayout(layout.options).prepared(for: forest)
    }
    self.init(layout, data, prepared)
  }

  init(_ layout: GivenLayout, _ data: CollectionData, _ prepared: any PreparedLayout) {
    self.layout = layout
    self.data = data
    self.prepared = prepared
    memoryBytes = data.memoryBytes + prepared.memoryBytes + layout.options.memoryBytes
  }

  private static func check(_ bounds: Bounds?) throws(LayoutError) {
    if let width = bounds?.width, !NumberRange.positive.contains(width) {
      throw .invalidBounds("width", requirement: NumberRange.positive.requirement)
    }
    if let height = bounds?.height, !NumberRange.nonNegative.contains(height) {
      throw .invalidBounds("height", requirement: NumberRange.nonNegative.requirement)
    }
  }

  /// The name of the kind of layout.
  public var kind: String { layout.kind.name }

  /// The collection view's size, if it was given.
  public var bounds: Bounds? { layout.bounds }
}

extension PreparedCollection {
  /// A section as clients ask for it, to find their way.
  public struct SectionPlace: Sendable {
    public let index: Int
    public let id: ItemID?
    /// The name of its kind.
    public let kind: String
    public let itemCount: Int
    /// With header and footer, in the content's coordinates.
    public let frame: Rect
    /// Where the cells lie; of an orthogonal section as wide as its content.
    public let body: Rect
  }

  /// How many sections there are; `nil` for a hierarchy, whose sections are depths.
  public var sectionCount: Int? { (prepared as? SectionStack)?.sections.count }

  /// A section, if there is one.
  public func section(at index: Int) -> SectionPlace? {
    guard let stack = prepared as? SectionStack, stack.sections.indices.contains(index) else {
      return nil
    }
    let data = stack.data[index]
    let (frame, body) = stack.frames(ofSection: index)
    return SectionPlace(
      index: index, id: data.settings?.id, kind: data.settings?.kind ?? kind,
      itemCount: data.items.count, frame: frame, body: body)
  }

  /// Calls `body` with each section from one on, of those whose frame intersects a rect if there is
  /// one, until it returns false.
  public func forEachSection(
    in rect: Rect?, from start: Int, _ body: (SectionPlace) -> Bool
  ) {
    guard let stack = prepared as? SectionStack else { return }
    if let rect {
      stack.forEachSection(in: rect, from: start) { body(section(at: $0)!) }
    } else {
      for index in (0..<stack.sections.count).from(start) where !body(section(at: index)!) {
        return
      }
    }
  }

  /// The first section that has an id.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public func firstSection(withID id: ItemID) -> SectionPlace? {
    (prepared as? SectionStack)?.data.firstIndex { $0.settings?.id == id }
      .flatMap { section(at: $0) }
  }
}
