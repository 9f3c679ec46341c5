import LayoutSessions
import MicroHTTP

/// The tags of an If-Match or If-None-Match field that belong to a version.
struct EntityTagList {
  private var isAny = false
  private var hasStrong = false
  private var hasWeak = false

  /// Finds the tags of a version. Text that is no tag is skipped.
  ///
  /// - Parameter suffix: What the format of the answers adds whose tags count; `nil` for all
  ///   formats.
  init(_ field: Span<UInt8>, of version: VersionTag, with suffix: String? = nil) {
    isAny = field.spells("*")
    Self.forEachTag(of: field) { text, isWeak in
      guard let tag = LayoutTag(text), tag.version == version,
        suffix == nil || tag.suffix == suffix
      else { return }
      if isWeak { hasWeak = true } else { hasStrong = true }
    }
  }

  /// Whether all versions that a list names satisfy a condition. Text that is no tag of ours names
  /// none.
  static func allVersions(
    in field: Span<UInt8>, satisfy condition: (VersionTag) -> Bool
  ) -> Bool {
    var isSatisfied = true
    forEachTag(of: field) { text, _ in
      if let tag = LayoutTag(text), !condition(tag.version) { isSatisfied = false }
    }
    return isSatisfied
  }

  /// Whether a list has a tag by the weak comparison, or is `*`.
  static func has(_ tag: EntityTag, in field: Span<UInt8>) -> Bool {
    var isFound = field.spells("*")
    let tag = tag.text.dropFirst().dropLast()
    forEachTag(of: field) { text, _ in
      if text.withUnsafeBufferPointer({ $0.elementsEqual(tag.utf8) }) { isFound = true }
    }
    return isFound
  }

  /// What proxies that compress put at the end of tags: Apache, Caddy and Jetty do.
  private static let proxySuffixes: [StaticString] = ["--gzip", "-gzip", "-br", "-zstd"]

  /// Calls `body` with each tag, without its quotes, the mark of a weak one, and what a proxy has
  /// put at its end.
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
      if field.endOfBlanks(from: end) == comma, end - start >= 2 {
        var tag = field.extracting((start + 1)..<(end - 1))
        for suffix in proxySuffixes {
          let length = tag.count - suffix.utf8CodeUnitCount
          if length >= 0, tag.extracting(length...).spells(suffix) {
            tag = tag.extracting(..<length)
          }
        }
        body(tag, isWeak)
      }
      next = comma + 1
    }
  }

  /// Whether the list has the version, by the strong comparison of If-Match.
  var hasStrongMatch: Bool { isAny || hasStrong }

  /// Whether the list has the version, by the weak comparison of If-None-Match.
  var hasWeakMatch: Bool { isAny || hasStrong || hasWeak }
}
