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

extension CollectionUpdate {
  /// Whether the update names an item by its id.
  var usesIDs: Bool {
    let references: [ItemReference?] =
      switch self {
      case .insertItems(_, let at), .deleteItems(let at, _), .replaceItems(_, let at),
        .setItems(_, let at), .deleteNode(let at), .setNode(_, let at):
        [at]
      case .moveItem(let from, let to): [from, to]
      case .insertNode(_, let parent, _): [parent]
      case .moveNode(let from, let parent, _): [from, parent]
      case .insertSections, .deleteSections, .moveSection, .setSection: []
      }
    return references.contains { if case .id? = $0 { true } else { false } }
  }
}
