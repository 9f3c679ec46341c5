import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The parameters of `GET /layouts/{id}/sections`.
struct SectionsParameters {
  private(set) var rect: Rect?
  private(set) var id: String?
  private(set) var limit = ElementsParameters.defaultLimit
  private var hasLimit = false
  private(set) var cursor: Cursor?
  /// Into how many stretches the content is divided, for the sections that begin in them.
  private(set) var marks: Int?
  private(set) var details: CellDetails = []
  private(set) var format: AnswerFormat?

  static let all: QueryParameters<Self> = [
    QueryParameter("rect", .rect) { $0.rect = $1.inSteps },
    QueryParameter("id", .id(of: ItemID.lengthsOfSections)) { $0.id = $1 },
    QueryParameter("limit", .integer(in: ElementsParameters.limits)) {
      $0.limit = $1
      $0.hasLimit = true
    },
    QueryParameter("cursor", .cursor) { $0.cursor = $1 },
    QueryParameter("marks", .integer(in: 1...1000)) { $0.marks = $1 },
    .detail("data", .data) { $0.details = $1 },
    .format(among: AnswerFormat.ofLayout) { $0.format = $1 },
  ]

  init(_ target: RequestTarget) throws(Problem) {
    try QueryString.read(target, Self.all, into: &self)
    guard id == nil || rect == nil && cursor == nil else {
      throw .invalidParameter("id", "must not be given together with rect or cursor")
    }
    guard
      marks == nil || rect == nil && id == nil && cursor == nil && !hasLimit && details.isEmpty
    else {
      throw .invalidParameter(
        "marks", "must not be given together with rect, id, limit, cursor or data")
    }
  }

  /// The section at which to begin in a version.
  func start(in version: LayoutVersion) throws(Problem) -> Int {
    guard let cursor else { return 0 }
    try version.check(cursor)
    return cursor.position.indexPath.section
  }
}

extension LayoutService {
  func sections(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let query = try SectionsParameters(request.target)
    guard let count = version.collection.sectionCount else { throw .noSections }
    _ = try query.start(in: version)
    let terms = AnswerTerms(request, format: query.format)
    let target = request.target
    return try answering(version, parameters, atOnce: count <= Self.smallLayoutCost) {
      (version) throws(Problem) in
      try self.sections(
        query, from: try query.start(in: version), of: version, target, terms)
    }
  }

  private func sections(
    _ query: SectionsParameters, from start: Int, of version: LayoutVersion,
    _ target: RequestTarget, _ terms: AnswerTerms
  ) throws(Problem) -> Response {
    if let id = query.id {
      guard let section = version.collection.firstSection(withID: ItemID(id)) else {
        throw .noSuchElement("section with the id \"\(id)\"")
      }
      return try response(to: section, of: version, terms, query.details)
    }
    if let marks = query.marks { return try response(marks: marks, of: version, terms) }
    var list = JSONArray(precision: terms.representation.precision)
    var count = 0
    var next: Int?
    version.collection.forEachSection(in: query.rect, from: start) { section in
      guard count < query.limit, list.byteCount < limits.maxResponseBytes else {
        next = section.index
        return false
      }
      list.append(section.telling(query.details))
      count += 1
      return true
    }
    let text = JSONWriter.text(capacity: list.byteCount + 256) {
      $0["id"] = version.id.description
      $0.write(version: version.number, hash: version.tag.hash)
      $0["sections"] = list
      $0["next"] = next.map {
        nextLink(
          to: ElementPosition(series: 0, indexPath: IndexPath(section: $0, item: 0)), of: version,
          after: target)
      }
    }
    return try response(json: text, of: version, terms)
  }

  private func response(
    marks count: Int, of version: LayoutVersion, _ terms: AnswerTerms
  ) throws(Problem) -> Response {
    let collection = version.collection
    let axis: StaticString = collection.scrollsHorizontally ? "x" : "y"
    var list = JSONArray(precision: terms.representation.precision)
    for mark in collection.sectionMarks(count: count) { list.append(mark, along: axis) }
    let text = JSONWriter.text(capacity: list.byteCount + 256) {
      $0["id"] = version.id.description
      $0.write(version: version.number, hash: version.tag.hash)
      $0["count"] = collection.sectionCount
      $0["marks"] = list
    }
    return try response(json: text, of: version, terms)
  }

  private func response(
    to section: PreparedCollection.SectionPlace, of version: LayoutVersion, _ terms: AnswerTerms,
    _ details: CellDetails
  ) throws(Problem) -> Response {
    var writer = JSONWriter(precision: terms.representation.precision)
    section.telling(details).write(to: &writer)
    return try response(json: writer.bytes, of: version, terms)
  }

  func section(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let given = try DataParameters(request)
    guard version.collection.sectionCount != nil else { throw .noSections }
    guard let index = parameters.integer(1), let section = version.collection.section(at: index)
    else { throw .noSuchElement("section \(parameters.rawText(1))") }
    return .respond(try response(to: section, of: version, given.terms, given.details))
  }

  // MARK: The collection

  func collection(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    try QueryString.checkEmpty(request.target)
    let bytes = CollectionEncoder.leastBytes(of: version.collection)
    guard bytes <= limits.maxBodyBytes else {
      throw .collectionTooLong(bytes: bytes, limit: limits.maxBodyBytes)
    }
    let terms = AnswerTerms(request, .json)
    let isQuick =
      version.collection.layoutCost <= Self.smallLayoutCost && bytes <= Self.smallBodyBytes
    return try answering(version, parameters, atOnce: isQuick) {
      (version) throws(Problem) in
      try self.exported(version, terms)
    }
  }

  private func exported(
    _ version: LayoutVersion, _ terms: AnswerTerms
  ) throws(Problem) -> Response {
    var encoder = CollectionEncoder()
    encoder.encode(version.collection)
    let bytes = encoder.writer.bytes
    return try response(
      bytes, of: version, terms, .current, suffix: LayoutTag.suffix(ofExport: bytes))
  }
}

extension PreparedCollection.SectionPlace {
  fileprivate func telling(_ details: CellDetails) -> Self {
    var place = self
    if !details.contains(.data) { place.data = nil }
    return place
  }
}
