import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

extension LayoutService {
  /// The most elements that the transitions of one answer may be about.
  private static let maxTransitions = 10_000
  /// What the updates of one request may go over.
  private static let updateLimits = UpdateLimits(
    pieceVisits: 2_000_000_000, sectionVisits: 200_000_000, nodeVisits: 2_000_000_000)

  /// Refuses a change of a layout that is not there, or not the one that is meant, before the body
  /// is read.
  func checkPatch(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) {
    let version = try version(parameters)
    try QueryString.checkEmpty(request.target)
    try Preconditions(request).checkChange(of: version.number)
  }

  /// The same for updates.
  func checkUpdate(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) {
    let version = try version(parameters)
    _ = try rect(in: request.target)
    try Preconditions(request).checkChange(of: version.number)
  }

  func patch(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let input = ChangeRequest(parameters, request)
    return try perform(input) { (version) throws(ServiceError) -> ChangedCollection in
      let current = version.collection
      let (collection, change) = try self.decoding(input.content) {
        (bytes) throws(BodyError) -> (PreparedCollection, CollectionChange?) in
        try PatchRequest(bytes, merging: current).applied(to: current)
      }
      return ChangedCollection(collection: collection, change: change, keepsNames: true) { writer in
        writer.write(",\"invalidated\":")
        writer.write(change != nil)
      }
    }
  }

  func update(
    _ parameters: PathParameters, _ request: borrowing Request
  ) throws(ServiceError) -> Outcome {
    let rect = try rect(in: request.target)
    let input = ChangeRequest(parameters, request)
    return try perform(input, hasRect: rect != nil) {
      (version) throws(ServiceError) -> ChangedCollection in
      let change = try self.applyUpdates(in: input.content, to: version.collection)
      var transitions: TransitionsEncoder?
      if let rect { transitions = try self.transitions(of: change, in: rect) }
      return ChangedCollection(collection: change.next, change: change, keepsNames: false) {
        [transitions] writer in
        writer.write(",\"invalidatedRect\":")
        if let area = change.invalidatedRect { writer.write(area) } else { writer.write("null") }
        if let transitions {
          writer.write(",\"transitions\":")
          transitions.write(to: &writer)
        }
      }
    }
  }

  private func applyUpdates(
    in content: RequestContent, to collection: PreparedCollection
  ) throws(ServiceError) -> CollectionChange {
    let form = type(of: collection.layout).dataForm
    return try decoding(content) { (bytes) throws(BodyError) -> CollectionChange in
      let updates = try UpdatesRequest(bytes, form: form, maxItems: limits.maxItems)
      let change = try updates.applied(to: collection, limits: Self.updateLimits)
      guard change.next.storedItemCount <= limits.maxItems else {
        throw .tooManyItems(limit: limits.maxItems)
      }
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

  private func transitions(
    of change: CollectionChange, in rect: Rect
  ) throws(ServiceError) -> TransitionsEncoder {
    var encoder = TransitionsEncoder()
    var remaining = Self.maxTransitions
    let isComplete = change.forEachTransition(in: rect, visiting: limits.transitionBudget) {
      encoder.encode($0)
      remaining -= 1
      return remaining > 0 && encoder.count < limits.maxResponseBytes
    }
    guard isComplete else {
      throw .invalidParameter(
        name: "rect",
        requirement: "must show fewer than \(Self.maxTransitions) elements that change, among at "
          + "most \(limits.transitionBudget), in at most \(limits.maxResponseBytes) bytes")
    }
    return encoder
  }

  // MARK: What all changes share

  /// What a change needs of its request.
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

  /// What a change makes of a version.
  private struct ChangedCollection {
    let collection: PreparedCollection
    /// `nil` when no attribute can be another than before.
    let change: CollectionChange?
    /// Whether all items are the same.
    let keepsNames: Bool
    /// Writes what the answer has beyond the summary.
    let writeMembers: (inout JSONWriter) -> Void
  }

  private typealias ChangeStep =
    @Sendable (LayoutVersion) throws(ServiceError) -> ChangedCollection

  /// Makes the next version of a layout. When another change comes first, this one comes after it,
  /// unless its conditions forbid.
  ///
  /// - Parameter hasRect: Whether transitions are asked for, which may take as long as they like.
  private func perform(
    _ input: ChangeRequest, hasRect: Bool = false, _ make: @escaping ChangeStep
  ) throws(ServiceError) -> Outcome {
    let version = try version(input.parameters)
    let longChanges = version.longChanges
    let isSmall =
      !hasRect && input.content.isSmall(Self.smallBodyBytes)
      && !type(of: version.collection.layout).dataForm.laysOutOneByOne
      && version.collection.layoutCost <= Self.smallLayoutCost
    while isSmall, !longChanges.isUnderWay {
      if let response = try attempt(input, make) { return .respond(response) }
    }
    return deferring(on: longChanges) { () throws(ServiceError) in
      try longChanges.make { () throws(ServiceError) in
        while true {
          if let response = try self.attempt(input, make) { return response }
        }
      }
    }
  }

  /// Makes a change of the version that there is; `nil` when another one came first.
  private func attempt(
    _ input: ChangeRequest, _ make: ChangeStep
  ) throws(ServiceError) -> Response? {
    let version = try version(input.parameters)
    try input.preconditions.checkChange(of: version.number)
    let changed = try make(version)
    let next: LayoutVersion?
    do throws(SessionStoreError) {
      next =
        if let change = changed.change {
          try sessions.advance(
            version, to: changed.collection, invalidatedRect: change.invalidatedRect,
            keepsNames: changed.keepsNames)
        } else {
          try sessions.amend(version, to: changed.collection)
        }
    } catch {
      throw ServiceError(error)
    }
    return next.map {
      Response(
        status: .ok, commonHeaders: LayoutHeaders.current[.ok],
        entityTag: EntityTag(version: $0.number).text,
        body: summary(of: $0, extra: changed.writeMembers))
    }
  }
}
