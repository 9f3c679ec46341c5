import CollectionLayout
import LayoutSessions
import MicroHTTP
import System
import WireFormat

/// The parameters of `GET /layouts/{id}`.
struct SummaryParameters {
  private(set) var hasWholeArrangement = false
  private(set) var format: AnswerFormat?

  static let all: QueryParameters<Self> = [
    QueryParameter("arrange", .boolean) { $0.hasWholeArrangement = $1 },
    .format(among: AnswerFormat.ofLayout) { $0.format = $1 },
  ]
}

extension LayoutService {
  /// Bodies and layouts up to this size are processed at once. Larger ones go to the workers.
  static let smallBodyBytes = 4096
  static let smallLayoutCost = 1000
  /// Up to this size they are short work for the workers.
  static let shortBodyBytes = 256 << 10
  static let shortLayoutCost = 20_000

  func checkKind(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) {
    _ = try kind(parameters)
    _ = try Self.name(in: request.target)
  }

  private static let prepareParameters: QueryParameters<String?> = [.layoutName { $0 = $1 }]

  private static func name(in target: RequestTarget) throws(Problem) -> String? {
    var name: String?
    try QueryString.read(target, prepareParameters, into: &name)
    return name
  }

  private func kind(
    _ parameters: PathParameters
  ) throws(Problem) -> LayoutKind {
    let name = parameters.name(0)
    if let kind = LayoutKind.named(name) { return kind }
    throw Problem(
      .unknownKind,
      "There is no kind \"\(name.shortened(to: Problem.EchoLimit.name))\". The kinds are "
        + LayoutKind.all.map(\.name).joined(separator: ", ") + ".")
  }

  func prepare(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let kind = try kind(parameters)
    let content = RequestContent(request)
    if let name = try Self.name(in: request.target) {
      return deferring(on: sessions.nameLock(for: name)) { () throws(Problem) in
        let (version, isNew) = try self.sessions.create(named: name) { () throws(Problem) in
          let decoded = try self.decode(content, as: kind)
          content.discard()
          return try self.prepared(decoded)
        }
        if isNew { self.count(version) }
        return self.created(version, isNew ? .created : .ok)
      }
    }
    // A few bytes can stand for many nodes, which are sorted while they are read.
    guard isAtOnce(content.isSmall(Self.smallBodyBytes) && !kind.isForest) else {
      var shortWork: (@Sendable () throws(Problem) -> Response?)?
      if content.isSmall(Self.shortBodyBytes) {
        shortWork = { () throws(Problem) in try self.shortly(content, kind) }
      }
      return deferring(shortly: shortWork) { () throws(Problem) in
        let decoded = try self.decode(content, as: kind)
        content.discard()
        return try self.keep(decoded)
      }
    }
    let decoded = try decode(content, as: kind)
    guard decoded.layoutCost <= Self.smallLayoutCost else {
      return deferring { () throws(Problem) in try self.keep(decoded) }
    }
    return .respond(try keep(decoded))
  }

  private func decode(
    _ content: RequestContent, as kind: LayoutKind, maxItems: Int? = nil
  ) throws(Problem) -> PrepareRequest {
    try decoding(content) { bytes throws(BodyError) in
      try PrepareRequest(
        bytes, kind: kind, maxItems: maxItems ?? limits.maxItems,
        maxItemData: limits.maxItemData)
    }
  }

  /// Prepares a layout if it has few items; `nil` if it may have more.
  private func shortly(
    _ content: RequestContent, _ kind: LayoutKind
  ) throws(Problem) -> Response? {
    let decoded: PrepareRequest
    do throws(Problem) {
      decoded = try decode(content, as: kind, maxItems: min(Self.shortLayoutCost, limits.maxItems))
    } catch {
      // The worker has limits of its own, and waits for memory.
      guard [413, 503].contains(error.type.status) else { throw error }
      return nil
    }
    return decoded.layoutCost <= Self.shortLayoutCost ? try keep(decoded) : nil
  }

  /// Reads the body of a request. A missing body is an error, because it is not JSON.
  func decoding<R>(
    _ content: RequestContent,
    _ read: (UnsafeMutableRawBufferPointer) throws(BodyError) -> R
  ) throws(Problem) -> R {
    guard let body = try content.unpacked(limit: limits.maxBodyBytes) else {
      throw Problem(.syntax(offset: 0))
    }
    do throws(BodyError) {
      try BodyError.reserve(body.count * Self.decodedBytesPerByte)
      return try body.withBytes { (bytes) throws(BodyError) in try read(bytes) }
    } catch {
      throw Problem(error)
    }
  }

  /// About how many bytes decoding needs for each byte of text: `{},` becomes an item with two
  /// columns.
  private static let decodedBytesPerByte = 5

  private func prepared(_ request: PrepareRequest) throws(Problem) -> PreparedCollection {
    do {
      return try request.prepared(typesetter: typesetter)
    } catch {
      throw Problem(error)
    }
  }

  private func keep(_ request: PrepareRequest) throws(Problem) -> Response {
    let collection = try prepared(request)
    let version = try Problem.of { () throws(SessionsError) in
      try sessions.create(collection)
    }
    count(version)
    return created(version)
  }

  private func count(_ version: LayoutVersion) {
    let counts = version.collection.prepared.counts
    metrics?.countPrepared(elements: counts.cells + counts.supplementary + counts.decorations)
  }

  /// The answer about a layout that was made, or that was there already.
  ///
  /// - Parameter tellsArrangement: Whether it is told whole, though others are never told it.
  func created(
    _ version: LayoutVersion, _ status: Status = .created, tellsArrangement: Bool = false
  ) -> Response {
    Response(
      status: status, commonHeaders: LayoutHeaders.current[status],
      headers: [("Location", "/layouts/\(version.id)")],
      entityTag: LayoutTag(version: version.tag).entityTag(isOfContent: false),
      body: summary(of: version, tellsArrangement: tellsArrangement))
  }

  /// Defers an answer to the workers. An error becomes a problem document.
  ///
  /// - Parameters:
  ///   - heldBytes: The bytes of the answer that are already in memory.
  ///   - shortWork: Does the work if it is short, and returns `nil` otherwise.
  func deferring(
    on object: (any AnyObject & Sendable)? = nil, holding heldBytes: Int = 0,
    shortly shortWork: (@Sendable () throws(Problem) -> Response?)? = nil,
    _ work: @escaping @Sendable () throws(Problem) -> Response
  ) -> Outcome {
    var deferred = DeferredWork(object: object, heldBytes: heldBytes) {
      do throws(Problem) {
        return try self.work.during(work)
      } catch {
        return self.response(to: error)
      }
    }
    if let shortWork {
      deferred.shortWork = {
        do throws(Problem) {
          return try self.work.during(waits: false, shortWork)
        } catch {
          return self.response(to: error)
        }
      }
    }
    return .deferred(deferred)
  }

  func summary(
    of version: LayoutVersion, precision: CoordinatePrecision = .readable,
    hasWholeArrangement: Bool = false, tellsArrangement: Bool = false,
    extra: (inout JSONObject) -> Void = { _ in }
  ) -> [UInt8] {
    var summary = Summary(version)
    summary.memoryBytes = version.memoryBytes
    summary.expiresAt = sessions.expiryUnixTime()
    summary.hasWholeArrangement = hasWholeArrangement || tellsArrangement
    if tellsArrangement { summary.hidesArrangement = false }
    return summary.encoded(precision: precision, adding: extra)
  }

  /// The entity tag is that of the version, for the conditions of changes. It stays the same when
  /// the summary changes with its expiry, or with bounds on which no element depends. So no cache
  /// may store the summary, and a client that has the tag still gets it.
  func summary(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    var given = SummaryParameters()
    try QueryString.read(request.target, SummaryParameters.all, into: &given)
    let terms = AnswerTerms(request, format: given.format)
    let representation = terms.representation
    try terms.preconditions.checkMatch(version.tag)
    let body = summary(
      of: version, precision: representation.precision,
      hasWholeArrangement: given.hasWholeArrangement
    ) {
      $0["views"] = sessions.viewCount(of: version)
    }
    return .respond(
      Response(
        status: .ok, commonHeaders: LayoutHeaders.unstored[.ok, representation],
        entityTag: LayoutTag(
          version: version.tag, suffix: representation.format.tagSuffix
        ).entityTag(isOfContent: false),
        body: representation.encoded(json: body)))
  }

  /// A view that is deleted need not be made for that.
  func delete(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    guard let id = parameters.read(0, { SessionID($0) }), let found = sessions.find(id) else {
      throw .noSuchLayout
    }
    try QueryString.checkEmpty(request.target)
    let preconditions = Preconditions(request)
    let deletion = { @Sendable () throws(Problem) in
      // Whether it may be deleted is told by its copy alone.
      if self.sessions.documentID(of: id) == nil { try? self.sessions.catchUp(id) }
      if case .at(_, _, isReadOnly: true) = self.sessions.known(id) {
        throw Problem.readOnlyView
      }
      return try self.delete(id, preconditions)
    }
    return isAtOnce(true) ? .respond(try deletion()) : try reaching(id, found, deletion)
  }

  /// Deletes a view for who has the id of its source.
  func deleteView(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    guard let id = parameters.read(0, { SessionID($0) }), let found = sessions.find(id) else {
      throw .noSuchLayout
    }
    try QueryString.checkEmpty(request.target)
    let (preconditions, view) = (Preconditions(request), parameters.read(1, { SessionID($0) }))
    let deletion = { @Sendable () throws(Problem) in
      if self.sessions.mayBlock {
        try Problem.of { () throws(SessionsError) in
          try self.sessions.catchUp(id)
          if let view { try self.sessions.catchUp(view) }
        }
      }
      guard let source = self.sessions.documentID(of: id) else { throw Problem.noSuchLayout }
      guard source == id else { throw Problem.readOnlyView }
      guard let view, view != id, self.sessions.documentID(of: view) == id else {
        throw Problem.noSuchLayout
      }
      return try self.delete(view, preconditions)
    }
    return isAtOnce(true) ? .respond(try deletion()) : try reaching(id, found, deletion)
  }

  private func delete(
    _ id: SessionID, _ preconditions: Preconditions
  ) throws(Problem) -> Response {
    let check: (VersionTag) throws(Problem) -> Void = { (tag) throws(Problem) in
      try preconditions.checkChange(of: tag)
    }
    try sessions.remove(id, checking: preconditions.areEmpty ? nil : check)
    return Response(status: .noContent)
  }
}

extension PreparedCollection {
  /// About how many sections and items are laid out one by one.
  var layoutCost: Int { prepared.counts.sections + storedItemCount }
}

extension PrepareRequest {
  /// About how many sections and items are laid out one by one.
  fileprivate var layoutCost: Int { data.layoutCost(as: layout) }
}
