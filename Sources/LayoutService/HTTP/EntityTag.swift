import LayoutSessions
import MicroHTTP
import WireFormat

/// The entity tag of a layout (RFC 9110, section 8.8.3). It is `"version.length"`, for a compressed
/// answer `"version.length.gzip"`, and for an answer about the whole layout `"version"`, where the
/// version is named by its tag: `"12-9f3ac1.4567"`. In CBOR it has `.cbor` behind the length.
///
/// The elements of a version never change, so version and URL identify an answer. The length is in
/// the tag because a 304 must have the length of the answer and should not compute it. A tag does
/// not identify a summary: its expiry changes with every use, and bounds or options on which no
/// element depends may change in the same version.
struct EntityTag: Equatable {
  var version: VersionTag
  /// The bytes of content.
  var length: Int?
  /// What the format adds; see ``AnswerWriter/tagSuffix``.
  var suffix = ""
  var isGzip = false

  var text: String {
    // By hand, since each answer has one and interpolation is slow.
    let lengthDigits = length.map { Self.digitCount($0) }
    let count =
      2 + Self.digitCount(version.number) + VersionTagText.hashLength
      + (lengthDigits.map { $0 + 1 } ?? 0)
      + suffix.utf8.count + (isGzip ? 5 : 0)
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
      put(version.number, digits: Self.digitCount(version.number))
      _ = VersionTagText.writeHash(version.hash, at: text.baseAddress! + end)
      end += VersionTagText.hashLength
      if let length, let lengthDigits {
        put(UInt8(ascii: "."))
        put(length, digits: lengthDigits)
      }
      for byte in suffix.utf8 { put(byte) }
      if isGzip { for byte in ".gzip".utf8 { put(byte) } }
      put(UInt8(ascii: "\""))
      return end
    }
  }

  private static let gzip: StaticString = ".gzip"
  private static let suffixes = Set(
    AnswerFormat.allCases.filter(\.isOfLayout).map(\.tagSuffix))

  private static func digitCount(_ number: Int) -> Int {
    var count = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }

  init(version: VersionTag, length: Int? = nil, format: AnswerFormat = .json) {
    self.version = version
    self.length = length
    suffix = format.tagSuffix
  }

  /// Reads an opaque tag with its quotes; `nil` if this service cannot have made it.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 3, text[0] == UInt8(ascii: "\""),
      text[text.count - 1] == UInt8(ascii: "\"")
    else { return nil }
    var rest = text.extracting(1..<text.count - 1)
    let versionEnd = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.count
    guard let version = VersionTag(rest.extracting(..<versionEnd)) else { return nil }
    self.version = version
    rest = rest.extracting(versionEnd...)
    // Behind the version: the length, what the format adds, and the coding. Each may be missing.
    if rest.count > 1, rest[1] <= UInt8(ascii: "9") {
      let end = rest.firstIndex(of: UInt8(ascii: "."), from: 1) ?? rest.count
      guard let length = Decimal.integer(rest.extracting(1..<end)), length < 1 << 40 else {
        return nil
      }
      self.length = length
      rest = rest.extracting(end...)
      let start = rest.count - Self.gzip.utf8CodeUnitCount
      if start >= 0, rest.extracting(start...).spells(Self.gzip) {
        isGzip = true
        rest = rest.extracting(..<start)
      }
    }
    let known = Self.suffixes.first { suffix in
      rest.withUnsafeBufferPointer { $0.elementsEqual(suffix.utf8) }
    }
    guard let known else { return nil }
    suffix = known
  }
}

extension EntityTag {
  /// The tag of the compressed answer. A tag of the whole layout stays as it is.
  static func marking(_ text: String, length: Int) -> String {
    guard var tag = EntityTag(Array(text.utf8).span), tag.length != nil else { return text }
    tag.length = length
    tag.isGzip = true
    return tag.text
  }
}

/// The tags of an If-Match or If-None-Match field that belong to a version.
struct EntityTagList {
  private var isAny = false
  private var hasStrong = false
  private var hasWeak = false
  /// The first tag with a length, of an uncompressed answer.
  private(set) var plain: EntityTag?
  /// The first tag with a length, of a compressed answer.
  private(set) var gzip: EntityTag?

  /// Finds the tags of a version. Text that is no tag is skipped.
  ///
  /// - Parameters:
  ///   - suffix: What the format of the answers adds whose tags count; `nil` for all formats.
  ///   - longest: How long an answer may be; the tag of a longer one is none of ours.
  init(
    _ field: Span<UInt8>, of version: VersionTag, with suffix: String? = nil,
    longest: Int = .max
  ) {
    isAny = field.spells("*")
    Self.forEachTag(of: field) { text, isWeak in
      guard let tag = EntityTag(text), tag.version == version, tag.length ?? 0 <= longest,
        suffix == nil || tag.suffix == suffix
      else { return }
      if isWeak { hasWeak = true } else { hasStrong = true }
      keep(tag)
    }
  }

  /// Whether all versions that a list names satisfy a condition. Text that is no tag of ours names
  /// none.
  static func allVersions(
    in field: Span<UInt8>, satisfy condition: (VersionTag) -> Bool
  ) -> Bool {
    var isSatisfied = true
    forEachTag(of: field) { text, _ in
      if let tag = EntityTag(text), !condition(tag.version) { isSatisfied = false }
    }
    return isSatisfied
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
      // The search starts behind the tag, because a tag may contain commas.
      let comma = field.firstIndex(of: UInt8(ascii: ","), from: end) ?? field.count
      if field.endOfBlanks(from: end) == comma { body(field.extracting(start..<end), isWeak) }
      next = comma + 1
    }
  }

  /// Removes tags with lengths that no answer can have.
  mutating func removeLengths(outside lengths: ClosedRange<Int>) {
    if let length = plain?.length, !lengths.contains(length) { plain = nil }
    // An answer that does not get shorter is not compressed, and the format alone needs about
    // twenty bytes.
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

  /// Whether the list has the version, by the strong comparison of If-Match.
  var hasStrongMatch: Bool { isAny || hasStrong }

  /// Whether the list has the version, by the weak comparison of If-None-Match.
  var hasWeakMatch: Bool { isAny || hasStrong || hasWeak }
}
