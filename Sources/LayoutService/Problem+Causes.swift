import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// What the modules below refuse.
extension Problem: SessionsFailure {
  init(_ error: SessionsError) {
    self =
      switch error {
      case .noSuchLayout: .noSuchLayout
      case .tooLarge(let bytes, let limit): .layoutTooLarge(bytes: bytes, limit: limit)
      case .impossible(.refused(let refusal)): Problem(.refused(refusal))
      case .impossible(let error):
        Problem(
          .impossibleView,
          "The view cannot show the collection as it is now: \(error.viewRequirement). Change the "
            + "collection, or make another view.")
      case .tooManyItems(let limit): Problem(BodyError.tooManyItems(limit: limit))
      case .tooLong(let bytes, let limit): .collectionTooLong(bytes: bytes, limit: limit)
      case .unavailable(.full):
        Problem(
          .storeUnavailable,
          "The store that the servers share has no memory left. Nothing was changed.")
      case .unavailable(.away):
        Problem(
          .storeUnavailable,
          "The store that the servers share does not answer. Layouts that this server knows can be "
            + "read. If a change was under way, ask for the layout before you repeat it.")
      case .unavailable(.unreadable):
        // Nobody repairs it soon.
        Problem(
          .storeUnavailable,
          "What the store that the servers share has of this layout cannot be read here. Other "
            + "layouts are not affected. Prepare it again, or tell the operator.", retryAfter: 60)
      }
  }

  init(_ refusal: TransportProblem) {
    self =
      switch refusal {
      case .malformedRequest(let reason):
        Problem(.malformedRequest, "\(reason.prefix(1).uppercased())\(reason.dropFirst()).")
      case .contentTooLarge(let limit):
        Problem(.contentTooLarge, "A body may have at most \(limit) bytes.")
      case .targetTooLong(let limit):
        Problem(.uriTooLong, "A request target may have at most \(limit) bytes.")
      case .headerFieldsTooLarge(let limit):
        Problem(
          .headerFieldsTooLarge,
          "A header section may have at most \(limit) bytes. Each field counts 64 more, and a "
            + "Cookie twice.")
      case .lengthRequired:
        Problem(
          .lengthRequired, "Send a body with Content-Length, or with Transfer-Encoding: chunked.")
      case .requestTimeout: Problem(.requestTimeout, "The request did not arrive in time.")
      case .overloaded(let seconds):
        Problem(
          .overloaded, "The queue of work is full. Try again in a moment.", retryAfter: seconds)
      case .buffersFull:
        Problem(
          .buffersFull,
          "Bodies and answers use all the memory that they may have. Try again in a moment.")
      case .stopping:
        Problem(.stopping, "The server stops before this is done. Try again when another runs.")
      case .tooManyConnections:
        Problem(.tooManyConnections, "The server has as many connections as it allows.")
      case .tooManyStreams:
        // Streams last long.
        Problem(
          .tooManyEventStreams, "The server has as many streams of events as it allows.",
          retryAfter: 10)
      }
  }

  init(_ error: BodyError) {
    self =
      switch error {
      case .syntax(let offset):
        Problem(.notJSON, "The body is not JSON. The first fault is at byte offset \(offset).")
      case .invalid(let members):
        Problem(
          .invalidBody, Self.sentence(about: members),
          errors: members.map {
            InvalidMember(
              pointer: Self.shortened(pointer: $0.pointer),
              detail: $0.detail.shortened(to: EchoLimit.path))
          })
      case .tooManyItems(let limit):
        Problem(
          .tooManyItems,
          "A layout, and the updates of one request, may have at most \(limit) items.")
      case .tooManySections(let limit):
        Problem(.tooManyItems, "A layout may have at most \(limit) sections.")
      case .boundArrangement:
        Problem(
          .readOnlyView, "The view was made of a read-only one, so its arrangement stays.",
          errors: [InvalidMember(pointer: "/arrange", detail: "must be left out")])
      case .refused(.abandoned):
        Problem(.overloaded, "The connection was closed before this was done.")
      case .refused(.tooLarge(let bytes, let limit)): .layoutTooLarge(bytes: bytes, limit: limit)
      case .refused(.noMemory): Problem(TransportProblem.buffersFull)
      case .bodyTooLarge: Problem(.contentTooLarge, "The body is too large to be read.")
      }
  }

  /// A pointer, shortened if it is long. `~0` and `~1` are not split.
  private static func shortened(pointer: String) -> String {
    var cut = pointer.shortened(to: EchoLimit.pointer)
    if cut.hasSuffix("~…") { cut = cut.dropLast(2) + "…" }
    return cut
  }

  /// Describes the error if there is one, or the number of errors. It does not repeat a long
  /// pointer.
  private static func sentence(about members: [InvalidMember]) -> String {
    guard let first = members.first, members.count == 1 else {
      // The search ends after this many members, or earlier if pointers are long.
      let isAll =
        members.count < InvalidMember.maxCount
        && members.allSatisfy { $0.pointer.utf8.count <= EchoLimit.pointer }
      return "\(isAll ? "" : "At least ")\(members.count) members of the body are wrong. See "
        + "errors."
    }
    if first.pointer.isEmpty { return "The body \(first.detail.shortened(to: EchoLimit.path))." }
    guard first.pointer.utf8.count <= EchoLimit.name else {
      return "A member of the body is wrong. See errors."
    }
    return "\(first.pointer) \(first.detail.shortened(to: EchoLimit.path))."
  }
}

extension LayoutError {
  /// What must be different for a view, without a full stop.
  fileprivate var viewRequirement: String {
    switch self {
    case .invalidOption(let name, let section, let requirement):
      "option \(name)\(section.map { " of section \($0)" } ?? "") must be \(requirement)"
    case .invalidBounds(let name, let requirement): "bounds.\(name) must be \(requirement)"
    case .invalidSection(let section, let member, let requirement):
      "\(member) of section \(section) must be \(requirement)"
    case .invalidItem(let path, let field, let requirement):
      "\(field) of item \(path.item) in section \(path.section) must be \(requirement)"
    case .contentTooLarge: "its content would be too large"
    case .tooManyItems(let limit): "it would store more than \(limit) items"
    case .tooManySections(let limit): "it would have more than \(limit) sections"
    case .tooManyConditions(let limit): "it would need at most \(limit) conditions"
    case .refused: "there must be memory for it, and somebody who waits for it"
    case .unsupportedData(let expected): "it needs \(expected)"
    case .invalidParent, .invalidFold, .invalidUpdate, .invalidUpdateOption:
      preconditionFailure("no fault of a layout: \(self)")
    }
  }
}
