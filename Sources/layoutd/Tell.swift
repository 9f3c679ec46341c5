import Glibc

/// Writes a line for a person to standard error.
func tell(_ text: String) {
  let line = Array("\(text)\n".utf8)
  write(STDERR_FILENO, line, line.count)
}
