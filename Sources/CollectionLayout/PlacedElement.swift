/// Where an element of a series is: its layout attributes but for the item's name.
///
/// Plain data without references, so that a query can make, keep and drop it for nothing.
public struct PlacedElement: BitwiseCopyable, Sendable {
  public let indexPath: IndexPath
  /// In points, in the content's coordinates.
  public let frame: Rect
  /// The index paths of the children in a hierarchy; only a tree's cells and connectors have any.
  public let children: LayoutAttributes.Children?

  public init(indexPath: IndexPath, frame: Rect, children: LayoutAttributes.Children? = nil) {
    self.indexPath = indexPath
    self.frame = frame
    self.children = children
  }

  public init(_ attributes: LayoutAttributes) {
    self.init(
      indexPath: attributes.indexPath, frame: attributes.frame, children: attributes.children)
  }
}
