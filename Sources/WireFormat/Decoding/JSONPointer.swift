/// Builds JSON pointers (RFC 6901).
enum JSONPointer {
  /// The name of a member as a reference token.
  private static func escape(_ name: String) -> String {
    var escaped = ""
    for character in name.unicodeScalars {
      switch character {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  /// A pointer with more reference tokens.
  static func appending(_ path: [String], to pointer: String) -> String {
    path.reduce(into: pointer) { $0 += "/" + escape($1) }
  }

  /// The pointer to an option with a dotted name.
  ///
  /// - Parameter pointer: The pointer to the object of options.
  static func option(_ name: String, in pointer: String = "/options") -> String {
    appending(name.split(separator: ".").map { String($0) }, to: pointer)
  }
}
