/// The layout attributes of all elements of a collection. They are computed once and never change.
///
/// Elements are ordered by ``series``, then by index path. This is the order of delivery: zIndex,
/// category, element kind, section, item.
public protocol PreparedLayout: AnyObject, Sendable {
  /// The size of the whole content, in points.
  var contentSize: Size { get }
  /// Where the whole content is, in points. It begins at 0; but a horizontal layout from right to
  /// left goes on to the left of 0.
  var contentFrame: Rect { get }
  /// How many elements there are.
  var counts: ElementCounts { get }
  /// The memory of the layout, in bytes, without the collection itself.
  var memoryBytes: Int { get }

  /// The series of the layout, in the order of delivery. Some may be empty.
  var series: [ElementSeries] { get }

  /// One of the ``series``; `nil` beyond the last.
  func series(at index: Int) -> ElementSeries?

  /// Whether any element is pinned. A pinned element is in answers even if it is known.
  var hasPinnedElements: Bool { get }

  /// Offers to a sink at least the elements of a series that intersect a rect, in ascending order
  /// of index paths, until the sink wants no more.
  ///
  /// - Parameters:
  ///   - series: An index into ``series``.
  ///   - start: Elements before this index path are not offered.
  /// - Complexity: O(*t* · log *n* + *r*) for *t* tracks that meet the rect and *r* results, and
  ///   the visits that are charged with ``FrameSink/pass(_:before:)``.
  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink)

  /// The element of a series at an index path, if there is one.
  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes?

  /// Whether any item of a section may have an id. The section must exist.
  func hasIDs(inSection section: Int) -> Bool

  /// The id of an item, if it has one. The item must exist.
  func id(ofItemAt indexPath: IndexPath) -> ItemID?

  /// The data of an item, if it has some. The item must exist.
  func data(ofItemAt indexPath: IndexPath) -> ItemData?

  /// The texts of an item, if it may have some. The item must exist.
  func texts(ofItemAt indexPath: IndexPath) -> ItemTextsOfItem?

  /// The data of a section, if it has some. The section must exist.
  func data(ofSection section: Int) -> ItemData?

  /// What an item's card shows, if cells have cards. The item must exist.
  func cardContent(ofItemAt indexPath: IndexPath) -> CardContent?

  /// The largest number of bytes of text that a card has, at most; 0 without cards.
  var longestCardText: Int { get }

  /// The card of an item, if it has one. The item must exist.
  ///
  /// - Complexity: O(length of its texts).
  func card(ofItemAt indexPath: IndexPath) -> CardOfItem?

  /// Whether any cell may have marks.
  var marksCells: Bool { get }

  /// What is said of an item's cell. The item must exist.
  ///
  /// - Complexity: O(log *m*) for *m* measured sizes, and O(length of its texts) for a card.
  func marks(ofItemAt indexPath: IndexPath) -> CellMarks

  /// How many items come before an item, in all sections. The item must exist.
  func ordinal(ofItemAt indexPath: IndexPath) -> Int

  /// The item with `ordinal` items before it; `nil` if there are not so many items.
  func indexPath(ofOrdinal ordinal: Int) -> IndexPath?

  /// What the element belongs to. It decides which element of another version is the same.
  func identity(of series: Int, at indexPath: IndexPath) -> ElementIdentity

  /// The whole area that an element may cover. For a pinned element it covers all positions.
  func sweptFrame(of attributes: LayoutAttributes) -> Rect
}

extension PreparedLayout {
  public func data(ofItemAt indexPath: IndexPath) -> ItemData? { nil }
  public func texts(ofItemAt indexPath: IndexPath) -> ItemTextsOfItem? { nil }
  public func data(ofSection section: Int) -> ItemData? { nil }
  public func cardContent(ofItemAt indexPath: IndexPath) -> CardContent? { nil }

  /// The data of an element: that of its item, or of the section whose header it is.
  public func data(of series: ElementSeries, at path: IndexPath) -> ItemData? {
    series.category == .cell
      ? data(ofItemAt: path) : series == SectionStack.header ? data(ofSection: path.section) : nil
  }
  public var longestCardText: Int { 0 }
  public func card(ofItemAt indexPath: IndexPath) -> CardOfItem? { nil }
  public var marksCells: Bool { false }
  public func marks(ofItemAt indexPath: IndexPath) -> CellMarks { [] }

  public var hasPinnedElements: Bool { false }

  public var contentFrame: Rect { Rect(origin: Point(x: 0, y: 0), size: contentSize) }

  // Queries call this. Reading the list would count references to it, and all threads would write
  // to the same counter.
  public func series(at index: Int) -> ElementSeries? {
    series.indices.contains(index) ? series[index] : nil
  }
}

/// How many elements a layout has, by category.
public struct ElementCounts: Hashable, Sendable {
  /// The sections, or the depths of a tree. Empty sections count.
  public var sections: Int
  /// One for each item or node.
  public var cells: Int
  /// Headers and footers, or a tree's connectors.
  public var supplementary: Int
  /// Backgrounds.
  public var decorations: Int

  public init(sections: Int, cells: Int, supplementary: Int, decorations: Int) {
    self.sections = sections
    self.cells = cells
    self.supplementary = supplementary
    self.decorations = decorations
  }
}
