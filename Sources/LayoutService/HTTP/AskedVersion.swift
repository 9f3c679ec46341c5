import LayoutSessions
import MicroHTTP

/// A version as a client names it: by its number, or by its tag, which is compared whole.
struct AskedVersion: Equatable, CustomStringConvertible {
  let number: Int
  /// The hash of its tag; `nil` if only the number is given.
  let hash: UInt32?

  init(_ tag: VersionTag) {
    number = tag.number
    hash = tag.hash
  }

  init?(_ text: Span<UInt8>) {
    let end = text.firstIndex(of: UInt8(ascii: "-")) ?? text.count
    guard let number = Decimal.integer(text.extracting(..<end)), number > 0 else { return nil }
    self.number = number
    guard end < text.count else {
      hash = nil
      return
    }
    guard let hash = VersionTag.hash(text.extracting((end + 1)...)) else { return nil }
    self.hash = hash
  }

  /// Whether this names a version.
  func names(_ tag: VersionTag) -> Bool {
    number == tag.number && (hash == nil || hash == tag.hash)
  }

  /// The tag, if it is given.
  var tag: VersionTag? { hash.map { VersionTag(number: number, hash: $0) } }

  var description: String { tag?.description ?? "\(number)" }
}

extension LayoutVersion {
  /// Whether what a client names is this version or one before it, as far as the last ones are
  /// known. A number alone is believed where it says enough.
  func knows(_ asked: AskedVersion) -> Bool {
    asked.tag.map { knows($0) } ?? (doubtfulNumber < asked.number && asked.number <= number)
  }
}

extension VersionTag {
  /// Reads the hash of a tag: six digits, as they are written.
  static func hash(_ text: Span<UInt8>) -> UInt32? {
    guard text.count == 6 else { return nil }
    var hash: UInt32 = 0
    for index in text.indices {
      guard let digit = text[index].hexValue, text[index] == text[index].asciiLowercase else {
        return nil
      }
      hash = hash << 4 | UInt32(digit)
    }
    return hash
  }

  /// Reads a tag.
  init?(_ text: Span<UInt8>) {
    guard let tag = AskedVersion(text)?.tag else { return nil }
    self = tag
  }
}

extension ParameterForm<AskedVersion> {
  static var version: Self {
    ParameterForm(requirement: "must be the number or the tag of a version, as in 12 or 12-9f3ac1")
    {
      AskedVersion($0)
    }
  }
}
