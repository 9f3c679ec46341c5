import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The parameters of `GET /layouts/{id}/ids`.
struct IDsParameters {
  private(set) var from: Anchor?
  private(set) var to: Anchor?
  private(set) var section: Int?
  private(set) var version: AskedVersion?
  private(set) var limit = ElementsParameters.defaultLimit
  private(set) var cursor: Cursor?

  static let all: QueryParameters<Self> = [
    QueryParameter("from", .anchor) { $0.from = $1 },
    QueryParameter("to", .anchor) { $0.to = $1 },
    QueryParameter("section", .integer(in: 0...JSONInteger.maximum)) { $0.section = $1 },
    QueryParameter("version", .version) { $0.version = $1 },
    QueryParameter("limit", .integer(in: 0...ElementsParameters.limits.upperBound)) {
      $0.limit = $1
    },
    QueryParameter("cursor", .cursor) { $0.cursor = $1 },
  ]

  init(_ target: RequestTarget) throws(Problem) {
    try QueryString.read(target, Self.all, into: &self)
    guard (from == nil) == (to == nil) else {
      throw .invalidParameter(from == nil ? "from" : "to", "must be given, too: the other end")
    }
    guard section == nil || from == nil else {
      throw .invalidParameter("section", "must not be given together with from and to")
    }
  }

  /// Whether an item must be found by its id.
  var namesIDs: Bool {
    [from, to].contains { if case .id? = $0 { true } else { false } }
  }
}

/// Answers which items the cells show, for a selection that reaches beyond what is loaded.
extension LayoutService {
  func itemIDs(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let query = try IDsParameters(request.target)
    let (target, terms) = (request.target, AnswerTerms(request, .json))
    let isQuick =
      min(query.limit, version.collection.prepared.counts.cells) <= Self.smallLayoutCost
      && (!query.namesIDs || version.hasBuiltItemIDs
        || version.collection.layoutCost <= Self.smallLayoutCost)
    return try answering(
      version, parameters, atOnce: isQuick, on: query.namesIDs ? version.longSearches : nil
    ) { (version) throws(Problem) in
      try self.ids(query, of: version, target, terms)
    }
  }

  private func ids(
    _ query: IDsParameters, of version: LayoutVersion, _ target: RequestTarget,
    _ terms: AnswerTerms
  ) throws(Problem) -> Response {
    try version.check(asked: query.version)
    let ordinals = try ordinals(query, in: version)
    var start = ordinals.lowerBound
    if let cursor = query.cursor {
      try version.check(cursor)
      start = cursor.position.indexPath.item
      guard ordinals.contains(start) else { throw .foreignCursor }
    }
    let last = min(ordinals.upperBound, start + query.limit)
    var end = start
    var list = JSONArray(capacity: 24 * (last - start) + 64)
    while end < last, list.byteCount < limits.maxResponseBytes {
      let next = min(last, end + Self.idsAtOnce)
      version.collection.forEachID(inOrdinals: end..<next) { list.append($0) }
      end = next
    }
    let text = JSONWriter.text(capacity: list.byteCount + 512) {
      $0["id"] = version.id.description
      $0.write(version: version.number, hash: version.tag.hash)
      $0["first"] = ordinals.lowerBound
      $0["count"] = ordinals.count
      $0["ids"] = list
      guard end < ordinals.upperBound, query.limit > 0 else { return }
      let position = ElementPosition(series: 0, indexPath: IndexPath(section: 0, item: end))
      $0["next"] = nextLink(to: position, of: version, after: target)
    }
    return try response(
      json: text, of: version, terms, query.version == nil ? .current : caching.headers)
  }

  /// So many ids are written until the length of the answer is looked at.
  private static let idsAtOnce = 1024

  /// The ordinals of all cells that are asked for.
  private func ordinals(
    _ query: IDsParameters, in version: LayoutVersion
  ) throws(Problem) -> Range<Int> {
    let collection = version.collection
    if let section = query.section {
      guard collection.kind != OutlineLayout.name else {
        throw .invalidParameter(
          "section", "must be left out for an outline: its rows are in no depths"
        )
      }
      guard let ordinals = collection.ordinals(ofSection: section) else {
        throw .noSuchElement("section \(section)")
      }
      return ordinals
    }
    guard let from = query.from, let to = query.to else {
      return 0..<collection.prepared.counts.cells
    }
    let ends = [try ordinal(of: from, in: version), try ordinal(of: to, in: version)].sorted()
    return ends[0]..<ends[1] + 1
  }

  func ordinal(
    of anchor: Anchor, in version: LayoutVersion
  ) throws(Problem) -> Int {
    let path = try indexPath(of: anchor, in: version)
    try checkShown(path, in: version)
    return version.collection.prepared.ordinal(ofItemAt: path)
  }

  /// Refuses an item that is not there, or hidden.
  func checkShown(_ path: IndexPath, in version: LayoutVersion) throws(Problem) {
    let name = "item at [\(path.section), \(path.item)]"
    guard version.collection.isThere(path) else { throw .noSuchElement(name) }
    if let cover = version.collection.cover(ofItemAt: path) {
      throw .noSuchElement(name, foldedIn: cover)
    }
  }

  /// The first item that has an id and is shown.
  func shownItem(
    with id: String, in version: LayoutVersion, _ index: ItemIDIndex?
  ) throws(Problem) -> IndexPath {
    let (collection, name) = (version.collection, "item with the id \"\(id)\"")
    if let index {
      if let path = collection.firstItem(with: ItemID(id), in: index, isShown: true) { return path }
      if let path = collection.firstItem(with: ItemID(id), in: index, isShown: false),
        let cover = collection.cover(ofItemAt: path)
      {
        throw .noSuchElement(name, foldedIn: cover)
      }
    }
    throw .noSuchElement(name)
  }
}
