/// The name of a session: 128 random bits, in base64url 22 characters.
///
/// Whoever knows it has access, so it comes from the system's random generator.
public struct SessionID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

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

  public static let textLength = 22

  /// Reads the 22 characters; `nil` when they are anything but what ``text`` would give.
  public init?(_ text: ArraySlice<UInt8>) {
    guard text.count == Self.textLength else { return nil }
    var (high, low) = (UInt64(0), UInt64(0))
    var index = 0
    for character in text {
      guard let digit = Self.digit(of: character) else { return nil }
      if index < Self.textLength - 1 {
        high = high << 6 | low >> 58
        low = low << 6 | digit
      } else {
        guard digit & 0xF == 0 else { return nil }
        high = high << 2 | low >> 62
        low = low << 2 | digit >> 4
      }
      index += 1
    }
    self.init(high: high, low: low)
  }

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

  private static func digit(of character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character) - 48 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

extension SessionID: CustomStringConvertible {
  public var description: String { String(decoding: text, as: UTF8.self) }
}
