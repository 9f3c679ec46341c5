import Contract
import Glibc
public import LayoutSessions
public import MicroHTTP
import Synchronization
import System

/// What the service counts, and what is observed of it and of its process, in Prometheus's text
/// format. What the process takes has the names that Prometheus's own clients use.
///
/// Source: "Exposition formats", the Prometheus documentation, version 0.0.4.
public final class Metrics: Sendable {
  /// What is observed when somebody asks.
  public struct Observation {
    public var sessions: SessionStore.Statistics
    public var queueDepth = 0
    public var connections = 0
    public var streams = StreamStatistics.none
    /// What was done with a store that servers share.
    public var log = SessionStore.LogStatistics()
    /// Whether news of that store come.
    public var isHeard = true

    public init(_ sessions: SessionStore.Statistics) { self.sessions = sessions }
  }

  /// What is counted without labels.
  private enum Counter: Int, CaseIterable {
    case receivedBytes, sentBytes, rejections, refusedConnections, preparedElements

    var name: String {
      switch self {
      case .receivedBytes: "layoutd_received_bytes_total"
      case .sentBytes: "layoutd_sent_bytes_total"
      case .rejections: "layoutd_queue_rejections_total"
      case .refusedConnections: "layoutd_refused_connections_total"
      case .preparedElements: "layoutd_prepared_elements_total"
      }
    }
  }

  /// One sum for each counter, then for each path its statuses, its buckets, and its nanoseconds.
  private let sums: ShardedSums
  /// The paths of all routes, and last that of requests without a route.
  private let paths = Set(Route.all.map(\.path.text)).sorted() + ["none"]
  /// The path of each route, and last that of requests without a route.
  private let pathOfRoute: [Int]
  /// The first is 0, for a request without an answer.
  private let statuses = [0] + Status.named.map(\.rawValue)
  /// The place of each status in `statuses`. Other statuses count as 0.
  private let statusPlaces: [Int]
  /// The upper bounds of the buckets, in nanoseconds. There is one more above them.
  private let bounds = [
    10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000, 100_000_000,
    500_000_000, 1_000_000_000, 5_000_000_000, 10_000_000_000,
  ]

  public init() {
    let (paths, statuses) = (paths, statuses)
    pathOfRoute = Route.all.map { paths.firstIndex(of: $0.path.text)! } + [paths.count - 1]
    statusPlaces = (0..<600).map { statuses.firstIndex(of: $0) ?? 0 }
    sums = ShardedSums(
      count: Counter.allCases.count + paths.count * (statuses.count + bounds.count + 2))
  }

  private func sums(ofPath path: Int) -> Int {
    Counter.allCases.count + path * (statuses.count + bounds.count + 2)
  }

  func count(_ record: borrowing RequestRecord) {
    // A request that did not reach its operation still belongs to its path.
    let route = record.operation ?? Route.numbers(at: record.request.target).first
    let first = sums(ofPath: pathOfRoute[route ?? pathOfRoute.count - 1])
    let status = record.status?.rawValue ?? 0
    sums.add(1, to: first + (status < statusPlaces.count ? statusPlaces[status] : 0))
    var bucket = 0
    while bucket < bounds.count, bounds[bucket] < record.nanoseconds { bucket += 1 }
    sums.add(1, to: first + statuses.count + bucket)
    sums.add(record.nanoseconds, to: first + statuses.count + bounds.count + 1)
    add(record.bytesReceived, to: .receivedBytes)
    // It is not known how much of an interrupted answer was sent.
    if record.isComplete { add(record.bytesSent, to: .sentBytes) }
  }

  func count(_ problem: TransportProblem) {
    switch problem {
    case .overloaded: add(1, to: .rejections)
    case .tooManyConnections: add(1, to: .refusedConnections)
    default: break
    }
  }

  func countPrepared(elements: Int) { add(elements, to: .preparedElements) }

  private func add(_ amount: Int, to counter: Counter) { sums.add(amount, to: counter.rawValue) }

  /// All metrics as text, sorted by name. Of what has labels, only what was counted is there.
  public func text(_ observation: Observation) -> String {
    /// By the name of the metric: what follows the name.
    var samples = ["layoutd_build_info": ["{version=\"\(APIContract.version)\"} 1.0"]]
    for counter in Counter.allCases { samples[counter.name] = [" \(sums[counter.rawValue])"] }
    for (name, value) in observation.values { samples[name] = [" \(Double(value))"] }
    for (name, value) in Self.process { samples[name] = [" \(value)"] }
    for (path, text) in paths.enumerated() {
      let (route, first) = ("route=\"\(text)\"", sums(ofPath: path))
      for (place, status) in statuses.enumerated() where sums[first + place] > 0 {
        samples["layoutd_requests_total", default: []]
          .append("{\(route),status=\"\(status)\"} \(sums[first + place])")
      }
      var (lines, total): ([String], Int) = ([], 0)
      for bucket in 0...bounds.count {
        total += sums[first + statuses.count + bucket]
        let bound = bucket < bounds.count ? "\(Double(bounds[bucket]) / 1e9)" : "+Inf"
        lines.append("_bucket{\(route),le=\"\(bound)\"} \(total)")
      }
      let seconds = Double(sums[first + statuses.count + bounds.count + 1]) / 1e9
      lines += ["_sum{\(route)} \(seconds)", "_count{\(route)} \(total)"]
      if total > 0 { samples["layoutd_request_duration_seconds", default: []] += lines }
    }
    return samples.keys.sorted().map { name in
      let type =
        name.hasSuffix("_total")
        ? "counter" : name.hasSuffix("duration_seconds") ? "histogram" : "gauge"
      return "# HELP \(name) \(Self.help[name] ?? "")\n# TYPE \(name) \(type)\n"
        + (samples[name] ?? []).map { name + $0 + "\n" }.joined()
    }.joined()
  }

  private static var process: [(name: String, value: Double)] {
    guard let statistics = ProcessStatistics() else { return [] }
    return [
      ("process_cpu_seconds_total", statistics.cpuSeconds),
      ("process_resident_memory_bytes", Double(statistics.residentBytes)),
      ("process_virtual_memory_bytes", Double(statistics.virtualBytes)),
      ("process_open_fds", Double(openDescriptors)),
      ("process_max_fds", Double(maxDescriptors)),
      ("process_threads", Double(statistics.threads)),
      ("process_start_time_seconds", statistics.startTime),
    ]
  }

  /// How many descriptors are open.
  private static var openDescriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // This leaves out the two entries for folders, and the descriptor of this folder.
    return count - 3
  }

  /// How many descriptors may be open.
  private static var maxDescriptors: UInt {
    var limit = rlimit()
    return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit.rlim_cur : 0
  }

  /// What each metric says.
  static let help = [
    "layoutd_build_info": "1, labelled with the version of the program.",
    "layoutd_requests_total":
      "Requests by route and status; status 0 for a request that got no answer.",
    "layoutd_request_duration_seconds":
      "From a request's first line to the last byte of its answer, by route.",
    "layoutd_received_bytes_total": "Bytes of the bodies of requests.",
    "layoutd_sent_bytes_total": "Bytes of the bodies of complete answers.",
    "layoutd_queue_rejections_total": "Requests answered with 503 because the queue was full.",
    "layoutd_refused_connections_total": "Connections refused because too many were open.",
    "layoutd_prepared_elements_total": "Elements of all layouts that were prepared.",
    "layoutd_sessions": "Layouts that are kept.",
    "layoutd_session_bytes": "Memory of the layouts that are kept.",
    "layoutd_session_evictions_total": "Layouts evicted to make room for others.",
    "layoutd_session_expiries_total": "Layouts deleted because nobody used them.",
    "layoutd_views": "Views of the layouts that are kept.",
    "layoutd_view_frames_dropped_total": "Frames of views that had to make room.",
    "layoutd_history_bytes": "Memory of earlier versions that are kept.",
    "layoutd_queue_depth": "Computations that wait for a worker or are in progress.",
    "layoutd_store_reachable": "1 while news of the shared store come, or without one; else 0.",
    "layoutd_store_loads_total": "Layouts that were made from the shared store.",
    "layoutd_store_replays_total": "Changes by other servers that were made here, too.",
    "layoutd_store_conflicts_total": "Changes made again because another server was faster.",
    "layoutd_store_compactions_total": "Snapshots that replaced long logs of changes.",
    "layoutd_connections": "Open connections, without event streams.",
    "layoutd_event_streams": "Open event streams.",
    "layoutd_events_total": "Events that were sent, without heartbeats.",
    "layoutd_event_slow_readers_total": "Event streams cut because their clients took nothing.",
    "process_cpu_seconds_total": "User and system CPU time spent, in seconds.",
    "process_resident_memory_bytes": "Resident memory size, in bytes.",
    "process_virtual_memory_bytes": "Virtual memory size, in bytes.",
    "process_open_fds": "Open file descriptors.",
    "process_max_fds": "The most file descriptors that may be open.",
    "process_threads": "Threads of the process.",
    "process_start_time_seconds": "When the process started, in seconds since 1970.",
  ]
}

extension Metrics.Observation {
  fileprivate var values: [(name: String, value: Int)] {
    [
      ("layoutd_sessions", sessions.sessions), ("layoutd_session_bytes", sessions.bytes),
      ("layoutd_session_evictions_total", sessions.evictions),
      ("layoutd_session_expiries_total", sessions.expiries), ("layoutd_views", sessions.views),
      ("layoutd_view_frames_dropped_total", sessions.framesDropped),
      ("layoutd_history_bytes", sessions.historyBytes), ("layoutd_queue_depth", queueDepth),
      ("layoutd_store_reachable", isHeard ? 1 : 0), ("layoutd_store_loads_total", log.loads),
      ("layoutd_store_replays_total", log.replays),
      ("layoutd_store_conflicts_total", log.conflicts),
      ("layoutd_store_compactions_total", log.compactions), ("layoutd_connections", connections),
      ("layoutd_event_streams", streams.streams), ("layoutd_events_total", streams.events),
      ("layoutd_event_slow_readers_total", streams.slowReaders),
    ]
  }
}

/// Sums to which processors add in different cache lines: if all threads counted in one, they would
/// wait for it. Every eighth processor adds to the same shard.
///
/// `@unchecked Sendable`: all access is atomic.
private struct ShardedSums: ~Copyable, @unchecked Sendable {
  private let values: UnsafeMutablePointer<Atomic<Int>>
  /// The sums of a shard, in whole cache lines.
  private let count: Int

  init(count: Int) {
    self.count = (count + 7) & ~7
    values = UnsafeMutableRawPointer.allocate(byteCount: 64 * self.count, alignment: 64)
      .bindMemory(to: Atomic<Int>.self, capacity: 8 * self.count)
    for index in 0..<8 * self.count { (values + index).initialize(to: Atomic(0)) }
  }

  deinit { values.deallocate() }

  /// The addition is atomic, because the thread may be moved to another processor before it adds.
  func add(_ amount: Int, to index: Int) {
    values[(SystemThread.processor & 7) * count + index].wrappingAdd(amount, ordering: .relaxed)
  }

  /// Everything that was added. Above the largest number it starts again at 0.
  subscript(index: Int) -> Int {
    (0..<8).reduce(0) { $0 &+ values[$1 * count + index].load(ordering: .relaxed) } & .max
  }
}
