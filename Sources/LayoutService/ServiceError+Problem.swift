import CollectionLayout
import MicroHTTP
import WireFormat

/// How many bytes a problem repeats of what a client sent.
private enum EchoLimit {
  static let name = 128
  static let path = 1024
  /// That of a node a few hundred levels deep is told whole.
  static let pointer = 3 << 10
}

/// The one place where an error becomes a status, a stable code and a sentence.
extension ServiceError {
  var problem: Problem {
    switch self {
    case .noSuchPath(let path):
      Problem(
        .noSuchPath,
        detail: "There is nothing at \(path.shortened(to: EchoLimit.path)); GET / lists what there "
          + "is.")
    case .unauthorized(let hasToken):
      Problem(
        .unauthorized,
        detail: hasToken
          ? "The key is none of this server's."
          : "Send a key: Authorization: Bearer <key>.")
    case .notReady:
      Problem(.notReady, detail: "The server is stopping and takes no new work.")
    case .unknownKind(let kind):
      Problem(
        .unknownKind,
        detail: "There is no kind \"\(kind.shortened(to: EchoLimit.name))\"; the kinds are "
          + LayoutKind.all.map(\.name).joined(separator: ", ") + ".")
    case .noSuchLayout:
      Problem(
        .noSuchLayout,
        detail: "There is no layout with this id, or not any more: it may have been deleted, "
          + "have expired or have been evicted. Prepare it again.")
    case .noSuchElement(let what):
      Problem(.noSuchElement, detail: "The layout has no \(what.shortened(to: EchoLimit.path)).")
    case .noSections:
      Problem(
        .noSuchElement,
        detail: "A tree has no sections to be listed; its depths are told in counts.")
    case .noItemIDs:
      Problem(
        .noItemIDs, detail: "No item of this layout has an id; ask for items by their index paths.")
    case .methodNotAllowed(let allowed):
      Problem(
        .methodNotAllowed,
        detail: "This path answers to " + allowed.map(\.rawValue).joined(separator: ", ") + ".")
    case .notAcceptable(let offered):
      Problem(.notAcceptable, detail: "The answer is \(offered), which the Accept field excludes.")
    case .unsupportedMediaType(let expected, _):
      Problem(
        .unsupportedMediaType,
        detail: "Send the body with Content-Type: " + expected.joined(separator: " or ") + ".")
    case .unsupportedContentCoding(let coding):
      Problem(
        .unsupportedContentCoding,
        detail: "A body may come as it is or with Content-Encoding: gzip, not "
          + "\(coding.shortened(to: EchoLimit.name)).")
    case .malformedContentCoding:
      Problem(
        .notGzip,
        detail:
          "The body is not gzip, whole and with nothing behind it, as its Content-Encoding says.")
    case .unknownParameter(let name, let known):
      Problem(
        .invalidParameter,
        detail: "The query parameter \"\(name.shortened(to: EchoLimit.name))\" is unknown; "
          + (known.isEmpty ? "there are none here." : "known: \(known.joined(separator: ", "))."))
    case .invalidParameter(let name, let requirement):
      Problem(.invalid(parameter: name), detail: "The query parameter \(name) \(requirement).")
    case .malformedParameter(let name):
      Problem(
        .invalidParameter,
        detail: "The query parameter \"\(name.shortened(to: EchoLimit.name))\" has a percent sign "
          + "without two hexadecimal digits behind it.")
    case .versionGone(let asked, let current):
      Problem(
        .versionGone,
        detail: "This is for version \(asked) of the layout, which is at version \(current); ask "
          + "again without version or cursor.")
    case .preconditionFailed(.ifMatch, let current):
      Problem(
        .preconditionFailed,
        detail: "If-Match has to have the current version's entity tag, \"\(current)\".")
    case .preconditionFailed(.ifNoneMatch, let current):
      Problem(
        .preconditionFailed,
        detail: "If-None-Match has the current version's entity tag, \"\(current)\".")
    case .undecodable(let error): error.problem
    case .layoutTooLarge(let bytes, let limit):
      Problem(
        .layoutTooLarge,
        detail: "The layout takes \(bytes) bytes; all sessions together may take \(limit).")
    case .transport(let problem): problem.problem
    }
  }

  /// The fields of the answer that the error decides.
  var headers: [Response.Field] {
    switch self {
    case .methodNotAllowed(let allowed):
      [("Allow", allowed.map(\.rawValue).joined(separator: ", "))]
    case .transport(.overloaded(let seconds)): [("Retry-After", "\(seconds)")]
    case .transport(.buffersFull), .transport(.stopping), .transport(.tooManyConnections),
      .notReady:
      [("Retry-After", "1")]
    case .unauthorized(let hasToken):
      // Told only to those who have sent one (RFC 6750, section 3.1).
      [
        (
          "WWW-Authenticate",
          "Bearer realm=\"layoutd\"" + (hasToken ? ", error=\"invalid_token\"" : "")
        )
      ]
    case .unsupportedContentCoding: [("Accept-Encoding", "gzip")]
    case .unsupportedMediaType(let expected, let method):
      (method == .patch ? ["Accept", "Accept-Patch"] : ["Accept"]).map {
        ($0, expected.joined(separator: ", "))
      }
    case .noSuchPath, .unknownKind, .noSuchLayout, .noSuchElement, .noItemIDs, .noSections, .notAcceptable,
      .malformedContentCoding, .unknownParameter, .invalidParameter, .malformedParameter,
      .versionGone, .preconditionFailed, .undecodable, .layoutTooLarge, .transport:
      []
    }
  }
}

extension BodyError {
  fileprivate var problem: Problem {
    switch self {
    case .syntax(let offset):
      Problem(
        .notJSON, detail: "The body is no JSON text: the first fault is at byte offset \(offset).")
    case .invalid(let members):
      Problem(
        .invalidBody, detail: Self.sentence(about: members),
        errors: members.map {
          InvalidMember(
            pointer: Self.shortened(pointer: $0.pointer),
            detail: $0.detail.shortened(to: EchoLimit.path))
        })
    case .tooManyItems(let limit):
      Problem(
        .tooManyItems,
        detail:
          "At most \(limit) items may be stored in a layout, or come with a request's updates."
      )
    case .tooManySections(let limit):
      Problem(.tooManyItems, detail: "One layout may have at most \(limit) sections.")
    case .bodyTooLarge:
      Problem(.contentTooLarge, detail: "The body is larger than any that can be read.")
    }
  }
}

extension BodyError {
  /// A pointer, cut where it is long; `~0` and `~1` are not taken apart.
  private static func shortened(pointer: String) -> String {
    var cut = pointer.shortened(to: EchoLimit.pointer)
    if cut.hasSuffix("~…") { cut = cut.dropLast(2) + "…" }
    return cut
  }

  /// Says what is wrong with one member, or how many there are, without repeating a long pointer.
  private static func sentence(about members: [InvalidMember]) -> String {
    guard let first = members.first, members.count == 1 else {
      // The search ends after so many members, or sooner where pointers are long.
      let isAll =
        members.count < InvalidMember.maxCount
        && members.allSatisfy { $0.pointer.utf8.count <= EchoLimit.pointer }
      return "\(isAll ? "" : "At least ")\(members.count) members of the body cannot be used; see "
        + "errors."
    }
    if first.pointer.isEmpty { return "The body \(first.detail.shortened(to: EchoLimit.path))." }
    guard first.pointer.utf8.count <= EchoLimit.name else {
      return "A member of the body cannot be used; see errors."
    }
    return "\(first.pointer) \(first.detail.shortened(to: EchoLimit.path))."
  }
}

extension TransportProblem {
  fileprivate var problem: Problem {
    switch self {
    case .malformedRequest(let reason):
      Problem(.malformedRequest, detail: "\(reason.prefix(1).uppercased())\(reason.dropFirst()).")
    case .contentTooLarge(let limit):
      Problem(.contentTooLarge, detail: "A body may have at most \(limit) bytes.")
    case .targetTooLong(let limit):
      Problem(.uriTooLong, detail: "A request target may have at most \(limit) bytes.")
    case .headerFieldsTooLarge(let limit):
      Problem(
        .headerFieldsTooLarge,
        detail: "A header section may have at most \(limit) bytes; each of its fields counts 64 "
          + "more, a Cookie twice.")
    case .lengthRequired:
      Problem(
        .lengthRequired,
        detail: "Send a body with Content-Length, or with Transfer-Encoding: chunked.")
    case .requestTimeout:
      Problem(.requestTimeout, detail: "The request did not arrive in time.")
    case .overloaded:
      Problem(.overloaded, detail: "The queue of work is full; try again after a moment.")
    case .buffersFull:
      Problem(
        .buffersFull,
        detail: "Bodies and answers take all the memory that there is for them; try again after a "
          + "moment.")
    case .stopping:
      Problem(
        .stopping, detail: "The server stops before this is done; try again when another runs.")
    case .tooManyConnections:
      Problem(.tooManyConnections, detail: "There are as many connections as are served at once.")
    }
  }
}
