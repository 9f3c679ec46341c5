import MicroHTTP

/// Which web pages may read the answers (the Fetch standard's CORS protocol).
public enum CORSPolicy: Equatable, Sendable {
  case off
  case anyOrigin
  case origins(Set<String>)

  /// Reads `off`, `*`, or origins separated by commas; `nil` for anything else.
  public init?(_ text: String) {
    switch text {
    case "off": self = .off
    case "*": self = .anyOrigin
    default:
      let origins = text.split(separator: ",").map { $0.filter { $0 != " " } }
      guard !origins.isEmpty, origins.allSatisfy({ $0.contains("://") }) else { return nil }
      self = .origins(Set(origins))
    }
  }

  /// What an answer to a page of an origin has to say; empty when the page may not read it.
  func headers(for origin: String) -> [Response.Field] {
    switch self {
    case .off: []
    case .anyOrigin: [("Access-Control-Allow-Origin", "*")] + Self.exposed
    case .origins(let origins):
      origins.contains(origin)
        ? [("Access-Control-Allow-Origin", origin)] + Self.exposed : []
    }
  }

  private static let exposed: [Response.Field] = [
    ("Access-Control-Expose-Headers", "ETag, Location, X-Request-Id")
  ]

  /// What the answer to a preflight says beside that.
  static let preflight: [Response.Field] = [
    (
      "Access-Control-Allow-Methods",
      Route.allowedMethods.map(\.rawValue).joined(separator: ", ")
    ),
    (
      "Access-Control-Allow-Headers",
      "Authorization, Content-Encoding, Content-Type, If-Match, If-None-Match, Traceparent, "
        + "X-Request-Id"
    ),
    ("Access-Control-Max-Age", "86400"),
  ]
}
