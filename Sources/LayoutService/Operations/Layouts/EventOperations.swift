import LayoutSessions
import MicroHTTP

/// The parameters of streams of events.
struct FollowParameters {
  /// None twice.
  private(set) var layouts: [SessionID] = []
  private(set) var since: EventPosition?
  /// What a client without fields of its own sends instead of `Last-Event-ID`, when it comes again.
  private(set) var lastEventID: EventPosition?

  /// The largest number of layouts on one stream. Each event names all of them.
  static let maxLayouts = 64

  static let ofOne: QueryParameters<Self> = [
    QueryParameter("since", .position) { $0.since = $1 },
    QueryParameter("lastEventId", .lastPosition) { $0.lastEventID = $1 },
  ]

  static let ofSeveral: QueryParameters<Self> = [
    QueryParameter("layout", .layout, requiredAs: "{id}", isRepeatable: true) {
      if !$0.layouts.contains($1) { $0.layouts.append($1) }
    },
    QueryParameter("since", .position) { $0.since = $1 },
    QueryParameter("lastEventId", .lastPosition) { $0.lastEventID = $1 },
  ]

  init(_ target: RequestTarget, _ parameters: QueryParameters<Self>) throws(Problem) {
    try QueryString.read(target, parameters, into: &self)
    guard layouts.count <= Self.maxLayouts else {
      throw .invalidParameter("layout", "must be given at most \(Self.maxLayouts) times")
    }
  }
}

extension ParameterForm<SessionID> {
  fileprivate static var layout: Self {
    ParameterForm(requirement: "must be the id of a layout") { SessionID($0) }
  }
}

extension ParameterForm<EventPosition?> {
  /// An EventSource that has not heard of an event has the empty string as its last id.
  fileprivate static var lastPosition: Self {
    let position = ParameterForm<EventPosition>.position
    return ParameterForm(requirement: position.requirement) { text in
      if text.isEmpty { return .some(nil) }
      // Twice optional: a wrong text is not an empty one.
      guard let parsed = position.parse(text) else { return nil }
      return .some(parsed)
    }
  }
}

extension ParameterForm<EventPosition> {
  fileprivate static var position: Self {
    ParameterForm(
      requirement: "must be the id of an event: a version, as in 12 or 12-9f3ac1, or "
        + "{layout}:{version} for each layout, separated by commas"
    ) { EventPosition($0) }
  }
}

extension LayoutService {
  func followLayout(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    guard let id = parameters.read(0, { SessionID($0) }) else { throw .noSuchLayout }
    if case .none = sessions.known(id), !request.contains("Last-Event-ID") {
      throw .noSuchLayout
    }
    let query = try FollowParameters(request.target, FollowParameters.ofOne)
    return try stream([id], isNamed: false, query, request)
  }

  /// Follows those layouts that there are. A client that comes again must not lose all because one
  /// has ended.
  func followLayouts(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let query = try FollowParameters(request.target, FollowParameters.ofSeveral)
    return try stream(query.layouts, isNamed: true, query, request)
  }

  private func stream(
    _ ids: [SessionID], isNamed: Bool, _ query: FollowParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    // A client that comes again has still the `since` of its first request in its URL.
    let lastEventID = request.value(of: "Last-Event-ID")
    let position =
      lastEventID.flatMap { EventPosition($0.span) } ?? query.lastEventID
      ?? query.since
    let comesAgain = lastEventID != nil || query.lastEventID != nil
    let begin: @Sendable (Set<SessionID>) throws(Problem) -> Response = {
      (missing) throws(Problem) in
      guard missing.count < ids.count else {
        // An EventSource gives up after this, and only after this.
        if comesAgain { return Response(status: .noContent) }
        throw .noSuchLayout
      }
      var response = Response(status: .ok, commonHeaders: Self.streamHeaders)
      response.events = LayoutEventSource(
        self.events, ids, without: missing, isNamed: isNamed, after: position)
      return response
    }
    var (missing, unknown): (Set<SessionID>, [SessionID]) = ([], [])
    for id in ids {
      switch sessions.known(id) {
      case .at: break
      case .none: missing.insert(id)
      case .unknown: unknown.append(id)
      }
    }
    guard !unknown.isEmpty else {
      let response = try begin(missing)
      return response.events.map { .stream(response, $0) } ?? .respond(response)
    }
    // Only the log knows the others. While it is away, each may be there.
    let lookUp: @Sendable () throws(Problem) -> Response = {
      [unknown] () throws(Problem) in
      try begin((try? self.sessions.missing(of: unknown)) ?? [])
    }
    return deferring(shortly: { () throws(Problem) in try lookUp() }, lookUp)
  }

  /// nginx passes events on at once if an answer says so. Proxies that compress wait for more to
  /// compress, unless an answer must not be transformed (RFC 9111, section 5.2.2.6).
  static let streamHeaders: HeaderSet = [
    "Content-Type": MediaType.eventStream, "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
  ]
}
