/// The shortest decimals behind the point that read back to a double of at least 1, and the closest
/// of those.
///
/// With *s* bits behind the binary point, the distance between doubles is 2^−*s*. So *d* = ⌈*s* ·
/// log₁₀ 2⌉ decimals always suffice. One decimal less suffices if one of the two neighbours with
/// *d* − 1 decimals is in the rounding interval. At most one can be, and it ends in zeros if even
/// fewer suffice. Distances are counted in units of the last decimal, with 64 bits for fractions of
/// a unit. They are exact in 128 bits.
///
/// This is used instead of `description`, because most coordinates are such numbers, especially
/// sums like 123.45 + 123.45 + …, which have 16 or 17 digits. It is much faster. All numbers that
/// depend on *s* alone are in a table, so a number only needs three multiplications.
///
/// Source: the choice among candidates is from Raffaello Giulietti, "The Schubfach way to render
/// doubles", 2020.
struct ShortestFraction {
  /// The part before the point.
  let whole: UInt
  /// The decimals as a whole number of ``count`` digits, with zeros at the end. It is never 0. It
  /// is below 10^``count``, because the next whole number is a double too, and not nearer than
  /// 2^−*s*, which is at least one unit.
  let decimals: UInt
  /// The number of digits in ``decimals``: 9, 12 or 18.
  let count: Int

  /// Doubles of at least 2^52 are whole.
  static let range = 1.0..<0x1p52

  /// The numbers that follow from the number of bits behind the point.
  struct Precision {
    fileprivate let count: Int
    /// 10 to the power of ``count`` − *d*, and 10 to the power of *d* − 1.
    fileprivate let scale: UInt
    fileprivate let power: UInt
    /// Half the distance between two doubles, and ten units minus this.
    fileprivate let reach: UInt128
    fileprivate let reachFromTen: UInt128

    fileprivate init(bits: Int) {
      // 1,233 / 4,096 is a sufficient approximation of log₁₀ 2 for so few bits.
      let decimals = (bits * 1233) >> 12 + 1
      count = decimals <= 9 ? 9 : decimals <= 12 ? 12 : 18
      scale = (decimals..<count).reduce(1) { power, _ in power * 10 }
      power = (1..<decimals).reduce(1) { power, _ in power * 10 }
      reach = UInt128(power * 10) << (63 - bits)
      reachFromTen = 10 << 64 - reach
    }
  }

  /// A table for 1 to 52 bits. The entry 0 must not be used.
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

    /// The part behind the point, in units of 2^−64. The rest is shifted out.
    let fraction = pattern &<< (64 &- bits)
    let (tens, rest) = precision.pointee.power.multipliedFullWidth(by: fraction)
    let (last, part) = rest.multipliedFullWidth(by: 10)
    let distanceBelow = UInt128(last) << 64 | UInt128(part)
    // The ends of the interval belong to it if the significand is even.
    let odd = UInt128(pattern & 1)
    let isBelowInside: UInt = distanceBelow &+ odd <= precision.pointee.reach ? 1 : 0
    let isAboveInside: UInt = distanceBelow >= precision.pointee.reachFromTen &+ odd ? 1 : 0
    let units = tens &* 10
    let roundsUp: UInt = part &+ (last & 1) > 1 << 63 ? 1 : 0
    // This has no branches, because they could not be predicted: the case varies from sum to sum.
    let mask = (isBelowInside | isAboveInside) &- 1
    let rounding = 10 &* isAboveInside &+ (last &+ roundsUp) & mask
    decimals = (units &+ rounding) &* precision.pointee.scale
  }
}
