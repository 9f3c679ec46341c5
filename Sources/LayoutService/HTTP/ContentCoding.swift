/// What an Accept-Encoding field lets through (RFC 9110, section 12.5.3).
enum ContentCoding {
  static func acceptsGzip(_ field: String) -> Bool {
    var any: Bool?
    for part in field.split(separator: ",") {
      let words = part.split(separator: ";").map {
        $0.filter { $0 != " " && $0 != "\t" }.lowercased()
      }
      guard let name = words.first else { continue }
      let quality = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
        Double($0.dropFirst(2))
      }
      let isAccepted = quality ?? 1 > 0
      if name == "gzip" || name == "x-gzip" { return isAccepted }
      if name == "*" { any = isAccepted }
    }
    return any ?? false
  }
}
