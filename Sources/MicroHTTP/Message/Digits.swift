extension UInt8 {
  package var isDigit: Bool { self &- 0x30 < 10 }

  var isHexDigit: Bool { hexValue != nil }

  /// The value of a hexadecimal digit, in upper or lower case.
  package var hexValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let letter = asciiLowercase &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// The hexadecimal digit of a number below 16.
  ///
  /// - Parameter ten: The digit of 10, `a` or `A`.
  static func hexDigit(_ value: UInt8, ten: UInt8 = UInt8(ascii: "a")) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : ten + value - 10
  }
}
