import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

extension LayoutService {
  func elements(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let target = request.target
    let given = try ElementsParameters(target)
    try given.check(against: version)
    let headers = headers(of: given)
    let terms = AnswerTerms(request, format: given.format)
    let representation = terms.representation
    guard findsAnchorAtOnce(of: given, in: version) else {
      return deferred(nil, given, parameters, target, terms, headers, on: version.longSearches)
    }
    let query = try anchored(given, in: version)
    let ownTag = try terms.preconditions.ownTag(
      of: version.tag, for: request, isCompressing: isCompressing,
      lengths: lengths(ofAnswersTo: query, of: version, in: representation.format))
    if let ownTag {
      return .respond(
        Response(
          status: .notModified, commonHeaders: headers[.notModified, representation],
          entityTag: ownTag.text, declaredContentLength: ownTag.length))
    }
    let bytesAtOnce = min(limits.bytesAtOnce, limits.maxResponseBytes)
    guard let news = newsAtOnce(for: query, in: version, upTo: bytesAtOnce) else {
      return deferred(nil, given, parameters, target, terms, headers)
    }
    var page = Page(of: version.tag, from: query.start, news)
    extend(
      &page, query, of: version, in: representation.format, visiting: limits.visitBudget,
      upTo: bytesAtOnce)
    if isOver(page, query) {
      finish(&page, query, of: version, target)
      return .respond(try response(page.bytes, of: version, terms, headers))
    }
    return deferred(page, given, parameters, target, terms, headers)
  }

  /// Transitions are only there while the earlier version is kept. So an answer with them may be
  /// another one later, and a cache must ask again.
  private func headers(of query: ElementsParameters) -> LayoutHeaders {
    query.version == nil || query.wantsTransitions ? .current : caching.headers
  }

  /// Defers a query to the workers. They answer for the version that is current then. They continue
  /// the page if it is begun and belongs to that version.
  ///
  /// - Parameter searches: Given if the anchor must be searched, which is done once at a time.
  private func deferred(
    _ begun: Page?, _ given: ElementsParameters, _ parameters: PathParameters,
    _ target: RequestTarget, _ terms: AnswerTerms, _ headers: LayoutHeaders,
    on searches: LongSearches? = nil
  ) -> Outcome {
    deferring(on: searches, holding: begun?.heldBytes ?? 0) { () throws(ServiceError) in
      try self.withCurrentVersion(parameters) { (version) throws(ServiceError) in
        try given.check(against: version)
        let query = try self.anchored(given, in: version)
        var page: Page
        if let begun, begun.version == version.tag {
          page = begun
        } else {
          let news = self.news(
            for: query, in: version, visiting: self.limits.pageBudget,
            upTo: self.limits.maxResponseBytes)
          page = Page(of: version.tag, from: query.start, news ?? .reset)
        }
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
    var longest = min(
      limits.maxResponseBytes + Self.longestElement,
      shortest + (query.limit + 1) * Self.longestElement)
    if query.wantsTransitions { longest += limits.maxResponseBytes + 2 * Self.longestElement }
    return shortest...longest + children + Self.longestTail
  }

  /// The longest element in bytes, without children: an id of 128 characters that need six bytes
  /// each, an element kind, and numbers.
  private static let longestElement = 2048
  private static let longestChild = 48
  /// The longest end of an answer in bytes: a link to the next page, which repeats the target.
  private static let longestTail = 64 << 10

  /// What an answer says of the changes since the version that the client names.
  private enum News: Sendable {
    /// What the client knows is as it was, or it knows nothing.
    case none
    /// The client must drop what it knows.
    case reset
    /// As text.
    case transitions([UInt8])
  }

  /// The news for a query, if they are found quickly; otherwise `nil`.
  private func newsAtOnce(
    for query: ElementsParameters, in version: LayoutVersion, upTo byteCount: Int
  ) -> News? {
    news(
      for: query, in: version, costingUpTo: Self.smallLayoutCost, visiting: limits.visitBudget,
      upTo: byteCount)
  }

  /// The news for a query; `nil` if there are too many.
  ///
  /// - Parameters:
  ///   - cost: About how many sections and runs of changed items may be gone over.
  ///   - budget: How many elements may be visited to find transitions.
  ///   - byteCount: The approximate size of the transitions from which on they are too many.
  private func news(
    for query: ElementsParameters, in version: LayoutVersion, costingUpTo cost: Int = .max,
    visiting budget: Int, upTo byteCount: Int
  ) -> News? {
    guard query.wantsTransitions, let since = query.since else {
      return query.mustReset(to: version) ? .reset : News.none
    }
    // A tag that nobody knows may be of a history that is lost.
    if let tag = since.tag, !version.knows(tag) { return .reset }
    guard since.number != version.number else { return .transitions(TransitionsEncoder().text) }
    return sessions.withEarlierVersion(since.number, of: version) { earlier in
      guard let earlier else { return .reset }
      guard earlier.cost <= cost else { return nil }
      let search = earlier.transitions()
      return encoded(visiting: budget, upTo: byteCount) {
        search.forEach(in: query.rect, of: query.categories, visiting: $0, $1)
      }.map { .transitions($0.text) }
    }
  }

  /// The part of an answer that is written.
  private struct Page: Sendable {
    let version: VersionTag
    let news: News
    /// The answer. In a format of columns, it is only written at the end.
    var bytes: [UInt8] = []
    /// The elements, in a format of columns.
    var columns: ElementColumns?
    var elementCount = 0
    /// Where and why the page stops.
    var end: QueryEnd

    init(of version: VersionTag, from start: ElementPosition, _ news: News) {
      self.version = version
      self.news = news
      end = .budgetSpent(start)
    }

    /// The approximate size, with the transitions.
    var byteCount: Int { (columns?.count ?? bytes.count) + transitionBytes }

    /// The memory that the page takes until it goes on, in bytes.
    var heldBytes: Int { (columns?.memoryBytes ?? bytes.count) + transitionBytes }

    var transitions: [UInt8]? { if case .transitions(let text) = news { text } else { nil } }

    var transitionBytes: Int { transitions?.count ?? 0 }

    var isReset: Bool { if case .reset = news { true } else { false } }

    /// The parameters that the page has answered, and that the next ones do not have.
    var settledParameters: [String] {
      isReset ? ["transitions", "since", "known"] : ["transitions", "since"]
    }
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
      let byteCount = byteCount - page.transitionBytes
      Self.encoding {
        if format == .cbor {
          var columns = page.columns.take() ?? $0.takeColumns()
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
      known: page.isReset ? nil : parameters.known,
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
    let saysReset = parameters.cursor == nil && page.isReset
    // By the time of the next page the earlier version may be gone.
    let settled = parameters.wantsTransitions ? page.settledParameters : []
    let next: String? =
      switch page.end {
      case .complete: nil
      case .budgetSpent(let position), .limitReached(let position):
        nextLink(to: position, of: version, after: target, without: settled)
      }
    if let columns = page.columns.take() {
      var frame = parameters.frame(of: version)
      frame.isReset = saysReset
      frame.next = next
      frame.transitions = page.transitions
      page.bytes = columns.encoded(in: frame, into: AnswerBuffer.take(capacity: Self.usualBytes))
      Self.encoding { $0.giveBack(columns) }
    } else {
      var bytes: [UInt8] = []
      swap(&bytes, &page.bytes)
      var writer = JSONWriter(into: bytes)
      bytes = []
      writer.writeElementsEnd(isReset: saysReset)
      if let transitions = page.transitions { writer.writeMember(transitions: transitions) }
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
      // Here, where nothing else holds the arrays any more, their memory stays.
      taken.removeAll()
      return taken
    }

    func giveBack(_ used: ElementColumns) {
      if used.memoryBytes <= Self.keptBytes { columns = used }
    }
  }

  /// An encoder for each thread. It still has most of the texts that a layout's elements share from
  /// the query before.
  private static let encoding = PerThread { Encoding() }

  /// The target of a request for the rest of a list, from a position on: that of this request with
  /// another cursor.
  ///
  /// - Parameter settled: The names of parameters that it has no more.
  func nextLink(
    to position: ElementPosition, of version: LayoutVersion, after target: RequestTarget,
    without settled: [String] = []
  ) -> String {
    let cursor = Cursor(version: version.tag, position: position)
    let parameters = (target.query ?? []).split(separator: UInt8(ascii: "&")).filter {
      let name = $0.prefix { $0 != UInt8(ascii: "=") }
      let plainName = PercentCoding.decode(name.span) ?? []
      return !(settled + ["cursor"]).contains { plainName.elementsEqual($0.utf8) }
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
