/// A layout's entity tag (RFC 9110, section 8.8.3): `"version.length"`, of a compressed answer
/// `"version.length.gzip"`; `"version"` is the tag of an answer about the layout as a whole.
///
/// A version never changes, so together with the URL it says all; the length is there because a
/// 304 has to say how long the answer would be, and must not have to compute it.
struct EntityTag: Equatable {
  var version: Int
  /// The bytes of content.
  var length: Int?
  var isGzip = false

  var text: String {
    guard let length else { return "\"" + String(version) + "\"" }
    return "\"" + String(version) + "." + String(length) + (isGzip ? ".gzip\"" : "\"")
  }

  init(version: Int, length: Int? = nil) {
    self.version = version
    self.length = length
  }

  /// Reads an opaque tag with its quotes; `nil` when it is none of ours.
  init?(_ text: Substring.UTF8View) {
    guard text.count >= 3, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") else {
      return nil
    }
    let parts = text.dropFirst().dropLast().split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 3, let version = Decimal.integer(ArraySlice(parts[0])) else { return nil }
    self.version = version
    if parts.count > 2 {
      guard parts[2].elementsEqual("gzip".utf8) else { return nil }
      isGzip = true
    }
    if parts.count > 1 {
      guard let length = Decimal.integer(ArraySlice(parts[1])), length < 1 << 40 else { return nil }
      self.length = length
    }
  }
}

extension EntityTag {
  /// The tag of the same answer compressed.
  static func marking(_ text: String, length: Int) -> String {
    guard var tag = EntityTag(text[...].utf8) else { return text }
    tag.length = length
    tag.isGzip = true
    return tag.text
  }
}

/// The value of an If-Match or If-None-Match field.
struct EntityTagList {
  private(set) var isAny = false
  private var strong: [EntityTag] = []
  private var weak: [EntityTag] = []

  init(_ field: String) {
    for part in field.split(separator: ",") {
      var part = part
      while part.first == " " || part.first == "\t" { part.removeFirst() }
      while part.last == " " || part.last == "\t" { part.removeLast() }
      if part == "*" {
        isAny = true
      } else if part.hasPrefix("W/") {
        if let tag = EntityTag(part.dropFirst(2).utf8) { weak.append(tag) }
      } else if let tag = EntityTag(part.utf8) {
        strong.append(tag)
      }
    }
  }

  /// Whether the list names a version by the strong comparison, as If-Match has it.
  func matches(version: Int) -> Bool {
    isAny || strong.contains { $0.version == version }
  }

  /// The tag that names a version by the weak comparison, as If-None-Match has it; one with a
  /// length, if there is one.
  func tag(ofVersion version: Int) -> EntityTag? {
    let tags = (strong + weak).filter { $0.version == version }
    return tags.first { $0.length != nil } ?? tags.first
      ?? (isAny ? EntityTag(version: version) : nil)
  }
}
