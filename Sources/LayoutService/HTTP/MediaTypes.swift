/// Media types in the fields that negotiate content (RFC 9110, sections 8.3 and 12.5.1).
enum MediaType {
  static let json = "application/json"
  static let mergePatch = "application/merge-patch+json"
  static let problem = "application/problem+json"
  static let yaml = "application/yaml"
  static let plainText = "text/plain"

  /// The type and subtype of a Content-Type, without parameters, in lowercase.
  static func essence(of field: String) -> String {
    trimmed(field.prefix { $0 != ";" }).lowercased()
  }

  /// Whether an Accept field lets a type through; the most specific range that fits decides.
  static func accepts(_ accept: String, _ type: String) -> Bool {
    // What nearly every client sends.
    if accept == "*/*" { return true }
    let group = type.prefix { $0 != "/" } + "/*"
    var best: (specificity: Int, isAccepted: Bool)?
    for range in accept.split(separator: ",") {
      let parts = range.split(separator: ";").map { trimmed($0).lowercased() }
      guard let name = parts.first else { continue }
      let specificity =
        switch name {
        case type: 2
        case group: 1
        case "*/*": 0
        default: -1
        }
      guard specificity >= 0, specificity > best?.specificity ?? -1 else { continue }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      best = (specificity, quality.flatMap { Double($0) } ?? 1 > 0)
    }
    return best?.isAccepted ?? accept.allSatisfy { $0 == " " || $0 == "," }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var text = Substring(text)
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
