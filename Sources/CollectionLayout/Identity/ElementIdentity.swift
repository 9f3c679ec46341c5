/// What an element belongs to. It decides which elements of two versions are the same.
public enum ElementIdentity: Sendable {
  /// The element belongs to an item and moves with it.
  case item
  /// The element belongs to a section and keeps its place in it.
  case section
}

/// Where the elements of one version are in another one.
enum ElementPlaces: Sendable {
  /// Each is at the same index path.
  case same
  case sections([SectionOrigin])
  case forest(RunMap<Int>, from: Forest, to: Forest)
  case arranged(ArrangedPlaces)

  /// The index path of an element in the other version; `nil` if it is not there.
  ///
  /// - Complexity: O(log *r*) for *r* runs of its section or of all nodes.
  func place(of path: IndexPath, _ identity: ElementIdentity) -> IndexPath? {
    switch self {
    case .same: return path
    case .arranged(let places): return places.place(of: path, identity)
    case .forest(let places, let from, let to):
      return from.node(at: path).flatMap { places.origin(of: $0) }.map { to.indexPath(of: $0) }
    case .sections(let places):
      let section = places.section(path.section)
      switch identity {
      case .item: return section.origin(ofItem: path.item)?.path
      case .section: return section.base.map { IndexPath(section: $0, item: path.item) }
      }
    }
  }
}
