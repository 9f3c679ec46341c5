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
