import MicroHTTP

/// The web pages that may read the answers (the CORS protocol of the Fetch standard).
public enum CORSPolicy: Equatable, Sendable {
  case off
  case anyOrigin
  case origins(Set<String>)

  /// Reads `off`, `*`, or origins separated by commas; `nil` for anything else, for example an
  /// origin in a form that no browser sends.
  public init?(_ text: String) {
    switch text {
    case "off": self = .off
    case "*": self = .anyOrigin
    default:
      let origins = text.split(separator: ",").map { String($0.withoutBlanksAround()) }
      guard !origins.isEmpty, origins.allSatisfy({ Self.isOrigin($0) }) else { return nil }
      self = .origins(Set(origins))
    }
  }

  /// Whether a text is an origin as browsers write it: in lowercase, without a path, and without
  /// the scheme's default port (RFC 6454, section 6.2).
  static func isOrigin(_ text: String) -> Bool {
    let parts = text.split(separator: "://", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return false }
    let isPlain = parts.joined().utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "+-._:[]".utf8.contains($0)
      }
    }
    guard isPlain else { return false }
    let (scheme, authority) = (parts[0], parts[1])
    let hostEnd =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map(authority.index(after:))
      : authority.firstIndex(of: ":") ?? authority.endIndex
    guard let hostEnd, hostEnd > authority.startIndex else { return false }
    let rest = authority[hostEnd...]
    guard !rest.isEmpty else { return true }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), rest == ":\(port)" else {
      return false
    }
    return !(scheme == "http" && port == 80 || scheme == "https" && port == 443)
  }

  /// The fields of an answer to a request of which nothing is known: it did not arrive in time, or
  /// was not read. Only if all pages may read answers, its page may.
  var headersForUnknownRequest: [Response.Field] {
    self == .anyOrigin ? Self.anyOriginFields : []
  }

  /// The fields of an answer for the page that sent the request; empty if no page did, or if the
  /// page may not read it.
  func headers(for request: borrowing Request) -> [Response.Field] {
    switch self {
    case .off: return []
    case .anyOrigin: return request.contains(.origin) ? Self.anyOriginFields : []
    case .origins(let origins):
      guard let origin = request[.origin], origins.contains(origin) else { return [] }
      return Self.fields(allowing: origin)
    }
  }

  private static let anyOriginFields = fields(allowing: "*")

  private static func fields(allowing origin: String) -> [Response.Field] {
    [
      ("Access-Control-Allow-Origin", origin),
      (
        "Access-Control-Expose-Headers",
        "ETag, Layoutd-Store, Location, Retry-After, X-Request-Id"
      ),
    ]
  }

  /// The additional fields of the answer to a preflight request.
  ///
  /// Pages may send any field: libraries that trace requests add fields that nobody here knows, and
  /// a field that means nothing to the service does no harm.
  func preflightHeaders(for request: borrowing Request) -> [Response.Field] {
    var fields = Self.preflight
    if self == .anyOrigin {
      // The asterisk stands for all fields but this one (Fetch standard, section 3.2.3).
      fields.append(("Access-Control-Allow-Headers", "*, Authorization"))
    } else if let wanted = request["Access-Control-Request-Headers"] {
      fields.append(("Access-Control-Allow-Headers", wanted))
    }
    return fields
  }

  private static let preflight: [Response.Field] = [
    (
      "Access-Control-Allow-Methods",
      Route.allowedMethods.map(\.rawValue).joined(separator: ", ")
    ),
    ("Access-Control-Max-Age", "86400"),
  ]
}
