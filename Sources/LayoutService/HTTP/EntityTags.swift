/// Entity tags (RFC 9110, section 8.8.3): a layout's is its version.
enum EntityTag {
  static func text(version: Int) -> String { "\"\(version)\"" }

  /// Whether an If-Match or If-None-Match field names a tag.
  ///
  /// - Parameter isWeak: Whether a weak tag counts as the strong one of the same text, as
  ///   If-None-Match has it.
  static func list(_ field: String, names tag: String, isWeak: Bool) -> Bool {
    for part in field.split(separator: ",") {
      var part = part
      while part.first == " " || part.first == "\t" { part.removeFirst() }
      while part.last == " " || part.last == "\t" { part.removeLast() }
      if part == "*" { return true }
      if isWeak && part.hasPrefix("W/") { part = part.dropFirst(2) }
      if part == tag { return true }
    }
    return false
  }
}
