import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The parameters of `GET /layouts/{id}/items`.
struct ItemsParameters {
  private(set) var ids: [String] = []
  private(set) var ordinal: Int?
  private(set) var key: ValueName?
  private(set) var from: ItemKey?
  private(set) var upTo: ItemKey?
  private(set) var details: CellDetails = []
  private(set) var format: AnswerFormat?

  /// The largest number of ids in one request.
  static let maximumCount = 100

  static let all: QueryParameters<Self> = [
    QueryParameter("id", .itemID, isRepeatable: true) { $0.ids.append($1) },
    QueryParameter("ordinal", .integer(in: 0...JSONInteger.maximum)) { $0.ordinal = $1 },
    QueryParameter("key", .id(of: ValueKind.key.nameLengths)) { $0.key = ValueName(.key, $1) },
    QueryParameter("from", .keyValue) { $0.from = $1 },
    QueryParameter("upTo", .keyValue) { $0.upTo = $1 },
    .detail("parts", .parts) { $0.details.formUnion($1) },
    .detail("data", .data) { $0.details.formUnion($1) },
    .detail("text", .text) { $0.details.formUnion($1) },
    .format(among: AnswerFormat.ofLayout) { $0.format = $1 },
  ]

  init(_ target: RequestTarget) throws(Problem) {
    try QueryString.read(target, Self.all, into: &self)
    guard (key != nil) == (from != nil || upTo != nil), from == nil || upTo == nil else {
      throw .invalidParameter("key", "must be given with either from or upTo: key=taken&from=20")
    }
    guard key == nil else {
      guard ids.isEmpty, ordinal == nil else {
        throw .invalidParameter("key", "must not be given together with id or ordinal")
      }
      return
    }
    guard ids.isEmpty != (ordinal == nil) else {
      throw .invalidParameter(
        "id",
        ids.isEmpty
          ? "must be given, or ordinal instead: id=NSString"
          : "must not be given together with ordinal")
    }
    guard ids.count <= Self.maximumCount else {
      throw .invalidParameter("id", "must be given at most \(Self.maximumCount) times")
    }
  }
}

extension LayoutService {
  /// Finds items by their ids or by their ordinal.
  func findItem(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let query = try ItemsParameters(request.target)
    let terms = AnswerTerms(request, format: query.format)
    let isQuick =
      (query.ordinal != nil || query.key == nil && version.hasBuiltItemIDs
        || version.collection.layoutCost <= Self.smallLayoutCost)
      && !(query.details.contains(.parts) && hasLongCards(version))
    // Searches are done one after another. While the first one builds the index, the others occupy
    // no worker.
    return try answering(version, parameters, atOnce: isQuick, on: version.longSearches) {
      (version) throws(Problem) in
      try self.find(query, in: version, terms)
    }
  }

  private func find(
    _ query: ItemsParameters, in version: LayoutVersion, _ terms: AnswerTerms
  ) throws(Problem) -> Response {
    let prepared = version.collection.prepared
    if let ordinal = query.ordinal {
      guard let path = prepared.indexPath(ofOrdinal: ordinal) else {
        throw .noSuchElement("item with the ordinal \(ordinal)")
      }
      return try response(
        of: attributes(ofItemAt: path, in: prepared), .cells, in: version, terms,
        details: query.details)
    }
    if let key = query.key {
      let what = "item whose key \(key.name) is in the range"
      guard
        let found = version.collection.firstCell(withKey: key, from: query.from, upTo: query.upTo)
      else { throw .noSuchElement(what) }
      if !found.isShown, let cover = version.collection.cover(ofItemAt: found.path) {
        throw .noSuchElement(what, foldedIn: cover)
      }
      return try response(
        of: attributes(ofItemAt: found.path, in: prepared), .cells, in: version, terms,
        details: query.details)
    }
    let index = sessions.itemIDs(of: version)
    if query.ids.count == 1 {
      let path = try shownItem(with: query.ids[0], in: version, index)
      return try response(
        of: attributes(ofItemAt: path, in: prepared), .cells, in: version, terms,
        details: query.details)
    }
    var head = AnswerHead(version, rect: nil)
    head.details = query.details
    var writer = terms.representation.format.writer.init()
    writer.begin(head, of: prepared, into: [])
    writer.begin(.cells)
    var end = AnswerEnd()
    end.missing = []
    for id in query.ids {
      let path = index.flatMap {
        version.collection.firstItem(with: ItemID(id), in: $0, isShown: true)
      }
      if let path {
        writer.write(
          attributes(ofItemAt: path, in: prepared), ordinal: prepared.ordinal(ofItemAt: path),
          card: query.details.contains(.parts) ? prepared.card(ofItemAt: path) : nil, of: prepared)
      } else {
        end.missing?.append(id)
      }
    }
    return try response(writer.finish(end), of: version, terms, .current)
  }

  private func attributes(
    ofItemAt path: IndexPath, in prepared: any PreparedLayout
  ) -> LayoutAttributes {
    guard let series = prepared.series.firstIndex(of: .cells),
      let attributes = prepared.attributes(of: series, at: path)
    else { preconditionFailure("the item at \(path) has no cell") }
    return attributes
  }
}

extension ParameterForm<ItemKey> {
  /// A number as JSON has it, or else a string.
  fileprivate static var keyValue: Self {
    ParameterForm(requirement: "must be a number, or a string of at most 128 bytes of UTF-8") {
      if let number = Decimal.number($0) { return .number(number) }
      let text = $0.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
      return text.flatMap { $0.utf8.count <= ItemKey.maxBytes ? .string($0) : nil }
    }
  }
}

extension ParameterForm<String> {
  static var itemID: Self { id(of: IDColumn.lengths) }

  static func id(of lengths: ClosedRange<Int>) -> Self {
    ParameterForm(requirement: "must be \(IDColumn.requirement(of: lengths))") {
      let id = $0.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
      return id.flatMap { lengths.contains($0.utf8.count) ? $0 : nil }
    }
  }
}
