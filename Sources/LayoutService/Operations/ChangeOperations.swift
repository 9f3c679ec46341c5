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
  ) throws(ServiceError) {
    _ = try checkedTag(parameters, request)
  }

  /// Refuses an update of a view, too.
  func checkUpdate(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) {
    if try checkedTag(parameters, request)?.isFirst == false { throw .problem(.readOnlyView) }
  }

  private func checkedTag(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> (tag: VersionTag, isFirst: Bool)? {
    guard let id = parameters.read(0, { SessionID($0) }) else { throw .noSuchLayout }
    let version = sessions.tag(of: id)
    guard isShared || version != nil else { throw .noSuchLayout }
    _ = try rect(in: request.target)
    // Others may have made the version that is meant.
    if let version, !isShared { try Preconditions(request).checkChange(of: version.tag) }
    return version
  }

  func patch(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let rect = try rect(in: request.target)
    let input = ChangeRequest(.patch, parameters, request)
    return try perform(input, on: version, hasRect: rect != nil) {
      (version, costLimit) throws(ServiceError) -> ChangedCollection? in
      let current = version.collection
      var source: PreparedCollection?
      if !version.isFirst {
        source = self.sessions.source(of: version)
        // The view has a later version by now.
        if source == nil { return nil }
      }
      let changed = try self.decoding(input.content) {
        (bytes) throws(BodyError) -> (PreparedCollection, CollectionChange?)? in
        let patch = try PatchRequest(bytes, merging: current)
        guard current.data.layoutCost(as: patch.layout.kind) <= costLimit else { return nil }
        return try patch.applied(to: current, from: source, maxItems: self.limits.maxItems)
      }
      guard let (collection, change) = changed else { return nil }
      let transitions = try self.transitions(of: change, in: rect)
      return ChangedCollection(collection: collection, change: change) {
        $0["invalidated"] = change != nil
        $0.write(invalidated: change?.invalidatedRects ?? .none)
        $0["transitions"] = transitions
      }
    }
  }

  func update(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let rect = try rect(in: request.target)
    guard version.isFirst else { throw .problem(.readOnlyView) }
    let input = ChangeRequest(.updates, parameters, request)
    return try perform(input, on: version, hasRect: rect != nil) {
      (version, costLimit) throws(ServiceError) -> ChangedCollection? in
      guard
        let change = try self.applyUpdates(in: input.content, to: version, costingUpTo: costLimit)
      else { return nil }
      let transitions = try self.transitions(of: change, in: rect)
      return ChangedCollection(collection: change.next, change: change) {
        $0.write(invalidated: change.invalidatedRects)
        $0["transitions"] = transitions
      }
    }
  }

  /// - Returns: `nil` if the updates may take more work than the limit.
  private func applyUpdates(
    in content: RequestContent, to version: LayoutVersion, costingUpTo costLimit: Int
  ) throws(ServiceError) -> CollectionChange? {
    let collection = version.collection
    return try decoding(content) { (bytes) throws(BodyError) -> CollectionChange? in
      let updates = try UpdatesRequest(
        bytes, kind: collection.layout.kind, maxItems: limits.maxItems)
      guard collection.cost(of: updates.updates) <= costLimit else { return nil }
      let change = try updates.applied(
        to: collection, itemIDs: { self.sessions.itemIDs(of: version) }, maxItems: limits.maxItems)
      if case .sections(let sections) = change.next.data {
        let maxSections = PrepareRequest.maxSections(forItems: limits.maxItems)
        guard sections.count <= maxSections else { throw .tooManySections(limit: maxSections) }
      }
      return change
    }
  }

  func measure(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let rect = try rect(in: request.target)
    let input = ChangeRequest(.measurements, parameters, request)
    return try perform(input, on: version, hasRect: rect != nil) {
      (version, costLimit) throws(ServiceError) -> ChangedCollection? in
      let collection = version.collection
      guard collection.prepared.counts.cells <= costLimit else { return nil }
      let change = try self.decoding(input.content) { (bytes) throws(BodyError) in
        try MeasurementsRequest(bytes).applied(
          to: collection, itemIDs: { self.sessions.itemIDs(of: version) },
          maxItems: self.limits.maxItems)
      }
      let transitions = try self.transitions(of: change, in: rect)
      return ChangedCollection(collection: change.next, change: change) {
        $0.write(invalidated: change.invalidatedRects)
        $0["transitions"] = transitions
      }
    }
  }

  /// What other changes of the layout that a path names wait for; `nil` if it names none, or one
  /// that must be made first.
  func changeLock(_ parameters: PathParameters) -> (any AnyObject & Sendable)? {
    guard let id = parameters.read(0, { SessionID($0) }),
      case .current(let version)? = sessions.find(id)
    else { return nil }
    return version.changeLock
  }

  static let updateParameters: QueryParameters<Rect?> = [
    QueryParameter("rect", .rect) { $0 = $1 }
  ]

  private func rect(in target: RequestTarget) throws(ServiceError) -> Rect? {
    var rect: Rect?
    try QueryString.read(target, Self.updateParameters, into: &rect)
    return rect
  }

  /// The transitions of a change in a rect; `nil` if there is no rect.
  private func transitions(
    of change: CollectionChange?, in rect: Rect?
  ) throws(ServiceError) -> TransitionsEncoder? {
    guard let rect else { return nil }
    guard let change else { return TransitionsEncoder() }
    let transitions = encoded(visiting: limits.pageBudget, upTo: limits.maxResponseBytes) {
      change.forEachTransition(in: rect, visiting: $0, $1)
    }
    guard let transitions else {
      throw .invalidParameter(
        name: "rect",
        requirement: "must be smaller, so that the answer has fewer than \(Self.maxTransitions) "
          + "transitions and at most \(limits.maxResponseBytes) bytes, and the rect shows at most "
          + "\(limits.pageBudget) elements")
    }
    return transitions
  }

  /// Writes transitions; `nil` if there are too many.
  ///
  /// - Parameters:
  ///   - budget: The largest number of elements to visit.
  ///   - byteCount: The approximate size from which on they are too many.
  ///   - search: Finds the transitions within the budget, until its body returns false, and says
  ///     whether these are all.
  func encoded(
    visiting budget: Int, upTo byteCount: Int,
    _ search: (Int, (CollectionChange.Transition) -> Bool) -> Bool
  ) -> TransitionsEncoder? {
    var encoder = TransitionsEncoder()
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
    let operation: SharedOperation
    let parameters: PathParameters
    let preconditions: Preconditions
    let content: RequestContent

    init(
      _ operation: SharedOperation, _ parameters: PathParameters, _ request: borrowing Request
    ) {
      self.operation = operation
      self.parameters = parameters
      preconditions = Preconditions(request)
      content = RequestContent(request)
    }
  }

  /// The result of a change.
  private struct ChangedCollection {
    let collection: PreparedCollection
    /// `nil` if all attributes certainly stay the same.
    let change: CollectionChange?
    /// Writes the members that the answer has in addition to the summary.
    let writeMembers: (inout JSONObject) -> Void
  }

  /// Makes a change of a version. The result is `nil` if there is a later version by now, or if
  /// the change may lay out more sections and items than the limit.
  private typealias ChangeStep =
    @Sendable (LayoutVersion, _ costLimit: Int) throws(ServiceError) -> ChangedCollection?

  /// Makes the next version of a layout. A short change is made at once, unless another change is
  /// in progress. Otherwise the workers make it, after earlier changes.
  ///
  /// - Parameter hasRect: Whether transitions are requested, which may take long.
  private func perform(
    _ input: ChangeRequest, on version: LayoutVersion, hasRect: Bool,
    _ make: @escaping ChangeStep
  ) throws(ServiceError) -> Outcome {
    let lock = version.changeLock
    if let store {
      return deferring(on: lock) { () throws(ServiceError) in
        try self.changeShared(version.id, input, make, store)
      }
    }
    let isSmall =
      !hasRect && input.content.isSmall(Self.smallBodyBytes)
      && version.collection.layoutCost <= Self.smallLayoutCost
      && !version.collection.data.hasTexts
    if isSmall {
      let response = try lock.withLockIfAvailable { () throws(ServiceError) in
        try change(version, input, make, costingUpTo: Self.smallLayoutCost)
      }
      if let response = response ?? nil { return .respond(response) }
    }
    return deferring(on: lock) { () throws(ServiceError) in
      try lock.withLock { () throws(ServiceError) in
        while true {
          let response = try self.withCurrentVersion(input.parameters) {
            (version) throws(ServiceError) in
            try self.change(version, input, make)
          }
          if let response { return response }
        }
      }
    }
  }

  /// Changes a layout that others change, too: in the store first, then here.
  private func changeShared(
    _ id: SessionID, _ input: ChangeRequest, _ make: ChangeStep, _ store: SharedStore
  ) throws(ServiceError) -> Response {
    for _ in 0..<Self.maxConflicts {
      // Whoever waits for a copy waits without the lock of its changes.
      let fresh = try freshVersion(of: id)
      let response = try fresh.changeLock.withLock { () throws(ServiceError) -> Response? in
        guard let version = try makeVersion(of: id), version.changeLock === fresh.changeLock else {
          return nil
        }
        return try change(version, input, make, in: store)
      }
      if let response { return response }
    }
    throw .storeUnavailable(.away)
  }

  /// Changes a version.
  ///
  /// - Precondition: The session's change lock is held.
  /// - Parameter store: In which the change is made first.
  /// - Returns: `nil` if it is not the current version any more, the session is gone, or the change
  ///   may cost more than the limit.
  private func change(
    _ version: LayoutVersion, _ input: ChangeRequest, _ make: ChangeStep,
    costingUpTo costLimit: Int = .max, in store: SharedStore? = nil
  ) throws(ServiceError) -> Response? {
    try input.preconditions.checkChange(of: version.tag)
    let body = store == nil || !version.isFirst ? [] : try bytes(of: input.content)
    guard let changed = try make(version, costLimit) else { return nil }
    var position: HistoryPosition?
    var isLong = false
    if let store {
      // What the store has, every server must be able to keep.
      do throws(SessionStoreError) {
        try sessions.checkSize(of: changed.collection, as: version)
      } catch {
        throw ServiceError(error)
      }
      let id = HistoryPosition.ChangeID.random()
      let next = sessions.nextPosition(
        after: version, isNewVersion: changed.change != nil, changed.change?.lineage, by: id)
      let (operation, logged) =
        version.isFirst
        ? (input.operation, body) : viewChange(input.operation, changed, of: version)
      let outcome = try store.append(operation, logged, to: version, id, leadingTo: next)
      guard case .done(isLong: let isLongNow) = outcome else { return nil }
      isLong = isLongNow
      position = next
    }
    var next: LayoutVersion?
    do throws(SessionStoreError) {
      next =
        if let change = changed.change {
          try sessions.advance(
            version, to: changed.collection, touching: change.invalidatedRectsBesidePins,
            keepsNames: change.keepsNames, lineage: change.lineage, at: position)
        } else {
          try sessions.amend(version, to: changed.collection, at: position)
        }
    } catch {
      // The change is made, though not here.
      if store != nil { sessions.forget(version.id) }
      throw ServiceError(error)
    }
    if let store {
      // The copy may have had to make room, or the source of a view has moved on.
      if next == nil {
        try store.catchUp(version.id)
        next = try makeVersion(of: version.id)
      }
      guard next != nil else { throw .noSuchLayout }
      if isLong, let next { store.compact(next) }
    }
    return next.map { next in
      Response(
        status: .ok, commonHeaders: LayoutHeaders.current[.ok],
        entityTag: LayoutTag(version: next.tag).entityTag,
        body: summary(of: next, extra: changed.writeMembers))
    }
  }

  /// What others have to read of a change of a view.
  private func viewChange(
    _ operation: SharedOperation, _ changed: ChangedCollection, of version: LayoutVersion
  ) -> (SharedOperation, [UInt8]) {
    guard operation == .measurements else {
      return (.layout, ViewRecord.body(of: changed.collection.layout))
    }
    let sizes = ViewSizes(
      revision: version.revision, replacesAll: false, sizes: changed.change?.measuredSizes ?? [])
    return (.measurements, sizes.body)
  }

  /// The body as others have to read it.
  private func bytes(of content: RequestContent) throws(ServiceError) -> [UInt8] {
    guard let body = try content.unpacked(limit: limits.maxBodyBytes) else { return [] }
    return body.withBytes { Array($0) }
  }
}
