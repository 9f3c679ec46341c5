/// The texts of recently written numbers, each with a prefix before it and a comma behind it.
///
/// The columns of a layout share a few x and widths. These are often fractions of seventeen digits
/// (103.33333333333333). Copying such a text is cheaper than making it again.
struct NumberTextCache {
  private static let maxLength = 32
  /// The room to reserve for a text, in bytes.
  static let capacity = ShortText.capacity + NumberText.maxDoubleLength + 1

  private let prefix: ShortText
  private let numbers = NumberText()
  /// The bits of the number in each slot. A free slot has those of NaN, which is never written.
  private var keys = InlineArray<16, UInt64>(repeating: Double.nan.bitPattern)
  private var lengths = InlineArray<16, Int>(repeating: 0)
  private var texts = InlineArray<16, SIMD32<UInt8>>(repeating: .zero)
  /// The slot that was used last.
  private var last = 0

  init(prefix: StaticString) {
    self.prefix = ShortText(prefix)
  }

  /// Writes a number that is probably the same as the last one, as widths are. The text is the same
  /// as that of ``write(_:at:)``.
  ///
  /// - Precondition: Like ``write(_:at:)``.
  @inline(__always)
  mutating func write(again value: Double, at start: NumberText.Place) -> NumberText.Place {
    keys[last] == value.bitPattern ? copy(last, to: start) : write(value, at: start)
  }

  /// - Precondition: The value is finite, and there is room for ``capacity`` bytes.
  @inline(__always)
  mutating func write(_ value: Double, at start: NumberText.Place) -> NumberText.Place {
    let key = value.bitPattern
    let hash = key &* 0x9E37_79B9_7F4A_7C15
    // A number may be in either of two slots, so a few numbers rarely replace each other.
    let first = Int(truncatingIfNeeded: hash >> 60)
    let second = Int(truncatingIfNeeded: hash >> 56 & 15)
    let slot = keys[first] == key ? first : second
    guard keys[slot] == key else {
      let isFree = keys[first] == Double.nan.bitPattern
      // A gallery has more x and widths than there are slots. Most of them are small whole numbers,
      // and writing those is cheaper than storing them here.
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
