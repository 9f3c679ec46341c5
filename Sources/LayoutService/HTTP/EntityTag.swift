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
    // By hand, since interpolation takes ten times as long.
    let lengthDigits = length.map { Self.digitCount($0) }
    let count =
      2 + Self.digitCount(version) + (lengthDigits.map { $0 + 1 } ?? 0) + (isGzip ? 5 : 0)
    return String(unsafeUninitializedCapacity: count) { text in
      var end = 0
      func put(_ byte: UInt8) {
        text[end] = byte
        end += 1
      }
      func put(_ number: Int, digits: Int) {
        var rest = number
        for place in (end..<end + digits).reversed() {
          text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        end += digits
      }
      put(UInt8(ascii: "\""))
      put(version, digits: Self.digitCount(version))
      if let length, let lengthDigits {
        put(UInt8(ascii: "."))
        put(length, digits: lengthDigits)
      }
      if isGzip { for byte in ".gzip".utf8 { put(byte) } }
      put(UInt8(ascii: "\""))
      return end
    }
  }

  private static func digitCount(_ number: Int) -> Int {
    var count = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }

  init(version: Int, length: Int? = nil) {
    self.version = version
    self.length = length
  }

  /// Reads an opaque tag with its quotes; `nil` when it is none of ours.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 3, text[0] == UInt8(ascii: "\""),
      text[text.count - 1] == UInt8(ascii: "\"")
    else { return nil }
    var rest = text.extracting(1..<text.count - 1)
    let versionEnd = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.count
    guard let version = Decimal.integer(rest.extracting(..<versionEnd)) else { return nil }
    self.version = version
    guard versionEnd < rest.count else { return }
    rest = rest.extracting((versionEnd + 1)...)
    let lengthEnd = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.count
    guard let length = Decimal.integer(rest.extracting(..<lengthEnd)), length < 1 << 40 else {
      return nil
    }
    self.length = length
    guard lengthEnd < rest.count else { return }
    guard rest.extracting((lengthEnd + 1)...).spells("gzip") else { return nil }
    isGzip = true
  }
}

extension EntityTag {
  /// The tag of the same answer compressed.
  static func marking(_ text: String, length: Int) -> String {
    guard var tag = EntityTag(Array(text.utf8).span) else { return text }
    tag.length = length
    tag.isGzip = true
    return tag.text
  }
}

/// The value of an If-Match or If-None-Match field.
struct EntityTagList {
  private(set) var isAny = false
  private let version: Int
  /// The first tag of the version with a length, of the strong and of the weak ones.
  private var strong = Found()
  private var weak = Found()

  private struct Found {
    var first: EntityTag?
    var firstWithLength: EntityTag?

    mutating func add(_ tag: EntityTag) {
      if first == nil { first = tag }
      if firstWithLength == nil && tag.length != nil { firstWithLength = tag }
    }
  }

  /// Finds the tags of a version.
  init(_ field: Span<UInt8>, of version: Int) {
    self.version = version
    var start = 0
    while start < field.count {
      let end = field.firstIndex(of: UInt8(ascii: ","), from: start) ?? field.count
      var (first, last) = (start, end)
      while first < last, field[first] == 0x20 || field[first] == 0x09 { first += 1 }
      while first < last, field[last - 1] == 0x20 || field[last - 1] == 0x09 { last -= 1 }
      let part = field.extracting(first..<last)
      start = end + 1
      if part.spells("*") {
        isAny = true
      } else if part.count > 2, part[0] == UInt8(ascii: "W"), part[1] == UInt8(ascii: "/") {
        if let tag = EntityTag(part.extracting(2...)), tag.version == version { weak.add(tag) }
      } else if let tag = EntityTag(part), tag.version == version {
        strong.add(tag)
      }
    }
  }

  /// Whether the list names the version by the strong comparison, as If-Match has it.
  var hasStrongMatch: Bool { isAny || strong.first != nil }

  /// The tag that names the version by the weak comparison, as If-None-Match has it; one with a
  /// length, if there is one.
  var weakMatch: EntityTag? {
    strong.firstWithLength ?? weak.firstWithLength ?? strong.first ?? weak.first
      ?? (isAny ? EntityTag(version: version) : nil)
  }
}
