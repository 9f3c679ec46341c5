import Glibc

/// Reports on standard error what is being measured. Standard output has only the tables.
enum Progress {
  static func report(_ text: String) {
    let line = Array("layout-bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
