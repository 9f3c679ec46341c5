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
    guard try !checkedTag(parameters, request).isView else { throw .readOnlyView }
  }

  private func checkedTag(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> (tag: VersionTag, isView: Bool) {
    guard let id = parameters.read(0, { SessionID($0) }), let version = sessions.tag(of: id)
    else { throw .noSuchLayout }
    _ = try rect(in: request.target)
    try Preconditions(request).checkChange(of: version.tag)
    return version
  }

  func patch(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let rect = try rect(in: request.target)
    let input = ChangeRequest(parameters, request)
    return try perform(input, on: version, hasRect: rect != nil) {
      (version) throws(ServiceError) -> ChangedCollection in
      let current = version.collection
      let (collection, change) = try self.decoding(input.content) {
        (bytes) throws(BodyError) -> (PreparedCollection, CollectionChange?) in
        try PatchRequest(bytes, merging: current)
          .applied(to: current, maxItems: self.limits.maxItems)
      }
      let transitions = try self.transitions(of: change, in: rect)
      return ChangedCollection(collection: collection, change: change) { writer in
        writer.writeMember(invalidated: change != nil)
        if let transitions { writer.writeMember(transitions: transitions) }
      }
    }
  }

  func update(
    _ version: LayoutVersion, _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let rect = try rect(in: request.target)
    let input = ChangeRequest(parameters, request)
    return try perform(input, on: version, hasRect: rect != nil) {
      (version) throws(ServiceError) -> ChangedCollection in
      let change = try self.applyUpdates(in: input.content, to: version.collection)
      let transitions = try self.transitions(of: change, in: rect)
      return ChangedCollection(collection: change.next, change: change) { writer in
        writer.writeMember(invalidatedRect: change.invalidatedRect)
        if let transitions { writer.writeMember(transitions: transitions) }
      }
    }
  }

  private func applyUpdates(
    in content: RequestContent, to collection: PreparedCollection
  ) throws(ServiceError) -> CollectionChange {
    try decoding(content) { (bytes) throws(BodyError) -> CollectionChange in
      let updates = try UpdatesRequest(
        bytes, kind: collection.layout.kind, maxItems: limits.maxItems)
      let change = try updates.applied(to: collection, maxItems: limits.maxItems)
      if case .sections(let sections) = change.next.data {
        let maxSections = PrepareRequest.maxSections(forItems: limits.maxItems)
        guard sections.count <= maxSections else { throw .tooManySections(limit: maxSections) }
      }
      return change
    }
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
    var encoder = TransitionsEncoder()
    var remaining = Self.maxTransitions
    let isComplete = change.forEachTransition(in: rect, visiting: limits.pageBudget) {
      encoder.encode($0)
      remaining -= 1
      return remaining > 0 && encoder.count < limits.maxResponseBytes
    }
    guard isComplete else {
      throw .invalidParameter(
        name: "rect",
        requirement: "must be smaller, so that the answer has fewer than \(Self.maxTransitions) "
          + "transitions and at most \(limits.maxResponseBytes) bytes, and the rect shows at most "
          + "\(limits.pageBudget) elements")
    }
    return encoder
  }

  // MARK: What all changes share

  /// The parts of a request that a change needs.
  private struct ChangeRequest: Sendable {
    let parameters: PathParameters
    let preconditions: Preconditions
    let content: RequestContent

    init(_ parameters: PathParameters, _ request: borrowing Request) {
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
    let writeMembers: (inout JSONWriter) -> Void
  }

  private typealias ChangeStep =
    @Sendable (LayoutVersion) throws(ServiceError) -> ChangedCollection

  /// Makes the next version of a layout. A short change is made at once, unless another change is
  /// in progress. Otherwise the workers make it, after earlier changes.
  ///
  /// - Parameter hasRect: Whether transitions are requested, which may take long.
  private func perform(
    _ input: ChangeRequest, on version: LayoutVersion, hasRect: Bool,
    _ make: @escaping ChangeStep
  ) throws(ServiceError) -> Outcome {
    let lock = version.changeLock
    let isSmall =
      !hasRect && input.content.isSmall(Self.smallBodyBytes)
      && version.collection.layout.kind.isArithmetic
      && version.collection.layoutCost <= Self.smallLayoutCost
    if isSmall {
      let response = try lock.withLockIfAvailable { () throws(ServiceError) in
        try change(version, input, make)
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

  /// Changes a version.
  ///
  /// - Precondition: The session's change lock is held.
  /// - Returns: `nil` if it is not the current version any more, or the session is gone.
  private func change(
    _ version: LayoutVersion, _ input: ChangeRequest, _ make: ChangeStep
  ) throws(ServiceError) -> Response? {
    try input.preconditions.checkChange(of: version.tag)
    let changed = try make(version)
    let next: LayoutVersion?
    do throws(SessionStoreError) {
      next =
        if let change = changed.change {
          try sessions.advance(
            version, to: changed.collection, touching: change.invalidatedRectBesidePins,
            keepsNames: change.keepsNames, lineage: change.lineage)
        } else {
          try sessions.amend(version, to: changed.collection)
        }
    } catch {
      throw ServiceError(error)
    }
    return next.map { next in
      Response(
        status: .ok, commonHeaders: LayoutHeaders.current[.ok],
        entityTag: EntityTag(version: next.tag).text,
        body: summary(of: next, extra: changed.writeMembers))
    }
  }
}

extension LayoutKind {
  /// Whether a change is quick for any number of items.
  fileprivate var isArithmetic: Bool {
    guard case .sections(let kind) = form, case .always = kind.uniformity else { return false }
    return true
  }
}
