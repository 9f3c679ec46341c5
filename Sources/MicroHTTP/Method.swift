/// A request method (RFC 9110, section 9), case-sensitive.
///
/// Tokens that no static member names are preserved as they came.
public struct Method: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static var get: Method { Method(rawValue: "GET") }
  public static var head: Method { Method(rawValue: "HEAD") }
  public static var post: Method { Method(rawValue: "POST") }
  public static var put: Method { Method(rawValue: "PUT") }
  public static var patch: Method { Method(rawValue: "PATCH") }
  public static var delete: Method { Method(rawValue: "DELETE") }
  public static var options: Method { Method(rawValue: "OPTIONS") }

  public var description: String { rawValue }

  /// Whether a request of this method is meant to carry content, so that one without a length is
  /// answered with 411.
  var expectsContent: Bool { self == .post || self == .put || self == .patch }
}
