import CollectionLayout

/// Writes numbers as JSON text through a pointer.
///
/// A double is written with the fewest digits that read back to it, and a coordinate with the
/// fewest that tell its multiple of 1/1024 from any other. Whole numbers have no decimal point, and
/// −0 is 0. Numbers below 10⁻⁶ and from 10²¹ on have an exponent, as in ECMAScript.
///
/// This is a hot path: numbers are a large part of the cost of an answer. So tables have the digits
/// of the numbers below 1,000 and of the multiples of 1/1024, and four or eight bytes are stored at
/// a time. This may leave a few bytes of garbage behind the text, for which the lengths below have
/// room.
///
/// `@unchecked Sendable`: the tables are written before they are shared. Afterwards they are only
/// read.
struct NumberText: @unchecked Sendable {
  /// The room to reserve for a number, in bytes. It is more than the longest text.
  static let maxIntegerLength = 32
  static let maxDoubleLength = 40

  typealias Place = UnsafeMutablePointer<UInt8>

  /// The texts of the numbers below 1,000.
  private let threes: UnsafePointer<ThreeDigits>
  /// The texts of the multiples of 1/1024 below 1.
  private let fractions: UnsafePointer<StepFraction>

  /// Uses tables that all instances share. Make an instance before a loop, not inside it.
  init() { self = Self.shared }

  private static let shared = {
    let threes = UnsafeMutablePointer<ThreeDigits>.allocate(capacity: 1000)
    for number in 0..<1000 { (threes + number).initialize(to: ThreeDigits(UInt32(number))) }
    let fractions = UnsafeMutablePointer<StepFraction>.allocate(capacity: 1024)
    for steps in 0..<1024 { (fractions + steps).initialize(to: StepFraction(steps)) }
    return NumberText(threes: threes, fractions: fractions)
  }()

  private init(threes: UnsafePointer<ThreeDigits>, fractions: UnsafePointer<StepFraction>) {
    self.threes = threes
    self.fractions = fractions
  }

  /// - Parameter number: A number below 1,000.
  @inline(__always)
  private subscript(number: some FixedWidthInteger & UnsignedInteger) -> ThreeDigits {
    threes[Int(truncatingIfNeeded: number)]
  }

  @inline(__always)
  func write(_ value: Int, at start: Place) -> Place {
    if value < 0 {
      start.pointee = UInt8(ascii: "-")
      return write(magnitude: value.magnitude, at: start + 1)
    }
    return write(magnitude: UInt(bitPattern: value), at: start)
  }

  @inline(__always)
  func write(magnitude: UInt, at start: Place) -> Place {
    if magnitude < 1000 { return self[magnitude].writeNumber(at: start) }
    let thousands = magnitude / 1000
    let end: Place
    if thousands < 1000 {
      end = self[thousands].writeNumber(at: start)
    } else if thousands < 1_000_000 {
      let millions = thousands / 1000
      let first = self[millions].writeNumber(at: start)
      self[thousands &- millions &* 1000].store(at: first)
      end = first + 3
    } else {
      end = writeLong(thousands, at: start)
    }
    self[magnitude &- thousands &* 1000].store(at: end)
    return end + 3
  }

  /// Like `write(magnitude:at:)`. That function is inlined, so it cannot call itself.
  @inline(never)
  private func writeLong(_ magnitude: UInt, at start: Place) -> Place {
    write(magnitude: magnitude, at: start)
  }

  /// Writes a coordinate that the layout computed: its nearest multiple of 1/1024, with the fewest
  /// decimals whose value is nearer to this multiple than to any other. From 2⁴² on the text is
  /// that of `write(_:at:)`.
  ///
  /// - Precondition: The value is finite.
  @inline(__always)
  func write(coordinate value: Double, at start: Place) -> Place {
    guard Self.isPlain(value, below: Self.coordinateEnd) else {
      return writeRareCoordinate(value, at: start)
    }
    let steps = Int(value * 1024 + 0.5)
    let point = write(magnitude: UInt(bitPattern: steps >> 10), at: start)
    return fractions[steps & 1023].write(at: point)
  }

  /// From here on, every double is a multiple of 1/1024.
  private static let coordinateEnd = 0x1p42

  /// Writes a coordinate below 0, or one that is too large for its fraction to be written.
  @inline(never)
  private func writeRareCoordinate(_ value: Double, at start: Place) -> Place {
    guard value.magnitude < Self.coordinateEnd else { return writeAny(value, at: start) }
    let isNegative = Int(value.magnitude * 1024 + 0.5) > 0
    if isNegative { start.pointee = UInt8(ascii: "-") }
    return write(coordinate: value.magnitude, at: isNegative ? start + 1 : start)
  }

  /// - Precondition: The value is finite.
  @inline(__always)
  func write(_ value: Double, at start: Place) -> Place {
    guard Self.isPlain(value, below: Self.shortDecimalEnd) else {
      return writeAny(value, at: start)
    }
    let (nearest, integer) = Self.rounded(value)
    if nearest == value { return write(magnitude: integer, at: start) }
    return writeShortDecimal(value, at: start) ?? writeDigits(of: value, at: start)
  }

  @inline(__always)
  func write(
    _ coordinate: Double, _ precision: CoordinatePrecision, at start: Place
  ) -> Place {
    precision == .readable ? write(coordinate: coordinate, at: start) : write(coordinate, at: start)
  }

  /// Whether 0 ≤ `value` < `limit`; −0 does not count. The bit patterns of such values have the
  /// same order as the values, so one comparison is enough.
  @inline(__always)
  private static func isPlain(_ value: Double, below limit: Double) -> Bool {
    value.bitPattern < limit.bitPattern
  }

  /// The nearest whole number, as a double and as an integer.
  ///
  /// Adding 2^52 removes all bits behind the point and puts the integer into the lowest bits. This
  /// is faster than converting, which checks the range twice.
  ///
  /// - Precondition: 0 ≤ `value` < 2^52.
  @inline(__always)
  private static func rounded(_ value: Double) -> (nearest: Double, integer: UInt) {
    let shifted = value + 0x1p52
    return (shifted - 0x1p52, UInt(truncatingIfNeeded: shifted.significandBitPattern))
  }

  /// Writes any number, also negative, large and very small ones.
  @inline(never)
  private func writeAny(_ value: Double, at start: Place) -> Place {
    precondition(value.isFinite, "\(value) has no JSON text")
    let magnitude = value.magnitude
    var start = start
    if value < 0 {
      start.pointee = UInt8(ascii: "-")
      start += 1
    }
    if magnitude < 0x1p52 {
      let (nearest, integer) = Self.rounded(magnitude)
      if nearest == magnitude { return write(magnitude: integer, at: start) }
    }
    if magnitude < Self.shortDecimalEnd, let end = writeShortDecimal(magnitude, at: start) {
      return end
    }
    return writeDigits(of: magnitude, at: start)
  }

  /// Short decimals are below this limit, so they have at most fifteen digits.
  private static let shortDecimalEnd = 1e12

  /// Writes a value with one to three decimals; `nil` for any other value.
  ///
  /// Different decimals of up to fifteen digits are different doubles. So if such a decimal equals
  /// the value, it is the shortest, once its final zeros are removed. Most sizes that are given are
  /// short decimals.
  ///
  /// - Precondition: The value is not whole, and 0 ≤ `value` < ``shortDecimalEnd``.
  @inline(__always)
  private func writeShortDecimal(_ value: Double, at start: Place) -> Place? {
    let (nearest, thousandths) = Self.rounded(value * 1000)
    guard nearest / 1000 == value else { return nil }
    let whole = thousandths / 1000
    let point = write(magnitude: whole, at: start)
    point.pointee = UInt8(ascii: ".")
    let decimals = self[thousandths &- whole &* 1000]
    decimals.store(at: point + 1)
    return point + 1 + decimals.countWithoutZeros
  }

  /// Writes the digits that the standard library finds. This is rarely used.
  private func writeDigits(of value: Double, at start: Place) -> Place {
    var text = value.messageText
    return text.withUTF8 {
      start.update(from: $0.baseAddress!, count: $0.count)
      return start + $0.count
    }
  }
}

/// How exactly coordinates are written that the layout computed.
public enum CoordinatePrecision: Sendable {
  /// As short as tells a multiple of 1/1024 from any other: what people read.
  case readable
  /// With all digits: what is read as CBOR.
  case exact
}

/// The text of three digits, and facts about it, in one word.
private struct ThreeDigits {
  /// The lowest three bytes are the digits, the first one lowest. Above them is a bit for each
  /// digit that is not 0. The highest five bits are the number of bits that leading zeros take.
  private let bits: UInt32

  /// - Parameter number: A number below 1,000.
  init(_ number: UInt32) {
    let digits = [number / 100, number / 10 % 10, number % 10]
    var bits: UInt32 = 0
    for (index, digit) in digits.enumerated() {
      bits |= (digit | 0x30) << (8 * UInt32(index)) | (digit == 0 ? 0 : 1 << (24 + UInt32(index)))
    }
    // The number 0 keeps one digit.
    let zeros = digits.firstIndex { $0 != 0 } ?? 2
    self.bits = bits | UInt32(8 * zeros) << 27
  }

  /// The number of digits without zeros at the end.
  @inline(__always)
  var countWithoutZeros: Int { 32 &- (bits >> 24 & 7).leadingZeroBitCount }

  /// Stores all three digits, and one byte of garbage behind them.
  @inline(__always)
  func store(at place: NumberText.Place) {
    UnsafeMutableRawPointer(place).storeBytes(of: bits.littleEndian, as: UInt32.self)
  }

  /// Stores the digits without leading zeros, and garbage behind them.
  @inline(__always)
  func writeNumber(at start: NumberText.Place) -> NumberText.Place {
    let zeros = bits >> 27
    UnsafeMutableRawPointer(start).storeBytes(of: (bits &>> zeros).littleEndian, as: UInt32.self)
    return start + (3 &- Int(zeros / 8))
  }
}

/// The text of a multiple of 1/1024 below 1, with the point: `.333` for 341/1024.
private struct StepFraction {
  /// The lowest bytes are the text, the first character lowest. The highest byte is its length.
  private let bits: UInt64

  /// - Parameter steps: Below 1,024.
  init(_ steps: Int) {
    var text: [UInt8] = []
    if steps > 0 {
      for decimals in 1...4 {
        let scale = [1, 10, 100, 1000, 10_000][decimals]
        let nearest = (steps * scale + 512) / 1024
        text = Array(".\(String(nearest + scale).dropFirst())".utf8)
        // All is multiplied by 2,048 · scale: two multiples are 2 · scale apart.
        if abs(nearest * 2048 - 2 * steps * scale) < scale { break }
      }
    }
    bits = text.reversed().reduce(UInt64(text.count) << 56) { bits, byte in
      bits & 0xFF << 56 | (bits & (1 << 56 - 1)) << 8 | UInt64(byte)
    }
  }

  /// Stores the text, and garbage behind it.
  @inline(__always)
  func write(at start: NumberText.Place) -> NumberText.Place {
    UnsafeMutableRawPointer(start).storeBytes(of: bits.littleEndian, as: UInt64.self)
    return start + Int(bits >> 56)
  }
}
