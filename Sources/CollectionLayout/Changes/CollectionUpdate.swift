/// One change to what a collection holds; a sequence of them is applied in order, each to the
/// result of the one before.
public enum CollectionUpdate: Sendable {
  /// Inserts items before the one at an index path, whose item may be the section's count.
  case insertItems(Items, at: IndexPath)
  /// Deletes so many items from one on, ≥ 0, all of its section.
  case deleteItems(at: IndexPath, count: Int)
  /// Moves an item to where it stands afterwards.
  case moveItem(from: IndexPath, to: IndexPath)
  /// Gives as many items as there are new ones, from one on, their fields and names.
  case replaceItems(Items, at: IndexPath)
  /// Changes those fields and names of items that are given, from one on.
  case setItems(ItemsPatch, at: IndexPath)
  /// Inserts sections before one; the index may be the number of sections.
  case insertSections([CollectionSection], at: Int)
  /// Deletes so many sections from one on, ≥ 0.
  case deleteSections(at: Int, count: Int)
  /// Moves a section to where it stands afterwards.
  case moveSection(from: Int, to: Int)
  /// Changes what a section says of itself.
  case setSection(SectionPatch, at: Int)
  /// Inserts a subtree as the `index`-th child of a node, or root where `parent` is `nil`.
  case insertNode(Forest, parent: IndexPath?, index: Int)
  /// Deletes a node with its subtree.
  case deleteNode(at: IndexPath)
  /// Moves a node with its subtree; `from` and `parent` name nodes as they are before the move,
  /// `index` counts after the removal.
  case moveNode(from: IndexPath, parent: IndexPath?, index: Int)
  /// Gives a node another size; of what is not given it keeps what it has.
  case setNode(NodePatch, at: IndexPath)
}
