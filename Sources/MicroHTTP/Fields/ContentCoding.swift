/// The content codings that Accept-Encoding allows (RFC 9110, section 12.5.3).
package enum ContentCoding {
  /// Whether the client accepts gzip and does not prefer `identity` to it.
  package static func acceptsGzip(_ request: borrowing Request) -> Bool {
    guard let field = request.value(of: .acceptEncoding) else { return false }
    var (gzip, identity, others): (Double?, Double?, Double?)
    WeightedList.forEachMember(of: field.span) { name, weight in
      if name.spells(lowercase: "gzip") || name.spells(lowercase: "x-gzip") {
        gzip = gzip ?? weight.quality
      } else if name.spells(lowercase: "identity") {
        identity = identity ?? weight.quality
      } else if name.spells("*") {
        others = weight.quality
      }
    }
    let quality = gzip ?? others ?? 0
    return quality > 0 && quality >= identity ?? 0
  }
}
