import Contract
import Glibc
import ServiceSupport
import TestSupport
import Testing

@testable import LayoutService
@testable import MicroHTTP

@Suite struct MetricsTests {
  private let metrics = Metrics()
  private let service: TestService

  init() { service = TestService(metrics: metrics) }

  private func told(_ observation: Metrics.Observation? = nil) throws -> ExpositionFormat {
    try ExpositionFormat(
      parsing: metrics.text(observation ?? Metrics.Observation(service.sessions.statistics)))
  }

  /// How many requests were counted, by route and status.
  private func requestCounts() throws -> [String: Double] {
    let samples = try told().samples.filter { $0.name == "layoutd_requests_total" }
    return Dictionary(
      uniqueKeysWithValues: samples.map {
        ("\($0.labels["route"] ?? "") \($0.labels["status"] ?? "")", $0.value)
      })
  }

  /// How many requests were timed, by route.
  private func durationCounts() throws -> [String: Double] {
    let samples = try told().samples.filter {
      $0.name == "layoutd_request_duration_seconds_count"
    }
    return Dictionary(uniqueKeysWithValues: samples.map { ($0.labels["route"] ?? "", $0.value) })
  }

  /// Whether so many requests are counted within ten seconds: one is when its answer is out.
  private func areCounted(_ count: Int) -> Bool {
    eventually { (try? durationCounts().values.reduce(0, +)) == Double(count) }
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
      #expect(areCounted(received))
    }
    let counted = try requestCounts()
    let expected: [String: Double] = [
      "/layouts/{kind}/prepare 201": 2, "/layouts/{id} 200": 3,
      "/layouts/{id}/items/{section}/{item} 304": 1,
      "/layouts/{id} 204": 1, "/layouts/{id} 404": 1, "/layouts/{id}/elements 200": 1,
      "/layouts/{id}/elements 400": 1, "/layouts/{id}/items 200": 1,
      "/layouts/{id}/items/{section}/{item} 200": 1,
      "/layouts/{id}/items/{section}/{item} 404": 1, "/layouts/{id}/updates 200": 1,
      "none 404": 1, "/healthz 200": 1,
    ]
    same(counted, expected)
    same(counted.values.reduce(0, +), Double(received))
    let durations = try durationCounts()
    same(durations["/layouts/{kind}/prepare"], 2)
    // GET, HEAD and DELETE.
    same(durations["/layouts/{id}"], 5)
    same(durations["none"], 1)
    try #expect(told()["layoutd_received_bytes_total"] ?? 0 > 15 * 20)
    try #expect(told()["layoutd_sent_bytes_total"] ?? 0 > 15 * 10)
  }

  @Test("a request that is refused before its body counts for its route")
  func refused() throws {
    try withDaemon(service.gateway) { port in
      let answer = try HTTPClient(port: port).send(
        "POST", "/layouts/grid/prepare", headers: [("Content-Type", "text/plain")], body: "{}")
      same(answer.status, 415)
      #expect(areCounted(1))
    }
    try same(requestCounts(), ["/layouts/{kind}/prepare 415": 1])
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
      #expect(areCounted(statuses.count))
    }
    try same(
      requestCounts(),
      [
        "/layouts/{id} 405": 1, "/layouts/{id}/elements 404": 1,
        "/layouts/{id}/items/{section}/{item} 204": 1, "/layouts/{kind}/prepare 411": 1,
        "/layouts/{kind}/prepare 413": 1, "/healthz 414": 1, "none 400": 1, "none 204": 1,
        "none 404": 1,
      ])
  }

  @Test("an answer that broke off was not sent")
  func brokenOff() throws {
    for isComplete in [true, false, true] {
      service.gateway.requestCompleted(
        RequestRecord(
          request: Request(target: RequestTarget("/")), status: .ok, isComplete: isComplete,
          bytesReceived: 1, bytesSent: 100, nanoseconds: 0))
    }
    try same(told()["layoutd_sent_bytes_total"], 200)
    try same(told()["layoutd_received_bytes_total"], 3)
  }

  @Test("the elements of each layout that is prepared are counted")
  func preparedElements() throws {
    _ = service.prepare("grid", Sample.grid)
    try same(told()["layoutd_prepared_elements_total"], 1009)
    _ = service.prepare("tree", #"{"nodes": 5}"#)
    try same(told()["layoutd_prepared_elements_total"], 1014)
    _ = service.prepare("tree", #"{"nodes": -5}"#)
    try same(told()["layoutd_prepared_elements_total"], 1014)
  }

  @Test(
    "work that finds no place in the queue is counted, so are connections, other refusals are not")
  func rejections() throws {
    let problems: [TransportProblem] = [
      .overloaded(retryAfterSeconds: 1), .lengthRequired, .overloaded(retryAfterSeconds: 2),
      .tooManyConnections, .buffersFull, .stopping,
    ]
    for problem in problems { _ = service.gateway.response(to: problem, request: nil) }
    try same(told()["layoutd_queue_rejections_total"], 2)
    try same(told()["layoutd_refused_connections_total"], 1)
  }

  @Test("what is kept and what waits is read off when it is asked for")
  func observations() throws {
    _ = service.prepare("grid", Sample.grid)
    var observation = Metrics.Observation(service.sessions.statistics)
    observation.sessions.evictions = 5
    observation.sessions.expiries = 6
    observation.queueDepth = 3
    observation.connections = 4
    observation.streams = StreamStatistics(streams: 7, events: 8, slowReaders: 9)
    let text = try told(observation)
    for (name, value) in [
      "sessions": 1, "session_evictions_total": 5, "session_expiries_total": 6, "queue_depth": 3,
      "connections": 4, "event_streams": 7, "events_total": 8, "event_slow_readers_total": 9,
    ] { same(text["layoutd_\(name)"], Double(value), "\(name)") }
    #expect(text["layoutd_session_bytes"] ?? 0 > 1000)
    same(text["layoutd_build_info", ["version": APIContract.version]], 1)
  }

  @Test("durations are in the buckets that hold them, in seconds, and nowhere else")
  func buckets() throws {
    let nanoseconds = [0, 10_000, 10_001, 700_000, 3_000_000, 2_000_000_000, 3_600_000_000_000]
    for duration in nanoseconds {
      metrics.count(
        RequestRecord(
          request: Request(target: RequestTarget("/kinds")), status: .ok, isComplete: true,
          bytesReceived: 0, bytesSent: 0, nanoseconds: duration))
    }
    let text = try told()
    let name = "layoutd_request_duration_seconds"
    let buckets = text.samples.filter { $0.name == "\(name)_bucket" }
    let bounds = buckets.map { $0.labels["le"].map { $0 == "+Inf" ? .infinity : Double($0)! }! }
    #expect(bounds == bounds.sorted() && bounds.last == .infinity)
    for (bucket, bound) in zip(buckets, bounds) {
      same(bucket.labels["route"], "/kinds")
      same(bucket.value, Double(nanoseconds.count { Double($0) / 1e9 <= bound }), "\(bound)")
    }
    same(text["\(name)_count", ["route": "/kinds"]], Double(nanoseconds.count))
    let sum = nanoseconds.reduce(0.0) { $0 + Double($1) / 1e9 }
    #expect(abs(try #require(text["\(name)_sum", ["route": "/kinds"]]) - sum) < 1e-6)
  }

  @Test("what several threads count is all there")
  func concurrency() throws {
    onThreads(4) { [metrics] _ in
      for _ in 0..<1000 { metrics.countPrepared(elements: 3) }
    }
    try same(told()["layoutd_prepared_elements_total"], 12_000)
  }

  @Test("a sum that overflows begins again at 0")
  func overflow() throws {
    metrics.countPrepared(elements: .max)
    metrics.countPrepared(elements: 6)
    try same(told()["layoutd_prepared_elements_total"], 5)
  }

  @Test("the process tells what it takes of the machine")
  func process() throws {
    let text = try told()
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
    let more = (0..<100).map { _ in dup(STDERR_FILENO) }
    let after = try #require(try told()["process_open_fds"])
    for descriptor in more { close(descriptor) }
    // Other tests may close some of theirs meanwhile.
    #expect(after > open + 50)
  }

  @Test("every metric has a type, a help text, and a name that the contract knows, in order")
  func names() throws {
    let described = OpenAPI.document["paths"]["/metrics"]["get"]["description"].string ?? ""
    metrics.count(
      RequestRecord(
        request: Request(target: RequestTarget("/")), status: .ok, isComplete: true,
        bytesReceived: 1, bytesSent: 1, nanoseconds: 0))
    let text = try told()
    same(text.types.count, 32)
    same(Set(text.help.keys), Set(text.types.keys))
    same(Set(text.help.keys), Set(Metrics.help.keys))
    for (name, type) in text.types {
      if name.hasPrefix("layoutd") { #expect(described.contains("`\(name)`"), "\(name)") }
      let expected =
        name.hasSuffix("_total")
        ? "counter" : name.hasSuffix("duration_seconds") ? "histogram" : "gauge"
      same(type, expected, "\(name)")
    }
    let order = metrics.text(Metrics.Observation(service.sessions.statistics))
      .split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
    same(order, order.sorted())
  }
}
