public import CollectionLayout

/// Writes a list of elements in a format.
public protocol ElementListEncoder {
  /// Begins a series. The next elements belong to it.
  mutating func begin(_ series: ElementSeries)

  /// Adds elements of the current series to the list until the list has about `byteCount` bytes. It
  /// adds at least one element to an empty list.
  ///
  /// - Precondition: A series was begun.
  /// - Parameter layout: The layout that has the ids of the items.
  /// - Returns: The number of added elements.
  mutating func encode(
    _ elements: Span<PlacedElement>, of layout: any PreparedLayout, upTo byteCount: Int
  ) -> Int
}
