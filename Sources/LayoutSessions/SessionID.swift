/// The name of a session: 128 random bits, in base64url 22 characters.
///
/// Whoever knows it has access, so it comes from the system's random generator.
///
/// It is kept as its text: each query names a session, and three words are as well compared as its
/// bits.
public struct SessionID: Hashable, Sendable {
  // The first eight characters, the eight behind them, and the last eight, two of which are among
  // those before.
  private let first: UInt64
  private let second: UInt64
  private let last: UInt64

  /// How many bytes ``text`` has.
  private static let textLength = 22
  private static let lastStart = textLength - 8

  /// A new id of 128 bits from the system's random generator, which nobody can guess.
  public static func random() -> SessionID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  static func random(using generator: inout some RandomNumberGenerator) -> SessionID {
    SessionID(base64URL(UInt128(generator.next()) << 64 | UInt128(generator.next())).span)!
  }

  /// Takes 22 characters, of which it does not say that they name a session that there ever was;
  /// `nil` for more or fewer.
  public init?(_ text: Span<UInt8>) {
    guard text.count == Self.textLength else { return nil }
    let bytes = text.bytes
    first = bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)
    second = bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
    last = bytes.unsafeLoadUnaligned(fromByteOffset: Self.lastStart, as: UInt64.self)
  }

  /// The 22 characters, as ASCII; made at every call.
  public var text: [UInt8] {
    withUnsafeBytes(of: (first, second)) { Array($0.prefix(Self.lastStart)) }
      + withUnsafeBytes(of: last) { Array($0) }
  }

  /// Six bits for each character, from the highest on; the last one's lower four are 0.
  private static func base64URL(_ bits: UInt128) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return (0..<textLength).map { alphabet[Int((bits << (6 * $0)) >> 122)] }
  }
}

extension SessionID: CustomStringConvertible {
  public var description: String { String(decoding: text, as: UTF8.self) }
}
