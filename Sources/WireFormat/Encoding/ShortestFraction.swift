/// The shortest decimals behind the point that let a double of at least 1 be read back, and of
/// those the closest.
///
/// With *s* bits behind the binary point the doubles lie 2^−*s* apart. So *d* = ⌈*s* · log₁₀ 2⌉
/// decimals always suffice, and one decimal less does where one of the two neighbours with *d* − 1
/// decimals is in the rounding interval; no more than one can be, and it ends in zeros where fewer
/// suffice. The bits behind the point times 10^*d* fit in 128 bits, so that all comparisons are
/// exact.
///
/// Ours rather than `description` because most coordinates are such numbers, above all sums like
/// 123.45 + 123.45 + …, which have 16 and 17 digits: an answer of them takes a quarter of the time.
///
/// Source: the choice among candidates is that of Raffaello Giulietti, "The Schubfach way to render
/// doubles", 2020.
struct ShortestFraction {
  /// The part before the point.
  let whole: UInt
  /// The decimals as a whole number; never 0, and less than 10^``count``: the next whole number is
  /// itself a double, no nearer than 2^−*s*, which is no less than a unit.
  private let decimals: UInt
  /// How many decimals there are, zeros at the end included; at most 16.
  let count: Int

  /// Doubles of at least 2^52 are whole.
  static let range = 1.0..<0x1p52

  /// - Precondition: The value is in ``range`` and not whole.
  @inline(__always)
  init(_ value: Double) {
    let significand = UInt(truncatingIfNeeded: value.significandBitPattern | 1 << 52)
    let bits = 1075 &- value.exponentBitPattern
    let behindPoint: UInt = 1 &<< bits &- 1
    whole = significand &>> bits
    // 1,233 / 4,096 is log₁₀ 2 for so few bits.
    count = Int(truncatingIfNeeded: (bits &* 1233) >> 12 &+ 1)
    let power = powersOfTen[count]
    let product = power.multipliedFullWidth(by: significand & behindPoint)
    let units = product.high &<< (64 &- bits) | product.low &>> bits
    /// What was cut off, in 2^−s of a unit; as are the distances.
    let rest = product.low & behindPoint

    let last = units % 10
    let distanceBelow = last &<< bits | rest
    let distanceAbove = 10 &<< bits &- distanceBelow
    // The ends of the interval belong to it when the significand is even.
    let reach = power / 2 &- (significand & 1)
    let isBelowInside: UInt = distanceBelow <= reach ? 1 : 0
    let isAboveInside: UInt = distanceAbove <= reach ? 1 : 0
    let half: UInt = 1 &<< (bits &- 1)
    let roundsUp: UInt = rest &+ (units & 1) > half ? 1 : 0
    // Without branches: which of these holds is as good as random from sum to sum.
    let mask = 0 &- (isBelowInside | isAboveInside)
    let rounding = (10 &* isAboveInside &- last) & mask | roundsUp & ~mask
    decimals = units &+ rounding
  }

  /// The decimals as a whole number of so many digits.
  ///
  /// - Parameter count: No less than there are; at most 18.
  @inline(__always)
  func decimals(_ count: Int) -> UInt { decimals &* powersOfTen[count &- self.count] }
}

/// 10^0, 10^1, … 10^16.
private let powersOfTen: InlineArray<17, UInt> = [
  1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
  1_000_000_000_000_000, 10_000_000_000_000_000,
]
