/// The layout attributes of every element of a collection: computed once, never changed.
///
/// Elements come in ``series``, and in each by index path, which together is the order of
/// delivery: (zIndex, category, element kind, section, item).
public protocol PreparedLayout: AnyObject, Sendable {
  /// The size of everything, not only of what is visible.
  var contentSize: Size { get }
  /// How many elements there are.
  var counts: ElementCounts { get }
  /// Bytes that the layout holds beyond the collection itself.
  var memoryBytes: Int { get }

  /// The series that the layout has, in the order of delivery; some may be empty.
  var series: [ElementSeries] { get }

  /// One of the ``series``; `nil` behind the last.
  func series(at index: Int) -> ElementSeries?

  /// Whether any element is pinned, and so in answers whatever is known.
  var hasPinnedElements: Bool { get }

  /// Offers at least the elements of a series that intersect the rect to a sink, by ascending index
  /// path, until the sink wants no more.
  ///
  /// - Parameters:
  ///   - series: An index into ``series``.
  ///   - start: Elements before this index path are left out.
  /// - Complexity: O(*t* · log *n* + *r*) for *t* tracks that meet the rect and *r* results, and
  ///   what the sink is told to pass.
  func offerElements(
    of series: Int, in rect: Rect, from start: IndexPath, to sink: inout FrameSink)

  /// The element of a series at an index path, if there is one.
  func attributes(of series: Int, at indexPath: IndexPath) -> LayoutAttributes?

  /// Whether any item of a section that there is may have a name.
  func hasIDs(inSection section: Int) -> Bool

  /// The name of an item that there is, if it has one.
  func id(ofItemAt indexPath: IndexPath) -> ItemID?

  /// How many items come before one that there is.
  func ordinal(ofItemAt indexPath: IndexPath) -> Int

  /// The item that so many come before; `nil` when there are not as many.
  func indexPath(ofOrdinal ordinal: Int) -> IndexPath?

  /// What makes an element of a series the same in another version.
  func identity(of series: Int, at indexPath: IndexPath) -> ElementIdentity

  /// All that an element may cover: of a pinned one wherever it may slide.
  func sweptFrame(of attributes: LayoutAttributes) -> Rect
}

extension PreparedLayout {
  public var hasPinnedElements: Bool { false }

  // For queries, which would count references to the list, in one place for all threads.
  public func series(at index: Int) -> ElementSeries? {
    series.indices.contains(index) ? series[index] : nil
  }
}

/// How many elements a layout has, by category.
public struct ElementCounts: Hashable, Sendable {
  /// The sections, or the depths of a tree; those without elements, too.
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
