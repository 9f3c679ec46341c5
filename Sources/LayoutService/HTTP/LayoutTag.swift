import LayoutSessions
import MicroHTTP
import WireFormat

/// The entity tag of an answer about a layout (RFC 9110, section 8.8.3): the tag of the version,
/// and what the format adds: `"12-9f3ac1"`, in CBOR `"12-9f3ac1.cbor"`, of an export
/// `"12-9f3ac1.x"` and a hash. That of compressed content ends with `.gzip`.
///
/// The elements of a version never change, so version and URL identify an answer. What may differ
/// in one version has no tag, but for the summary, whose tag is for the conditions of changes.
/// Bounds or options on which no element depends may change in a version, so an export needs the
/// hash.
struct LayoutTag: Equatable {
  var version: VersionTag
  /// What the format adds; see ``AnswerWriter/tagSuffix``.
  var suffix: String
  var isGzip = false

  /// What is added for an export.
  static func suffix(ofExport bytes: [UInt8]) -> String { ".x" + FixedContent.hash(of: bytes) }

  /// - Parameter isOfContent: Whether it is that of an answer, or of the whole layout.
  func entityTag(isOfContent: Bool = true) -> EntityTag {
    EntityTag(
      VersionTagText.text(version.number, version.hash) + suffix, isGzip: isGzip,
      isOfContent: isOfContent)
  }

  private static let gzip: StaticString = ".gzip"
  private static let suffixes = Set(
    AnswerFormat.allCases.filter(\.isOfLayout).map(\.tagSuffix))

  init(version: VersionTag, suffix: String = "", isGzip: Bool = false) {
    self.version = version
    self.suffix = suffix
    self.isGzip = isGzip
  }

  /// Reads an opaque tag without its quotes; `nil` if this service cannot have made it.
  init?(_ text: Span<UInt8>) {
    let versionEnd = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
    guard let version = VersionTag(text.extracting(..<versionEnd)) else { return nil }
    var rest = text.extracting(versionEnd...)
    let start = rest.count - Self.gzip.utf8CodeUnitCount
    let isGzip = start >= 0 && rest.extracting(start...).spells(Self.gzip)
    if isGzip { rest = rest.extracting(..<start) }
    let suffix = rest.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    guard Self.suffixes.contains(suffix) || suffix.count == 18 && suffix.hasPrefix(".x") else {
      return nil
    }
    self.init(version: version, suffix: suffix, isGzip: isGzip)
  }
}
