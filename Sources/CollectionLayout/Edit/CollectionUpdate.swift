/// One change of a collection's content. Updates of a sequence are applied in order, each to the
/// result of the one before. Items that they name are those at that time.
///
/// A new update is a case, its row in ``traits``, and what an editor does with it. All of this is
/// in this file.
public enum CollectionUpdate: Sendable {
  /// Inserts items before an item. The item of the index path may be the section's count, or
  /// ``end``.
  case insertItems(Items, at: ItemReference)
  /// Deletes `count` items, from an item on. `count` is ≥ 0, and all items are in one section.
  case deleteItems(at: ItemReference, count: Int)
  /// Moves an item. `to` is its index path after the move, or the item before which it is then.
  case moveItem(from: ItemReference, to: ItemReference)
  /// Replaces the fields and ids of items, from an item on, with those of new items.
  case replaceItems(Items, at: ItemReference)
  /// Changes the given fields and ids of items, from an item on.
  case setItems(ItemsPatch, at: ItemReference)
  /// Replaces each item that has the id of a new one, and inserts the others before an item. Of new
  /// items with one id the last counts, in the place of the first. All have ids, which were given
  /// as a column or with each item.
  case putItems(Items, areColumns: Bool, at: ItemReference)
  /// Does nothing where an id that an update of items names is not there.
  indirect case unlessMissing(CollectionUpdate)
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
  /// Changes the given fields of a node.
  case setNode(ItemsPatch, at: ItemReference)
}

extension CollectionUpdate {
  /// The place behind all others when an update is applied: an item of an index path, an index of a
  /// section or of a child. Where something is inserted or moved to, it may stand for the count.
  public static let end = Int.max

  /// What an update takes part in, beside what an editor does with it.
  struct Traits {
    /// The items that it names, by index path or id.
    var items: [ItemReference?] = []
    /// How many items come. Those that are counted anyway may be more than can be laid out.
    var addedCount = 0
    /// Whether items get texts.
    var bringsTexts = false
    /// Whether items may get fields of their own, or another kind.
    var mayStoreItems = false
  }

  var traits: Traits {
    switch self {
    case .insertItems(let items, let at):
      Traits(
        items: [at], addedCount: items.boundedCount, bringsTexts: items.hasTexts,
        mayStoreItems: items.storedCount > 0)
    case .deleteItems(let at, _): Traits(items: [at])
    case .moveItem(let from, let to): Traits(items: [from, to])
    case .replaceItems(let items, let at):
      Traits(items: [at], bringsTexts: items.hasTexts, mayStoreItems: true)
    case .setItems(let patch, let at):
      Traits(items: [at], bringsTexts: patch.changesTexts, mayStoreItems: true)
    case .putItems(let items, _, let at):
      Traits(
        items: [at], addedCount: items.boundedCount, bringsTexts: items.hasTexts,
        mayStoreItems: true)
    case .unlessMissing(let update): update.traits
    case .insertSections(let sections, _):
      Traits(
        addedCount: sections.reduce(sections.count) { $0 + $1.items.boundedCount },
        bringsTexts: sections.contains { $0.items.hasTexts },
        mayStoreItems: sections.contains { $0.items.storedCount > 0 })
    case .deleteSections, .moveSection: Traits()
    case .setSection: Traits(mayStoreItems: true)
    case .insertNode(let forest, let parent, _):
      Traits(
        items: [parent], addedCount: forest.count, bringsTexts: forest.items.hasTexts)
    case .deleteNode(let at): Traits(items: [at])
    case .setNode(let patch, let at): Traits(items: [at], bringsTexts: patch.changesTexts)
    case .moveNode(let from, let parent, _): Traits(items: [from, parent])
    }
  }

  /// Whether the update names an item by its id.
  var usesIDs: Bool {
    if case .putItems = self { return true }
    return traits.items.contains { if case .id? = $0 { true } else { false } }
  }
}

// MARK: What an editor does

extension SectionEditor {
  /// Applies one update. After an error the editor must not be used any more.
  ///
  /// - Parameter index: The update's index in the sequence, for errors.
  mutating func apply(_ update: CollectionUpdate, index: Int) throws(LayoutError) {
    switch update {
    case .insertItems(let items, let at):
      try insert(items, at: path(of: at, "/insert/at", index), "/insert/at", index)
    case .deleteItems(let at, let count):
      try delete(count, at: path(of: at, "/delete/at", index), index)
    case .moveItem(let from, let to):
      try move(from: path(of: from, "/move/from", index), to: to, index)
    case .replaceItems(let items, let at):
      try replace(at: path(of: at, "/replace/at", index), with: items, index)
    case .setItems(let patch, let at):
      try set(patch, at: path(of: at, "/set/at", index), index)
    case .putItems(let items, let areColumns, let at): try put(items, areColumns, at: at, index)
    case .unlessMissing(let update):
      if try hasAllItems(of: update, index) { try apply(update, index: index) }
    case .setSection(let patch, let at): try setSection(patch, at: at, index)
    case .insertSections(let inserted, let at): try insert(inserted, at: at, index)
    case .deleteSections(let at, let count): try deleteSections(count, at: at, index)
    case .moveSection(let from, let to): try moveSection(from: from, to: to, index)
    default: throw .foreignUpdate(index, toEditorOf: "sections or items")
    }
  }
}

extension ForestEditor {
  /// Applies one update completely, or throws and changes nothing.
  ///
  /// - Parameter index: The update's index in the sequence, for errors.
  /// - Complexity: O(*n*) for *n* nodes.
  mutating func apply(_ update: CollectionUpdate, index: Int) throws(LayoutError) {
    switch update {
    case .insertNode(let subtree, let parent, let at):
      try insert(subtree, parent: parent, at: at, index)
    case .deleteNode(let at): try delete(at: at, index)
    case .moveNode(let from, let parent, let at):
      try move(from: from, parent: parent, at: at, index)
    case .setNode(let patch, let at): try set(patch, at: at, index)
    default: throw .foreignUpdate(index, toEditorOf: "nodes")
    }
  }
}

extension LayoutError {
  /// The error of an update that an editor does not have.
  ///
  /// - Parameters:
  ///   - index: The update's index in the sequence.
  ///   - subject: What the editor edits.
  static func foreignUpdate(_ index: Int, toEditorOf subject: String) -> LayoutError {
    .invalidUpdate(index, member: "", requirement: "an update of \(subject) for this kind")
  }
}

extension Items {
  /// The number of items, as far as it can be added up.
  fileprivate var boundedCount: Int { min(count, 1 << 40) }
}
