/// The name of a version that clients are shown: its number, and 24 bits of its history's hash.
///
/// The number alone names a version of one history; the tag names it in any. `12-9f3ac1` is version
/// 12 of a history whose hash begins with 9f3ac1.
public struct VersionTag: Hashable, Sendable {
  /// Counts from 1.
  public let number: Int
  /// Less than 2²⁴.
  public let hash: UInt32

  public init(number: Int, hash: UInt32) {
    self.number = number
    self.hash = hash
  }

  /// - Parameter longHash: A hash of which the uppermost 24 bits are taken.
  init(number: Int, longHash: UInt64) {
    self.init(number: number, hash: UInt32(longHash >> 40))
  }
}

extension VersionTag: CustomStringConvertible {
  /// The number and six hexadecimal digits: `12-9f3ac1`.
  public var description: String {
    let digits = String(hash, radix: 16)
    return "\(number)-" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
