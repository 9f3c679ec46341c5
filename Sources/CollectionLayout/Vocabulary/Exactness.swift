/// Numbers whose sums need no rounding.
///
/// Multiples of 2⁻¹⁰ below 2⁴² add up exactly in doubles, in any order: a section that is made of
/// them alone can be laid out from 0 and moved, and gives the same bits as one that was summed up
/// in place. Whole and half points, quarters and the like are such numbers; 123.45 is not.
enum Exactness {
  static let limit = 0x1p42

  /// Adding and subtracting this rounds to a multiple of 2⁻¹⁰, from 2⁴¹ on of 2⁻⁹: what is then
  /// taken for inexact is laid out again, no more.
  private static let rounder = 0x1.8p42

  @inline(__always)
  static func isExact(_ value: Double) -> Bool {
    (value + rounder) - rounder == value && abs(value) < limit
  }
}
