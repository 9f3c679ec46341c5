/// Numbers as JSON text, written through a pointer.
///
/// A double is written in the fewest digits that read back to it, whole numbers without a point
/// and −0 as 0; below 10⁻⁶ and from 10²¹ on with an exponent.
enum NumberText {
  static let maxIntegerLength = 20
  static let maxDoubleLength = 32

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
    if magnitude < 10 {
      start.pointee = digit(magnitude)
      return start + 1
    }
    let end = start + digitCount(magnitude)
    writeDigits(magnitude, before: end)
    return end
  }

  /// Writes all digits of a number so that the last is just before `end`.
  @inline(__always)
  private static func writeDigits(_ value: UInt, before end: Place) {
    var place = end
    var rest = value
    while rest >= 100 {
      let quotient = rest / 100
      place -= 2
      write(pair: rest &- quotient &* 100, at: place)
      rest = quotient
    }
    if rest >= 10 {
      write(pair: rest, at: place - 2)
    } else {
      (place - 1).pointee = digit(rest)
    }
  }

  @inline(__always)
  private static func digit(_ value: UInt) -> UInt8 {
    UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
  }

  @inline(__always)
  private static func write(pair: UInt, at place: Place) {
    let tens = (pair &* 103) >> 10
    place.pointee = digit(tens)
    (place + 1).pointee = digit(pair &- tens &* 10)
  }

  @inline(__always)
  private static func digitCount(_ value: UInt) -> Int {
    // Numbers of a layout are short: a few comparisons beat a table.
    if value < 100_000 {
      return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : value < 10_000 ? 4 : 5
    }
    if value < 10_000_000_000 {
      return value < 10_000_000
        ? (value < 1_000_000 ? 6 : 7)
        : value < 100_000_000 ? 8 : value < 1_000_000_000 ? 9 : 10
    }
    return 10 + digitCountOfRest(value / 10_000_000_000)
  }

  private static func digitCountOfRest(_ value: UInt) -> Int {
    var count = 0
    var rest = value
    while rest > 0 {
      count += 1
      rest /= 10
    }
    return count
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
    let thousandths = UInt(value * 1000 + 0.5)
    guard Double(thousandths) / 1000 == value else { return nil }
    let whole = thousandths / 1000
    let fraction = thousandths &- whole &* 1000
    let end = write(magnitude: whole, at: start)
    end.pointee = UInt8(ascii: ".")
    let tenths = fraction / 100
    let rest = fraction &- tenths &* 100
    (end + 1).pointee = digit(tenths)
    if rest == 0 { return end + 2 }
    write(pair: rest, at: end + 2)
    return (end + 3).pointee == UInt8(ascii: "0") ? end + 3 : end + 4
  }

  private static func write(_ decimal: ShortestDecimal, at start: Place) -> Place {
    var digits = UInt(decimal.digits)
    var exponent = decimal.exponent
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    let count = digitCount(digits)
    /// How many digits come before the point.
    let whole = count + exponent
    if exponent >= 0 && whole <= 21 {
      writeDigits(digits, before: start + count)
      (start + count).update(repeating: UInt8(ascii: "0"), count: exponent)
      return start + whole
    }
    if (1..<count).contains(whole) {
      writeDigits(digits, before: start + count + 1)
      start.update(from: start + 1, count: whole)
      (start + whole).pointee = UInt8(ascii: ".")
      return start + count + 1
    }
    if (-5...0).contains(whole) {
      start.update(repeating: UInt8(ascii: "0"), count: 2 - whole)
      (start + 1).pointee = UInt8(ascii: ".")
      let end = start + 2 - whole + count
      writeDigits(digits, before: end)
      return end
    }
    var end = start + count
    if count == 1 {
      start.pointee = digit(digits)
    } else {
      writeDigits(digits, before: end + 1)
      start.pointee = (start + 1).pointee
      (start + 1).pointee = UInt8(ascii: ".")
      end += 1
    }
    end.pointee = UInt8(ascii: "e")
    return write(whole - 1, at: end + 1)
  }
}
