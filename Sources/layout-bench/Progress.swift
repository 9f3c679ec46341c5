import Glibc

/// Tells on the error output what is being measured; the tables are for the output alone.
enum Progress {
  static func report(_ text: String) {
    let line = Array("layout-bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
