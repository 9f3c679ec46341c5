import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

extension LayoutService {
  func elements(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let target = request.target
    let query = try ElementsParameters(target)
    try query.check(against: version)
    let headers = query.version == nil ? .current : caching.headers
    let preconditions = Preconditions(request)
    let ownTag = try preconditions.ownTag(
      of: version.number, for: request, isCompressing: isCompressing,
      lengths: lengths(ofAnswersTo: query, of: version))
    if let ownTag {
      return .respond(
        Response(
          status: .notModified, commonHeaders: headers[.notModified], entityTag: ownTag.text,
          declaredContentLength: ownTag.length))
    }
    var page = Page(of: version.number, from: query.start)
    extend(
      &page, query, of: version, visiting: limits.visitBudget,
      upTo: min(limits.bytesAtOnce, limits.maxResponseBytes))
    if isOver(page, query) {
      finish(&page, query, of: version, target)
      return .respond(try response(page.bytes, of: version, preconditions, headers))
    }
    return deferred(page, query, parameters, target, preconditions, headers)
  }

  /// Defers a query to the workers. They answer for the version that is current then. They continue
  /// the page if it belongs to that version.
  private func deferred(
    _ begun: Page, _ query: ElementsParameters, _ parameters: PathParameters,
    _ target: RequestTarget, _ preconditions: Preconditions, _ headers: LayoutHeaders
  ) -> Outcome {
    deferring(holding: begun.bytes.count) { () throws(ServiceError) in
      try self.withCurrentVersion(parameters) { (version) throws(ServiceError) in
        try query.check(against: version)
        var page =
          begun.version == version.number
          ? begun : Page(of: version.number, from: query.start)
        var budget = self.limits.pageBudget
        // There may be more tracks before the first element than the budget allows, but each page
        // must make progress.
        repeat {
          self.extend(
            &page, query, of: version, visiting: budget, upTo: self.limits.maxResponseBytes)
          budget *= 2
        } while page.end == .budgetSpent(query.start)
        self.finish(&page, query, of: version, target)
        return try self.response(page.bytes, of: version, preconditions, headers)
      }
    }
  }

  /// The lengths that answers to a query may have. A tag with another length was not made by this
  /// service.
  private func lengths(
    ofAnswersTo query: ElementsParameters, of version: LayoutVersion
  ) -> ClosedRange<Int> {
    var head = JSONWriter(capacity: 256)
    head.writeElementsHead(id: version.idText, version: version.number, query.rect)
    // An answer ends behind the element that exceeds its limit, which may have many children.
    let children = version.collection.storedItemCount * Self.longestChild
    let longest = min(
      limits.maxResponseBytes + Self.longestElement,
      head.bytes.count + (query.limit + 1) * Self.longestElement)
    return head.bytes.count...longest + children + Self.longestTail
  }

  /// The longest element in bytes, without children: an id of 128 characters that need six bytes
  /// each, an element kind, and numbers.
  private static let longestElement = 2048
  private static let longestChild = 48
  /// The longest end of an answer in bytes: a link to the next page, which repeats the target.
  private static let longestTail = 64 << 10

  /// The part of an answer that is written.
  private struct Page: Sendable {
    let version: Int
    var bytes: [UInt8] = []
    var elementCount = 0
    /// Where and why the page stops.
    var end: QueryEnd

    init(of version: Int, from start: ElementPosition) {
      self.version = version
      end = .budgetSpent(start)
    }
  }

  /// Whether a page has all elements, or as many as were requested or are allowed.
  private func isOver(_ page: borrowing Page, _ query: ElementsParameters) -> Bool {
    switch page.end {
    case .complete: true
    case .limitReached:
      page.elementCount >= query.limit || page.bytes.count >= limits.maxResponseBytes
    case .budgetSpent: false
    }
  }

  /// Continues a page where it stopped.
  ///
  /// - Parameter byteCount: The approximate size of the page at which to stop, in bytes.
  private func extend(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    visiting budget: Int, upTo byteCount: Int
  ) {
    switch page.end {
    case .complete: return
    case .limitReached(let start), .budgetSpent(let start):
      Self.encoding {
        extend(
          &page, parameters, of: version, from: start, visiting: budget, upTo: byteCount,
          with: &$0.encoder)
      }
    }
  }

  private func extend(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    from start: ElementPosition, visiting budget: Int, upTo byteCount: Int,
    with encoder: inout ElementsEncoder
  ) {
    if page.bytes.isEmpty {
      // This has room for about fifty elements.
      var writer = JSONWriter(into: AnswerBuffer.take(capacity: 16 << 10))
      writer.writeElementsHead(id: version.idText, version: version.number, parameters.rect)
      encoder.restart(consume writer)
    } else {
      var bytes: [UInt8] = []
      swap(&bytes, &page.bytes)
      encoder.restart(JSONWriter(into: bytes), isFirst: page.elementCount == 0)
    }
    let query = ElementQuery(
      rect: parameters.rect,
      known: parameters.mustReset(to: version) ? nil : parameters.known,
      categories: parameters.categories,
      limit: parameters.limit - page.elementCount, start: start)
    let layout = version.collection.prepared
    var elementCount = page.elementCount
    page.end = query.forEachBatch(
      of: layout, visiting: budget, begin: { encoder.begin($0) },
      {
        let count = encoder.encode($0, of: layout, upTo: byteCount)
        elementCount += count
        return count
      })
    page.elementCount = elementCount
    page.bytes = encoder.finish()
  }

  /// Ends a page, with a link to the next one if there is one.
  private func finish(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    _ target: RequestTarget
  ) {
    var bytes: [UInt8] = []
    swap(&bytes, &page.bytes)
    var writer = JSONWriter(into: bytes)
    bytes = []
    // Only the first page has it. The next pages add to the first one.
    let saysReset = parameters.cursor == nil && parameters.mustReset(to: version)
    writer.writeElementsEnd(isReset: saysReset)
    switch page.end {
    case .complete: break
    case .budgetSpent(let position), .limitReached(let position):
      writeNext(position, of: version, target, to: &writer)
    }
    writer.writeEnd()
    page.bytes = writer.bytes
  }

  private final class Encoding {
    // Only its own thread uses this, for one query at a time.
    @exclusivity(unchecked) var encoder = ElementsEncoder(JSONWriter(capacity: 0))
  }

  /// An encoder for each thread. It still has most of the texts that a layout's elements share from
  /// the query before.
  private static let encoding = PerThread { Encoding() }

  func writeNext(
    _ position: ElementPosition, of version: LayoutVersion, _ target: RequestTarget,
    to writer: inout JSONWriter
  ) {
    let cursor = Cursor(version: version.number, position: position)
    writer.writeMember(next: Self.nextLink(after: target, cursor: cursor))
  }

  /// The target of the request with another cursor.
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
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try element(.cells, version, parameters, request)
  }

  func supplementaryElement(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try element(.supplementary(parameters.name(1)), version, parameters, request)
  }

  func decoration(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try element(.decorations(parameters.name(1)), version, parameters, request)
  }

  /// Answers with one element. The path ends with its index path. The workers write an element with
  /// many children.
  private func element(
    _ series: ElementSeries, _ version: LayoutVersion, _ parameters: PathParameters,
    _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    try QueryString.checkEmpty(request.target)
    let attributes = try attributes(of: series, parameters, in: version)
    let preconditions = Preconditions(request)
    guard attributes.children?.items.count ?? 0 > limits.visitBudget else {
      return .respond(try response(of: attributes, series, in: version, preconditions))
    }
    return deferring { () throws(ServiceError) in
      try self.withCurrentVersion(parameters) { (version) throws(ServiceError) in
        let attributes = try self.attributes(of: series, parameters, in: version)
        return try self.response(of: attributes, series, in: version, preconditions)
      }
    }
  }

  /// The element of a series at the index path at the end of a path.
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
