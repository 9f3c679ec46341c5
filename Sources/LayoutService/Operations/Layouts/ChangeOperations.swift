import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

extension LayoutService {
  /// The largest number of transitions in one answer.
  private static let maxTransitions = 10_000
  /// Refuses a change before the body is read, if the layout does not exist or the conditions fail.
  func checkChange(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) {
    _ = try checkedLayout(parameters, request)
  }

  /// Refuses an update of a view, too.
  func checkUpdate(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) {
    if case .at(_, isFirst: false, _) = try checkedLayout(parameters, request) {
      throw .readOnlyView
    }
  }

  private func checkedLayout(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> SessionStore.KnownLayout {
    let known = parameters.read(0, { SessionID($0) }).map { sessions.known($0) } ?? .none
    if case .none = known { throw .noSuchLayout }
    if case .at(_, _, isReadOnly: true) = known { throw .readOnlyView }
    _ = try Self.rect(in: request.target)
    // Where others are to be asked, they may have made the version that is meant.
    if case .at(let tag, _, _) = known, isAtOnce(true) {
      try Preconditions(request).checkChange(of: tag)
    }
    return known
  }

  func patch(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let input = try ChangeRequest(LoggedChange.patch, request)
    return try perform(input, on: version) {
      (version, source, costLimit) throws(Problem) -> ChangedCollection? in
      let current = version.collection
      return try self.decoding(input.content) { (bytes) throws(BodyError) -> ChangedCollection? in
        let patch = try PatchRequest(
          bytes, merging: current,
          of: source.map { .view(of: $0.layout.kind, isBound: version.access.isBound) }
            ?? .firstLayout,
          maxItems: self.limits.maxItems)
        guard current.source.layoutCost(as: patch.layout) <= costLimit else { return nil }
        let made = try patch.applied(to: current, from: source, maxItems: self.limits.maxItems)
        return ChangedCollection(made.collection, made.change)
      }
    }
  }

  func update(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let input = try ChangeRequest(LoggedChange.updates, request)
    guard version.isFirst else { throw .readOnlyView }
    return try perform(input, on: version) {
      (version, _, costLimit) throws(Problem) -> ChangedCollection? in
      let (collection, limits) = (version.collection, self.limits)
      return try self.decoding(input.content) { (bytes) throws(BodyError) -> ChangedCollection? in
        let updates = try UpdatesRequest(
          bytes, kind: collection.layout.kind, maxItems: limits.maxItems,
          maxItemData: limits.maxItemData)
        guard collection.cost(of: updates.updates) <= costLimit else { return nil }
        let change = try updates.applied(
          to: collection, itemIDs: { self.sessions.itemIDs(of: version) },
          maxItems: limits.maxItems)
        if case .sections(let sections) = change.next.data {
          let maxSections = PrepareRequest.maxSections(forItems: limits.maxItems)
          guard sections.count <= maxSections else { throw .tooManySections(limit: maxSections) }
        }
        // What says nothing new makes no version.
        var changed = ChangedCollection(change.lineage.isSame ? nil : change, of: collection)
        changed.missing = change.missing
        return changed
      }
    }
  }

  func measure(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let input = try ChangeRequest(LoggedChange.measurements, request)
    return try perform(input, on: version) {
      (version, _, costLimit) throws(Problem) -> ChangedCollection? in
      let collection = version.collection
      guard collection.prepared.counts.cells <= costLimit else { return nil }
      let change = try self.decoding(input.content) { (bytes) throws(BodyError) in
        try MeasurementsRequest(bytes).applied(
          to: collection, itemIDs: { self.sessions.itemIDs(of: version) },
          maxItems: self.limits.maxItems)
      }
      return ChangedCollection(change, of: collection)
    }
  }

  func fold(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(Problem) -> Outcome {
    let input = try ChangeRequest(LoggedChange.folds, request)
    return try perform(input, on: version) {
      (version, source, costLimit) throws(Problem) -> ChangedCollection? in
      let collection = version.collection
      guard collection.storedItemCount <= costLimit else { return nil }
      let made = try self.decoding(input.content) { (bytes) throws(BodyError) in
        try FoldsRequest(bytes).applied(
          to: collection, from: source, itemIDs: { self.sessions.itemIDs(of: version) },
          maxItems: self.limits.maxItems)
      }
      return ChangedCollection(made.collection, made.change)
    }
  }

  static let updateParameters: QueryParameters<Rect?> = [
    QueryParameter("rect", .rect) { $0 = $1.inSteps }
  ]

  private static func rect(in target: RequestTarget) throws(Problem) -> Rect? {
    var rect: Rect?
    try QueryString.read(target, updateParameters, into: &rect)
    return rect
  }

  /// The transitions of a change in a rect; `nil` if there is no rect.
  private func transitions(
    of change: CollectionChange?, in rect: Rect?
  ) throws(Problem) -> TransitionsEncoder? {
    guard let rect else { return nil }
    guard let change else { return TransitionsEncoder() }
    let transitions = encoded(visiting: limits.pageBudget, upTo: limits.maxResponseBytes) {
      change.forEachTransition(in: rect, visiting: $0, $1)
    }
    guard let transitions else {
      throw .invalidParameter(
        "rect",
        "must be smaller, so that the answer has fewer than \(Self.maxTransitions) "
          + "transitions and at most \(limits.maxResponseBytes) bytes, and the rect shows at most "
          + "\(limits.pageBudget) elements")
    }
    return transitions
  }

  /// Writes transitions; `nil` if there are too many.
  ///
  /// - Parameters:
  ///   - precision: How exactly they have coordinates.
  ///   - details: What cells have beside frame and id.
  ///   - budget: The largest number of elements to visit.
  ///   - byteCount: The approximate size from which on they are too many.
  ///   - search: Finds the transitions within the budget, until its body returns false, and says
  ///     whether these are all.
  func encoded(
    as precision: CoordinatePrecision = .readable, details: CellDetails = [],
    visiting budget: Int, upTo byteCount: Int,
    _ search: (Int, (CollectionChange.Transition) -> Bool) -> Bool
  ) -> TransitionsEncoder? {
    var encoder = TransitionsEncoder(precision: precision, details: details)
    var remaining = Self.maxTransitions
    let isComplete = search(budget) {
      encoder.encode($0)
      remaining -= 1
      return remaining > 0 && encoder.count < byteCount
    }
    return isComplete ? encoder : nil
  }

  // MARK: What all changes share

  /// The parts of a request that a change needs.
  private struct ChangeRequest: Sendable {
    /// As a log has it.
    let operation: String
    let preconditions: Preconditions
    let content: RequestContent
    /// Where transitions are requested, which may take long; `nil` for nowhere.
    let rect: Rect?

    init(_ operation: String, _ request: borrowing Request) throws(Problem) {
      self.operation = operation
      rect = try LayoutService.rect(in: request.target)
      preconditions = Preconditions(request)
      content = RequestContent(request)
    }
  }

  /// Makes a change of a version, with the collection of the document's first layout for a view.
  /// The result is `nil` if the change may lay out more sections and items than the limit.
  private typealias ChangeStep =
    @Sendable (LayoutVersion, PreparedCollection?, _ costLimit: Int) throws(Problem)
    -> ChangedCollection?

  /// Makes the next version of a layout. A short change is made at once, unless another change is
  /// in progress. Otherwise the workers make it, after earlier changes.
  private func perform(
    _ input: ChangeRequest, on version: LayoutVersion, _ make: @escaping ChangeStep
  ) throws(Problem) -> Outcome {
    guard !version.access.isReadOnly else { throw .readOnlyView }
    let isSmall =
      input.rect == nil && input.content.isSmall(Self.smallBodyBytes)
      && version.collection.layoutCost <= Self.smallLayoutCost
      && !version.collection.data.hasTexts
    if isAtOnce(isSmall) {
      let response = try answer(to: input, costingUpTo: Self.smallLayoutCost, make) {
        (change) throws(Problem) in try self.sessions.commitAtOnce(version, change)
      }
      if let response { return .respond(response) }
    }
    let id = version.id
    return deferring(on: version.changeLock) { () throws(Problem) in
      let response = try self.answer(to: input, costingUpTo: .max, make) {
        (change) throws(Problem) in try self.sessions.commit(id, change)
      }
      guard let response else { preconditionFailure("a change is made, or there is an error") }
      return response
    }
  }

  /// Commits a change, and answers with the new version; `nil` if there is none.
  private func answer(
    to input: ChangeRequest, costingUpTo costLimit: Int, _ make: @escaping ChangeStep,
    _ commit: (SessionStore.MakeChange<Problem>) throws(Problem) -> LayoutVersion?
  ) throws(Problem) -> Response? {
    var (made, missing): (CollectionChange?, [String]?)
    var transitions: TransitionsEncoder?
    let next = try commit { (version, source) throws(Problem) in
      try input.preconditions.checkChange(of: version.tag)
      let body = sessions.mayBlock ? try bytes(of: input.content) : []
      guard let changed = try make(version, source, costLimit) else { return nil }
      (made, missing) = (changed.change, changed.missing)
      transitions = try self.transitions(of: made, in: input.rect)
      return SessionStore.AskedChange(input.operation, body: body, makes: changed)
    }
    return next.map { next in
      Response(
        status: .ok, commonHeaders: LayoutHeaders.current[.ok],
        entityTag: LayoutTag(version: next.tag).entityTag(isOfContent: false),
        body: summary(of: next) {
          if input.operation == LoggedChange.patch { $0["invalidated"] = made != nil }
          $0.write(invalidated: made?.invalidatedRects ?? .none)
          $0["missing"] = missing
          $0["transitions"] = transitions
        })
    }
  }

  /// The body as others have to read it.
  private func bytes(of content: RequestContent) throws(Problem) -> [UInt8] {
    guard let body = try content.unpacked(limit: limits.maxBodyBytes) else { return [] }
    return body.withBytes { Array($0) }
  }
}
