public import CoreMetrics
public import LayoutSessions
import MicroHTTP
import Synchronization

/// What is counted, through swift-metrics: any backend will do.
public final class ServiceMetrics: Sendable {
  private let factory: any MetricsFactory
  private let requests = Mutex<[RequestKey: Counter]>([:])
  private let rejections: Counter
  private let durations: CoreMetrics.Timer
  private let bytesReceived: Counter
  private let bytesSent: Counter
  private let preparedElements: Counter
  private let sessions: Meter
  private let sessionBytes: Meter
  private let evictions: Meter
  private let expiries: Meter
  private let queueDepth: Meter
  private let connections: Meter

  private struct RequestKey: Hashable {
    let route: String
    let status: Int
  }

  public init(factory: any MetricsFactory) {
    self.factory = factory
    rejections = Counter(label: "layoutd_queue_rejections_total", factory: factory)
    durations = CoreMetrics.Timer(
      label: "layoutd_request_duration_seconds", dimensions: [], preferredDisplayUnit: .seconds,
      factory: factory)
    bytesReceived = Counter(label: "layoutd_received_bytes_total", factory: factory)
    bytesSent = Counter(label: "layoutd_sent_bytes_total", factory: factory)
    preparedElements = Counter(label: "layoutd_prepared_elements_total", factory: factory)
    sessions = Meter(label: "layoutd_sessions", factory: factory)
    sessionBytes = Meter(label: "layoutd_session_bytes", factory: factory)
    evictions = Meter(label: "layoutd_session_evictions_total", factory: factory)
    expiries = Meter(label: "layoutd_session_expiries_total", factory: factory)
    queueDepth = Meter(label: "layoutd_queue_depth", factory: factory)
    connections = Meter(label: "layoutd_connections", factory: factory)
  }

  func count(_ record: borrowing RequestRecord) {
    let key = RequestKey(route: record.label ?? "none", status: record.status?.rawValue ?? 0)
    let counter = requests.withLock { counters in
      if let counter = counters[key] { return counter }
      let counter = Counter(
        label: "layoutd_requests_total",
        dimensions: [("route", key.route), ("status", "\(key.status)")], factory: factory)
      counters[key] = counter
      return counter
    }
    counter.increment()
    durations.recordNanoseconds(
      record.duration / .nanoseconds(1) < 0x1p62
        ? Int64(record.duration / .nanoseconds(1)) : .max)
    bytesReceived.increment(by: record.bytesReceived)
    bytesSent.increment(by: record.bytesSent)
  }

  func count(_ problem: TransportProblem) {
    if case .overloaded = problem { rejections.increment() }
  }

  func countPrepared(elements: Int) {
    preparedElements.increment(by: elements)
  }

  /// Sets what is read off when somebody asks, rather than counted.
  public func observe(
    _ statistics: SessionStore.Statistics, queueDepth depth: Int, connections count: Int
  ) {
    sessions.set(statistics.sessions)
    sessionBytes.set(statistics.bytes)
    evictions.set(statistics.evictions)
    expiries.set(statistics.expiries)
    queueDepth.set(depth)
    connections.set(count)
  }
}
