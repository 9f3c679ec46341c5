import LayoutSessions
import MicroHTTP
import WireFormat

/// The entity tag of a layout (RFC 9110, section 8.8.3). It is `"version.length"`, for a compressed
/// answer `"version.length.gzip"`, and for an answer about the whole layout `"version"`, where the
/// version is named by its tag: `"12-9f3ac1.4567"`. In CBOR it has `.cbor` behind the length, and
/// for an export `.x` and a hash of it.
///
/// The elements of a version never change, so version and URL identify an answer. The length is in
/// the tag because a 304 must have the length of the answer and should not compute it. A tag does
/// not identify a summary: its expiry changes with every use, and bounds or options on which no
/// element depends may change in the same version. So an export needs the hash.
struct LayoutTag: Equatable {
  var version: VersionTag
  /// The bytes of content.
  var length: Int?
  /// What the format adds; see ``AnswerWriter/tagSuffix``.
  var suffix = ""
  var isGzip = false

  /// What is added for an export.
  static func suffix(ofExport bytes: [UInt8]) -> String { ".x" + FixedContent.hash(of: bytes) }

  /// The tag of an answer.
  var entityTag: EntityTag {
    EntityTag(
      VersionTagText.text(version.number, version.hash), length: length, suffix: suffix,
      isGzip: isGzip)
  }

  private static let gzip: StaticString = ".gzip"
  private static let suffixes = Set(
    AnswerFormat.allCases.filter(\.isOfLayout).map(\.tagSuffix))

  init(
    version: VersionTag, length: Int? = nil, format: AnswerFormat = .json, suffix: String? = nil
  ) {
    self.version = version
    self.length = length
    self.suffix = suffix ?? format.tagSuffix
  }

  /// Reads an opaque tag without its quotes; `nil` if this service cannot have made it.
  init?(_ text: Span<UInt8>) {
    var rest = text
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
    if let known {
      suffix = known
    } else {
      guard rest.count == 18, rest.starts(with: ".x") else { return nil }
      suffix = rest.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }
}
