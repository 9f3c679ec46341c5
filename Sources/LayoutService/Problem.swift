import CollectionLayout
import LayoutSessions
import MicroHTTP
import WireFormat

/// The reason why a request cannot be answered as requested: a problem document (RFC 9457), and the
/// fields of the answer that has it.
struct Problem: Error {
  let type: ProblemType
  /// A sentence that says what is wrong and what would be right.
  let detail: String
  /// The members of the body that are wrong.
  let errors: [InvalidMember]
  /// What hides the element that was asked for.
  let foldedIn: PreparedCollection.Cover?
  let headers: [Response.Field]

  /// - Parameters:
  ///   - detail: If it is not what the type means.
  ///   - seconds: When to try again, if the server cannot do it now (503).
  init(
    _ type: ProblemType, _ detail: String? = nil, errors: [InvalidMember] = [],
    foldedIn: PreparedCollection.Cover? = nil, headers: [Response.Field] = [],
    retryAfter seconds: Int = 1
  ) {
    self.type = type
    self.detail = detail ?? type.meaning
    self.errors = errors
    self.foldedIn = foldedIn
    self.headers = type.status == 503 ? [("Retry-After", "\(seconds)")] : headers
  }

  /// The numbers of bytes that a problem quotes from a request.
  enum EchoLimit {
    static let name = 128
    static let path = 1024
    /// The pointer to a node in a few hundred levels is quoted completely.
    static let pointer = 3 << 10
  }

  /// The document as JSON text in UTF-8. It has `errors` only if there are some.
  ///
  /// - Complexity: O(*length*) of the text.
  func encoded() -> [UInt8] {
    JSONWriter.text {
      type.write(to: &$0)
      $0["detail"] = detail
      $0["errors"] = errors.isEmpty ? nil : errors
      if let foldedIn { $0.write(foldedIn: foldedIn) }
    }
  }

  /// Adds the request's id to an encoded problem document.
  static func add(requestID: String, to document: inout [UInt8]) {
    guard document.last == UInt8(ascii: "}") else { return }
    document.removeLast()
    var writer = JSONWriter(into: document)
    writer.endObject { $0["requestId"] = requestID }
    document = writer.bytes
  }
}

/// Problems of several operations. The others are made where they are thrown.
extension Problem {
  /// The layout was never made, or it was deleted, expired or evicted.
  static let noSuchLayout = Problem(ProblemType.noSuchLayout)

  static let readOnlyView = Problem(
    .readOnlyView,
    "This layout is a view, which does not take this. Send it to the layout that it is a view of.")

  static let noSections = Problem(
    .noSuchElement,
    "A hierarchy has no sections to list. The summary's counts say how many depths there are.")

  static func noSuchPath(_ path: String) -> Problem {
    Problem(
      .noSuchPath,
      "There is nothing at \(path.shortened(to: EchoLimit.path)). GET / lists all operations.")
  }

  /// - Parameter cover: What it is folded in, if it is there.
  static func noSuchElement(
    _ what: String, foldedIn cover: PreparedCollection.Cover? = nil
  ) -> Problem {
    let what = what.shortened(to: EchoLimit.path)
    return Problem(
      .noSuchElement,
      cover == nil
        ? "The layout has no \(what)." : "The layout shows no \(what): it is folded.",
      foldedIn: cover)
  }

  static func notAcceptable(offered: [String]) -> Problem {
    Problem(
      .notAcceptable,
      "The answer is " + offered.joined(separator: " or ")
        + ". Accept excludes \(offered.count == 1 ? "this type" : "these types").")
  }

  /// The query parameter exists, but its value is wrong.
  static func invalidParameter(_ name: StaticString, _ requirement: String) -> Problem {
    Problem(.invalid(parameter: "\(name)"), "The query parameter \(name) \(requirement).")
  }

  /// The request is for a version, or has the cursor of a version, that is no longer current.
  static func versionGone(asked: AskedVersion, current: VersionTag) -> Problem {
    Problem(
      .versionGone,
      "The request is for version \(asked), but the layout has version \(current) now. Ask again "
        + "without version and cursor.")
  }

  static func layoutTooLarge(bytes: Int, limit: Int) -> Problem {
    Problem(
      .layoutTooLarge,
      "The layout needs \(bytes) bytes. All layouts together may have \(limit).")
  }

  /// The collection is longer than a body may be.
  static func collectionTooLong(bytes: Int, limit: Int) -> Problem {
    Problem(
      .layoutTooLarge,
      "The collection takes more than \(bytes) bytes as a body, which may have \(limit) bytes.")
  }
}
