public import CoreMetrics
import Glibc
import System

/// Metrics of this process, from the system. They have the names that Prometheus's own clients use.
///
/// Source: "Writing client libraries", the Prometheus documentation, "Process metrics".
public final class ProcessMetrics: Sendable {
  private let cpuSeconds: Meter
  private let residentBytes: Meter
  private let virtualBytes: Meter
  private let openDescriptors: Meter
  private let maxDescriptors: Meter
  private let threads: Meter

  /// The help text of each metric, by name.
  public static let help = [
    "process_cpu_seconds_total": "User and system CPU time spent, in seconds.",
    "process_resident_memory_bytes": "Resident memory size, in bytes.",
    "process_virtual_memory_bytes": "Virtual memory size, in bytes.",
    "process_open_fds": "Open file descriptors.",
    "process_max_fds": "The most file descriptors that may be open.",
    "process_threads": "Threads of the process.",
    "process_start_time_seconds": "When the process started, in seconds since 1970.",
  ]

  public init(factory: any MetricsFactory) {
    cpuSeconds = Meter(label: "process_cpu_seconds_total", factory: factory)
    residentBytes = Meter(label: "process_resident_memory_bytes", factory: factory)
    virtualBytes = Meter(label: "process_virtual_memory_bytes", factory: factory)
    openDescriptors = Meter(label: "process_open_fds", factory: factory)
    maxDescriptors = Meter(label: "process_max_fds", factory: factory)
    threads = Meter(label: "process_threads", factory: factory)
    if let statistics = ProcessStatistics() {
      Meter(label: "process_start_time_seconds", factory: factory).set(statistics.startTime)
    }
  }

  /// Updates the metrics.
  public func observe() {
    guard let statistics = ProcessStatistics() else { return }
    cpuSeconds.set(statistics.cpuSeconds)
    residentBytes.set(statistics.residentBytes)
    virtualBytes.set(statistics.virtualBytes)
    threads.set(statistics.threads)
    if let count = Self.openDescriptorCount { openDescriptors.set(count) }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      maxDescriptors.set(Double(limit.rlim_cur))
    }
  }

  private static var openDescriptorCount: Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // This leaves out the two entries for folders, and the descriptor of this folder.
    return count - 3
  }
}

/// The content of `/proc/self/stat`.
struct ProcessStatistics {
  let cpuSeconds: Double
  let threads: Int
  /// In seconds since 1970.
  let startTime: Double
  let virtualBytes: Int
  let residentBytes: Int

  /// `nil` if the system does not provide it.
  init?() {
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
