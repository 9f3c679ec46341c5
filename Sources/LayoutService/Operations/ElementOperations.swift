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
    return deferred(query, parameters, target, preconditions, headers)
  }

  /// Leaves a query to the workers, who answer for the version that is current then.
  private func deferred(
    _ query: ElementsParameters, _ parameters: PathParameters, _ target: RequestTarget,
    _ preconditions: Preconditions, _ headers: LayoutHeaders
  ) -> Outcome {
    deferring { () throws(ServiceError) in
      try self.withVersion(parameters) { (version) throws(ServiceError) in
        try query.check(against: version)
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

  func writeNext(
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

  /// Answers with one element; its index path stands last in the path. One with many children is
  /// written by the workers.
  private func element(
    _ series: ElementSeries, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let version = try version(parameters)
    try QueryString.checkEmpty(request.target)
    let attributes = try attributes(of: series, parameters, in: version)
    let preconditions = Preconditions(request)
    guard attributes.children?.items.count ?? 0 > limits.visitBudget else {
      return .respond(try response(of: attributes, series, in: version, preconditions))
    }
    return deferring { () throws(ServiceError) in
      try self.withVersion(parameters) { (version) throws(ServiceError) in
        let attributes = try self.attributes(of: series, parameters, in: version)
        return try self.response(of: attributes, series, in: version, preconditions)
      }
    }
  }

  /// The element of a series whose index path stands last in a path.
  private func attributes(
    of series: ElementSeries, _ parameters: PathParameters, in version: LayoutVersion
  ) throws(ServiceError) -> LayoutAttributes {
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
    return attributes
  }

  func response(
    of attributes: LayoutAttributes, _ series: ElementSeries, in version: LayoutVersion,
    _ preconditions: Preconditions
  ) throws(ServiceError) -> Response {
    var encoder = ElementsEncoder(JSONWriter(capacity: 256))
    encoder.begin(series)
    let prepared = version.collection.prepared
    encoder.encode(
      attributes,
      ordinal: series == .cells ? prepared.ordinal(ofItemAt: attributes.indexPath) : nil)
    return try response(encoder.writer.bytes, of: version, preconditions)
  }
}
