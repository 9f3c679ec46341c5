/// Numbers in paths and queries, in the form that JSON has them.
enum Decimal {
  /// Digits alone, without leading zeros, up to 2⁵³ − 1.
  static func integer(_ text: ArraySlice<UInt8>) -> Int? {
    guard let first = text.first, text.count <= 16, text.count == 1 || first != UInt8(ascii: "0")
    else { return nil }
    var value = 0
    for byte in text {
      guard byte.isDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value < 1 << 53 ? value : nil
  }

  /// A finite number; −0 is 0.
  ///
  /// Up to 15 digits without an exponent are converted here, which is exact: both the digits and
  /// the power of ten are doubles. Others are left to the standard library.
  static func number(_ text: ArraySlice<UInt8>) -> Double? {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix { $0.isDigit }
    rest = rest.dropFirst(whole.count)
    guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else {
      return nil
    }
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { $0.isDigit }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count + 1)
    }
    guard rest.isEmpty, whole.count + fraction.count <= 15 else {
      return longNumber(text, exponent: rest)
    }
    var digits = 0
    for byte in whole { digits = digits * 10 + Int(byte - UInt8(ascii: "0")) }
    for byte in fraction { digits = digits * 10 + Int(byte - UInt8(ascii: "0")) }
    let value = Double(digits) / powersOfTen[fraction.count]
    return isNegative ? 0 - value : value
  }

  private static let powersOfTen: [Double] = (0...15).reduce(into: []) { powers, _ in
    powers.append((powers.last ?? 0.1) * 10)
  }

  private static func longNumber(
    _ text: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>
  ) -> Double? {
    if let mark = exponent.first {
      var digits = exponent.dropFirst()
      if digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-") {
        digits = digits.dropFirst()
      }
      guard mark | 0x20 == UInt8(ascii: "e"), !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
        return nil
      }
    }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value + 0
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
