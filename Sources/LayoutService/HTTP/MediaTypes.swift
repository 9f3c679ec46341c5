/// Media types in the fields that negotiate content (RFC 9110, sections 8.3 and 12.5.1).
enum MediaType {
  static let json = "application/json"
  static let mergePatch = "application/merge-patch+json"
  static let problem = "application/problem+json"
  static let yaml = "application/yaml"
  static let plainText = "text/plain"

  /// The type and subtype of a Content-Type, without parameters, in lowercase.
  static func essence(of field: String) -> String {
    field.prefix { $0 != ";" }.withoutBlanksAround().lowercased()
  }

  /// Whether an Accept field lets a type through; the most specific range that fits decides.
  static func accepts(_ accept: String, _ type: String) -> Bool {
    // What nearly every client sends.
    if accept == "*/*" { return true }
    let group = type.prefix { $0 != "/" } + "/*"
    var best: (specificity: Int, quality: Double)?
    for (name, quality) in WeightedList.members(of: accept) {
      let specificity =
        switch name {
        case type: 2
        case group: 1
        case "*/*": 0
        default: -1
        }
      if specificity > best?.specificity ?? -1 { best = (specificity, quality) }
    }
    return best.map { $0.quality > 0 } ?? accept.allSatisfy { $0 == " " || $0 == "," }
  }
}
