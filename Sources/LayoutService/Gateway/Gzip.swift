import CDeflate
import MicroHTTP
import System

/// The gzip content coding (RFC 9110, section 8.4.1.3), with libdeflate.
enum Gzip {
  // MARK: Answers

  /// The compressed bytes; `nil` if there is no memory.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    compressor { $0.compress(bytes) }
  }

  /// The compressed bytes of an answer that is kept; `nil` if there is no memory.
  ///
  /// - Complexity: Ten times that of `compress`, for a fifth less bytes.
  static func compressWell(_ bytes: [UInt8]) -> [UInt8]? { Compressor(level: 9).compress(bytes) }

  /// One for each thread. It needs 200 KB, which is too much to allocate for every answer.
  private static let compressor = PerThread { Compressor(level: 1) }

  private final class Compressor {
    private let library: OpaquePointer?

    /// - Parameter level: From 1, the fastest, to 12. The best level saves little more than 9.
    init(level: Int32) {
      library = libdeflate_alloc_compressor(level)
    }

    deinit { libdeflate_free_compressor(library) }

    func compress(_ bytes: [UInt8]) -> [UInt8]? {
      guard let library else { return nil }
      let capacity = libdeflate_gzip_compress_bound(library, bytes.count)
      return [UInt8](unsafeUninitializedCapacity: capacity) { output, written in
        written = libdeflate_gzip_compress(
          library, bytes, bytes.count, output.baseAddress, output.count)
      }
    }
  }

  // MARK: Bodies

  enum Failure: Error {
    case malformed
    case tooLarge
    case noMemory
  }

  /// The decompressed bytes, at most `limit`. There may be several members (RFC 1952, section 2.2).
  ///
  /// - Complexity: O(*n*) for *n* decompressed bytes. Memory is taken from the body's budget: first
  ///   as much as the body declares, then four times as much whenever it is not enough.
  static func decompress(_ body: RequestBody, limit: Int) throws(Failure) -> RequestBody {
    guard let library = libdeflate_alloc_decompressor() else { throw .noMemory }
    defer { libdeflate_free_decompressor(library) }
    var room = body.withBytes { min(lengthOfLastMember($0), $0.count * greatestRatio, limit) }
    while true {
      let unpacked = body.successor(limit: room)
      do throws(Failure) {
        let hasMemory = try unpacked.fill { output throws(Failure) in
          try body.withBytes { input throws(Failure) in
            try decompress(input, into: output, with: library)
          }
        }
        guard hasMemory else { throw .noMemory }
        return unpacked
      } catch .tooLarge where room < limit {
        room = min(max(room, 16 << 10) * 4, limit)
      }
    }
  }

  /// The largest ratio of decompressed to compressed bytes in deflate.
  private static let greatestRatio = 1032

  /// The length that the last four bytes declare, modulo 2³² (RFC 1952, section 2.3.1). Most bodies
  /// have one member.
  private static func lengthOfLastMember(_ packed: UnsafeMutableRawBufferPointer) -> Int {
    packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Decompresses all members and returns the number of bytes.
  private static func decompress(
    _ input: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    with library: OpaquePointer
  ) throws(Failure) -> Int {
    var (read, written) = (0, 0)
    repeat {
      var (packed, unpacked) = (0, 0)
      let result = libdeflate_gzip_decompress_ex(
        library, input.baseAddress.map { $0 + read }, input.count - read,
        output.baseAddress.map { $0 + written }, output.count - written, &packed, &unpacked)
      switch result {
      case LIBDEFLATE_SUCCESS: (read, written) = (read + packed, written + unpacked)
      case LIBDEFLATE_INSUFFICIENT_SPACE: throw .tooLarge
      default: throw .malformed
      }
    } while read < input.count
    return written
  }
}
