import CDeflate

/// Bytes as they are stored: a byte for the method, eight for the length, and the bytes, deflated
/// where that pays.
enum PackedBytes {
  private static let plain: UInt8 = 0
  private static let deflated: UInt8 = 1
  private static let headLength = 9
  /// What is shorter than this gains little.
  private static let leastDeflated = 512
  /// How many bytes a byte of a deflated text can stand for.
  private static let maxRatio = 1032

  static func pack(_ bytes: [UInt8]) -> [UInt8] {
    deflate(bytes) ?? head(plain, bytes.count) + bytes
  }

  /// - Parameter limit: The most bytes that are wanted, ≥ 0.
  /// - Returns: `nil` for what ``pack(_:)`` does not make, and for more bytes.
  static func unpack(_ packed: [UInt8], limit: Int) -> [UInt8]? {
    guard packed.count >= headLength else { return nil }
    let length = packed[1..<headLength].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // Nothing is reserved for a length that cannot be true.
    guard length <= min(limit, packed.count * maxRatio) else { return nil }
    switch packed[0] {
    case plain: return length == packed.count - headLength ? Array(packed[headLength...]) : nil
    case deflated: return inflate(packed, Int(length))
    default: return nil
    }
  }

  private static func head(_ method: UInt8, _ length: Int) -> [UInt8] {
    [method] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
  }

  private static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
    // The fastest level: the best one saves little more.
    guard bytes.count >= leastDeflated, let library = libdeflate_alloc_compressor(1) else {
      return nil
    }
    defer { libdeflate_free_compressor(library) }
    let capacity = headLength + libdeflate_deflate_compress_bound(library, bytes.count)
    let packed = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      for (index, byte) in head(deflated, bytes.count).enumerated() { output[index] = byte }
      count =
        headLength
        + libdeflate_deflate_compress(
          library, bytes, bytes.count, output.baseAddress! + headLength, capacity - headLength)
    }
    return packed.count > headLength && packed.count < bytes.count ? packed : nil
  }

  private static func inflate(_ packed: [UInt8], _ length: Int) -> [UInt8]? {
    guard let library = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(library) }
    var result = LIBDEFLATE_BAD_DATA
    let bytes = [UInt8](unsafeUninitializedCapacity: length) { output, count in
      result = packed.withUnsafeBytes { input in
        libdeflate_deflate_decompress(
          library, input.baseAddress! + headLength, input.count - headLength, output.baseAddress,
          length, nil)
      }
      count = result == LIBDEFLATE_SUCCESS ? length : 0
    }
    return result == LIBDEFLATE_SUCCESS ? bytes : nil
  }
}
