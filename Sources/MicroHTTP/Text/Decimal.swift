/// Numbers in paths, queries and header fields.
package enum Decimal {
  /// The value of digits, of which there is at least one; `nil` if the value does not fit.
  static func digits(_ text: Span<UInt8>) -> Int? {
    guard !text.isEmpty else { return nil }
    var value = 0
    for index in text.indices {
      guard text[index].isDigit else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(text[index] - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// A whole number as JSON has it: digits without leading zeros, up to 2⁵³ − 1.
  package static func integer(_ text: Span<UInt8>) -> Int? {
    guard let value = digits(text), value < 1 << 53,
      text.count == 1 || text[0] != UInt8(ascii: "0")
    else { return nil }
    return value
  }

  /// A finite number as JSON has it; −0 is 0.
  package static func number(_ text: Span<UInt8>) -> Double? {
    var index = 0
    let value = number(text, from: &index)
    return index == text.count ? value : nil
  }

  /// The finite number that begins at an index, which is moved behind it; −0 is 0.
  ///
  /// Up to 15 digits without an exponent are converted here, which is exact: both the digits and
  /// the power of ten are doubles. Others are left to the standard library.
  package static func number(_ text: Span<UInt8>, from index: inout Int) -> Double? {
    let start = index
    var end = start
    var digits = 0
    var whole = 0
    var fraction = 0
    // Without a check of each index: a query has eight numbers.
    text.withUnsafeBufferPointer { text in
      if end < text.count, text[end] == UInt8(ascii: "-") { end += 1 }
      let wholeStart = end
      end = skipDigits(text, from: end, into: &digits)
      whole = end - wholeStart
      if whole > 1 && text[wholeStart] == UInt8(ascii: "0") { whole = 0 }
      if end + 1 < text.count, text[end] == UInt8(ascii: "."), text[end + 1].isDigit {
        let fractionStart = end + 1
        end = skipDigits(text, from: fractionStart, into: &digits)
        fraction = end - fractionStart
      }
    }
    index = end
    guard whole > 0 else { return nil }
    let hasExponent = end < text.count && text[end] | 0x20 == UInt8(ascii: "e")
    if whole + fraction > 15 || hasExponent {
      return longNumber(text, start, &index, hasExponent: hasExponent)
    }
    let value = fraction == 0 ? Double(digits) : Double(digits) / powersOfTen[fraction]
    return text[start] == UInt8(ascii: "-") ? 0 - value : value
  }

  /// Goes over digits and appends them to a number, which more than it can hold make any number.
  @inline(__always)
  private static func skipDigits(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, into number: inout Int
  ) -> Int {
    var end = start
    while end < text.count, text[end].isDigit {
      number = number &* 10 &+ Int(text[end] &- UInt8(ascii: "0"))
      end += 1
    }
    return end
  }

  private static let powersOfTen: InlineArray<16, Double> = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  private static func longNumber(
    _ text: Span<UInt8>, _ start: Int, _ index: inout Int, hasExponent: Bool
  ) -> Double? {
    if hasExponent {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
        index += 1
      }
      let digits = index
      while index < text.count, text[index].isDigit { index += 1 }
      guard index > digits else { return nil }
    }
    guard let value = Double(text.extracting(start..<index).text), value.isFinite else {
      return nil
    }
    return value + 0
  }
}
