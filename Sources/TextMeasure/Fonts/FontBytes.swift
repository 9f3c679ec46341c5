import CGnuTLS
import Glibc

/// The bytes of a font's file, or of a font that lies in no file. They never change.
///
/// A file is read, not mapped: one that is written over in place would end the process.
final class FontBytes: @unchecked Sendable {
  /// Which file it is, and in which state.
  struct Stamp: Equatable {
    private let parts: [Int]

    fileprivate init(_ status: stat) {
      parts = [
        Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino),
        Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }

  let start: UnsafePointer<UInt8>
  /// `nil` for bytes that lie in no file.
  let stamp: Stamp?
  private let length: Int

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: length) }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - range: What is read of it; `nil`: all.
  ///   - known: If it is given, the state in which the file must be.
  init(
    path: String, range: Range<Int>? = nil, as known: Stamp? = nil
  ) throws(FontFile.Fault) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .unreadable(errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { throw .noFont }
    guard status.st_size <= FontFile.maxBytes else { throw .tooLong }
    let stamp = Stamp(status)
    guard known == nil || known == stamp else { throw .noFont }
    let range = range ?? 0..<Int(status.st_size)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(range.count, 1))
    var count = 0
    while count < range.count {
      let read = pread(file, memory + count, range.count - count, range.lowerBound + count)
      guard read != 0 else { break }
      if read > 0 { count += read } else if errno != EINTR { break }
    }
    guard count == range.count else {
      memory.deallocate()
      throw .noFont
    }
    (start, length, self.stamp) = (UnsafePointer(memory), count, stamp)
  }

  convenience init(copying bytes: UnsafeBufferPointer<UInt8>) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    if let start = bytes.baseAddress { memory.initialize(from: start, count: bytes.count) }
    self.init(owning: memory, length: bytes.count)
  }

  init(owning memory: UnsafeMutablePointer<UInt8>, length: Int) {
    (start, self.length, stamp) = (UnsafePointer(memory), length, nil)
  }

  deinit { UnsafeMutablePointer(mutating: start).deallocate() }

  /// The SHA-256 of the bytes, in hexadecimal digits. O(length).
  func sha256() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let error = gnutls_hash_fast(GNUTLS_DIG_SHA256, start, length, &digest)
    precondition(error == 0, "gnutls_hash_fast: \(error)")
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
