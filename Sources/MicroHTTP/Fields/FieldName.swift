/// The name of a header field. Case does not matter when names are compared, and the spelling is
/// kept.
public struct FieldName: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The spelling from which it was made.
  public let rawName: String
  /// The name as an integer, if it is a common one. Then a comparison is quick.
  let known: KnownField?

  public init(_ name: String) {
    var name = name
    known = name.withUTF8 { KnownField($0) }
    rawName = name
  }

  public init(stringLiteral name: String) {
    self.init(name)
  }

  private init(_ known: KnownField, _ name: String) {
    self.known = known
    rawName = name
  }

  public static var accept: FieldName { FieldName(.accept, "Accept") }
  public static var acceptEncoding: FieldName { FieldName(.acceptEncoding, "Accept-Encoding") }
  public static var accessControlRequestMethod: FieldName {
    FieldName(.accessControlRequestMethod, "Access-Control-Request-Method")
  }
  public static var authorization: FieldName { FieldName(.authorization, "Authorization") }
  public static var contentEncoding: FieldName { FieldName(.contentEncoding, "Content-Encoding") }
  public static var contentType: FieldName { FieldName(.contentType, "Content-Type") }
  public static var host: FieldName { FieldName(.host, "Host") }
  public static var ifMatch: FieldName { FieldName(.ifMatch, "If-Match") }
  public static var ifNoneMatch: FieldName { FieldName(.ifNoneMatch, "If-None-Match") }
  public static var origin: FieldName { FieldName(.origin, "Origin") }
  public static var traceparent: FieldName { FieldName(.traceparent, "Traceparent") }
  public static var xRequestID: FieldName { FieldName(.xRequestID, "X-Request-Id") }

  public static func == (a: FieldName, b: FieldName) -> Bool {
    if a.known != nil || b.known != nil { return a.known == b.known }
    return a.rawName.utf8.elementsEqual(b.rawName.utf8) { $0.asciiLowercase == $1.asciiLowercase }
  }

  public var description: String { rawName }

  /// Whether bytes from the wire spell this name.
  func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    rawName.utf8.count == name.count
      && rawName.utf8.elementsEqual(name) { $0.asciiLowercase == $1.asciiLowercase }
  }
}

/// The names that framing rules or routes need. They are recognized while a header section is read.
enum KnownField: UInt8 {
  case accept, acceptEncoding, accessControlRequestMethod
  case authorization, contentEncoding, contentLength, contentType, cookie, expect, host
  case ifMatch, ifNoneMatch, origin, traceparent, transferEncoding, xRequestID

  var bit: UInt32 { 1 << UInt32(rawValue) }

  /// - Complexity: O(*length*) of the name. At most three names have the same length.
  init?(_ name: UnsafeBufferPointer<UInt8>) {
    switch name.count {
    case 4 where name.spells(lowercase: "host"): self = .host
    case 6 where name.spells(lowercase: "accept"): self = .accept
    case 6 where name.spells(lowercase: "cookie"): self = .cookie
    case 6 where name.spells(lowercase: "origin"): self = .origin
    case 6 where name.spells(lowercase: "expect"): self = .expect
    case 8 where name.spells(lowercase: "if-match"): self = .ifMatch
    case 11 where name.spells(lowercase: "traceparent"): self = .traceparent
    case 12 where name.spells(lowercase: "content-type"): self = .contentType
    case 12 where name.spells(lowercase: "x-request-id"): self = .xRequestID
    case 13 where name.spells(lowercase: "if-none-match"): self = .ifNoneMatch
    case 13 where name.spells(lowercase: "authorization"): self = .authorization
    case 14 where name.spells(lowercase: "content-length"): self = .contentLength
    case 15 where name.spells(lowercase: "accept-encoding"): self = .acceptEncoding
    case 16 where name.spells(lowercase: "content-encoding"): self = .contentEncoding
    case 17 where name.spells(lowercase: "transfer-encoding"): self = .transferEncoding
    case 29 where name.spells(lowercase: "access-control-request-method"):
      self = .accessControlRequestMethod
    default: return nil
    }
  }
}
