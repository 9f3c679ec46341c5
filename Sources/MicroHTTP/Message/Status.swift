/// A status code (RFC 9110, section 15).
public struct Status: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  public let rawValue: Int

  /// - Parameter rawValue: 200 … 999. The library sends interim answers by itself.
  public init(rawValue: Int) {
    precondition((200...999).contains(rawValue), "not a final status code: \(rawValue)")
    self.rawValue = rawValue
  }

  public init(integerLiteral value: Int) {
    self.init(rawValue: value)
  }

  public static var ok: Status { 200 }
  public static var created: Status { 201 }
  public static var noContent: Status { 204 }
  public static var notModified: Status { 304 }
  public static var requestTimeout: Status { 408 }
  public static var serviceUnavailable: Status { 503 }

  /// The reason phrase of the RFC; an empty string for a code that is not in the table here.
  public var reasonPhrase: String { Self.phrases[self] ?? "" }

  /// All statuses with a phrase, in ascending order.
  public static let named: [Status] = phrases.keys.sorted { $0.rawValue < $1.rawValue }

  private static let phrases: [Status: String] = [
    200: "OK",
    201: "Created",
    204: "No Content",
    304: "Not Modified",
    308: "Permanent Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    406: "Not Acceptable",
    408: "Request Timeout",
    409: "Conflict",
    410: "Gone",
    411: "Length Required",
    412: "Precondition Failed",
    413: "Content Too Large",
    414: "URI Too Long",
    415: "Unsupported Media Type",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
  ]

  /// Whether the request was done.
  public var isSuccessful: Bool { (200..<300).contains(rawValue) }

  /// Whether an answer with this status never has content.
  var forbidsContent: Bool { self == .noContent || self == .notModified }
}
