/// All the elements of a layout that share a category and an element kind.
///
/// A layout delivers its elements series by series, and within a series by index path.
public struct ElementSeries: Hashable, Sendable {
  /// The category of its elements, which decides their zIndex.
  public let category: ElementCategory
  /// The element kind; `nil` for cells.
  public let kind: String?

  public static let cells = ElementSeries(category: .cell, kind: nil)

  public static func supplementary(_ kind: String) -> ElementSeries {
    ElementSeries(category: .supplementary, kind: kind)
  }

  public static func decorations(_ kind: String) -> ElementSeries {
    ElementSeries(category: .decoration, kind: kind)
  }
}
