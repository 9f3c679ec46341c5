/// The name of a session: 128 random bits, in base64url 22 characters.
///
/// Whoever knows it has access, so it comes from the system's random generator.
public struct SessionID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// A new id of 128 bits from the system's random generator, which nobody can guess.
  public static func random() -> SessionID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  static func random(using generator: inout some RandomNumberGenerator) -> SessionID {
    SessionID(high: generator.next(), low: generator.next())
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// How many bytes ``text`` has.
  private static let textLength = 22

  /// Reads the 22 characters; `nil` when they are anything but what ``text`` would give.
  public init?(_ text: Span<UInt8>) {
    guard text.count == Self.textLength else { return nil }
    let digits = Self.digits.span
    var seen: UInt64 = 0
    @inline(__always)
    func bits(_ range: Range<Int>) -> UInt64 {
      var bits: UInt64 = 0
      for index in range {
        let digit = digits[Int(text[index])]
        seen |= digit
        bits = bits << 6 | digit
      }
      return bits
    }
    // Ten characters are 60 bits: twice ten, and two for the last 8 of the 128.
    let (first, second, last) = (bits(0..<10), bits(10..<20), bits(20..<22))
    guard seen < 64, last & 0xF == 0 else { return nil }
    self.init(high: first << 4 | second >> 56, low: second << 8 | last >> 4)
  }

  /// The 22 characters of base64url, without padding, as ASCII; made at every call.
  public var text: [UInt8] {
    (0..<Self.textLength).map { index in
      let shift = 122 - 6 * index
      let digit: UInt64 =
        if shift >= 64 {
          high >> (shift - 64)
        } else if shift > 58 {
          high << (64 - shift) | low >> shift
        } else if shift >= 0 {
          low >> shift
        } else {
          low << -shift
        }
      return Self.alphabet[Int(digit & 63)]
    }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The digit that each character stands for; 64 for one that stands for none.
  private static let digits = (0...255).map { character in
    UInt64(alphabet.firstIndex(of: UInt8(character)) ?? 64)
  }
}

extension SessionID: CustomStringConvertible {
  public var description: String { String(decoding: text, as: UTF8.self) }
}
