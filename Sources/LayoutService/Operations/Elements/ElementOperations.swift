import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

extension LayoutService {
  func elements(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let query = try ElementsParameters(request.target)
    try query.check(against: version)
    let terms = AnswerTerms(request, format: query.format)
    let target = request.target
    let searches = findsAnchorAtOnce(of: query, in: version) ? nil : version.longSearches
    var begun: BegunAnswer?
    if searches == nil,
      let response = try answer(query, of: version, terms, target, atOnce: true, from: &begun)
    {
      return .respond(response)
    }
    return deferring(on: searches, holding: begun?.page.heldBytes ?? 0) {
      [begun] () throws(Problem) in
      try self.withCurrentVersion(parameters) { (version) throws(Problem) in
        try query.check(against: version)
        var begun = begun
        return try self.answer(query, of: version, terms, target, atOnce: false, from: &begun)!
      }
    }
  }

  /// Answers a query, or begins to do so.
  ///
  /// - Parameters:
  ///   - isAtOnce: Whether a thread does it that serves others, too.
  ///   - begun: What was begun. It is continued if it belongs to the version.
  /// - Returns: `nil` if it takes too long to be done at once.
  private func answer(
    _ query: ElementsParameters, of version: LayoutVersion, _ terms: AnswerTerms,
    _ target: RequestTarget, atOnce isAtOnce: Bool, from begun: inout BegunAnswer?
  ) throws(Problem) -> Response? {
    var query = query
    try moveToAnchor(&query, in: version)
    let representation = terms.representation
    let budget = isAtOnce ? limits.visitBudget : limits.pageBudget
    // Parts are long, and every worker may write some at once.
    let hasParts = query.details.contains(.parts)
    let maxBytes = hasParts ? limits.maxResponseBytes / 8 : limits.maxResponseBytes
    let bytesAtOnce = min(limits.bytesAtOnce, maxBytes)
    if begun?.page.version != version.tag {
      let changes = changes(
        for: query, in: version, as: representation.precision,
        costingUpTo: isAtOnce ? Self.smallLayoutCost : .max, visiting: budget,
        upTo: isAtOnce ? bytesAtOnce : limits.maxResponseBytes)
      if isAtOnce, changes == nil { return nil }
      begun = BegunAnswer(query, changes ?? .reset, of: version, in: representation.format)
    }
    var visits = hasParts ? max(1, budget / visitsOfParts(in: version)) : budget
    // There may be more tracks before the first element than the budget allows, but each page of a
    // worker must make progress.
    repeat {
      begun!.page.extend(
        with: version, visiting: visits, upTo: isAtOnce ? bytesAtOnce : maxBytes)
      visits *= 2
    } while !isAtOnce && begun!.page.isAtStart
    if isAtOnce, !begun!.page.isOver(maxBytes: maxBytes) { return nil }
    let body = finish(&begun!, query, of: version, target)
    let headers = query.version == nil || !query.isSettled ? LayoutHeaders.current : caching.headers
    return try response(body, of: version, terms, headers, isTagged: query.isSettled)
  }

  /// Ends an answer, with a link to the next page if there is one.
  private func finish(
    _ answer: inout BegunAnswer, _ query: ElementsParameters, of version: LayoutVersion,
    _ target: RequestTarget
  ) -> [UInt8] {
    let changes = answer.changes
    var end = AnswerEnd()
    // Only the first page has it. The next pages add to the first one.
    end.isReset = query.cursor == nil && changes.isReset
    end.transitions = changes.transitions
    // By the time of the next page the earlier version may be gone.
    let settled = query.wantsTransitions ? changes.settledParameters : []
    return answer.page.finish(end) {
      nextLink(to: $0, of: version, after: target, without: settled)
    }
  }

  /// How many visits the parts of a card cost: some texts have to be shaped again.
  private func visitsOfParts(in version: LayoutVersion) -> Int {
    64 + (hasLongCards(version) ? version.collection.prepared.longestCardText * 4 : 0)
  }

  /// Whether a thread that serves others leaves the parts of cards to the workers.
  func hasLongCards(_ version: LayoutVersion) -> Bool {
    version.collection.prepared.longestCardText > 8 << 10
  }

  /// What an answer says of the changes since the version that the client names.
  fileprivate enum ChangesSince: Sendable {
    /// What the client knows is as it was, or it knows nothing.
    case nothing
    /// The client must drop what it knows.
    case reset
    /// As text.
    case transitions([UInt8])

    var isReset: Bool { if case .reset = self { true } else { false } }

    var transitions: [UInt8]? { if case .transitions(let text) = self { text } else { nil } }

    /// The parameters that are answered, and that the next pages do not have.
    var settledParameters: [String] {
      isReset ? ["transitions", "since", "known"] : ["transitions", "since"]
    }
  }

  /// An answer to a query, and what it says of changes.
  fileprivate struct BegunAnswer: Sendable {
    let changes: ChangesSince
    var page: AnswerPage

    init(
      _ query: ElementsParameters, _ changes: ChangesSince, of version: LayoutVersion,
      in format: AnswerFormat
    ) {
      self.changes = changes
      page = AnswerPage(
        ElementQuery(
          rect: query.rect, known: changes.isReset ? nil : query.known,
          categories: query.categories, limit: query.limit, start: query.start),
        of: version, in: format, rect: query.givenRect, isAnchored: query.anchor != nil,
        details: query.details, hasSummary: query.wantsSummary,
        bytesBehind: changes.transitions?.count ?? 0)
    }
  }

  /// The changes for a query; `nil` if there are too many.
  ///
  /// - Parameters:
  ///   - cost: About how many sections and runs of changed items may be gone over.
  ///   - budget: How many elements may be visited to find transitions.
  ///   - byteCount: The approximate size of the transitions from which on they are too many.
  private func changes(
    for query: ElementsParameters, in version: LayoutVersion, as precision: CoordinatePrecision,
    costingUpTo cost: Int = .max, visiting budget: Int, upTo byteCount: Int
  ) -> ChangesSince? {
    guard query.wantsTransitions, let since = query.since else {
      return query.mustReset(to: version) ? .reset : .nothing
    }
    // What nobody knows may be of a history that is lost.
    guard version.knows(since) else { return .reset }
    guard since.number != version.number else { return .transitions(TransitionsEncoder().text) }
    guard let earlier = sessions.earlierVersion(since.number, of: version) else { return .reset }
    guard earlier.cost <= cost else { return nil }
    // `earlier` outlives the search, for its end leaves the freeing of large frames to a queue.
    return withExtendedLifetime(earlier) {
      let search = earlier.transitions()
      return encoded(
        as: precision, details: query.details, visiting: budget, upTo: byteCount
      ) {
        search.forEach(
          in: query.rect, of: query.categories, comparing: query.details.values,
          visiting: $0, $1)
      }.map { .transitions($0.text) }
    }
  }
}
