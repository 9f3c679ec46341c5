/// Numbers as JSON text, written through a pointer.
///
/// A double is written in the fewest digits that read back to it, whole numbers without a point
/// and −0 as 0.
enum NumberText {
  static let maxIntegerLength = 20
  static let maxDoubleLength = 32

  @inline(__always)
  static func write(
    _ value: Int, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var start = start
    if value < 0 {
      start.pointee = UInt8(ascii: "-")
      start += 1
    }
    return write(magnitude: value.magnitude, at: start)
  }

  private static func write(
    magnitude: UInt, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let end = start + digitCount(magnitude)
    var place = end
    var rest = magnitude
    while rest >= 100 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      place -= 2
      write(pair: pair, at: place)
      rest = quotient
    }
    if rest >= 10 {
      write(pair: rest, at: place - 2)
    } else {
      (place - 1).pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
    }
    return end
  }

  @inline(__always)
  private static func write(pair: UInt, at place: UnsafeMutablePointer<UInt8>) {
    let tens = (pair &* 103) >> 10
    place.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens)
    (place + 1).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair &- tens &* 10)
  }

  @inline(__always)
  private static func digitCount(_ value: UInt) -> Int {
    var count = 1
    var bound: UInt = 10
    while value >= bound {
      count += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { return count }
      bound = next
    }
    return count
  }

  /// - Precondition: The value is finite.
  @inline(__always)
  static func write(
    _ value: Double, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    if value.magnitude < 0x1p53 {
      let integer = Int(value)
      if Double(integer) == value { return write(integer, at: start) }
      if let end = writeShortDecimal(value, at: start) { return end }
    }
    return writeShortest(value, at: start)
  }

  /// Writes a value of at most three decimals and fifteen digits; `nil` for any other.
  ///
  /// Decimals of up to fifteen digits are all different doubles, so if one is equal to the
  /// value it is, without its final zeros, the shortest.
  private static func writeShortDecimal(
    _ value: Double, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8>? {
    guard value.magnitude < 1e12 else { return nil }
    let thousandths = Int(value * 1000 + (value < 0 ? -0.5 : 0.5))
    guard Double(thousandths) / 1000 == value else { return nil }
    var end = start
    if value < 0 {
      end.pointee = UInt8(ascii: "-")
      end += 1
    }
    let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    end = write(magnitude: whole, at: end)
    end.pointee = UInt8(ascii: ".")
    let (tenths, rest) = fraction.quotientAndRemainder(dividingBy: 100)
    (end + 1).pointee = UInt8(ascii: "0") + UInt8(tenths)
    if rest == 0 { return end + 2 }
    write(pair: rest, at: end + 2)
    return rest % 10 == 0 ? end + 3 : end + 4
  }

  @inline(never)
  private static func writeShortest(
    _ value: Double, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    precondition(value.isFinite, "\(value) has no JSON text")
    var end = start
    var text = value.description
    if text.hasSuffix(".0") { text.removeLast(2) }
    for byte in text.utf8 {
      end.pointee = byte
      end += 1
    }
    return end
  }
}
