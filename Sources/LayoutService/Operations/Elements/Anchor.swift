import CollectionLayout
import LayoutSessions
import MicroHTTP

/// The item from which the rect of a query is counted: `section,item`, or an id.
///
/// Text of the form `3,4` is an index path, even if an item has that id. Any other text is an id.
enum Anchor: Sendable {
  case path(IndexPath)
  case id(String)

  init?(_ text: Span<UInt8>) {
    if let comma = text.firstIndex(of: UInt8(ascii: ",")),
      let section = Decimal.integer(text.extracting(..<comma)),
      let item = Decimal.integer(text.extracting((comma + 1)...))
    {
      self = .path(IndexPath(section: section, item: item))
    } else {
      guard let id = ParameterForm.itemID.parse(text) else { return nil }
      self = .id(id)
    }
  }
}

extension ParameterForm<Anchor> {
  static var anchor: Self {
    ParameterForm(
      requirement: "must be the id of an item, 1 to 128 bytes of UTF-8, or its index path "
        + "section,item"
    ) { Anchor($0) }
  }
}

extension LayoutService {
  /// Whether the item of a query's anchor is found without long work.
  func findsAnchorAtOnce(of query: ElementsParameters, in version: LayoutVersion) -> Bool {
    guard case .id? = query.anchor else { return true }
    return version.hasBuiltItemIDs || version.collection.layoutCost <= Self.smallLayoutCost
  }

  /// Moves the rect of a query from where its anchor counts to the content's coordinates.
  func moveToAnchor(
    _ query: inout ElementsParameters, in version: LayoutVersion
  ) throws(Problem) {
    guard let anchor = query.anchor else { return }
    let path = try indexPath(of: anchor, in: version, mustBeOnly: true)
    try checkShown(path, in: version)
    guard let origin = version.collection.scrollOrigin(ofItemAt: path) else {
      throw .noSuchElement("item at [\(path.section), \(path.item)]")
    }
    try query.moveRect(by: origin)
  }

  /// The index path of the first item that an anchor names.
  ///
  /// - Parameter isOnly: Whether an id must be that of one item alone.
  func indexPath(
    of anchor: Anchor, in version: LayoutVersion, mustBeOnly isOnly: Bool = false
  ) throws(Problem) -> IndexPath {
    switch anchor {
    case .path(let path): return path
    case .id(let id):
      let found = sessions.itemIDs(of: version)?.find(ItemID(id), in: version.collection.data)
      guard let found else { throw .noSuchElement("item with the id \"\(id)\"") }
      guard found.isOnly || !isOnly else {
        throw .invalidParameter(
          "anchor",
          "must be an id that one item has; several have this one. Give the index path of one of "
            + "them")
      }
      return found.isOnly
        ? found.path : try shownItem(with: id, in: version, sessions.itemIDs(of: version))
    }
  }
}
