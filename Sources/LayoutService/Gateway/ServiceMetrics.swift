import Contract
public import CoreMetrics
public import LayoutSessions
public import MicroHTTP

/// The metrics of the service. They go through swift-metrics, so any backend can be used.
public final class ServiceMetrics: Sendable {
  private let requests: RouteMetrics
  // These are handlers without the wrapper objects of swift-metrics, because they are called for
  // each request.
  private let bytesReceived: any CounterHandler
  private let bytesSent: any CounterHandler
  private let rejections: Counter
  private let refusedConnections: Counter
  private let preparedElements: Counter
  private let observed: [Meter]

  /// The help text of each metric, by name.
  public static let help = [
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
  ]

  public init(factory: any MetricsFactory) {
    requests = RouteMetrics(factory)
    Meter(
      label: "layoutd_build_info", dimensions: [("version", APIContract.version)],
      factory: factory
    ).set(1)
    bytesReceived = factory.makeCounter(label: "layoutd_received_bytes_total", dimensions: [])
    bytesSent = factory.makeCounter(label: "layoutd_sent_bytes_total", dimensions: [])
    rejections = Counter(label: "layoutd_queue_rejections_total", factory: factory)
    refusedConnections = Counter(label: "layoutd_refused_connections_total", factory: factory)
    preparedElements = Counter(label: "layoutd_prepared_elements_total", factory: factory)
    observed = Observation.metrics.map { Meter(label: $0.name, factory: factory) }
  }

  func count(_ record: borrowing RequestRecord) {
    // A request that did not reach its operation still belongs to its path.
    let operation = record.operation ?? Route.numbers(at: record.request.target).first
    requests.count(
      operation: operation, status: record.status, nanoseconds: Int64(record.nanoseconds))
    bytesReceived.increment(by: Int64(record.bytesReceived))
    // It is not known how much of an interrupted answer was sent.
    if record.isComplete { bytesSent.increment(by: Int64(record.bytesSent)) }
  }

  func count(_ problem: TransportProblem) {
    switch problem {
    case .overloaded: rejections.increment()
    case .tooManyConnections: refusedConnections.increment()
    default: break
    }
  }

  func countPrepared(elements: Int) {
    preparedElements.increment(by: elements)
  }

  /// Sets the metrics that are observed instead of counted.
  ///
  /// - Parameters:
  ///   - log: What was done with a store that servers share.
  ///   - isHeard: Whether news of it come.
  public func observe(
    _ statistics: SessionStore.Statistics, queueDepth: Int, connections: Int,
    streams: StreamStatistics, log: SessionStore.LogStatistics = .init(), isHeard: Bool = true
  ) {
    let observation = Observation(
      sessions: statistics, queueDepth: queueDepth, reachable: isHeard ? 1 : 0, log: log,
      connections: connections, streams: streams)
    for (meter, metric) in zip(observed, Observation.metrics) {
      meter.set(observation[keyPath: metric.value])
    }
  }
}

/// What is observed instead of counted.
private struct Observation {
  let sessions: SessionStore.Statistics
  let queueDepth: Int
  /// 1 while news of the shared store come.
  let reachable: Int
  let log: SessionStore.LogStatistics
  let connections: Int
  let streams: StreamStatistics

  /// The name of each metric, and where its value is.
  static let metrics: [(name: String, value: KeyPath<Self, Int> & Sendable)] = [
    ("layoutd_sessions", \.sessions.sessions),
    ("layoutd_session_bytes", \.sessions.bytes),
    ("layoutd_session_evictions_total", \.sessions.evictions),
    ("layoutd_session_expiries_total", \.sessions.expiries),
    ("layoutd_views", \.sessions.views),
    ("layoutd_view_frames_dropped_total", \.sessions.framesDropped),
    ("layoutd_history_bytes", \.sessions.historyBytes),
    ("layoutd_queue_depth", \.queueDepth),
    ("layoutd_store_reachable", \.reachable),
    ("layoutd_store_loads_total", \.log.loads),
    ("layoutd_store_replays_total", \.log.replays),
    ("layoutd_store_conflicts_total", \.log.conflicts),
    ("layoutd_store_compactions_total", \.log.compactions),
    ("layoutd_connections", \.connections),
    ("layoutd_event_streams", \.streams.streams),
    ("layoutd_events_total", \.streams.events),
    ("layoutd_event_slow_readers_total", \.streams.slowReaders),
  ]
}

/// A counter for each route and status, and a timer for each route. They are made at the start, so
/// no lock is needed to find one.
private struct RouteMetrics: Sendable {
  /// The counters for each of `statuses`, for each route, and last for requests without a route.
  private let counters: UncountedValues<any CounterHandler>
  /// The timer of each route, and last for requests without a route.
  private let durations: UncountedValues<any TimerHandler>

  /// The statuses. The first is 0, for a request without an answer.
  private static let statuses = [0] + Status.named.map(\.rawValue)

  /// The index of each status in `statuses`. Other statuses count as 0.
  private static let places = (0..<600).map { UInt8(statuses.firstIndex(of: $0) ?? 0) }

  init(_ factory: any MetricsFactory) {
    // A path with several methods has one timer, because backends return the same timer for the
    // same labels.
    let routes = Route.all.map(\.path.text) + ["none"]
    counters = UncountedValues(
      routes.flatMap { route in
        Self.statuses.map { status in
          factory.makeCounter(
            label: "layoutd_requests_total",
            dimensions: [("route", route), ("status", "\(status)")])
        }
      })
    durations = UncountedValues(
      routes.map { route in
        let timer = factory.makeTimer(
          label: "layoutd_request_duration_seconds", dimensions: [("route", route)])
        timer.preferDisplayUnit(.seconds)
        return timer
      })
  }

  func count(operation: Int?, status: Status?, nanoseconds: Int64) {
    let status = status?.rawValue ?? 0
    let place = status < Self.places.count ? Int(Self.places[status]) : 0
    let route = operation ?? Route.all.count
    counters.use(route * Self.statuses.count + place) { $0.increment(by: 1) }
    durations.use(route) { $0.recordNanoseconds(nanoseconds) }
  }
}
