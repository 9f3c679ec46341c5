import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

extension LayoutService {
  func elements(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let version = try version(parameters)
    let target = request.target
    let query = try ElementsParameters(target)
    try query.check(against: version)
    let headers = query.version == nil ? LayoutHeaders.current : .immutable
    let preconditions = Preconditions(request)
    let ownTag = try preconditions.ownTag(
      of: version.number, for: request, isCompressing: isCompressing)
    if let ownTag {
      return .respond(
        Response(
          status: .notModified, commonHeaders: headers[.notModified], entityTag: ownTag.text,
          declaredContentLength: ownTag.length))
    }
    let page = encode(query, of: version, target, visiting: limits.visitBudget)
    if page.cut == nil {
      return .respond(try response(page.bytes, of: version, preconditions, headers))
    }
    return deferred(query, of: version, target, preconditions, headers)
  }

  private func deferred(
    _ query: ElementsParameters, of version: LayoutVersion, _ target: RequestTarget,
    _ preconditions: Preconditions, _ headers: LayoutHeaders
  ) -> Outcome {
    deferring { () throws(ServiceError) in
      var budget = self.limits.pageBudget
      var page = self.encode(query, of: version, target, visiting: budget)
      // There may be more tracks before the first element than that, but each page must get on.
      while page.cut == query.start {
        budget *= 2
        page = self.encode(query, of: version, target, visiting: budget)
      }
      return try self.response(page.bytes, of: version, preconditions, headers)
    }
  }

  /// Writes the answer to a query.
  ///
  /// - Returns: The answer, and where it ends before its limit if the budget was spent.
  private func encode(
    _ parameters: ElementsParameters, of version: LayoutVersion, _ target: RequestTarget,
    visiting budget: Int
  ) -> (bytes: [UInt8], cut: ElementPosition?) {
    Self.encoding { encode(parameters, of: version, target, visiting: budget, with: &$0.encoder) }
  }

  private func encode(
    _ parameters: ElementsParameters, of version: LayoutVersion, _ target: RequestTarget,
    visiting budget: Int, with encoder: inout ElementsEncoder
  ) -> (bytes: [UInt8], cut: ElementPosition?) {
    // Room for some fifty elements.
    var writer = JSONWriter(into: AnswerBuffer.take(capacity: 16 << 10))
    writer.writeElementsHead(id: version.idText, version: version.number, parameters.rect)
    encoder.restart(consume writer)
    let isReset = parameters.mustReset(to: version)
    let query = ElementQuery(
      rect: parameters.rect, known: isReset ? nil : parameters.known,
      categories: parameters.categories,
      limit: parameters.limit, start: parameters.start)
    let layout = version.collection.prepared
    let end = query.forEachBatch(
      of: layout, visiting: budget, begin: { encoder.begin($0) },
      { encoder.encode($0, of: layout, upTo: limits.maxResponseBytes) })
    // Said on the first page only: the next ones add to it.
    encoder.writer.writeElementsEnd(isReset: isReset && parameters.cursor == nil)
    var cut: ElementPosition?
    switch end {
    case .complete: break
    case .budgetSpent(let position):
      cut = position
      writeNext(position, of: version, target, to: &encoder.writer)
    case .limitReached(let position): writeNext(position, of: version, target, to: &encoder.writer)
    }
    encoder.writer.writeEnd()
    return (encoder.finish(), cut)
  }

  private final class Encoding {
    // Only its own thread is in here, in one query at a time.
    @exclusivity(unchecked) var encoder = ElementsEncoder(JSONWriter(capacity: 0))
  }

  /// An encoder for each thread: the texts that a layout's elements have in common are mostly there
  /// from the query before.
  private static let encoding = PerThread { Encoding() }

  private func writeNext(
    _ position: ElementPosition, of version: LayoutVersion, _ target: RequestTarget,
    to writer: inout JSONWriter
  ) {
    let cursor = Cursor(version: version.number, position: position)
    writer.writeMember(next: Self.nextLink(after: target, cursor: cursor))
  }

  /// The request's own target with another cursor.
  private static func nextLink(after target: RequestTarget, cursor: Cursor) -> String {
    let parameters = (target.query ?? []).split(separator: UInt8(ascii: "&")).filter {
      let name = $0.prefix { $0 != UInt8(ascii: "=") }
      return PercentCoding.decode(name.span)?.elementsEqual("cursor".utf8) != true
    }
    let query = parameters.map { String(decoding: $0, as: UTF8.self) + "&" }.joined()
    return String(decoding: target.path, as: UTF8.self) + "?" + query + "cursor=" + cursor.text
  }

  // MARK: Single elements

  func item(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try element(.cells, parameters, request)
  }

  func supplementaryElement(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try element(.supplementary(parameters.name(1)), parameters, request)
  }

  func decoration(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try element(.decorations(parameters.name(1)), parameters, request)
  }

  /// Answers with one element; its index path stands last in the path.
  private func element(
    _ series: ElementSeries, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let version = try version(parameters)
    try QueryString.checkEmpty(request.target)
    let count = parameters.count
    let prepared = version.collection.prepared
    guard let section = parameters.integer(count - 2), let item = parameters.integer(count - 1),
      let index = prepared.series.firstIndex(of: series),
      let attributes = prepared.attributes(
        of: index, at: IndexPath(section: section, item: item))
    else {
      let path = "\(parameters.rawText(count - 2)), \(parameters.rawText(count - 1))"
      let kind = series.kind.map { " element \"\($0)\"" } ?? ""
      throw .noSuchElement("\(series.category.rawValue)\(kind) at [\(path)]")
    }
    return try answer(with: attributes, series, in: version, Preconditions(request))
  }

  /// Answers with an element; one with many children is written by the workers.
  private func answer(
    with attributes: LayoutAttributes, _ series: ElementSeries, in version: LayoutVersion,
    _ preconditions: Preconditions
  ) throws(ServiceError) -> Outcome {
    guard attributes.children?.items.count ?? 0 > limits.visitBudget else {
      return .respond(try response(of: attributes, series, in: version, preconditions))
    }
    return deferring { () throws(ServiceError) in
      try self.response(of: attributes, series, in: version, preconditions)
    }
  }

  private func response(
    of attributes: LayoutAttributes, _ series: ElementSeries, in version: LayoutVersion,
    _ preconditions: Preconditions
  ) throws(ServiceError) -> Response {
    var encoder = ElementsEncoder(JSONWriter(capacity: 256))
    encoder.begin(series)
    encoder.encode(attributes)
    return try response(encoder.writer.bytes, of: version, preconditions)
  }

  // MARK: Items by name

  static let findParameters: QueryParameters<String> = [
    QueryParameter("id", .itemID, requiredAs: "NSString") { $0 = $1 }
  ]

  func findItem(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let version = try version(parameters)
    var id = ""
    try QueryString.read(request.target, Self.findParameters, into: &id)
    let preconditions = Preconditions(request)
    if version.hasBuiltItemIDs || version.collection.layoutCost <= Self.smallLayoutCost {
      return try answer(
        with: try attributes(ofItemNamed: id, in: version), .cells, in: version, preconditions)
    }
    return deferring { [id] () throws(ServiceError) in
      try self.response(
        of: try self.attributes(ofItemNamed: id, in: version), .cells, in: version,
        preconditions)
    }
  }

  private func attributes(
    ofItemNamed id: String, in version: LayoutVersion
  ) throws(ServiceError) -> LayoutAttributes {
    guard let index = sessions.itemIDs(of: version) else { throw .noItemIDs }
    let prepared = version.collection.prepared
    guard let path = index.indexPath(of: ItemID(id)),
      let series = prepared.series.firstIndex(of: .cells),
      let attributes = prepared.attributes(of: series, at: path)
    else { throw .noSuchElement("item with the id \"\(id)\"") }
    return attributes
  }
}

extension ParameterForm<String> {
  fileprivate static var itemID: Self {
    ParameterForm(requirement: "must be \(IDColumn.requirement)") {
      let id = $0.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
      return id.flatMap { IDColumn.lengths.contains($0.utf8.count) ? $0 : nil }
    }
  }
}
