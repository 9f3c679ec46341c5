/// The shortest decimals behind the point that let a double of at least 1 be read back, and of
/// those the closest.
///
/// With *s* bits behind the binary point the doubles lie 2^−*s* apart. So *d* = ⌈*s* · log₁₀ 2⌉
/// decimals always suffice, and one decimal less does where one of the two neighbours with *d* − 1
/// decimals is in the rounding interval; no more than one can be, and it ends in zeros where fewer
/// suffice. Distances are in units of the last decimal and their 2^64th parts, 128 bits together,
/// in which all of them are exact.
///
/// Ours rather than `description` because most coordinates are such numbers, above all sums like
/// 123.45 + 123.45 + …, which have 16 and 17 digits: an answer of them takes a quarter of the time.
/// What depends on *s* alone is looked up, so that a number waits for three multiplications.
///
/// Source: the choice among candidates is that of Raffaello Giulietti, "The Schubfach way to render
/// doubles", 2020.
struct ShortestFraction {
  /// The part before the point.
  let whole: UInt
  /// The decimals as a whole number of ``count`` digits, zeros at the end included; never 0, and
  /// less than 10^``count``: the next whole number is itself a double, no nearer than 2^−*s*, which
  /// is no less than a unit.
  let decimals: UInt
  /// 9, 12 or 18.
  let count: Int

  /// Doubles of at least 2^52 are whole.
  static let range = 1.0..<0x1p52

  /// What follows from the number of bits behind the point.
  struct Precision {
    fileprivate let count: Int
    /// 10 to the power of ``count`` − *d*, and of *d* − 1.
    fileprivate let scale: UInt
    fileprivate let power: UInt
    /// Half the distance between two doubles, and how far that is from ten units.
    fileprivate let reach: UInt128
    fileprivate let reachFromTen: UInt128

    fileprivate init(bits: Int) {
      // 1,233 / 4,096 is log₁₀ 2 for so few bits.
      let decimals = (bits * 1233) >> 12 + 1
      count = decimals <= 9 ? 9 : decimals <= 12 ? 12 : 18
      scale = (decimals..<count).reduce(1) { power, _ in power * 10 }
      power = (1..<decimals).reduce(1) { power, _ in power * 10 }
      reach = UInt128(power * 10) << (63 - bits)
      reachFromTen = 10 << 64 - reach
    }
  }

  /// A table by the number of bits, 1 to 52; the first entry is not to be used.
  static func precisions() -> UnsafePointer<Precision> {
    let table = UnsafeMutablePointer<Precision>.allocate(capacity: 53)
    for bits in 0...52 { (table + bits).initialize(to: Precision(bits: max(1, bits))) }
    return UnsafePointer(table)
  }

  /// - Precondition: The value is in ``range`` and not whole.
  /// - Parameter precisions: A table that ``precisions()`` made.
  @inline(__always)
  init(_ value: Double, _ precisions: UnsafePointer<Precision>) {
    let pattern = UInt(value.bitPattern)
    let bits = 1075 &- value.exponentBitPattern
    let precision = precisions + Int(bitPattern: bits)
    whole = (pattern & (1 << 52 - 1) | 1 << 52) &>> bits
    count = precision.pointee.count

    /// What is behind the point, in 2^64th parts of 1: the rest is shifted out.
    let fraction = pattern &<< (64 &- bits)
    let (tens, rest) = precision.pointee.power.multipliedFullWidth(by: fraction)
    let (last, part) = rest.multipliedFullWidth(by: 10)
    let distanceBelow = UInt128(last) << 64 | UInt128(part)
    // The ends of the interval belong to it when the significand is even.
    let odd = UInt128(pattern & 1)
    let isBelowInside: UInt = distanceBelow &+ odd <= precision.pointee.reach ? 1 : 0
    let isAboveInside: UInt = distanceBelow >= precision.pointee.reachFromTen &+ odd ? 1 : 0
    let units = tens &* 10
    let roundsUp: UInt = part &+ (last & 1) > 1 << 63 ? 1 : 0
    // Without branches: which of these holds is as good as random from sum to sum.
    let mask = (isBelowInside | isAboveInside) &- 1
    let rounding = 10 &* isAboveInside &+ (last &+ roundsUp) & mask
    decimals = (units &+ rounding) &* precision.pointee.scale
  }
}
