/// Converts short numbers such as 123.45, eight bytes at a time. Most numbers of bodies are short.
///
///     text        1  2  3  .  4  5  ,  …     one load of eight bytes
///     digits      1  2  3  4  5              without the point
///     aligned     0  0  0  1  2  3  4  5     12345, by three multiplications
///     value       12345 / 10²
///
/// Both numbers are exact as doubles. So the quotient is the double nearest to the text (Clinger,
/// "How to Read Floating Point Numbers Accurately", 1990), the same as that of every correct
/// conversion. simdjson's parser, which goes digit by digit, reads all other numbers.
enum ShortDecimal {
  // An array would be made at its first use, and each number would check this.
  private static let powersOfTen: InlineArray<8, Double> = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]

  /// The number that begins here; `nil` if it is negative, has an exponent or more than seven
  /// characters, or is not a number.
  ///
  /// - Parameter start: Eight readable bytes.
  @inline(__always)
  static func read(_ start: UnsafePointer<UInt8>) -> Double? {
    guard let (digits, fractionDigits) = parts(start) else { return nil }
    return Double(digits) / powersOfTen[fractionDigits & 7]
  }

  /// Like ``read(_:)``, but only for whole numbers.
  @inline(__always)
  static func readInteger(_ start: UnsafePointer<UInt8>) -> UInt32? {
    guard let (digits, fractionDigits) = parts(start), fractionDigits == 0 else { return nil }
    return digits
  }

  @inline(__always)
  private static func parts(
    _ start: UnsafePointer<UInt8>
  ) -> (digits: UInt32, fractionDigits: Int)? {
    let word = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    // Digits become 0 to 9, and no other byte does.
    let bytes = word ^ 0x3030_3030_3030_3030
    // This is the top bit of each byte above 9. A carry comes only from such a byte, so it can only
    // spoil bytes behind the first of them. The second one matters only if the first is a point,
    // which makes no carry.
    let others = ((bytes &+ 0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080
    var length = others.trailingZeroBitCount >> 3
    guard length > 0, length < 8 else { return nil }
    // A leading zero must be the only digit before the point.
    guard bytes & 0xFF != 0 || length == 1 else { return nil }
    var digits = bytes
    var digitCount = length
    var fractionDigits = 0
    if UInt8(truncatingIfNeeded: word &>> UInt64(8 * length)) == UInt8(ascii: ".") {
      let end = (others & (others &- 1)).trailingZeroBitCount >> 3
      fractionDigits = end - length - 1
      guard end < 8, fractionDigits > 0 else { return nil }
      let wholeMask = (1 as UInt64) &<< UInt64(8 * length) &- 1
      digits = bytes & wholeMask | bytes >> 8 & ~wholeMask
      digitCount = end - 1
      length = end
    }
    guard
      JSONGrammar.endsScalar(UInt8(truncatingIfNeeded: word &>> UInt64(8 * length)))
    else { return nil }
    // The first digit is in the lowest byte. After the shift, the last digit is in the highest.
    digits &<<= UInt64(64 - 8 * digitCount)
    // This joins digits to pairs, pairs to groups of four, and both groups to one number.
    digits = digits &* 10 &+ digits >> 8
    let pairs: UInt64 = 0x0000_00FF_0000_00FF
    let low = (digits & pairs) &* (1_000_000 << 32 + 100)
    let high = (digits >> 16 & pairs) &* (10_000 << 32 + 1)
    return (UInt32(truncatingIfNeeded: (low &+ high) >> 32), fractionDigits)
  }
}
