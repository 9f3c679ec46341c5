import WireFormat

/// Numbers in paths and queries, in the form that JSON has them.
enum Decimal {
  /// Digits alone, without leading zeros, up to 2⁵³ − 1.
  static func integer(_ text: ArraySlice<UInt8>) -> Int? {
    guard let first = text.first, text.count <= 16, text.count == 1 || first != 0x30 else {
      return nil
    }
    var value = 0
    for byte in text {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(byte &- 0x30)
    }
    return value < 1 << 53 ? value : nil
  }

  /// A finite number; up to 15 digits are converted here, which is exact, more by the library.
  static func number(_ text: ArraySlice<UInt8>) -> Double? {
    var isNegative = false
    var digits = 0
    var digitCount = 0
    var fractionCount = 0
    var hasPoint = false
    var previous: UInt8 = 0
    for (offset, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where offset == 0: isNegative = true
      case UInt8(ascii: ".") where !hasPoint && previous &- 0x30 < 10: hasPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9") where digitCount < 15:
        digits = digits * 10 + Int(byte - 0x30)
        digitCount += 1
        if hasPoint { fractionCount += 1 }
      default: return longNumber(text)
      }
      previous = byte
    }
    guard previous &- 0x30 < 10 else { return nil }
    let value = Double(digits) / powersOfTen[fractionCount]
    return isNegative ? 0 - value : value
  }

  private static let powersOfTen: [Double] = (0...15).reduce(into: []) { powers, _ in
    powers.append((powers.last ?? 0.1) * 10)
  }

  private static func longNumber(_ text: ArraySlice<UInt8>) -> Double? {
    let allowed = text.allSatisfy {
      $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "+") || $0 | 0x20 == UInt8(ascii: "e")
    }
    guard allowed, text.count <= 400, text.first != UInt8(ascii: "+"),
      let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else { return nil }
    return value + 0
  }
}
