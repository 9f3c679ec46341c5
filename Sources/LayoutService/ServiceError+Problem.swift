import CollectionLayout
import MicroHTTP
import WireFormat

/// The numbers of bytes that a problem quotes from a request.
private enum EchoLimit {
  static let name = 128
  static let path = 1024
  /// The pointer to a node in a few hundred levels is quoted completely.
  static let pointer = 3 << 10
}

extension ProblemType {
  /// - Parameter detail: If it is not the same for all problems of the type.
  fileprivate func problem(
    _ detail: String? = nil, errors: [InvalidMember] = [], in cover: PreparedCollection.Cover? = nil
  ) -> Problem {
    var problem = Problem(description, detail: detail ?? description.detail, errors: errors)
    problem.foldedIn = cover
    return problem
  }
}

/// The one place where an error becomes a status, a stable code and a sentence.
extension ServiceError {
  var problem: Problem {
    switch self {
    case .problem(let type): type.problem()
    case .noSuchPath(let path):
      ProblemType.noSuchPath.problem(
        "There is nothing at \(path.shortened(to: EchoLimit.path)). GET / lists all "
          + "operations.")
    case .unauthorized(let hasToken):
      ProblemType.unauthorized.problem(
        hasToken
          ? "The server does not know this key."
          : "Send a key: Authorization: Bearer <key>.")
    case .unknownHost(let host):
      ProblemType.unknownHost.problem(
        "The server does not answer for "
          + (host.map { "the host \"\($0.shortened(to: EchoLimit.name))\"" }
            ?? "a request without Host")
          + ". Its operator allows hosts with --allowed-hosts.")
    case .unknownKind(let kind):
      ProblemType.unknownKind.problem(
        "There is no kind \"\(kind.shortened(to: EchoLimit.name))\". The kinds are "
          + LayoutKind.all.map(\.name).joined(separator: ", ") + ".")
    case .noSuchElement(let what):
      ProblemType.noSuchElement.problem("The layout has no \(what.shortened(to: EchoLimit.path)).")
    case .isFolded(let what, let cover):
      ProblemType.noSuchElement.problem(
        "The layout shows no \(what.shortened(to: EchoLimit.path)): it is folded.", in: cover)
    case .noSections:
      ProblemType.noSuchElement.problem(
        "A hierarchy has no sections to list. The summary's counts say how many depths there are.")
    case .methodNotAllowed(let allowed):
      ProblemType.methodNotAllowed.problem(
        "The methods of this path are " + allowed.map(\.rawValue).joined(separator: ", ")
          + ".")
    case .notAcceptable(let offered):
      ProblemType.notAcceptable.problem(
        "The answer is " + offered.joined(separator: " or ")
          + ". Accept excludes \(offered.count == 1 ? "this type" : "these types").")
    case .unsupportedMediaType(let expected, _):
      ProblemType.unsupportedMediaType.problem(
        "Send the body with Content-Type: " + expected.joined(separator: " or ") + ".")
    case .unsupportedContentCoding(let coding):
      ProblemType.unsupportedContentCoding.problem(
        "The content coding \(coding.shortened(to: EchoLimit.name)) is not supported. Send "
          + "the body with Content-Encoding: gzip, or without a coding.")
    case .unknownParameter(let name, let known):
      ProblemType.invalidParameter.problem(
        "The query parameter \"\(name.shortened(to: EchoLimit.name))\" is unknown; "
          + (known.isEmpty ? "there are none here." : "known: \(known.joined(separator: ", "))."))
    case .invalidParameter(let name, let requirement):
      Problem(
        ProblemType.invalid(parameter: name), detail: "The query parameter \(name) \(requirement).")
    case .malformedParameter(let name):
      ProblemType.invalidParameter.problem(
        "The query parameter \"\(name.shortened(to: EchoLimit.name))\" has a percent sign "
          + "without two hexadecimal digits after it.")
    case .versionGone(let asked, let current):
      ProblemType.versionGone.problem(
        "The request is for version \(asked), but the layout has version \(current) now. Ask "
          + "again without version and cursor.")
    case .preconditionFailed(.ifMatch, let current):
      ProblemType.preconditionFailed.problem(
        "If-Match does not have the current entity tag, \"\(current)\".")
    case .preconditionFailed(.weakIfMatch, let current):
      ProblemType.preconditionFailed.problem(
        "If-Match has the current entity tag as a weak one, W/\"\(current)…\". Only a "
          + "strong tag matches. A proxy that compresses answers makes their tags weak. Send the "
          + "tag without W/, or \"\(current)\".")
    case .preconditionFailed(.ifNoneMatch, let current):
      ProblemType.preconditionFailed.problem(
        "If-None-Match has the current entity tag, \"\(current)\".")
    case .undecodable(let error): error.problem
    case .layoutTooLarge(let bytes, let limit):
      ProblemType.layoutTooLarge.problem(
        "The layout needs \(bytes) bytes. All layouts together may have \(limit).")
    case .collectionTooLong(let bytes, let limit):
      ProblemType.layoutTooLarge.problem(
        "The collection takes more than \(bytes) bytes as a body, which may have \(limit) "
          + "bytes.")
    case .impossibleView(let error):
      ProblemType.impossibleView.problem(
        "The view cannot show the collection as it is now: \(error.viewRequirement). Change "
          + "the collection, or make another view.")
    case .storeUnavailable(.full):
      ProblemType.storeUnavailable.problem(
        "The store that the servers share has no memory left. Nothing was changed.")
    case .storeUnavailable(.away):
      ProblemType.storeUnavailable.problem(
        "The store that the servers share does not answer. Layouts that this server knows can "
          + "be read. If a change was under way, ask for the layout before you repeat it.")
    case .storeUnavailable(.unreadable):
      ProblemType.storeUnavailable.problem(
        "What the store that the servers share has of this layout cannot be read here. Other "
          + "layouts are not affected. Prepare it again, or tell the operator.")
    case .transport(let problem): problem.problem
    }
  }

  /// The fields of the answer that the error decides.
  var headers: [Response.Field] {
    switch self {
    case .methodNotAllowed(let allowed):
      [("Allow", allowed.map(\.rawValue).joined(separator: ", "))]
    case .transport(.overloaded(let seconds)): [("Retry-After", "\(seconds)")]
    case .undecodable(.refused(.noMemory)), .transport(.buffersFull), .transport(.stopping),
      .transport(.tooManyConnections), .problem(.notReady), .storeUnavailable(.away),
      .storeUnavailable(.full):
      [("Retry-After", "1")]
    // Nobody repairs it soon.
    case .storeUnavailable(.unreadable): [("Retry-After", "60")]
    // Streams last long.
    case .transport(.tooManyStreams): [("Retry-After", "10")]
    case .unauthorized(let hasToken):
      // Only clients that have sent a key are told this (RFC 6750, section 3.1).
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
    case .noSuchPath, .unknownHost, .unknownKind, .problem, .noSuchElement, .isFolded,
      .noSections, .notAcceptable, .unknownParameter, .invalidParameter, .malformedParameter,
      .versionGone, .preconditionFailed, .undecodable, .layoutTooLarge, .collectionTooLong,
      .impossibleView, .transport:
      []
    }
  }
}

extension BodyError {
  fileprivate var problem: Problem {
    switch self {
    case .syntax(let offset):
      ProblemType.notJSON.problem(
        "The body is not JSON. The first fault is at byte offset \(offset).")
    case .invalid(let members):
      ProblemType.invalidBody.problem(
        Self.sentence(about: members),
        errors: members.map {
          InvalidMember(
            pointer: Self.shortened(pointer: $0.pointer),
            detail: $0.detail.shortened(to: EchoLimit.path))
        })
    case .tooManyItems(let limit):
      ProblemType.tooManyItems.problem(
        "A layout, and the updates of one request, may have at most \(limit) items."
      )
    case .tooManySections(let limit):
      ProblemType.tooManyItems.problem("A layout may have at most \(limit) sections.")
    case .boundArrangement:
      ProblemType.readOnlyView.problem(
        "The view was made of a read-only one, so its arrangement stays.",
        errors: [InvalidMember(pointer: "/arrange", detail: "must be left out")])
    case .refused(.abandoned):
      ProblemType.overloaded.problem("The connection was closed before this was done.")
    case .refused(.tooLarge(let bytes, let limit)):
      ServiceError.layoutTooLarge(bytes: bytes, limit: limit).problem
    case .refused(.noMemory): TransportProblem.buffersFull.problem
    case .bodyTooLarge:
      ProblemType.contentTooLarge.problem("The body is too large to be read.")
    }
  }
}

extension BodyError {
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

extension TransportProblem {
  fileprivate var problem: Problem {
    switch self {
    case .malformedRequest(let reason):
      ProblemType.malformedRequest.problem("\(reason.prefix(1).uppercased())\(reason.dropFirst()).")
    case .contentTooLarge(let limit):
      ProblemType.contentTooLarge.problem("A body may have at most \(limit) bytes.")
    case .targetTooLong(let limit):
      ProblemType.uriTooLong.problem("A request target may have at most \(limit) bytes.")
    case .headerFieldsTooLarge(let limit):
      ProblemType.headerFieldsTooLarge.problem(
        "A header section may have at most \(limit) bytes. Each field counts 64 more, and a "
          + "Cookie twice.")
    case .lengthRequired:
      ProblemType.lengthRequired.problem(
        "Send a body with Content-Length, or with Transfer-Encoding: chunked.")
    case .requestTimeout:
      ProblemType.requestTimeout.problem("The request did not arrive in time.")
    case .overloaded:
      ProblemType.overloaded.problem("The queue of work is full. Try again in a moment.")
    case .buffersFull:
      ProblemType.buffersFull.problem(
        "Bodies and answers use all the memory that they may have. Try again in a moment.")
    case .stopping:
      ProblemType.stopping.problem(
        "The server stops before this is done. Try again when another runs.")
    case .tooManyConnections:
      ProblemType.tooManyConnections.problem("The server has as many connections as it allows.")
    case .tooManyStreams:
      ProblemType.tooManyEventStreams.problem(
        "The server has as many streams of events as it allows.")
    }
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
