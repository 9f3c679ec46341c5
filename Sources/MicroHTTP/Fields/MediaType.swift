/// Media types in the fields that negotiate content (RFC 9110, sections 8.3 and 12.5.1).
package enum MediaType {
  package static let json = "application/json"
  package static let cbor = "application/cbor"
  package static let mergePatch = "application/merge-patch+json"
  package static let problem = "application/problem+json"
  package static let yaml = "application/yaml"
  package static let eventStream = "text/event-stream"
  package static let plainText = "text/plain"
  package static let html = "text/html"
  package static let css = "text/css"
  package static let javaScript = "text/javascript"
  package static let python = "text/x-python"
  package static let gzip = "application/gzip"
  package static let typeScript = "application/typescript"
  package static let svg = "image/svg+xml"
  package static let openType = "font/otf"
  package static let trueType = "font/ttf"
  package static let fontCollection = "font/collection"
  package static let woff2 = "font/woff2"

  /// The type and subtype of a Content-Type, without parameters, in lowercase.
  package static func essence(of field: String) -> String {
    field.prefix { $0 != ";" }.withoutBlanksAround().lowercased()
  }

  /// Whether an Accept field allows a type.
  package static func accepts(_ accept: Span<UInt8>, _ type: String) -> Bool {
    // Nearly every client sends this.
    accept.spells("*/*") || preference(for: type, in: accept).isAcceptable
  }

  /// How much a client wants a type.
  package struct Preference: Comparable {
    /// From 0, which excludes the type, to 1.
    package var quality: Double
    /// How exactly the field names the type: 2 for the type itself, 1 for `type/*`, 0 for `*/*`,
    /// −1 if it does not name it.
    package var specificity: Int

    package var isAcceptable: Bool { quality > 0 }

    package static func < (one: Preference, other: Preference) -> Bool {
      (one.quality, one.specificity) < (other.quality, other.specificity)
    }
  }

  /// How much a client that sends this Accept field wants a type. The most specific matching range
  /// decides.
  ///
  /// A range with parameters describes fewer answers than the type. It can allow the type, because
  /// clients send `application/json;charset=utf-8`, but it cannot exclude it.
  package static func preference(for type: String, in accept: Span<UInt8>) -> Preference {
    var best = Preference(quality: 1, specificity: -1)
    var hasMembers = false
    WeightedList.forEachMember(of: accept) { range, weight in
      hasMembers = true
      let specificity = specificity(of: range, for: type)
      if specificity > best.specificity && !(weight.isParameterized && weight.quality == 0) {
        best = Preference(quality: weight.quality, specificity: specificity)
      }
    }
    // An empty field excludes nothing.
    if best.specificity < 0 && hasMembers { best.quality = 0 }
    return best
  }

  /// The specificity of a range for a type: 2 for the type itself, 1 for `type/*`, 0 for `*/*`, −1
  /// if it does not match.
  private static func specificity(of range: Span<UInt8>, for type: String) -> Int {
    if range.spells("*/*") { return 0 }
    let type = type.utf8.span
    var same = 0
    while same < min(range.count, type.count), range[same].asciiLowercase == type[same] {
      same += 1
    }
    if same == range.count && same == type.count { return 2 }
    let isOfKind = same > 0 && type[same - 1] == UInt8(ascii: "/")
    return isOfKind && range.extracting(same...).spells("*") ? 1 : -1
  }
}
