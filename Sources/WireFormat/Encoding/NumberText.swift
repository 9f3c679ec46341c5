/// Numbers as JSON text, written through a pointer.
///
/// A double is written in the fewest digits that read back to it, whole numbers without a point
/// and −0 as 0; below 10⁻⁶ and from 10²¹ on with an exponent.
///
/// A hot path: half of what a query's answer costs is its numbers. So digits are made eight at a
/// time in one register, and stored whole: a text may be followed by a few bytes of rubbish, for
/// which the lengths below have room. This took half the time of a pair of digits after the other.
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
    let high = value / 100_000_000
    let end = write(magnitude: high, at: start)
    store(eightDigits(value &- high &* 100_000_000), at: end)
    return end + 8
  }

  /// Stores digits that `eightDigits` made.
  @inline(__always)
  private static func store(_ digits: UInt64, at place: Place) {
    UnsafeMutableRawPointer(place).storeBytes(
      of: (digits | zeroDigits).littleEndian, as: UInt64.self)
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
    return digits(ofFours: high | (value &- high &* 10_000) << 32)
  }

  /// The values of the digits of two numbers below 10,000, each in half of the register.
  @inline(__always)
  private static func digits(ofFours fours: UInt64) -> UInt64 {
    let hundreds = (fours &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) << 16
    let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) << 8
  }

  /// - Precondition: The value is finite.
  @inline(__always)
  static func write(_ value: Double, at start: Place) -> Place {
    write(value, at: start) { writeShortDecimal($0, at: $1) ?? writeLongFraction($0, at: $1) }
  }

  /// Writes a number that is likely to be a sum of others: unless it is whole, rounding has left it
  /// with many decimals. The text is the same.
  ///
  /// - Precondition: The value is finite.
  @inline(__always)
  static func write(sum value: Double, at start: Place) -> Place {
    write(value, at: start) {
      ShortestFraction.range.contains($0)
        ? write(ShortestFraction($0), at: $1) : writeFraction($0, at: $1)
    }
  }

  @inline(__always)
  private static func write(
    _ value: Double, at start: Place, fraction writeFraction: (_ magnitude: Double, Place) -> Place
  ) -> Place {
    var start = start
    if value < 0 {
      start.pointee = UInt8(ascii: "-")
      start += 1
    }
    let magnitude = value.magnitude
    let (nearest, integer) = rounded(magnitude)
    return nearest == magnitude
      ? write(magnitude: integer, at: start) : writeFraction(magnitude, start)
  }

  /// The nearest whole number, as a double and as an integer; for values from 2^52 on anything but
  /// the value.
  ///
  /// Adding 2^52 leaves no bits behind the point, and the integer in the lowest ones. Conversions
  /// there and back would check the range, and take twice as long.
  @inline(__always)
  private static func rounded(_ value: Double) -> (nearest: Double, integer: UInt) {
    guard value < 0x1p52 else { return (.nan, 0) }
    let shifted = value + 0x1p52
    return (shifted - 0x1p52, UInt(truncatingIfNeeded: shifted.significandBitPattern))
  }

  /// - Precondition: The value is not negative.
  @inline(never)
  private static func writeFraction(_ magnitude: Double, at start: Place) -> Place {
    writeShortDecimal(magnitude, at: start) ?? writeLongFraction(magnitude, at: start)
  }

  /// Writes a value that is no short decimal.
  @inline(never)
  private static func writeLongFraction(_ magnitude: Double, at start: Place) -> Place {
    precondition(magnitude.isFinite, "\(magnitude) has no JSON text")
    return ShortestFraction.range.contains(magnitude)
      ? write(ShortestFraction(magnitude), at: start)
      : writeDigits(of: magnitude, at: start)
  }

  /// Writes a value of at most three decimals and fifteen digits; `nil` for any other.
  ///
  /// Decimals of up to fifteen digits are all different doubles, so if one is equal to the
  /// value it is, without its final zeros, the shortest. Sizes are mostly such, and this takes half
  /// the instructions that others do.
  @inline(__always)
  private static func writeShortDecimal(_ value: Double, at start: Place) -> Place? {
    guard value < 1e12 else { return nil }
    let (nearest, thousandths) = rounded(value * 1000)
    guard nearest / 1000 == value else { return nil }
    if thousandths < 100_000_000 { return writeThousandths(eightDigits(thousandths), at: start) }
    let whole = thousandths / 1000
    let point = write(magnitude: whole, at: start)
    // Three decimals as the last of eight digits.
    let decimals = eightDigits(thousandths &- whole &* 1000) >> 40
    point.pointee = UInt8(ascii: ".")
    store(decimals, at: point + 1)
    return point + 9 - decimals.leadingZeroBitCount / 8
  }

  /// Writes five digits, a point and three decimals, without zeros at either end.
  ///
  /// - Parameter digits: All eight as `eightDigits` makes them; a decimal is not 0.
  @inline(__always)
  private static func writeThousandths(_ digits: UInt64, at start: Place) -> Place {
    let text = digits | zeroDigits
    // At least one digit before the point.
    let zeros = min(digits.trailingZeroBitCount, 32) & ~7
    UnsafeMutableRawPointer(start).storeBytes(
      of: (text &>> UInt64(zeros)).littleEndian, as: UInt64.self)
    let point = start + (5 - zeros / 8)
    // Over the decimals, which come one place further on.
    let pointAndDecimals =
      UInt32(truncatingIfNeeded: text >> 32) & ~0xFF | UInt32(UInt8(ascii: "."))
    UnsafeMutableRawPointer(point).storeBytes(of: pointAndDecimals.littleEndian, as: UInt32.self)
    return point + (4 - digits.leadingZeroBitCount / 8)
  }

  @inline(__always)
  private static func write(_ number: ShortestFraction, at start: Place) -> Place {
    let point = write(magnitude: number.whole, at: start)
    point.pointee = UInt8(ascii: ".")
    // From 8192 on there are no more.
    if number.count <= 12 {
      let twelve = number.decimals(12)
      let high = twelve / 10_000
      let first = eightDigits(high)
      let last = UInt32(
        truncatingIfNeeded: digits(ofFours: UInt64(twelve &- high &* 10_000)))
      store(first, at: point + 1)
      UnsafeMutableRawPointer(point + 9).storeBytes(
        of: (last | UInt32(truncatingIfNeeded: zeroDigits)).littleEndian, as: UInt32.self)
      let lastEight = first >> 32 | UInt64(last) << 32
      return lastEight == 0
        ? point + 9 - first.leadingZeroBitCount / 8 : point + 13 - lastEight.leadingZeroBitCount / 8
    }
    let decimals = number.decimals(16)
    let high = decimals / 100_000_000
    let low = decimals &- high &* 100_000_000
    let first = eightDigits(high)
    store(first, at: point + 1)
    if low == 0 { return point + 9 - first.leadingZeroBitCount / 8 }
    let second = eightDigits(low)
    store(second, at: point + 9)
    return point + 17 - second.leadingZeroBitCount / 8
  }

  /// Writes the digits of the standard library's text; seldom used.
  private static func writeDigits(of value: Double, at start: Place) -> Place {
    var (digits, exponent) = decimal(of: value)
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
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

  /// The shortest decimal that reads back, and of those the closest, by the standard library:
  /// digits · 10^exponent.
  private static func decimal(of value: Double) -> (digits: UInt, exponent: Int) {
    var digits: UInt = 0
    var decimals = 0
    var exponent = 0
    var (isBehindPoint, isInExponent, isExponentNegative) = (false, false, false)
    for byte in value.description.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = byte - UInt8(ascii: "0")
        if isInExponent {
          exponent = exponent * 10 + Int(digit)
        } else {
          digits = digits * 10 + UInt(digit)
          if isBehindPoint { decimals += 1 }
        }
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "e"): isInExponent = true
      case UInt8(ascii: "-"): isExponentNegative = true
      default: break
      }
    }
    return (digits, (isExponentNegative ? -exponent : exponent) - decimals)
  }
}
