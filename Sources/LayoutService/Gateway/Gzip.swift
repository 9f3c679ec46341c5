import CZlib
import MicroHTTP

/// The gzip content coding (RFC 9110, section 8.4.1.3), by zlib.
enum Gzip {
  /// The fastest level: three quarters of what the best one saves, in a fifth of its time.
  private static let level: Int32 = 1

  /// The bytes compressed; `nil` without memory.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard let count = UInt32(exactly: bytes.count), czlib_begin_gzip(&stream, level) == Z_OK else {
      return nil
    }
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, uLong(count)))
    var isComplete = false
    let compressed = [UInt8](unsafeUninitializedCapacity: capacity) { output, written in
      bytes.withUnsafeBufferPointer { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = count
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: output.count)
        isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
        written = output.count - Int(stream.avail_out)
      }
    }
    return isComplete ? compressed : nil
  }

  enum Failure: Error {
    case malformed
    case tooLarge
    case noMemory
  }

  /// The bytes that were compressed, at most `limit`, in one member or several (RFC 1952, section
  /// 2.2).
  ///
  /// - Complexity: O(*n*) for *n* bytes unpacked; memory follows what has been unpacked, and is
  ///   taken of the body's budget.
  static func decompress(_ body: RequestBody, limit: Int) throws(Failure) -> RequestBody {
    let unpacked = body.successor(limit: limit)
    let failure = body.withBytes { decompress($0, into: unpacked, limit: limit) }
    if let failure { throw failure }
    unpacked.finish()
    return unpacked
  }

  private static func decompress(
    _ input: UnsafeMutableRawBufferPointer, into unpacked: RequestBody, limit: Int
  ) -> Failure? {
    var stream = z_stream()
    guard let count = UInt32(exactly: input.count) else { return .tooLarge }
    guard czlib_begin_gunzip(&stream) == Z_OK else { return .noMemory }
    defer { inflateEnd(&stream) }
    stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_in = count
    return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { piece in
      var status = Z_OK
      while status == Z_OK {
        stream.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(piece.count)
        status = inflate(&stream, Z_NO_FLUSH)
        let written = piece.count - Int(stream.avail_out)
        guard written <= limit - unpacked.count else { return .tooLarge }
        guard unpacked.append(UnsafeRawBufferPointer(rebasing: piece[..<written])) else {
          return .noMemory
        }
        if status == Z_STREAM_END && stream.avail_in > 0 { status = inflateReset(&stream) }
      }
      return status == Z_STREAM_END ? nil : .malformed
    }
  }
}
