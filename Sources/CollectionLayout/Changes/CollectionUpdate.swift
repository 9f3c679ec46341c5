/// One change to what a collection holds; a sequence of them is applied in order, each to the
/// result of the one before.
public enum CollectionUpdate: Sendable {
  /// The item may be the section's count.
  case insertItems(Items, at: IndexPath)
  /// So many items from one on, ≥ 0, all of its section.
  case deleteItems(at: IndexPath, count: Int)
  /// The destination counts after the removal.
  case moveItem(from: IndexPath, to: IndexPath)
  /// New fields and names for as many items.
  case replaceItems(Items, at: IndexPath)
  /// The index may be the number of sections.
  case insertSections([Items], at: Int)
  /// So many sections from one on, ≥ 0.
  case deleteSections(at: Int, count: Int)
  /// The destination counts after the removal.
  case moveSection(from: Int, to: Int)
  /// A subtree as the `index`-th child of a node, or root where `parent` is nil.
  case insertNode(Forest, parent: IndexPath?, index: Int)
  /// A node with its subtree.
  case deleteNode(at: IndexPath)
  /// A node with its subtree; `from` and `parent` name nodes as they are before the move, `index`
  /// counts after the removal.
  case moveNode(from: IndexPath, parent: IndexPath?, index: Int)
}
