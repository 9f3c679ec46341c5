/// A text of up to sixteen bytes, written with one store. As texts of any length, those of an
/// element would take 2 % more instructions of a whole query.
struct ShortText {
  static let capacity = 16

  private let bytes: SIMD16<UInt8>
  private let count: Int

  init(_ text: StaticString) {
    precondition(text.utf8CodeUnitCount <= Self.capacity, "\(text) is too long")
    var bytes = SIMD16<UInt8>.zero
    for index in 0..<text.utf8CodeUnitCount { bytes[index] = text.utf8Start[index] }
    self.bytes = bytes
    count = text.utf8CodeUnitCount
  }

  /// - Precondition: There is room for `capacity` bytes.
  @inline(__always)
  func write(at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(start).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
    return start + count
  }
}
