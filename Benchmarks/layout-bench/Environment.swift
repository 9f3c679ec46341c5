import Glibc

/// The environment of the figures: the machine, the toolchain, the libraries and the commit.
/// Figures mean nothing without it.
struct Environment {
  let lines: [String]

  /// Asks the system. The commit is that of the working directory.
  init() {
    lines = [
      "- machine: \(Self.machine)",
      "- toolchain: \(Self.output(of: "swift --version 2>/dev/null | head -n 1"))",
      "- libraries: \(Self.output(of: Self.libraries))",
      "- commit: \(Self.output(of: "git --no-optional-locks describe --always --dirty 2>/dev/null"))",
    ]
  }

  private static let libraries =
    "dpkg-query -W -f '${Package} ${Version}, ' libsimdjson-dev libmicrohttpd-dev 2>/dev/null"
    + " | sed 's/, $//'"

  private static var machine: String {
    let model = output(of: "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1")
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    let bytes = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    let kernel = output(of: "uname -sr")
    return "\(model), \(cores) cores, \(Figure.bytes(bytes)), \(kernel)"
  }

  /// The output of a command in one line; "unknown" if it prints nothing.
  private static func output(of command: String) -> String {
    guard let stream = popen(command, "r") else { return "unknown" }
    defer { pclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = getc(stream), byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    while let last = bytes.last, last <= UInt8(ascii: " ") { bytes.removeLast() }
    return bytes.isEmpty ? "unknown" : String(decoding: bytes, as: UTF8.self)
  }
}
