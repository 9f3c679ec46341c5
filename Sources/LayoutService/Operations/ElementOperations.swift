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
    let terms = AnswerTerms(request, format: query.format)
    let representation = terms.representation
    let ownTag = try terms.preconditions.ownTag(
      of: version.tag, for: request, isCompressing: isCompressing,
      lengths: lengths(ofAnswersTo: query, of: version, in: representation.format))
    if let ownTag {
      return .respond(
        Response(
          status: .notModified, commonHeaders: headers[.notModified, representation],
          entityTag: ownTag.text, declaredContentLength: ownTag.length))
    }
    var page = Page(of: version.tag, from: query.start)
    extend(
      &page, query, of: version, in: representation.format, visiting: limits.visitBudget,
      upTo: min(limits.bytesAtOnce, limits.maxResponseBytes))
    if isOver(page, query) {
      finish(&page, query, of: version, target)
      return .respond(try response(page.bytes, of: version, terms, headers))
    }
    return deferred(page, query, parameters, target, terms, headers)
  }

  /// Defers a query to the workers. They answer for the version that is current then. They continue
  /// the page if it belongs to that version.
  private func deferred(
    _ begun: Page, _ query: ElementsParameters, _ parameters: PathParameters,
    _ target: RequestTarget, _ terms: AnswerTerms, _ headers: LayoutHeaders
  ) -> Outcome {
    deferring(holding: begun.columns?.memoryBytes ?? begun.bytes.count) { () throws(ServiceError) in
      try self.withCurrentVersion(parameters) { (version) throws(ServiceError) in
        try query.check(against: version)
        var page =
          begun.version == version.tag
          ? begun : Page(of: version.tag, from: query.start)
        var budget = self.limits.pageBudget
        // There may be more tracks before the first element than the budget allows, but each page
        // must make progress.
        repeat {
          self.extend(
            &page, query, of: version, in: terms.representation.format, visiting: budget,
            upTo: self.limits.maxResponseBytes)
          budget *= 2
        } while page.end == .budgetSpent(query.start)
        self.finish(&page, query, of: version, target)
        return try self.response(page.bytes, of: version, terms, headers)
      }
    }
  }

  /// The lengths that answers to a query may have. A tag with another length was not made by this
  /// service.
  private func lengths(
    ofAnswersTo query: ElementsParameters, of version: LayoutVersion, in format: AnswerFormat
  ) -> ClosedRange<Int> {
    let shortest: Int
    if format == .cbor {
      shortest = ElementColumns().encoded(in: query.frame(of: version)).count
    } else {
      var head = JSONWriter(capacity: 256)
      head.writeElementsHead(
        id: version.idText, version: version.number, hash: version.tag.hash, query.rect)
      shortest = head.bytes.count
    }
    // An answer ends behind the element that exceeds its limit, which may have many children.
    let children = version.collection.storedItemCount * Self.longestChild
    let longest = min(
      limits.maxResponseBytes + Self.longestElement,
      shortest + (query.limit + 1) * Self.longestElement)
    return shortest...longest + children + Self.longestTail
  }

  /// The longest element in bytes, without children: an id of 128 characters that need six bytes
  /// each, an element kind, and numbers.
  private static let longestElement = 2048
  private static let longestChild = 48
  /// The longest end of an answer in bytes: a link to the next page, which repeats the target.
  private static let longestTail = 64 << 10

  /// The part of an answer that is written.
  private struct Page: Sendable {
    let version: VersionTag
    /// The answer. In a format of columns, it is only written at the end.
    var bytes: [UInt8] = []
    /// The elements, in a format of columns.
    var columns: ElementColumns?
    var elementCount = 0
    /// Where and why the page stops.
    var end: QueryEnd

    init(of version: VersionTag, from start: ElementPosition) {
      self.version = version
      end = .budgetSpent(start)
    }

    var byteCount: Int { columns?.count ?? bytes.count }
  }

  /// Whether a page has all elements, or as many as were requested or are allowed.
  private func isOver(_ page: borrowing Page, _ query: ElementsParameters) -> Bool {
    switch page.end {
    case .complete: true
    case .limitReached:
      page.elementCount >= query.limit || page.byteCount >= limits.maxResponseBytes
    case .budgetSpent: false
    }
  }

  /// Continues a page where it stopped.
  ///
  /// - Parameter byteCount: The approximate size of the page at which to stop, in bytes.
  private func extend(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    in format: AnswerFormat, visiting budget: Int, upTo byteCount: Int
  ) {
    switch page.end {
    case .complete: return
    case .limitReached(let start), .budgetSpent(let start):
      Self.encoding {
        if format == .cbor {
          var columns = page.columns ?? $0.takeColumns()
          page.columns = nil
          search(
            &page, parameters, of: version, from: start, visiting: budget, upTo: byteCount,
            with: &columns)
          page.columns = columns
        } else {
          begin(&page, parameters, of: version, with: &$0.encoder)
          search(
            &page, parameters, of: version, from: start, visiting: budget, upTo: byteCount,
            with: &$0.encoder)
          page.bytes = $0.encoder.finish()
        }
      }
    }
  }

  /// Begins the text of a page, or continues it.
  private func begin(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    with encoder: inout ElementsEncoder
  ) {
    if page.bytes.isEmpty {
      var writer = JSONWriter(into: AnswerBuffer.take(capacity: Self.usualBytes))
      writer.writeElementsHead(
        id: version.idText, version: version.number, hash: version.tag.hash, parameters.rect)
      encoder.restart(consume writer)
    } else {
      var bytes: [UInt8] = []
      swap(&bytes, &page.bytes)
      encoder.restart(JSONWriter(into: bytes), isFirst: page.elementCount == 0)
    }
  }

  /// Room for about fifty elements.
  private static let usualBytes = 16 << 10

  private func search(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    from start: ElementPosition, visiting budget: Int, upTo byteCount: Int,
    with encoder: inout some ElementListEncoder
  ) {
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
  }

  /// Ends a page, with a link to the next one if there is one.
  private func finish(
    _ page: inout Page, _ parameters: ElementsParameters, of version: LayoutVersion,
    _ target: RequestTarget
  ) {
    // Only the first page has it. The next pages add to the first one.
    let saysReset = parameters.cursor == nil && parameters.mustReset(to: version)
    let next: String? =
      switch page.end {
      case .complete: nil
      case .budgetSpent(let position), .limitReached(let position):
        nextLink(to: position, of: version, after: target)
      }
    if let columns = page.columns {
      page.columns = nil
      var frame = parameters.frame(of: version)
      frame.isReset = saysReset
      frame.next = next
      page.bytes = columns.encoded(in: frame, into: AnswerBuffer.take(capacity: Self.usualBytes))
      Self.encoding { $0.giveBack(columns) }
    } else {
      var bytes: [UInt8] = []
      swap(&bytes, &page.bytes)
      var writer = JSONWriter(into: bytes)
      bytes = []
      writer.writeElementsEnd(isReset: saysReset)
      if let next { writer.writeMember(next: next) }
      writer.writeEnd()
      page.bytes = writer.bytes
    }
  }

  private final class Encoding {
    // Only its own thread uses these, for one query at a time.
    @exclusivity(unchecked) var encoder = ElementsEncoder(JSONWriter(capacity: 0))
    @exclusivity(unchecked) private var columns = ElementColumns()
    /// The most memory that is kept for the columns of the next query, in bytes.
    private static let keptBytes = 64 << 10

    /// Empty columns, with the memory of an earlier query.
    func takeColumns() -> ElementColumns {
      var taken = ElementColumns()
      swap(&taken, &columns)
      return taken
    }

    func giveBack(_ used: consuming ElementColumns) {
      guard used.memoryBytes <= Self.keptBytes else { return }
      used.removeAll()
      columns = used
    }
  }

  /// An encoder for each thread. It still has most of the texts that a layout's elements share from
  /// the query before.
  private static let encoding = PerThread { Encoding() }

  /// The target of a request for the rest of a list, from a position on: that of this request with
  /// another cursor.
  func nextLink(
    to position: ElementPosition, of version: LayoutVersion, after target: RequestTarget
  ) -> String {
    let cursor = Cursor(version: version.tag, position: position)
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
    let terms = try AnswerTerms(only: request)
    let attributes = try attributes(of: series, parameters, in: version)
    guard attributes.children?.items.count ?? 0 > limits.visitBudget else {
      return .respond(try response(of: attributes, series, in: version, terms))
    }
    return deferring { () throws(ServiceError) in
      try self.withCurrentVersion(parameters) { (version) throws(ServiceError) in
        let attributes = try self.attributes(of: series, parameters, in: version)
        return try self.response(of: attributes, series, in: version, terms)
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
    _ terms: AnswerTerms
  ) throws(ServiceError) -> Response {
    var encoder = ElementsEncoder(JSONWriter(capacity: 256))
    encoder.begin(series)
    let prepared = version.collection.prepared
    encoder.encode(
      attributes,
      ordinal: series == .cells ? prepared.ordinal(ofItemAt: attributes.indexPath) : nil)
    return try response(json: encoder.writer.bytes, of: version, terms)
  }
}
