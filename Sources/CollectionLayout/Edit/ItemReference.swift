/// An item or node, as an update names it.
public enum ItemReference: Sendable {
  /// The item at an index path.
  case path(IndexPath)
  /// The one item that has an id when the update is applied.
  case id(ItemID)
}

extension LayoutError {
  /// The error of an update that names an item by an id that not exactly one item has.
  ///
  /// - Parameters:
  ///   - count: How many items have it.
  ///   - member: The member that names the item.
  ///   - index: The update's index in the sequence.
  static func unusableID(
    _ id: ItemID, of count: Int, _ member: String, _ index: Int
  ) -> LayoutError {
    .invalidUpdate(
      index, member: member + "/id",
      requirement: "the id of one item, was \"\(id.string)\", which "
        + (count == 0 ? "no item has here" : "several items have"))
  }
}
