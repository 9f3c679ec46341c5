/// A status code (RFC 9110, section 15).
public struct Status: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  public let rawValue: Int

  /// - Parameter rawValue: 200 … 999; interim answers are the library's own business.
  public init(rawValue: Int) {
    precondition((200...999).contains(rawValue), "not a final status code: \(rawValue)")
    self.rawValue = rawValue
  }

  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  public static var ok: Status { 200 }
  public static var created: Status { 201 }
  public static var accepted: Status { 202 }
  public static var noContent: Status { 204 }
  public static var movedPermanently: Status { 301 }
  public static var seeOther: Status { 303 }
  public static var notModified: Status { 304 }
  public static var permanentRedirect: Status { 308 }
  public static var badRequest: Status { 400 }
  public static var unauthorized: Status { 401 }
  public static var forbidden: Status { 403 }
  public static var notFound: Status { 404 }
  public static var methodNotAllowed: Status { 405 }
  public static var notAcceptable: Status { 406 }
  public static var requestTimeout: Status { 408 }
  public static var conflict: Status { 409 }
  public static var gone: Status { 410 }
  public static var lengthRequired: Status { 411 }
  public static var preconditionFailed: Status { 412 }
  public static var contentTooLarge: Status { 413 }
  public static var uriTooLong: Status { 414 }
  public static var unsupportedMediaType: Status { 415 }
  public static var unprocessableContent: Status { 422 }
  public static var tooManyRequests: Status { 429 }
  public static var requestHeaderFieldsTooLarge: Status { 431 }
  public static var internalServerError: Status { 500 }
  public static var notImplemented: Status { 501 }
  public static var serviceUnavailable: Status { 503 }
  public static var insufficientStorage: Status { 507 }

  /// The words of the RFC, or an empty string for a code that has none here.
  public var reasonPhrase: String {
    switch rawValue {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 303: "See Other"
    case 304: "Not Modified"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 507: "Insufficient Storage"
    default: ""
    }
  }

  /// Whether an answer of this status never has content.
  var forbidsContent: Bool { self == .noContent || self == .notModified }
}
