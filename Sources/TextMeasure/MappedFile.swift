import CGnuTLS
import Glibc

/// Bytes of a file, mapped or in memory. They never change while it is there.
///
/// Fonts are installed by moving them into place, so a mapped file stays as it is.
final class MappedFile: @unchecked Sendable {
  let start: UnsafePointer<UInt8>
  private let length: Int
  private let isMapped: Bool

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: length) }

  init(path: String) throws(FontFile.Fault) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .unreadable(errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { throw .noFont }
    guard status.st_size <= FontFile.maxBytes else { throw .tooLong }
    length = Int(status.st_size)
    guard let memory = mmap(nil, length, PROT_READ, MAP_PRIVATE, file, 0), memory != MAP_FAILED
    else { throw .unreadable(errno: errno) }
    start = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
    isMapped = true
  }

  convenience init(copying bytes: [UInt8]) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    self.init(owning: memory, length: bytes.count)
  }

  init(owning memory: UnsafeMutablePointer<UInt8>, length: Int) {
    start = UnsafePointer(memory)
    self.length = length
    isMapped = false
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: start), length)
    } else {
      UnsafeMutablePointer(mutating: start).deallocate()
    }
  }

  /// The SHA-256 of the bytes, in hexadecimal digits. O(length).
  func sha256() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    let error = gnutls_hash_fast(GNUTLS_DIG_SHA256, start, length, &digest)
    precondition(error == 0, "gnutls_hash_fast: \(error)")
    return hexadecimal(digest)
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
