import MicroHTTP

/// A layout's entity tag (RFC 9110, section 8.8.3): `"version.length"`, of a compressed answer
/// `"version.length.gzip"`; `"version"` is the tag of an answer about the layout as a whole.
///
/// What elements a version has never changes, so together with the URL it says all of them; the
/// length is there because a 304 has to say how long the answer would be, and must not have to
/// compute it. Of a summary it does not say all: when it expires moves with every use, and bounds
/// or options that no element depends on may change under the same version.
struct EntityTag: Equatable {
  var version: Int
  /// The bytes of content.
  var length: Int?
  var isGzip = false

  var text: String {
    // By hand, since each answer has one and interpolation is slow.
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
  /// The tag of the same answer compressed; that of the layout as a whole is no answer's own.
  static func marking(_ text: String, length: Int) -> String {
    guard var tag = EntityTag(Array(text.utf8).span), tag.length != nil else { return text }
    tag.length = length
    tag.isGzip = true
    return tag.text
  }
}

/// What the value of an If-Match or If-None-Match field says of a version.
struct EntityTagList {
  private var isAny = false
  private var hasStrong = false
  private var hasWeak = false
  /// The first tag that has a length, of an answer as it is.
  private(set) var plain: EntityTag?
  /// The same of a compressed answer.
  private(set) var gzip: EntityTag?

  /// Finds the tags of a version. What is no tag is passed over.
  ///
  /// - Parameter longest: How long an answer may be; the tag of a longer one is none of ours.
  init(_ field: Span<UInt8>, of version: Int, longest: Int = .max) {
    isAny = field.spells("*")
    Self.forEachTag(of: field) { text, isWeak in
      guard let tag = EntityTag(text), tag.version == version, tag.length ?? 0 <= longest
      else { return }
      if isWeak { hasWeak = true } else { hasStrong = true }
      keep(tag)
    }
  }

  /// Whether a list has a tag by the weak comparison, or is `*`.
  static func has(_ tag: String, in field: Span<UInt8>) -> Bool {
    var isFound = field.spells("*")
    forEachTag(of: field) { text, _ in
      if text.withUnsafeBufferPointer({ $0.elementsEqual(tag.utf8) }) { isFound = true }
    }
    return isFound
  }

  /// Calls `body` with each tag, with its quotes and without the mark of a weak one.
  @inline(__always)
  private static func forEachTag(
    of field: Span<UInt8>, _ body: (_ tag: Span<UInt8>, _ isWeak: Bool) -> Void
  ) {
    var next = 0
    while next < field.count {
      var start = field.endOfBlanks(from: next)
      let isWeak = field.extracting(start...).starts(with: "W/")
      if isWeak { start += 2 }
      let end = field.endOfQuoted(from: start)
      // Only from there on, since a tag may have commas.
      let comma = field.firstIndex(of: UInt8(ascii: ","), from: end) ?? field.count
      if field.endOfBlanks(from: end) == comma { body(field.extracting(start..<end), isWeak) }
      next = comma + 1
    }
  }

  /// Forgets the lengths that no answer can have.
  mutating func removeLengths(outside lengths: ClosedRange<Int>) {
    if let length = plain?.length, !lengths.contains(length) { plain = nil }
    // What does not get shorter is not compressed; and some twenty bytes are the format's own.
    if let length = gzip?.length, length < 20 || length > lengths.upperBound { gzip = nil }
  }

  private mutating func keep(_ tag: EntityTag) {
    guard tag.length != nil else { return }
    if tag.isGzip {
      if gzip == nil { gzip = tag }
    } else if plain == nil {
      plain = tag
    }
  }

  /// Whether the list names the version by the strong comparison, as If-Match has it.
  var hasStrongMatch: Bool { isAny || hasStrong }

  /// Whether it names the version by the weak comparison, as If-None-Match has it.
  var hasWeakMatch: Bool { isAny || hasStrong || hasWeak }
}
