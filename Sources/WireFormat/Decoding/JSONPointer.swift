/// Pieces of a JSON pointer (RFC 6901).
enum JSONPointer {
  /// A member's name as a reference token.
  static func escape(_ name: String) -> String {
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

  /// The pointer to an option by its dotted name.
  static func option(_ name: String) -> String {
    "/options/" + name.split(separator: ".").map { escape(String($0)) }.joined(separator: "/")
  }
}
