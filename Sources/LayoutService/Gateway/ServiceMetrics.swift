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
  private let sessions: Meter
  private let sessionBytes: Meter
  private let evictions: Meter
  private let expiries: Meter
  private let views: Meter
  private let droppedFrames: Meter
  private let historyBytes: Meter
  private let queueDepth: Meter
  private let connections: Meter
  private let store: StoreMeters
  private let eventStreams: Meter
  private let events: Meter
  private let slowReaders: Meter

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
    sessions = Meter(label: "layoutd_sessions", factory: factory)
    sessionBytes = Meter(label: "layoutd_session_bytes", factory: factory)
    evictions = Meter(label: "layoutd_session_evictions_total", factory: factory)
    expiries = Meter(label: "layoutd_session_expiries_total", factory: factory)
    views = Meter(label: "layoutd_views", factory: factory)
    droppedFrames = Meter(label: "layoutd_view_frames_dropped_total", factory: factory)
    historyBytes = Meter(label: "layoutd_history_bytes", factory: factory)
    queueDepth = Meter(label: "layoutd_queue_depth", factory: factory)
    connections = Meter(label: "layoutd_connections", factory: factory)
    store = StoreMeters(factory)
    eventStreams = Meter(label: "layoutd_event_streams", factory: factory)
    events = Meter(label: "layoutd_events_total", factory: factory)
    slowReaders = Meter(label: "layoutd_event_slow_readers_total", factory: factory)
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
  public func observe(
    _ statistics: SessionStore.Statistics, queueDepth depth: Int, connections count: Int,
    streams: StreamStatistics
  ) {
    sessions.set(statistics.sessions)
    sessionBytes.set(statistics.bytes)
    evictions.set(statistics.evictions)
    expiries.set(statistics.expiries)
    views.set(statistics.views)
    droppedFrames.set(statistics.framesDropped)
    historyBytes.set(statistics.historyBytes)
    queueDepth.set(depth)
    connections.set(count)
    eventStreams.set(streams.streams)
    events.set(streams.events)
    slowReaders.set(streams.slowReaders)
  }
}

extension ServiceMetrics {
  /// Sets what is observed of a store that servers share.
  public func observe(_ statistics: SessionStore.LogStatistics, isHeard: Bool) {
    store.observe(statistics, isHeard: isHeard)
  }
}

private struct StoreMeters: Sendable {
  private let reachable: Meter
  private let loads: Meter
  private let replays: Meter
  private let conflicts: Meter
  private let compactions: Meter

  init(_ factory: any MetricsFactory) {
    reachable = Meter(label: "layoutd_store_reachable", factory: factory)
    loads = Meter(label: "layoutd_store_loads_total", factory: factory)
    replays = Meter(label: "layoutd_store_replays_total", factory: factory)
    conflicts = Meter(label: "layoutd_store_conflicts_total", factory: factory)
    compactions = Meter(label: "layoutd_store_compactions_total", factory: factory)
    observe(SessionStore.LogStatistics(), isHeard: true)
  }

  func observe(_ statistics: SessionStore.LogStatistics, isHeard: Bool) {
    reachable.set(isHeard ? 1 : 0)
    loads.set(statistics.loads)
    replays.set(statistics.replays)
    conflicts.set(statistics.conflicts)
    compactions.set(statistics.compactions)
  }
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
