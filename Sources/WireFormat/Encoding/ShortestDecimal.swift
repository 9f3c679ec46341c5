/// The shortest decimal that reads back to a double, and of those the closest: `digits` · 10^`exponent`.
///
/// For a double *v* the decimals that read back to it are those in its rounding interval. Scaled by a
/// power of ten so that the interval is some units wide, it holds a multiple of ten units, or else
/// one or two multiples of one unit beside *v*; the scaling needs one 128-bit factor, and rounding
/// to odd keeps all comparisons exact.
///
/// Ours rather than `description` because sums like 123.45 + 123.45 + … have 16 and 17 digits
/// and a query's answer is made of them: this takes a quarter of the time, writes in place and
/// allocates nothing.
///
/// Most values are clearly on one side of every comparison, with one product instead of three and its
/// lowest bits left out; the others go the long way.
///
/// Source: Raffaello Giulietti, "The Schubfach way to render doubles", 2020.
struct ShortestDecimal {
  let digits: UInt64
  let exponent: Int

  /// - Precondition: The value is finite and greater than 0.
  @inline(__always)
  init(_ value: Double) {
    self = Self(clear: value) ?? Self(exact: value)
  }

  /// A value's binary form, c · 2^q, and the scaling by 10^−k that makes it 16 or 17 digits.
  private struct Scaling {
    let c: UInt64
    let isLowerCloser: Bool
    let k: Int
    let h: UInt64
    let power: PowersOfTen.Power

    @inline(__always)
    init(_ value: Double) {
      let fraction = value.significandBitPattern
      let biased = Int(value.exponentBitPattern)
      c = biased == 0 ? fraction : fraction | 1 << 52
      let q = max(biased, 1) - 1075
      isLowerCloser = fraction == 0 && biased > 1
      k = (q &* 1_262_611 &- (isLowerCloser ? 524_031 : 0)) >> 22
      h = UInt64(truncatingIfNeeded: q &+ (0 &- k &* 1_741_647) >> 19 &+ 1)
      power = PowersOfTen[-k]
    }
  }

  /// The decimal of a value that is clearly inside of its own rounding interval or not, and clearly
  /// nearer to one decimal than to another; `nil` for one that is not.
  ///
  /// Distances are in units of 2^−60 of the last digit. What is left out of the product and of half
  /// the interval makes less than three of them.
  private init?(clear value: Double) {
    let scaling = Scaling(value)
    // The product is four times the value.
    let factor = (4 * scaling.c) &<< scaling.h
    let carried = scaling.power.low.multipliedFullWidth(by: factor).high
    let product = scaling.power.high.multipliedFullWidth(by: factor)
    let (middle, carry) = product.low.addingReportingOverflow(carried)
    let high = product.high &+ (carry ? 1 : 0)
    let units = high / 4
    guard units >= 10, !scaling.isLowerCloser else { return nil }
    let fraction = high << 62 | middle >> 2

    let margin: UInt64 = 8
    let half = scaling.power.high &>> (5 &- scaling.h)
    let tens = units / 10
    let aboveTens = (units &- 10 &* tens) << 60 | fraction >> 4
    let belowNext = 10 << 60 &- aboveTens
    if aboveTens < half &+ margin || belowNext < half &+ margin {
      let isAbove = belowNext < aboveTens
      guard min(aboveTens, belowNext) &+ margin < half, max(aboveTens, belowNext) > half &+ margin
      else { return nil }
      digits = tens + (isAbove ? 1 : 0)
      exponent = scaling.k + 1
      return
    }
    let middleDistance = Int64(bitPattern: fraction &- 1 << 63)
    guard middleDistance.magnitude > margin << 4 else { return nil }
    digits = units + (middleDistance > 0 ? 1 : 0)
    exponent = scaling.k
  }

  private init(exact value: Double) {
    let scaling = Scaling(value)
    let (c, h, power) = (scaling.c, scaling.h, scaling.power)
    let isEven: UInt64 = c & 1 == 0 ? 0 : 1
    let below: UInt64 = scaling.isLowerCloser ? 1 : 2
    let lower = Self.scaledRoundedToOdd(power, (4 * c - below) &<< h) &+ isEven
    let scaled = Self.scaledRoundedToOdd(power, (4 * c) &<< h)
    let upper = Self.scaledRoundedToOdd(power, (4 * c + 2) &<< h) &- isEven

    let units = scaled / 4
    if units >= 10 {
      let tens = units / 10
      let isBelowInside = lower <= 40 * tens
      let isAboveInside = 40 * tens + 40 <= upper
      if isBelowInside != isAboveInside {
        digits = tens + (isAboveInside ? 1 : 0)
        exponent = scaling.k + 1
        return
      }
    }
    let isBelowInside = lower <= 4 * units
    let isAboveInside = 4 * units + 4 <= upper
    exponent = scaling.k
    if isBelowInside != isAboveInside {
      digits = units + (isAboveInside ? 1 : 0)
    } else {
      let middle = 4 * units + 2
      let roundsUp = scaled > middle || (scaled == middle && units & 1 == 1)
      digits = units + (roundsUp ? 1 : 0)
    }
  }

  /// The product's integer part, its lowest bit set when anything was cut off.
  @inline(__always)
  private static func scaledRoundedToOdd(_ power: PowersOfTen.Power, _ factor: UInt64) -> UInt64 {
    let low = power.low.multipliedFullWidth(by: factor)
    let high = power.high.multipliedFullWidth(by: factor)
    let (middle, carry) = high.low.addingReportingOverflow(low.high)
    return (high.high &+ (carry ? 1 : 0)) | (middle > 1 ? 1 : 0)
  }
}

/// 10^e as the 128 leading bits of its binary form, rounded up.
private struct PowersOfTen {
  struct Power {
    var high: UInt64
    var low: UInt64
  }

  private static let exponents = -292...324
  private static let powers: [Power] = (negativePowers() + positivePowers())

  @inline(__always)
  static subscript(exponent: Int) -> Power { powers[exponent - exponents.lowerBound] }

  /// A natural number in 32-bit limbs, the lowest first.
  private typealias Natural = [UInt32]

  /// 10^0, 10^1, …, each made from the one before.
  private static func positivePowers() -> [Power] {
    var number: Natural = [1]
    return (0...exponents.upperBound).map { exponent in
      if exponent > 0 {
        var carry: UInt64 = 0
        for index in number.indices {
          let product = UInt64(number[index]) * 10 + carry
          number[index] = UInt32(truncatingIfNeeded: product)
          carry = product >> 32
        }
        if carry > 0 { number.append(UInt32(carry)) }
      }
      return leadingBits(of: number, isCut: false)
    }
  }

  /// 10^−292, …, 10^−1, by dividing a large power of two again and again.
  private static func negativePowers() -> [Power] {
    var number = Natural(repeating: 0, count: 40)
    number.append(1)
    var powers: [Power] = []
    for _ in 1...(-exponents.lowerBound) {
      var remainder: UInt64 = 0
      for index in number.indices.reversed() {
        let value = remainder << 32 | UInt64(number[index])
        number[index] = UInt32(value / 10)
        remainder = value % 10
      }
      if number.last == 0 { number.removeLast() }
      powers.append(leadingBits(of: number, isCut: true))
    }
    return powers.reversed()
  }

  /// The 128 leading bits, rounded up.
  ///
  /// - Parameter isCut: Whether the number has been cut off below already.
  private static func leadingBits(of number: Natural, isCut: Bool) -> Power {
    let bitCount = number.count * 32 - number[number.count - 1].leadingZeroBitCount
    func bit(_ index: Int) -> UInt64 {
      index < 0 ? 0 : UInt64(number[index / 32] >> UInt32(index % 32) & 1)
    }
    var (high, low) = (UInt64(0), UInt64(0))
    for index in 0..<64 {
      high = high << 1 | bit(bitCount - 1 - index)
      low = low << 1 | bit(bitCount - 65 - index)
    }
    let hasMore = isCut || (0..<max(0, bitCount - 128)).contains { bit($0) == 1 }
    if hasMore {
      low &+= 1
      if low == 0 { high += 1 }
    }
    return Power(high: high, low: low)
  }
}
