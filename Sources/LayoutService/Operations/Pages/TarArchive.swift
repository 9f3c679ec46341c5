/// An archive of files, as npm and tar read it.
///
/// Source: POSIX.1-2024, pax, "ustar Interchange Format"
enum TarArchive {
  /// - Parameter files: Paths of at most 100 bytes, and contents below 8 GiB.
  static func bytes(_ files: [(path: String, bytes: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    for (path, bytes) in files {
      archive += header(path, count: bytes.count) + bytes
      archive += repeatElement(0, count: -bytes.count & 511)
    }
    return archive + repeatElement(0, count: 1024)
  }

  private static func header(_ path: String, count: Int) -> [UInt8] {
    precondition(path.utf8.count <= 100, path)
    var header = [UInt8](repeating: 0, count: 512)
    func write(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: digits - text.count) + text
    }
    write(path, at: 0)
    write(octal(0o644, 7), at: 100)
    write(octal(0, 7), at: 108)
    write(octal(0, 7), at: 116)
    write(octal(count, 11), at: 124)
    // The same bytes from each build.
    write(octal(0, 11), at: 136)
    write("        0", at: 148)
    write("ustar\u{0}00", at: 257)
    write(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ", at: 148)
    return header
  }
}
