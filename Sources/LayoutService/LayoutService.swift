public import LayoutSessions
import MicroHTTP
import System
public import TextMeasure
import WireFormat

/// The operations. Each one decodes a request, does the work, and encodes the answer.
public final class LayoutService: Sendable {
  /// The limits of one request.
  public struct Limits: Sendable {
    /// The largest number of items that a layout may store. Uniform items of a grid are not stored.
    public var maxItems = 10_000_000
    /// The longest data of an item, in bytes, at most ``TextColumn/maxBytes``.
    public var maxItemData = 4 << 10
    /// The largest size of a decompressed body, in bytes.
    public var maxBodyBytes = 64 << 20
    /// The approximate size of the largest answer, in bytes. A longer list of elements continues
    /// with a link.
    public var maxResponseBytes = 64 << 20
    /// A query that visits more elements than this is deferred to the workers.
    public var visitBudget = 20_000
    /// A query whose answer has more bytes than this is deferred to the workers, which continue
    /// where it stopped.
    public var bytesAtOnce = 1 << 20
    /// The largest number of elements that a worker visits for one answer. A longer query continues
    /// with a link. Transitions among more elements are refused.
    public var pageBudget = 5_000_000
    /// For how long texts are looked through for one answer.
    public var maxFindTime: Duration = .seconds(2)
    /// How much may be kept of what was found.
    public var maxFindBytes = 16 << 20
    /// How much workers may take together for what they make, beside the one that began first.
    public var maxWorkBytes = 256 << 20
    /// What the process may take.
    public var memoryBound = Int.max

    /// The defaults.
    public static let standard = Self()
  }

  /// The state of the process, for probes and metrics.
  public struct Probes: Sendable {
    /// Whether the server accepts new work.
    public var isReady: @Sendable () -> Bool
    /// All metrics in Prometheus's text format.
    public var metricsText: @Sendable () -> String

    public init(
      isReady: @escaping @Sendable () -> Bool = { true },
      metricsText: @escaping @Sendable () -> String = { "" }
    ) {
      self.isReady = isReady
      self.metricsText = metricsText
    }
  }

  /// Which caches may keep an answer that names its version, and so never changes.
  public enum Caching: Sendable {
    /// The client's own.
    case `private`
    /// Those of proxies as well, for all clients.
    case `public`

    var headers: LayoutHeaders { self == .private ? .immutable : .sharedImmutable }
  }

  let sessions: SessionStore
  let limits: Limits
  let probes: Probes
  let metrics: Metrics?
  /// Whether answers may be compressed. The gateway compresses them; entity tags depend on it.
  let isCompressing: Bool
  let caching: Caching
  /// Whether browsers get the viewer and the client.
  let hasViewer: Bool
  /// Whether everybody who may ask may know which layouts there are: where keys are on.
  let listsLayouts: Bool
  let events: EventHub
  /// What long work asks for its memory.
  let work: WorkMemory
  /// The fonts that texts are measured with.
  let finds: FindCache
  let fontLibrary: FontLibrary
  let typesetter: CardTypesetter

  public init(
    sessions: SessionStore, limits: Limits = .standard, probes: Probes = Probes(),
    metrics: Metrics? = nil, isCompressing: Bool = true, caching: Caching = .private,
    hasViewer: Bool = true, listsLayouts: Bool = false,
    fonts: FontLibrary = FontLibrary(folders: [])
  ) {
    precondition(RequestBody.padding >= PrepareRequest.padding, "bodies have too little padding")
    self.sessions = sessions
    self.limits = limits
    self.probes = probes
    self.metrics = metrics
    self.isCompressing = isCompressing
    self.caching = caching
    self.hasViewer = hasViewer
    self.listsLayouts = listsLayouts
    work = WorkMemory(
      limit: limits.maxWorkBytes, mostKept: sessions.limits.maxBytes, bound: limits.memoryBound)
    finds = FindCache(maxBytes: limits.maxFindBytes)
    fontLibrary = fonts
    typesetter = CardTypesetter(fonts)
    events = EventHub(sessions, work)
    events.listen()
  }

  /// Uses every layout that somebody follows, so that it does not expire. It is to be called more
  /// often than a layout's idle timeout.
  ///
  /// - Complexity: O(number of layouts that are followed).
  public func useFollowedLayouts() { events.useFollowedLayouts() }

  // MARK: What all operations share

  func response(to problem: Problem) -> Response {
    Response(
      status: Status(rawValue: problem.type.status), commonHeaders: Self.problemHeaders,
      headers: problem.headers, body: problem.encoded())
  }

  private static let problemHeaders: HeaderSet = [
    "Content-Type": MediaType.problem, "Cache-Control": "no-store",
  ]
  /// The request fields that influence answers.
  static let varyingFields = "Accept-Encoding, Origin"
  static let jsonHeaders: HeaderSet = ["Content-Type": MediaType.json, "Vary": varyingFields]

  /// Performs an operation on the current version of the layout that a path names; this is a use of
  /// its session. If the version must be made first, and that is long work, a worker does both.
  ///
  /// The one place where the serving threads get versions.
  ///
  /// - Parameter parameters: The first is the layout's id.
  func withVersion(
    _ parameters: PathParameters, _ request: borrowing Request,
    _ operation: @escaping Route.BoundLayoutStep
  ) throws(Problem) -> Outcome {
    guard let id = parameters.read(0, { SessionID($0) }), let found = sessions.find(id) else {
      throw .noSuchLayout
    }
    if case .current(let version) = found, isNewEnough(version, for: request) {
      return try operation(version, parameters, request)
    }
    if case .pending(let work) = found, work.cost <= Self.smallLayoutCost,
      let version = try Problem.of({ () throws(SessionsError) in
        try sessions.makeVersion(of: id, waits: false)
      }), isNewEnough(version, for: request)
    {
      return try operation(version, parameters, request)
    }
    let request = copy request
    return try reaching(id, found) { () throws(Problem) in
      var version = try self.newest(of: id)
      if !self.isNewEnough(version, for: request) {
        try Problem.of { () throws(SessionsError) in try self.sessions.catchUpIfReachable(id) }
        version = try self.newest(of: id)
      }
      switch try operation(version, parameters, request) {
      case .respond(let response): return response
      case .deferred(let deferred): return deferred.work()
      case .stream: preconditionFailure("a stream is no answer about one version")
      }
    }
  }

  /// Whether a version is as new as all that a request speaks of, as far as anybody can say.
  private func isNewEnough(_ version: LayoutVersion, for request: borrowing Request) -> Bool {
    !sessions.mayBlock || ShownVersions.areKnown(to: version, request)
  }

  /// Defers work on a layout, for which the log may have to be asked.
  ///
  /// Whether there is a layout of which there is no copy is found out beside long work: nobody
  /// waits for those who ask for what is not there.
  ///
  /// - Parameter found: What there is of the layout.
  func reaching(
    _ id: SessionID, _ found: FoundVersion,
    _ work: @escaping @Sendable () throws(Problem) -> Response
  ) throws(Problem) -> Outcome {
    switch found {
    case .pending(let pending): return deferring(on: pending.object, work)
    case .current, .behind: return deferring(on: sessions.lock(for: id), work)
    case .unknown: break
    }
    let sessions = sessions
    try Problem.of { () throws(SessionsError) in try sessions.expect(id) }
    let lookUp = { @Sendable () throws(Problem) in
      try Problem.of { () throws(SessionsError) in try sessions.lookUp(id) }
    }
    // On no object: the thread for short work would still count as busy with it when it passes the
    // job on, and nobody would wake a worker afterwards.
    return deferring(
      shortly: { () throws(Problem) in
        try lookUp()
        return nil
      },
      { () throws(Problem) in
        try lookUp()
        return try work()
      })
  }

  /// Whether work that is short is done at once, by a thread that serves others, too: not if others
  /// are to be asked.
  func isAtOnce(_ isShort: Bool) -> Bool { isShort && !sessions.mayBlock }

  /// The current version of a layout, after changes of others that were heard of. May block.
  func newest(of id: SessionID) throws(Problem) -> LayoutVersion {
    try Problem.of { () throws(SessionsError) in try sessions.newest(of: id) }
  }

  /// As ``SessionStore/hearing``.
  var hearing: Int? { sessions.hearing }

  /// Calls `body` with the current version of a layout, for workers.
  func withCurrentVersion<R>(
    _ parameters: PathParameters, _ body: (LayoutVersion) throws(Problem) -> R
  ) throws(Problem) -> R {
    guard let id = parameters.read(0, { SessionID($0) }) else { throw .noSuchLayout }
    return try body(newest(of: id))
  }

  /// Answers for a version: at once with this one, or by a worker with the one that is current
  /// then.
  ///
  /// - Parameter object: As for ``deferring(on:holding:shortly:_:)``.
  func answering(
    _ version: LayoutVersion, _ parameters: PathParameters, atOnce isQuick: Bool,
    on object: (any AnyObject & Sendable)? = nil,
    _ answer: @escaping @Sendable (LayoutVersion) throws(Problem) -> Response
  ) throws(Problem) -> Outcome {
    if isQuick { return .respond(try answer(version)) }
    return deferring(on: object) { () throws(Problem) in
      try self.withCurrentVersion(parameters, answer)
    }
  }

  /// The answer to GET or HEAD for a version, in the format that its terms require.
  func response(
    json text: [UInt8], of version: LayoutVersion, _ terms: AnswerTerms,
    _ headers: LayoutHeaders = .current
  ) throws(Problem) -> Response {
    try response(terms.representation.encoded(json: text), of: version, terms, headers)
  }

  /// The answer to GET or HEAD for a version, with its tag and with the status that the conditions
  /// require.
  ///
  /// - Parameters:
  ///   - body: The content, in the format that the terms require.
  ///   - suffix: What its tag has in place of what the format adds.
  ///   - isTagged: Whether it has a tag: not if it says what may change in the same version.
  func response(
    _ body: [UInt8], of version: LayoutVersion, _ terms: AnswerTerms, _ headers: LayoutHeaders,
    suffix: String? = nil, isTagged: Bool = true
  ) throws(Problem) -> Response {
    try terms.preconditions.checkMatch(version.tag)
    guard isTagged else {
      return Response(
        status: .ok, commonHeaders: headers[.ok, terms.representation], body: body)
    }
    // A 304 has the content, too, which decides its length and its tag. The content is not sent:
    // of a 304 without a length libmicrohttpd would close the connection.
    let isKnown = terms.preconditions.isKnown(version.tag, suffix: suffix)
    let status: Status = isKnown ? .notModified : .ok
    let tag = LayoutTag(
      version: version.tag, suffix: suffix ?? terms.representation.format.tagSuffix)
    return Response(
      status: status, commonHeaders: headers[status, terms.representation],
      entityTag: tag.entityTag(), body: body)
  }
}
