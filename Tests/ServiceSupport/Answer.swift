public import MicroHTTP
public import TestSupport
import Testing

/// What came back, whether through a daemon or not.
public struct Answer: Sendable {
  public var status: Int
  /// Names in lowercase.
  public var headers: [String: String]
  public var body: [UInt8]
  /// Whether the work was left to a worker; a daemon does not tell.
  public var wasDeferred = false

  public init(status: Int, headers: [String: String], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public init(_ response: Response) {
    var headers: [String: String] = [:]
    let names: [FieldName] = [
      "Content-Type", "Content-Encoding", "Cache-Control", "ETag", "Vary", "Location", "Allow",
      "Accept", "Accept-Encoding", "Accept-Patch", "Retry-After", "WWW-Authenticate",
      "X-Request-Id", "Link", "Content-Security-Policy", "Referrer-Policy",
      "X-Content-Type-Options",
      "Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
      "Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Access-Control-Max-Age",
      "Cross-Origin-Resource-Policy", "Layoutd-Store",
    ]
    for name in names {
      if let value = response[name] { headers[name.rawName.lowercased()] = value }
    }
    if let length = response.declaredContentLength { headers["content-length"] = "\(length)" }
    self.init(status: response.status.rawValue, headers: headers, body: response.body)
  }

  public var text: String { String(decoding: body, as: UTF8.self) }

  public var json: JSON {
    do {
      return try JSON(parsing: body)
    } catch {
      Issue.record("no JSON: \(text)")
      return .null
    }
  }

  public subscript(name: String) -> String? { headers[name.lowercased()] }

  /// The number and the tag of the version that the body tells.
  public var version: Int? { json["version"].integer }
  public var versionTag: String? { json["versionTag"].string }

  /// How many cells a list of nothing but cells has, without reading it as JSON.
  public var cellCount: Int { body.count { $0 == UInt8(ascii: "{") } - 1 }
}
