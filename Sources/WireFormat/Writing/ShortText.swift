/// A text of up to sixteen bytes, written with one store. As texts of any length, those of an
/// element would take 2 % more instructions of a whole query.
typealias ShortText = FixedText<SIMD16<UInt8>>
/// A number with a comma, or another text of up to 32 bytes.
typealias NumberedText = FixedText<SIMD32<UInt8>>
/// A text of up to 64 bytes, written with a few stores.
typealias LongText = FixedText<SIMD64<UInt8>>

/// A text that is no longer than a vector, and is written without a loop.
struct FixedText<Bytes: SIMD & Sendable>: Sendable where Bytes.Scalar == UInt8 {
  static var capacity: Int { Bytes.scalarCount }

  private var bytes = Bytes.zero
  private let count: Int

  /// - Parameter write: Writes the text, and returns its end. It may leave garbage behind the text,
  ///   within the capacity.
  init(_ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>) {
    count = withUnsafeMutableBytes(of: &bytes) { bytes in
      let start = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
      return write(start) - start
    }
  }

  init(_ text: [UInt8]) {
    precondition(text.count <= Self.capacity, "\(text.count) bytes are too long")
    self.init { start in
      for (index, byte) in text.enumerated() { start[index] = byte }
      return start + text.count
    }
  }

  init(_ text: StaticString) {
    self.init(Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)))
  }

  /// - Precondition: There is room for `capacity` bytes.
  @inline(__always)
  func write(at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(start).storeBytes(of: bytes, as: Bytes.self)
    return start + count
  }
}
