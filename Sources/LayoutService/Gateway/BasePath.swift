import MicroHTTP

/// The path under which clients reach the service: `/tiles` if `/kinds` is at `/tiles/kinds`.
public struct BasePath: Equatable, Sendable {
  /// Segments that each begin with a slash.
  let text: String

  private static let limit = 256

  /// `nil` if the text is not a path of plain segments. A slash at the end does not matter.
  public init?(_ text: String) {
    let path = text.hasSuffix("/") ? text.dropLast() : text[...]
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.hasPrefix("/"), path.utf8.count <= Self.limit,
      segments.dropFirst().allSatisfy({ segment in
        !["", ".", ".."].contains(segment) && segment.utf8.allSatisfy(\.isUnreserved)
      })
    else { return nil }
    self.text = String(path)
  }

  /// Whether a path of the service itself begins with the same segment. Then nobody could say
  /// whether a proxy has removed it.
  public var isAmbiguous: Bool {
    let first = text.dropFirst().prefix { $0 != "/" }
    return Route.all.contains { $0.path.text.dropFirst().prefix { $0 != "/" } == first }
  }

  /// The request as the service sees it, which knows no base path.
  func mounting(_ request: borrowing Request) -> Request {
    request.with(target: request.target.mounted(at: text))
  }

  /// The answer to a request for the base path without a slash at its end: relative addresses in
  /// the page would lead elsewhere.
  func redirect(of target: RequestTarget) -> Response? {
    guard target.path.isEmpty else { return nil }
    let query = target.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
    return Response(
      status: 308, headers: [("Location", "/" + query), ("Cache-Control", "no-store")])
  }

  /// Adds the base path to the addresses in an answer. `next` has it already.
  func add(to response: inout Response) {
    for index in response.headers.indices where response.headers[index].name == "Location" {
      response.headers[index].value = text + response.headers[index].value
    }
    // What describes a problem, or its type, begins so.
    let start = Array("{\"type\":\"".utf8)
    if response.body.starts(with: start + Array("/problems/".utf8)) {
      response.body.insert(contentsOf: text.utf8, at: start.count)
    }
  }
}
