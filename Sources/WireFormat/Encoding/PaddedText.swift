/// A text that ends with a number and a comma. It is written in pieces of 16 bytes, so it may write
/// past its end.
struct PaddedText {
  private typealias Piece = SIMD16<UInt8>
  private static let pieceBytes = 16
  /// The number of pieces that are always written. They are enough for most texts.
  private static let pieces = 3

  /// The text, with room for the number and for reading a whole last piece.
  private var bytes: [UInt8]
  private let countBeforeNumber: Int
  private var count: Int

  init() {
    bytes = []
    countBeforeNumber = 0
    count = 0
  }

  init(_ text: consuming JSONWriter) {
    countBeforeNumber = text.bytes.count
    count = countBeforeNumber
    for _ in 0..<3 { text.write("                                ") }
    bytes = text.bytes
  }

  /// Replaces the number.
  mutating func end(with number: Int) {
    let start = countBeforeNumber
    count = bytes.withUnsafeMutableBufferPointer { bytes in
      let base = bytes.baseAddress!
      return put(UInt8(ascii: ","), at: NumberText().write(number, at: base + start)) - base
    }
  }

  /// The room that `write` needs, in bytes.
  var capacity: Int { max(count, Self.pieces * Self.pieceBytes) + Self.pieceBytes }

  /// - Parameter dropped: The number of bytes to leave out at the start, 0 or 1.
  @inline(__always)
  func write(
    droppingFirst dropped: Int, at start: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    bytes.withUnsafeBytes { bytes in
      func write(pieceAt offset: Int) {
        UnsafeMutableRawPointer(start + offset).storeBytes(
          of: bytes.loadUnaligned(fromByteOffset: dropped + offset, as: Piece.self), as: Piece.self)
      }
      for piece in 0..<Self.pieces { write(pieceAt: piece * Self.pieceBytes) }
      let length = count - dropped
      var offset = Self.pieces * Self.pieceBytes
      while offset < length {
        write(pieceAt: offset)
        offset += Self.pieceBytes
      }
      return start + length
    }
  }
}

/// Writes a byte.
///
/// - Returns: The place behind it.
@inline(__always)
func put(
  _ byte: UInt8, at end: UnsafeMutablePointer<UInt8>
) -> UnsafeMutablePointer<UInt8> {
  end.pointee = byte
  return end + 1
}
