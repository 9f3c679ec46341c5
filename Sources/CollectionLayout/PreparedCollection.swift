/// A collection and its layout: one version of what a client sees.
public struct PreparedCollection: Sendable {
  /// What the client asked for.
  public let layout: GivenLayout
  /// The data with its frames.
  let content: Content
  /// The data as it is without the layout's arrangement.
  public let source: CollectionData
  /// How the layout arranges it; `nil` if it does not.
  let order: ItemOrder?
  /// Bytes held by the data and the layout.
  public let memoryBytes: Int

  /// Whether items stand elsewhere than in ``source``.
  public var isArranged: Bool { order != nil }

  /// The sections or the hierarchy.
  public var data: CollectionData { content.data }
  /// The frames.
  public let prepared: any PreparedLayout
  /// What is folded.
  public var folds: Folds { content.folds }
  /// Whether anything belongs to the layout beside what was given of it.
  public var hasOwnState: Bool { !folds.isEmpty || source.hasMeasured }

  /// What knows fonts, for cards; `nil` if there are none.
  let typesetter: (any TextTypesetter)?

  /// How many items count as stored. In a section whose frames are computed by arithmetic, items
  /// without fields and ids do not count.
  public var storedItemCount: Int {
    switch content {
    case .sections(let stack): stack.countedItems
    case .forest(let forest): forest.forest.count
    }
  }

  /// Lays out the data.
  ///
  /// - Parameters:
  ///   - itemLimit: How many items may count as stored.
  ///   - typesetter: What knows fonts, for cards; later versions have it, too.
  /// - Precondition: Items' fields are in their documented ranges.
  /// - Throws: ``LayoutError`` if this data cannot be laid out with these options and bounds.
  public init(
    _ layout: GivenLayout, _ data: CollectionData, itemLimit: Int = .max,
    typesetter: (any TextTypesetter)? = nil
  ) throws(LayoutError) {
    try self.init(
      layout, data, order: nil, after: nil, itemLimit: itemLimit, typesetter: typesetter)
  }

  /// - Parameters:
  ///   - order: That of the layout's arrangement, if it has one.
  ///   - earlier: In which places count as they are arranged.
  init(
    _ layout: GivenLayout, _ data: CollectionData, _ folds: Folds = Folds(), order: ItemOrder?,
    after earlier: EarlierContent?, itemLimit: Int, typesetter: (any TextTypesetter)?
  ) throws(LayoutError) {
    try Self.check(layout.bounds)
    switch data {
    case .sections(let sections):
      guard !layout.kind.isForest else { throw .unsupportedData(expected: "nodes or root") }
      let stack = try SectionStack(
        layout, order?.sections(withMeasuredOf: sections) ?? sections, folds,
        after: earlier?.stack, itemLimit: itemLimit, typesetter: typesetter)
      self.init(
        layout, .sections(stack), source: order == nil ? nil : data, order,
        typesetter: typesetter)
    case .forest(let forest):
      guard layout.kind.isForest else { throw .unsupportedData(expected: "sections") }
      guard forest.count <= itemLimit else { throw .tooManyItems(limit: itemLimit) }
      let kind = ForestKinds.named(layout.kind.name)!
      var outline: (any PreparedForest)?
      if case .forest(let forest) = earlier?.content { outline = forest }
      self.init(
        layout,
        .forest(
          try kind.init(layout).prepared(
            for: forest, folds, after: outline, typesetter: typesetter)),
        typesetter: typesetter)
    }
  }

  init(
    _ layout: GivenLayout, _ content: Content, source: CollectionData? = nil,
    _ order: ItemOrder? = nil, typesetter: (any TextTypesetter)?
  ) {
    self.typesetter = typesetter
    self.layout = layout
    self.content = content
    self.source = source ?? content.data
    self.order = order
    prepared = content.prepared
    memoryBytes =
      content.data.memoryBytes + content.prepared.memoryBytes + layout.memoryBytes
  }

  /// A collection with its frames, of which another layout says the same.
  init(_ collection: PreparedCollection, saidBy layout: GivenLayout) {
    self.layout = layout
    typesetter = collection.typesetter
    content = collection.content
    source = collection.source
    order = collection.order
    prepared = collection.prepared
    memoryBytes =
      collection.memoryBytes - collection.layout.memoryBytes + layout.memoryBytes
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

  /// The direction in which the content continues; `nil` for a tree, which has none.
  public var scrollDirection: StackOptions.ScrollDirection? {
    guard let stack = content.stack else { return layout.kind.needsWidth ? .vertical : nil }
    return stack.metrics.isHorizontal ? .horizontal : .vertical
  }
}

extension PreparedCollection {
  /// The leading edge of an item's frame along the scroll direction, and 0 across it; in a tree the
  /// origin of the frame. It is `nil` if there is no such item.
  ///
  /// In a horizontal layout from right to left this is the right edge: an item that grows keeps it.
  public func scrollOrigin(ofItemAt path: IndexPath) -> Point? {
    guard let frame = frame(ofCellAt: path) else { return nil }
    guard let stack = content.stack else {
      return Point(x: layout.kind.needsWidth ? 0 : frame.origin.x, y: frame.origin.y)
    }
    guard stack.metrics.isHorizontal else { return Point(x: 0, y: frame.origin.y) }
    return Point(x: stack.metrics.isRightToLeft ? frame.maxX : frame.origin.x, y: 0)
  }

  /// A section's place in the layout, for clients that list or look up sections.
  public struct SectionPlace: Sendable {
    /// Its index in the layout, from 0.
    public let index: Int
    /// Its id; `nil` if it has none.
    public let id: ItemID?
    /// The name of its kind.
    public let kind: String
    public let itemCount: Int
    /// The whole section, with header and footer, in the content's coordinates.
    public let frame: Rect
    /// The area of the cells. For an orthogonal section it is as wide as all its cells.
    public let body: Rect
    /// The size of what the section scrolls by itself, from inset to inset; `nil` if it is not
    /// orthogonal.
    public let contentSize: Size?
    /// What a page shows of it; `nil` if it has none, or if it is not to be told.
    public var data: ItemData?
    /// Whether it is folded, and hides its items.
    public let isFolded: Bool
  }

  /// How many sections there are; `nil` for a hierarchy, because its sections are depths.
  public var sectionCount: Int? { content.stack?.sections.count }

  /// The section with an index, if there is one.
  public func section(at index: Int) -> SectionPlace? {
    guard let stack = content.stack, stack.sections.indices.contains(index) else {
      return nil
    }
    let data = stack.data[index]
    let (frame, body) = stack.frames(ofSection: index)
    return SectionPlace(
      index: index, id: data.settings?.id, kind: data.settings?.kind ?? kind,
      itemCount: data.items.count, frame: frame, body: body,
      contentSize: stack.orthogonalContentSize(ofSection: index), data: data.settings?.data,
      isFolded: stack.sections[index].isFolded)
  }

  /// Calls `body` with each section, beginning with the section `start`, until it returns false.
  ///
  /// - Parameter rect: If given, only sections whose frame intersects it.
  public func forEachSection(
    in rect: Rect?, from start: Int, _ body: (SectionPlace) -> Bool
  ) {
    guard let stack = content.stack else { return }
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
    content.stack?.data.firstIndex { $0.settings?.id == id }
      .flatMap { section(at: $0) }
  }
}
