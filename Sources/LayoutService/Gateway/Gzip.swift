import CZlib
import MicroHTTP

/// The gzip content coding (RFC 9110, section 8.4.1.3), by zlib.
enum Gzip {
  /// The fastest level: three quarters of what the best one saves, in a fifth of its time.
  private static let level: Int32 = 1

  /// The bytes compressed; `nil` without memory.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_begin_gzip(&stream, level) == Z_OK, let count = UInt32(exactly: bytes.count) else {
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
  }

  /// The bytes that were compressed, at most `limit`.
  ///
  /// - Complexity: O(*n*) for *n* bytes unpacked; memory follows what has been unpacked.
  static func decompress(_ body: RequestBody, limit: Int) throws(Failure) -> RequestBody {
    let unpacked: Result<[UInt8], Failure> = body.withBytes { input in
      do throws(Failure) {
        return .success(try decompress(input, limit: limit))
      } catch {
        return .failure(error)
      }
    }
    return .copying(try unpacked.get())
  }

  private static func decompress(
    _ input: UnsafeMutableRawBufferPointer, limit: Int
  ) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    guard czlib_begin_gunzip(&stream) == Z_OK, let count = UInt32(exactly: input.count) else {
      throw .malformed
    }
    defer { inflateEnd(&stream) }
    stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_in = count
    var output: [UInt8] = []
    var status = Z_OK
    while status == Z_OK {
      guard output.count <= limit else { throw .tooLarge }
      let chunk = min(max(output.count, 64 << 10), 16 << 20)
      output.append(addingCapacity: chunk) { (span: inout OutputSpan<UInt8>) in
        span.withUnsafeMutableBufferPointer { buffer, written in
          stream.next_out = buffer.baseAddress.map { $0 + written }
          stream.avail_out = UInt32(chunk)
          status = inflate(&stream, Z_NO_FLUSH)
          written += chunk - Int(stream.avail_out)
        }
      }
    }
    guard status == Z_STREAM_END, stream.avail_in == 0 else { throw .malformed }
    guard output.count <= limit else { throw .tooLarge }
    return output
  }
}
