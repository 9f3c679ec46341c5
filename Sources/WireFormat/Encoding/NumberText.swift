/// Numbers as JSON text, written through a pointer.
///
/// A double is written in the fewest digits that read back to it, whole numbers without a point
/// and −0 as 0; below 10⁻⁶ and from 10²¹ on with an exponent.
///
/// A hot path: half of what a query's answer costs is its numbers. So digits are made eight at a time
/// in one register, and stored whole: a text may be followed by a few bytes of rubbish, for which
/// the lengths below have room. This took half the time of a pair of digits after the other.
enum NumberText {
  /// How much room to have for a number, which is more than its longest text.
  static let maxIntegerLength = 32
  static let maxDoubleLength = 40

  typealias Place = UnsafeMutablePointer<UInt8>

  @inline(__always)
  static func write(_ value: Int, at start: Place) -> Place {
    if value < 0 {
      start.pointee = UInt8(ascii: "-")
      return write(magnitude: value.magnitude, at: start + 1)
    }
    return write(magnitude: UInt(bitPattern: value), at: start)
  }

  @inline(__always)
  static func write(magnitude: UInt, at start: Place) -> Place {
    if magnitude >= 100_000_000 { return writeLong(magnitude, at: start) }
    let digits = eightDigits(magnitude)
    let zeros = min(digits.trailingZeroBitCount, 56) & ~7
    UnsafeMutableRawPointer(start).storeBytes(
      of: ((digits | zeroDigits) &>> UInt64(zeros)).littleEndian, as: UInt64.self)
    return start + (8 - zeros / 8)
  }

  private static func writeLong(_ value: UInt, at start: Place) -> Place {
    let lower = value % 10_000_000_000_000_000
    var end = start
    if value >= 10_000_000_000_000_000 {
      end = write(magnitude: value / 10_000_000_000_000_000, at: end)
      storeEightDigits(lower / 100_000_000, at: end)
      end += 8
    } else {
      end = write(magnitude: lower / 100_000_000, at: end)
    }
    storeEightDigits(lower % 100_000_000, at: end)
    return end + 8
  }

  @inline(__always)
  private static func storeEightDigits(_ value: UInt, at place: Place) {
    UnsafeMutableRawPointer(place).storeBytes(
      of: (eightDigits(value) | zeroDigits).littleEndian, as: UInt64.self)
  }

  /// The digit zero in each byte.
  private static let zeroDigits: UInt64 = 0x3030_3030_3030_3030

  /// The values of eight digits, the first one in the lowest byte.
  ///
  /// Cuts the number in half, the halves in half, and those again, each time all at once: a
  /// multiplication and a shift divide by 100 below 10,000 and by 10 below 100.
  ///
  /// - Precondition: The value is less than 100,000,000.
  @inline(__always)
  private static func eightDigits(_ value: UInt) -> UInt64 {
    let value = UInt64(value)
    let high = value / 10_000
    let fours = high | (value &- high &* 10_000) << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }

  /// - Precondition: The value is finite.
  @inline(__always)
  static func write(_ value: Double, at start: Place) -> Place {
    if value.magnitude < 0x1p53 {
      let integer = Int(value)
      if Double(integer) == value { return write(integer, at: start) }
    }
    return writeFraction(value, at: start)
  }

  private static func writeFraction(_ value: Double, at start: Place) -> Place {
    precondition(value.isFinite, "\(value) has no JSON text")
    var start = start
    if value < 0 {
      start.pointee = UInt8(ascii: "-")
      start += 1
    }
    let magnitude = value.magnitude
    return writeShortDecimal(magnitude, at: start)
      ?? write(ShortestDecimal(magnitude), at: start)
  }

  /// Writes a value of at most three decimals and fifteen digits; `nil` for any other.
  ///
  /// Decimals of up to fifteen digits are all different doubles, so if one is equal to the
  /// value it is, without its final zeros, the shortest.
  @inline(__always)
  private static func writeShortDecimal(_ value: Double, at start: Place) -> Place? {
    guard value < 1e12 else { return nil }
    let nearest = Int(value * 1000 + 0.5)
    guard Double(nearest) / 1000 == value else { return nil }
    let thousandths = UInt(bitPattern: nearest)
    let whole = thousandths / 1000
    let fraction = thousandths &- whole &* 1000
    let end = write(magnitude: whole, at: start)
    let tenths = fraction / 100
    let rest = fraction &- tenths &* 100
    let hundredths = (rest &* 103) >> 10
    end.pointee = UInt8(ascii: ".")
    (end + 1).pointee = digit(tenths)
    (end + 2).pointee = digit(hundredths)
    (end + 3).pointee = digit(rest &- hundredths &* 10)
    return end + (rest == 0 ? 2 : rest &- hundredths &* 10 == 0 ? 3 : 4)
  }

  @inline(__always)
  private static func digit(_ value: UInt) -> UInt8 {
    UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
  }

  private static func write(_ decimal: ShortestDecimal, at start: Place) -> Place {
    var digits = UInt(decimal.digits)
    var exponent = decimal.exponent
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    if digits >= 1_000_000_000_000_000,
      let end = writeWithPoint(sixteenOrMore: digits, exponent: exponent, at: start)
    {
      return end
    }
    let count = write(magnitude: digits, at: start + 1) - (start + 1)
    /// How many digits come before the point.
    let whole = count + exponent
    // The digits stand where they would behind a point.
    if (1..<count).contains(whole) {
      start.update(from: start + 1, count: whole)
      (start + whole).pointee = UInt8(ascii: ".")
      return start + count + 1
    }
    if exponent >= 0 && whole <= 21 {
      start.update(from: start + 1, count: count)
      (start + count).update(repeating: UInt8(ascii: "0"), count: exponent)
      return start + whole
    }
    if (-5...0).contains(whole) {
      let end = write(magnitude: digits, at: start + 2 - whole)
      start.update(repeating: UInt8(ascii: "0"), count: 2 - whole)
      (start + 1).pointee = UInt8(ascii: ".")
      return end
    }
    start.pointee = (start + 1).pointee
    var end = start + 1
    if count > 1 {
      end.pointee = UInt8(ascii: ".")
      end += count
    }
    end.pointee = UInt8(ascii: "e")
    return write(whole - 1, at: end + 1)
  }

  /// Writes 16 or 17 digits with a point among the first of them; `nil` when it is elsewhere.
  ///
  /// What nearly every sum of fractions is. All happens in registers: reading back what was just
  /// stored elsewhere, to move it, would wait for the stores.
  @inline(__always)
  private static func writeWithPoint(
    sixteenOrMore digits: UInt, exponent: Int, at start: Place
  ) -> Place? {
    let isLong = digits >= 10_000_000_000_000_000
    let whole = (isLong ? 17 : 16) + exponent
    guard whole >= 1 && whole < 16 else { return nil }
    let seventeen = isLong ? digits : digits &* 10
    let high = seventeen / 1_000_000_000
    let low = seventeen &- high &* 1_000_000_000
    let first = eightDigits(high) | zeroDigits
    let second = eightDigits(low / 10) | zeroDigits
    if whole < 8 {
      storeWithPoint(first, at: start, whole: whole)
      UnsafeMutableRawPointer(start + 9).storeBytes(of: second.littleEndian, as: UInt64.self)
    } else {
      UnsafeMutableRawPointer(start).storeBytes(of: first.littleEndian, as: UInt64.self)
      storeWithPoint(second, at: start + 8, whole: whole - 8)
    }
    (start + 17).pointee = digit(low % 10)
    return start + (isLong ? 18 : 17)
  }

  /// Stores eight digits with a point behind the first up to seven: nine bytes.
  @inline(__always)
  private static func storeWithPoint(_ digits: UInt64, at place: Place, whole: Int) {
    let shift = UInt64(truncatingIfNeeded: 8 * whole)
    let before = digits & (1 &<< shift &- 1)
    let text = before | 0x2E &<< shift | (digits ^ before) &<< 8
    UnsafeMutableRawPointer(place).storeBytes(of: text.littleEndian, as: UInt64.self)
    (place + 8).pointee = UInt8(truncatingIfNeeded: digits >> 56)
  }
}
