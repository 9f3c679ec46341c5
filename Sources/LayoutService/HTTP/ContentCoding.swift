/// What an Accept-Encoding field lets through (RFC 9110, section 12.5.3).
enum ContentCoding {
  static func acceptsGzip(_ field: String) -> Bool {
    let members = WeightedList.members(of: field)
    let named = members.first { $0.name == "gzip" || $0.name == "x-gzip" }
    return (named ?? members.last { $0.name == "*" })?.isAccepted ?? false
  }
}
