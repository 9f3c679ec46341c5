import Glibc

/// What the system knows of this process: the content of `/proc/self/stat`.
public struct ProcessStatistics {
  public let cpuSeconds: Double
  public let threads: Int
  /// In seconds since 1970.
  public let startTime: Double
  public let virtualBytes: Int
  /// The part of it that is in the machine's memory.
  public let residentBytes: Int

  /// `nil` if the system does not provide it.
  public init?() {
    guard let text = Self.text else { return nil }
    // The name of the program is in parentheses before the rest. It may contain any character.
    guard let nameEnd = text.lastIndex(of: ")") else { return nil }
    // These are the fields of proc(5) from the third on.
    let fields = text[nameEnd...].split(separator: " ").dropFirst().map { Int($0) ?? 0 }
    guard fields.count > 21 else { return nil }
    let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
    cpuSeconds = Double(fields[11] + fields[12]) / ticksPerSecond
    threads = fields[17]
    startTime = Self.bootTime + Double(fields[19]) / ticksPerSecond
    virtualBytes = fields[20]
    residentBytes = fields[21] * sysconf(Int32(_SC_PAGESIZE))
  }

  private static var text: String? {
    let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // One read is enough: the file has about 300 bytes.
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  private static var bootTime: Double {
    Double(SystemTime.unix() - SystemTime.sinceBoot()) / 1e9
  }
}
