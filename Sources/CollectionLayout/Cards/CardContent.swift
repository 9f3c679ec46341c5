/// What the parts of an item's card follow from, beside the frame of its cell.
///
/// Cells that have the same frame and the same content have the same parts. A cell differs when its
/// content does.
public struct CardContent: Equatable, Sendable {
  let card: TypesetCard
  /// Whether the parts are mirrored.
  let isRightToLeft: Bool
  let texts: ItemTextsOfItem
  /// The ratio of the picture, if the card has one.
  let ratio: Double?
}
