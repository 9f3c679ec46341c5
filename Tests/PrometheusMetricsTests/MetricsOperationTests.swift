import Contract
import Glibc
import LayoutService
import LayoutSessions
import Logging
import PrometheusMetrics
import TestSupport
import Testing

@testable import MicroHTTP

@Suite struct MetricsOperationTests {
  private let registry = PrometheusRegistry(
    help: ServiceMetrics.help.merging(ProcessMetrics.help) { own, _ in own })
  private let gateway: Gateway

  init() {
    let registry = registry
    let metrics = ServiceMetrics(factory: registry)
    let process = ProcessMetrics(factory: registry)
    let sessions = SessionStore(limits: .standard, clock: ManualSessionClock())
    let service = LayoutService(
      sessions: sessions,
      probes: .init(metricsText: {
        metrics.observe(
          sessions.statistics, queueDepth: 0, connections: 1, streams: .none)
        process.observe()
        return registry.text()
      }),
      metrics: metrics)
    gateway = Gateway(
      service, metrics: metrics,
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }

  /// Sends a request and tells the gateway, as a daemon does, that it is answered.
  @discardableResult
  private func send(
    _ method: MicroHTTP.Method, _ target: String, body: String? = nil
  ) -> Response {
    let headers = body.map { _ in [(FieldName.contentType, "application/json")] } ?? []
    let request = Request(
      method: method, target: RequestTarget(target), headers: HeaderFields(headers),
      body: body.map { .copying(Array($0.utf8)) })
    let response =
      switch gateway.respond(to: request) {
      case .respond(let response): response
      case .deferred(let deferred): deferred.work()
      case .stream(let head, _): head
      }
    gateway.requestCompleted(
      RequestRecord(
        request: request, operation: response.operation, status: response.status, isComplete: true,
        bytesReceived: body?.utf8.count ?? 0, bytesSent: response.body.count, nanoseconds: 20_000))
    return response
  }

  private func scraped() throws -> ExpositionFormat {
    let response = send(.get, "/metrics")
    same(response.status, .ok)
    return try ExpositionFormat(parsing: String(decoding: response.body, as: UTF8.self))
  }

  @Test("GET /metrics counts what was done")
  func scrape() throws {
    let before = try scraped()
    same(before["layoutd_sessions"], 0)
    #expect(!before.samples.contains { $0.name == "layoutd_request_duration_seconds_count" })
    let body = #"{"bounds": {"width": 320}, "sections": [{"items": 10}]}"#
    let created = send(.post, "/layouts/grid/prepare", body: body)
    let path = try #require(created["Location"])
    for _ in 0..<3 { send(.get, "\(path)/elements?rect=0,0,320,480") }
    send(.get, "\(path)/elements")
    send(.get, "/nope")
    let text = try scraped()
    func count(_ route: String, _ status: String) -> Double? {
      text["layoutd_requests_total", ["route": route, "status": status]]
    }
    same(count("/layouts/{kind}/prepare", "201"), 1)
    same(count("/layouts/{id}/elements", "200"), 3)
    same(count("/layouts/{id}/elements", "400"), 1)
    same(count("none", "404"), 1)
    same(count("/metrics", "200"), 1)
    let durations = text.samples.filter { $0.name == "layoutd_request_duration_seconds_count" }
    same(durations.reduce(0) { $0 + $1.value }, 7)
    let elements = "/layouts/{id}/elements"
    same(text["layoutd_request_duration_seconds_count", ["route": elements]], 4)
    same(text["layoutd_request_duration_seconds_bucket", ["route": elements, "le": "+Inf"]], 4)
    same(text["layoutd_build_info", ["version": APIContract.version]], 1)
    same(text["layoutd_prepared_elements_total"], 10)
    same(text["layoutd_sessions"], 1)
    #expect(try #require(text["layoutd_session_bytes"]) > 0)
    same(text["layoutd_received_bytes_total"], Double(body.utf8.count))
    for (name, type) in text.types {
      let expected =
        name.hasSuffix("_total")
        ? "counter" : name.hasSuffix("duration_seconds") ? "histogram" : "gauge"
      same(type, expected, "\(name)")
    }
    same(text.types.count, 32)
    same(Set(text.help.keys), Set(text.types.keys))
  }

  @Test("the process tells what it takes of the machine")
  func process() throws {
    let text = try scraped()
    let resident = try #require(text["process_resident_memory_bytes"])
    #expect(resident > 1_000_000)
    #expect(try #require(text["process_virtual_memory_bytes"]) >= resident)
    #expect(try #require(text["process_cpu_seconds_total"]) >= 0)
    #expect(try #require(text["process_threads"]) >= 1)
    let open = try #require(text["process_open_fds"])
    #expect(open >= 3)
    #expect(try #require(text["process_max_fds"]) >= open)
    let start = try #require(text["process_start_time_seconds"])
    #expect(start > 1_700_000_000 && start <= Double(time(nil)) + 1)
  }

  @Test("a descriptor more is one more that is open")
  func descriptors() throws {
    let before = try #require(try scraped()["process_open_fds"])
    let more = (0..<100).map { _ in dup(STDERR_FILENO) }
    let after = try #require(try scraped()["process_open_fds"])
    for descriptor in more { close(descriptor) }
    // Other tests may close some of theirs meanwhile.
    #expect(after > before + 50)
  }
}
