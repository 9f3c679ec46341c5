/// A form of typed arrays, little-endian (RFC 8746, section 2.1). The raw value is its tag.
enum TypedArray: Int {
  case uint32 = 70
  case uint64 = 71
  case float64 = 86

  /// The form for integers none of which has a bit that `number` does not have.
  static func integers(upTo number: Int) -> Self { number >> 32 == 0 ? .uint32 : .uint64 }

  /// Writes a name and an array with room for `count` numbers.
  ///
  /// - Parameter end: Is moved behind the array.
  /// - Returns: The place of the numbers.
  @inline(__always)
  func write(
    _ name: StaticString, _ count: Int, at end: inout CBORItem.Place
  ) -> UnsafeMutableRawPointer {
    let byteCount = count * (self == .uint32 ? 4 : 8)
    end = CBORItem.write(name, at: end)
    end = CBORItem.write(.tag, rawValue, at: end)
    end = CBORItem.write(.bytes, byteCount, at: end)
    defer { end += byteCount }
    return UnsafeMutableRawPointer(end)
  }

  /// Stores an integer in an array of integers.
  func put(_ number: Int, _ index: Int, at start: UnsafeMutableRawPointer) {
    if self == .uint32 {
      Self.put(UInt32(number), index, at: start)
    } else {
      Self.put(UInt64(number), index, at: start)
    }
  }

  @inline(__always)
  static func put(
    _ number: some FixedWidthInteger & BitwiseCopyable, _ index: Int,
    at start: UnsafeMutableRawPointer
  ) {
    start.storeBytes(
      of: number.littleEndian, toByteOffset: index &* (number.bitWidth / 8),
      as: type(of: number.littleEndian))
  }

  /// Stores a double; −0 as 0.
  @inline(__always)
  static func put(_ number: Double, _ index: Int, at start: UnsafeMutableRawPointer) {
    put((number + 0).bitPattern, index, at: start)
  }
}
