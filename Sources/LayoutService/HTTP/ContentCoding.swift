import MicroHTTP

/// What Accept-Encoding lets through (RFC 9110, section 12.5.3).
enum ContentCoding {
  /// Whether gzip may be used, and none is not preferred by name.
  static func acceptsGzip(_ request: borrowing Request) -> Bool {
    guard let field = request[.acceptEncoding] else { return false }
    let members = WeightedList.members(of: field)
    let named = members.first { $0.name == "gzip" || $0.name == "x-gzip" }
    let quality = (named ?? members.last { $0.name == "*" })?.quality ?? 0
    let identity = members.first { $0.name == "identity" }?.quality ?? 0
    return quality > 0 && quality >= identity
  }
}
