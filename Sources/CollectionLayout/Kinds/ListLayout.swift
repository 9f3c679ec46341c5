/// Rows of full width.
///
/// Limitations: each row is as wide as the section, whatever its item says. A change makes the list
/// of all pieces anew: four thousand for a million rows.
public struct ListLayout: SectionLayout {
  /// The height of an item without a height, in points, ≥ 0.
  public var itemHeight = 44.0
  /// The distance between rows, in points, ≥ 0.
  public var rowSpacing = 0.0
  public var card: Card?

  public init() {}

  public static let kind = "list"
  public static let options: [LayoutOption<ListLayout>] = [
    .number("itemHeight", \.itemHeight, .nonNegative),
    .number("rowSpacing", \.rowSpacing, .nonNegative),
    .card(\.card),
  ]

  public static let lengths: [any WritableKeyPath<ListLayout, Double> & Sendable] = [
    \.itemHeight, \.rowSpacing,
  ]

  public var traits: SectionTraits { .ownHeights }

  public func hasPlainItems(_ items: Items, in container: Container) -> Bool {
    !items.haveHeights(in: container)
  }

  /// - Complexity: O(*n*) for *n* items with heights or ratios; O(1) without them.
  public func body(
    of items: Items, in container: Container, after earlier: EarlierBody?
  ) throws(LayoutError) -> any SectionBody {
    let width = container.width
    try container.card?.check(width: width, in: container)
    guard !isUniform(items, in: container) else {
      return LatticeBody(
        .single(Size(width: width, height: itemHeight)), count: items.count,
        pitch: itemHeight + rowSpacing, spacing: rowSpacing)
    }
    let metrics = TrackMetrics(
      trackCount: 1, pitch: 0, trackWidth: width, spacing: rowSpacing, rowSpacing: rowSpacing)
    return PiecesBuilder.rows(items.count, metrics, after: earlier) {
      items.readHeights(
        $0, ofWidths: { _ in width }, else: itemHeight, in: container, into: $1)
    }
  }
}
