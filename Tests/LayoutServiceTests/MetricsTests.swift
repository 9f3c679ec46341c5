import CoreMetrics
import ServiceSupport
import System
import TestSupport
import Testing

@testable import LayoutService
@testable import MicroHTTP

@Suite struct MetricsTests {
  private let numbers = RecordedMetrics()
  private let service: TestService

  init() {
    service = TestService(metrics: ServiceMetrics(factory: numbers))
  }

  /// The durations of all routes.
  private static func durationCount(_ values: [String: Int]) -> Int {
    values.reduce(0) {
      $1.key.hasPrefix("count layoutd_request_duration_seconds route=") ? $0 + $1.value : $0
    }
  }

  @Test("requests are counted by route and status")
  func requests() throws {
    var received = 0
    try withDaemon(service.gateway) { port in
      let client = try HTTPClient(port: port)
      let created = try client.prepare("grid", Sample.grid)
      let path = try #require(created["Location"])
      let targets = [
        path, path, "\(path)/elements?rect=0,0,1,1", "\(path)/elements", "\(path)/items?id=a",
        "\(path)/items/0/0", "\(path)/items/9/9", "/nope", "/healthz",
        "/layouts/AAAAAAAAAAAAAAAAAAAAAA",
      ]
      var answers = try targets.map { try client.send("GET", $0) }
      answers.append(try client.send("HEAD", path))
      answers.append(
        try client.send("GET", "\(path)/items/0/0", headers: [("If-None-Match", "*")]))
      answers.append(
        try client.send(
          "POST", "\(path)/updates", headers: [("Content-Type", "application/json")],
          body: #"{"updates": []}"#))
      // Left to a worker.
      answers.append(
        try client.prepare(
          "justified", #"{"bounds": {"width": 320}, "sections": [{"items": 5000}]}"#))
      answers.append(try client.send("DELETE", path))
      received = answers.count + 1
      #expect(numbers.wait { Self.durationCount($0) == received })
    }
    let counted = numbers.values.filter { $0.key.hasPrefix("layoutd_requests_total") }
    let expected: [String: Int] = [
      "/layouts/{kind}/prepare 201": 2, "/layouts/{id} 200": 3,
      "/layouts/{id}/items/{section}/{item} 304": 1,
      "/layouts/{id} 204": 1, "/layouts/{id} 404": 1, "/layouts/{id}/elements 200": 1,
      "/layouts/{id}/elements 400": 1, "/layouts/{id}/items 200": 1,
      "/layouts/{id}/items/{section}/{item} 200": 1,
      "/layouts/{id}/items/{section}/{item} 404": 1, "/layouts/{id}/updates 200": 1,
      "none 404": 1, "/healthz 200": 1,
    ]
    let named = expected.map { name, count in
      let parts = name.split(separator: " ")
      return ("layoutd_requests_total route=\(parts[0]) status=\(parts[1])", count)
    }
    same(counted, Dictionary(uniqueKeysWithValues: named))
    same(counted.values.reduce(0, +), received)
    let prefix = "count layoutd_request_duration_seconds route="
    same(numbers.values[prefix + "/layouts/{kind}/prepare"], 2)
    // GET, HEAD and DELETE.
    same(numbers.values[prefix + "/layouts/{id}"], 5)
    same(numbers.values[prefix + "none"], 1)
    #expect(numbers.values["layoutd_received_bytes_total"] ?? 0 > 15 * 20)
    #expect(numbers.values["layoutd_sent_bytes_total"] ?? 0 > 15 * 10)
  }

  @Test("a request that is refused before its body counts for its route")
  func refused() throws {
    try withDaemon(service.gateway) { port in
      let answer = try HTTPClient(port: port).send(
        "POST", "/layouts/grid/prepare", headers: [("Content-Type", "text/plain")], body: "{}")
      same(answer.status, 415)
      #expect(numbers.wait { Self.durationCount($0) == 1 })
    }
    let key = "layoutd_requests_total route=/layouts/{kind}/prepare status=415"
    same(numbers.values[key], 1, "\(numbers.values)")
  }

  @Test("a request that does not get as far as its operation counts for its path")
  func withoutOperation() throws {
    try withDaemon(service.gateway) { port in
      let json = ("Content-Type", "application/json")
      let prepare = "/layouts/grid/prepare"
      let long = String(repeating: "x", count: 9000)
      let statuses = try [
        HTTPClient(port: port).send("PUT", "/layouts/x", body: "{}"),
        HTTPClient(port: port).send("OPTIONS", "/layouts/x/elements"),
        HTTPClient(port: port).send(
          "OPTIONS", "/layouts/x/items/0/0",
          headers: [("Origin", "https://a"), ("Access-Control-Request-Method", "GET")]),
        HTTPClient(port: port).send("POST", prepare, headers: [json]),
        HTTPClient(port: port).send(
          "POST", prepare, headers: [json, ("Content-Length", "100000000")]),
        HTTPClient(port: port).send("GET", "/%68ealthz?\(long)"),
        HTTPClient(port: port).send("GET", "/metrics#top"),
        HTTPClient(port: port).send("OPTIONS", "*"),
        HTTPClient(port: port).send("OPTIONS", "/nope"),
      ].map(\.status)
      same(statuses, [405, 404, 204, 411, 413, 414, 400, 204, 404])
      #expect(numbers.wait { Self.durationCount($0) == statuses.count })
    }
    let counted = numbers.values.filter { $0.key.hasPrefix("layoutd_requests_total") }
    let expected = [
      "route=/layouts/{id} status=405", "route=/layouts/{id}/elements status=404",
      "route=/layouts/{id}/items/{section}/{item} status=204",
      "route=/layouts/{kind}/prepare status=411", "route=/layouts/{kind}/prepare status=413",
      "route=/healthz status=414", "route=none status=400", "route=none status=204",
      "route=none status=404",
    ].map { ("layoutd_requests_total \($0)", 1) }
    same(counted, Dictionary(uniqueKeysWithValues: expected))
  }

  @Test("an answer that broke off was not sent")
  func brokenOff() {
    for isComplete in [true, false, true] {
      service.gateway.requestCompleted(
        RequestRecord(
          request: Request(target: RequestTarget("/")), status: .ok, isComplete: isComplete,
          bytesReceived: 1, bytesSent: 100, nanoseconds: 0))
    }
    same(numbers.values["layoutd_sent_bytes_total"], 200)
    same(numbers.values["layoutd_received_bytes_total"], 3)
  }

  @Test("the elements of each layout that is prepared are counted")
  func preparedElements() {
    _ = service.prepare("grid", Sample.grid)
    same(numbers.values["layoutd_prepared_elements_total"], 1009)
    _ = service.prepare("tree", #"{"nodes": 5}"#)
    same(numbers.values["layoutd_prepared_elements_total"], 1014)
    _ = service.prepare("tree", #"{"nodes": -5}"#)
    same(numbers.values["layoutd_prepared_elements_total"], 1014)
  }

  @Test(
    "work that finds no place in the queue is counted, so are connections, other refusals are not")
  func rejections() {
    let problems: [TransportProblem] = [
      .overloaded(retryAfterSeconds: 1), .lengthRequired, .overloaded(retryAfterSeconds: 2),
      .tooManyConnections, .buffersFull, .stopping,
    ]
    for problem in problems { _ = service.gateway.response(to: problem, request: nil) }
    same(numbers.values["layoutd_queue_rejections_total"], 2)
    same(numbers.values["layoutd_refused_connections_total"], 1)
  }

  @Test("what is kept and what waits is read off when it is asked for")
  func observations() {
    _ = service.prepare("grid", Sample.grid)
    let metrics = ServiceMetrics(factory: numbers)
    var statistics = service.sessions.statistics
    statistics.evictions = 5
    statistics.expiries = 6
    metrics.observe(
      statistics, queueDepth: 3, connections: 4,
      streams: StreamStatistics(streams: 7, events: 8, slowReaders: 9))
    same(numbers.values["layoutd_sessions"], 1)
    #expect(numbers.values["layoutd_session_bytes"] ?? 0 > 1000)
    same(numbers.values["layoutd_session_evictions_total"], 5)
    same(numbers.values["layoutd_session_expiries_total"], 6)
    same(numbers.values["layoutd_queue_depth"], 3)
    same(numbers.values["layoutd_connections"], 4)
    same(numbers.values["layoutd_event_streams"], 7)
    same(numbers.values["layoutd_events_total"], 8)
    same(numbers.values["layoutd_event_slow_readers_total"], 9)
  }

  @Test("every metric has a name that the contract knows")
  func names() {
    let described = OpenAPI.document["paths"]["/metrics"]["get"]["description"].string ?? ""
    ServiceMetrics(factory: numbers).count(
      RequestRecord(
        request: Request(target: RequestTarget("/")), status: .ok, isComplete: true,
        bytesReceived: 1,
        bytesSent: 1, nanoseconds: 0))
    let names = numbers.labels.withLock { $0 }
    same(names.count, 25)
    for name in names { #expect(described.contains("`\(name)`"), "\(name)") }
    same(names, Set(ServiceMetrics.help.keys))
  }
}

/// Keeps numbers by their labels and dimensions.
private final class RecordedMetrics: MetricsFactory {
  let labels = Monitor<Set<String>>([])
  private let numbers = Monitor<[String: Int]>([:])

  var values: [String: Int] { numbers.withLock { $0 } }

  /// Whether something is counted within ten seconds, such as what is when an answer is out.
  func wait(until isThere: ([String: Int]) -> Bool) -> Bool {
    numbers.wait(until: SystemTime.monotonic() + 60_000_000_000) { isThere($0) ? true : nil }
      ?? false
  }

  private func number(_ label: String, _ dimensions: [(String, String)]) -> RecordedNumber {
    labels.withLock { _ = $0.insert(label) }
    let name = ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
    return RecordedNumber { [self] change in
      numbers.update { change(name, &$0) }
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    number(label, dimensions)
  }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    number(label, dimensions)
  }
  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    number(label, dimensions)
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    number(label, dimensions)
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

private final class RecordedNumber: CounterHandler, MeterHandler, RecorderHandler, TimerHandler {
  typealias Change = (String, inout [String: Int]) -> Void
  private let change: @Sendable (Change) -> Void

  init(_ change: @escaping @Sendable (Change) -> Void) {
    self.change = change
  }

  func increment(by amount: Int64) { change { $1[$0, default: 0] += Int(amount) } }
  func reset() { change { $1[$0] = 0 } }
  func set(_ value: Int64) { change { $1[$0] = Int(value) } }
  func set(_ value: Double) { change { $1[$0] = Int(value) } }
  func increment(by amount: Double) { change { $1[$0, default: 0] += Int(amount) } }
  func decrement(by amount: Double) { change { $1[$0, default: 0] -= Int(amount) } }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }
  func recordNanoseconds(_ duration: Int64) { change { $1["count " + $0, default: 0] += 1 } }
}
