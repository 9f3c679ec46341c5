/// One change of a collection's content. Updates of a sequence are applied in order, each to the
/// result of the one before. Items that they name are those at that time.
public enum CollectionUpdate: Sendable {
  /// Inserts items before an item. The item of the index path may be the section's count.
  case insertItems(Items, at: ItemReference)
  /// Deletes `count` items, from an item on. `count` is ≥ 0, and all items are in one section.
  case deleteItems(at: ItemReference, count: Int)
  /// Moves an item. `to` is its index path after the move, or the item before which it is then.
  case moveItem(from: ItemReference, to: ItemReference)
  /// Replaces the fields and ids of items, from an item on, with those of new items.
  case replaceItems(Items, at: ItemReference)
  /// Changes the given fields and ids of items, from an item on.
  case setItems(ItemsPatch, at: ItemReference)
  /// Inserts sections before a section. The index may be the number of sections.
  case insertSections([CollectionSection], at: Int)
  /// Deletes `count` sections, ≥ 0, from a section on.
  case deleteSections(at: Int, count: Int)
  /// Moves a section. `to` is its index after the move.
  case moveSection(from: Int, to: Int)
  /// Changes the settings of a section.
  case setSection(SectionPatch, at: Int)
  /// Inserts a subtree as the `index`-th child of a node, or as a root if `parent` is `nil`.
  case insertNode(Forest, parent: ItemReference?, index: Int)
  /// Deletes a node with its subtree.
  case deleteNode(at: ItemReference)
  /// Moves a node with its subtree. `from` and `parent` are index paths before the move. `index`
  /// counts after the removal.
  case moveNode(from: ItemReference, parent: ItemReference?, index: Int)
  /// Changes the size of a node. A side that is not given stays as it is.
  case setNode(NodePatch, at: ItemReference)
}

extension CollectionUpdate {
  /// How many items come. Those that are counted anyway may be more than can be laid out.
  var addedCount: Int {
    switch self {
    case .insertItems(let items, _): min(items.count, 1 << 40)
    case .insertSections(let sections, _):
      sections.reduce(sections.count) { $0 + min($1.items.count, 1 << 40) }
    case .insertNode(let forest, _, _): forest.count
    default: 0
    }
  }

  /// Whether items get texts.
  var bringsTexts: Bool {
    switch self {
    case .insertItems(let items, _), .replaceItems(let items, _): items.hasTexts
    case .insertSections(let sections, _): sections.contains { $0.items.hasTexts }
    case .setItems(let patch, _): !patch.textNames.isEmpty
    default: false
    }
  }

  /// Whether items may get fields of their own, or another kind.
  var mayStoreItems: Bool {
    switch self {
    case .insertItems(let items, _): items.storedCount > 0
    case .insertSections(let sections, _): sections.contains { $0.items.storedCount > 0 }
    case .replaceItems, .setItems, .setSection: true
    case .deleteItems, .moveItem, .deleteSections, .moveSection: false
    case .insertNode, .deleteNode, .moveNode, .setNode: false
    }
  }
}
