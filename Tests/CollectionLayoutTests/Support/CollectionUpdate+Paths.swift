@testable import CollectionLayout

/// Updates that name items by their index paths.
extension CollectionUpdate {
  @_disfavoredOverload
  static func insertItems(_ items: Items, at: IndexPath) -> CollectionUpdate {
    .insertItems(items, at: .path(at))
  }

  @_disfavoredOverload
  static func deleteItems(at: IndexPath, count: Int) -> CollectionUpdate {
    .deleteItems(at: .path(at), count: count)
  }

  @_disfavoredOverload
  static func moveItem(from: IndexPath, to: IndexPath) -> CollectionUpdate {
    .moveItem(from: .path(from), to: .path(to))
  }

  @_disfavoredOverload
  static func replaceItems(_ items: Items, at: IndexPath) -> CollectionUpdate {
    .replaceItems(items, at: .path(at))
  }

  @_disfavoredOverload
  static func setItems(_ patch: ItemsPatch, at: IndexPath) -> CollectionUpdate {
    .setItems(patch, at: .path(at))
  }

  @_disfavoredOverload
  static func insertNode(_ node: Forest, parent: IndexPath?, index: Int) -> CollectionUpdate {
    .insertNode(node, parent: parent.map { .path($0) }, index: index)
  }

  @_disfavoredOverload
  static func deleteNode(at: IndexPath) -> CollectionUpdate { .deleteNode(at: .path(at)) }

  @_disfavoredOverload
  static func moveNode(from: IndexPath, parent: IndexPath?, index: Int) -> CollectionUpdate {
    .moveNode(from: .path(from), parent: parent.map { .path($0) }, index: index)
  }

  @_disfavoredOverload
  static func setNode(_ patch: ItemsPatch, at: IndexPath) -> CollectionUpdate {
    .setNode(patch, at: .path(at))
  }
}
