/// The id of a session: 128 random bits, as 22 characters of base64url.
///
/// Whoever knows the id has access to the session, so it comes from the system's random generator.
///
/// It is stored as its text, because every query has it as text. Three words are as quick to
/// compare as its bits.
public struct SessionID: Hashable, Sendable {
  // The characters 0 to 7, 8 to 15 and 14 to 21: two of them are stored twice.
  private let first: UInt64
  private let second: UInt64
  private let last: UInt64

  /// The number of bytes in ``text``.
  private static let textLength = 22
  private static let lastStart = textLength - 8
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// A new id of 128 bits from the system's random generator, which nobody can guess.
  public static func random() -> SessionID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  static func random(using generator: inout some RandomNumberGenerator) -> SessionID {
    SessionID(base64URL(UInt128(generator.next()) << 64 | UInt128(generator.next())).span)!
  }

  /// Takes any 22 characters, even if no session has this id; `nil` for more or fewer.
  public init?(_ text: Span<UInt8>) {
    guard text.count == Self.textLength else { return nil }
    let bytes = text.bytes
    first = bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)
    second = bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
    last = bytes.unsafeLoadUnaligned(fromByteOffset: Self.lastStart, as: UInt64.self)
  }

  /// Whether these are characters that encode 128 bits.
  public var isPossible: Bool {
    text.allSatisfy { Self.alphabet.contains($0) } && "AQgw".utf8.contains(text[21])
  }

  /// The 22 characters as ASCII. A new array is made at each call.
  public var text: [UInt8] {
    withUnsafeBytes(of: (first, second)) { Array($0.prefix(Self.lastStart)) }
      + withUnsafeBytes(of: last) { Array($0) }
  }

  /// Encodes six bits in each character, from the highest on. The lower four bits of the last one
  /// are 0.
  private static func base64URL(_ bits: UInt128) -> [UInt8] {
    (0..<textLength).map { alphabet[Int((bits << (6 * $0)) >> 122)] }
  }
}

extension SessionID: CustomStringConvertible {
  public var description: String { String(decoding: text, as: UTF8.self) }
}
