/// Texts of the last few numbers that were written, with what stands around them: a text of its own
/// before each, a comma behind.
///
/// A layout's columns share a few x and widths, often fractions of seventeen digits
/// (103.33333333333333), which are copied rather than made again.
struct NumberTextCache {
  private static let maxLength = 32
  /// How much room to have for a text.
  static let capacity = ShortText.capacity + NumberText.maxDoubleLength + 1

  private let prefix: ShortText
  private let numbers = NumberText()
  /// The bits of each slot's number; those of a NaN, which is never written, in a free slot.
  private var keys = InlineArray<16, UInt64>(repeating: Double.nan.bitPattern)
  private var lengths = InlineArray<16, Int>(repeating: 0)
  private var texts = InlineArray<16, SIMD32<UInt8>>(repeating: .zero)
  /// The slot that was written last.
  private var last = 0

  init(prefix: StaticString) {
    self.prefix = ShortText(prefix)
  }

  /// Writes a number that is likely to be the last one once more, as widths are. The text is the
  /// same.
  ///
  /// - Precondition: As for ``write(_:at:)``.
  @inline(__always)
  mutating func write(again value: Double, at start: NumberText.Place) -> NumberText.Place {
    keys[last] == value.bitPattern ? copy(last, to: start) : write(value, at: start)
  }

  /// - Precondition: The value is finite, and there is room for ``capacity`` bytes.
  @inline(__always)
  mutating func write(_ value: Double, at start: NumberText.Place) -> NumberText.Place {
    let key = value.bitPattern
    let hash = key &* 0x9E37_79B9_7F4A_7C15
    // Either of two slots, so that a few numbers hardly ever drive each other out.
    let first = Int(truncatingIfNeeded: hash >> 60)
    let second = Int(truncatingIfNeeded: hash >> 56 & 15)
    let slot = keys[first] == key ? first : second
    guard keys[slot] == key else {
      let isFree = keys[first] == Double.nan.bitPattern
      // A gallery has more x and widths than there are slots. Theirs are whole, and made in half
      // the time that it takes to make and keep them.
      if !isFree, let end = numbers.writeSmall(value, at: prefix.write(at: start)) {
        end.pointee = UInt8(ascii: ",")
        return end + 1
      }
      return add(value, to: isFree ? first : second, at: start)
    }
    last = slot
    return copy(slot, to: start)
  }

  @inline(__always)
  private func copy(_ slot: Int, to start: NumberText.Place) -> NumberText.Place {
    UnsafeMutableRawPointer(start).storeBytes(of: texts[slot], as: SIMD32<UInt8>.self)
    return start + lengths[slot]
  }

  @inline(never)
  private mutating func add(
    _ value: Double, to slot: Int, at start: NumberText.Place
  ) -> NumberText.Place {
    var end = numbers.write(value, at: prefix.write(at: start))
    end.pointee = UInt8(ascii: ",")
    end += 1
    if end - start <= Self.maxLength {
      keys[slot] = value.bitPattern
      lengths[slot] = end - start
      texts[slot] = UnsafeRawPointer(start).loadUnaligned(as: SIMD32<UInt8>.self)
    }
    return end
  }
}
