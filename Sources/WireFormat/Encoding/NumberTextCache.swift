/// The texts of the last few numbers that were written.
///
/// A layout's columns share a few x and widths, often fractions of seventeen digits
/// (103.33333333333333): copying such a text takes a tenth of the time of making it.
struct NumberTextCache {
  /// The bits of each slot's number; those of a NaN, which is never written, in a free slot.
  private var keys = InlineArray<16, UInt64>(repeating: Double.nan.bitPattern)
  private var lengths = InlineArray<16, Int>(repeating: 0)
  private var texts = InlineArray<16, SIMD32<UInt8>>(repeating: .zero)

  /// - Precondition: The value is finite, and there is room for `NumberText.maxDoubleLength` bytes.
  @inline(__always)
  mutating func write(_ value: Double, at start: NumberText.Place) -> NumberText.Place {
    let key = value.bitPattern
    let slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 60)
    if keys[slot] == key {
      UnsafeMutableRawPointer(start).storeBytes(of: texts[slot], as: SIMD32<UInt8>.self)
      return start + lengths[slot]
    }
    let end = NumberText.write(value, at: start)
    keys[slot] = key
    lengths[slot] = end - start
    texts[slot] = UnsafeRawPointer(start).loadUnaligned(as: SIMD32<UInt8>.self)
    return end
  }
}
