/// Where an element is and what belongs to it, apart from the series that it is in.
public struct LayoutAttributes: Sendable {
  public let indexPath: IndexPath
  /// In points, in the content's coordinates.
  public let frame: Rect
  /// The item's own name; only cells have one.
  public let id: ItemID?
  /// The index paths of the children in a hierarchy; only a tree's cells and connectors have any.
  public let children: Children?

  @inlinable
  public init(indexPath: IndexPath, frame: Rect, id: ItemID? = nil, children: Children? = nil) {
    self.indexPath = indexPath
    self.frame = frame
    self.id = id
    self.children = children
  }

  /// Children lie side by side: consecutive items of the section one deeper.
  public struct Children: Hashable, Sendable {
    public let section: Int
    public let items: Range<Int>

    @inlinable
    public init(section: Int, items: Range<Int>) {
      self.section = section
      self.items = items
    }
  }
}

extension LayoutAttributes: Equatable {
  public static func == (a: LayoutAttributes, b: LayoutAttributes) -> Bool {
    a.indexPath == b.indexPath && a.frame == b.frame && a.children == b.children && a.id == b.id
  }
}
