/// Where an element is and what belongs to it, apart from the series that it is in.
public struct LayoutAttributes: Equatable, Sendable {
  public let indexPath: IndexPath
  /// In points, in the content's coordinates.
  public let frame: Rect
  /// The item's own name; only cells have one.
  public let id: ItemID?
  /// The index paths of the children in a hierarchy; only a tree's cells and connectors have any.
  public let children: Children?
  /// Between what the element may slide; only pinned headers and footers have any.
  public let pinRange: PinRange?

  public init(
    indexPath: IndexPath, frame: Rect, id: ItemID? = nil, children: Children? = nil,
    pinRange: PinRange? = nil
  ) {
    self.indexPath = indexPath
    self.frame = frame
    self.id = id
    self.children = children
    self.pinRange = pinRange
  }

  init(_ element: PlacedElement, id: ItemID?) {
    self.init(
      indexPath: element.indexPath, frame: element.frame, id: id, children: element.children,
      pinRange: element.pinRange)
  }

  /// Children lie side by side: consecutive items of the section one deeper.
  public struct Children: Hashable, BitwiseCopyable, Sendable {
    public let section: Int
    // Not a range, which is not bitwise copyable.
    private let firstItem: Int
    private let endItem: Int

    public var items: Range<Int> { Range(uncheckedBounds: (firstItem, endItem)) }

    public init(section: Int, items: Range<Int>) {
      self.section = section
      firstItem = items.lowerBound
      endItem = items.upperBound
    }
  }
}
