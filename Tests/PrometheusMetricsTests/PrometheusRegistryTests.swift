import CoreMetrics
import Dispatch
import PrometheusMetrics
import TestSupport
import Testing

@Suite struct PrometheusRegistryTests {
  private let registry = PrometheusRegistry()

  private func parsed() throws -> ExpositionFormat {
    try ExpositionFormat(parsing: registry.text())
  }

  @Test("nothing is an empty text")
  func empty() {
    same(registry.text(), "")
  }

  @Test("counters of one name are one family, whatever their labels")
  func counters() throws {
    for (route, status, count) in [("/a", "200", 3), ("/a", "404", 1), ("/b", "200", 2)] {
      for _ in 0..<count {
        Counter(
          label: "requests_total", dimensions: [("route", route), ("status", status)],
          factory: registry
        ).increment()
      }
    }
    Counter(label: "bytes_total", factory: registry).increment(by: 1 << 40)
    let text = try parsed()
    same(text.types, ["requests_total": "counter", "bytes_total": "counter"])
    same(text["requests_total", ["route": "/a", "status": "200"]], 3)
    same(text["requests_total", ["route": "/a", "status": "404"]], 1)
    same(text["requests_total", ["route": "/b", "status": "200"]], 2)
    same(text["bytes_total"], 0x1p40)
    same(text.samples.count, 4)
  }

  @Test("a counter that overflows begins again at 0")
  func overflow() throws {
    let counter = Counter(label: "elements_total", factory: registry)
    counter.increment(by: Int64.max)
    counter.increment(by: 6)
    try same(parsed()["elements_total"], 5)
  }

  @Test("samples come by name and labels, in whatever order they were made")
  func order() throws {
    for (name, value) in [("b", "z"), ("a", "y"), ("c", "x"), ("b", "x"), ("a", "z"), ("b", "y")] {
      Counter(label: name, dimensions: [("label", value)], factory: registry).increment()
    }
    let samples = try parsed().samples.map { "\($0.name) \($0.labels["label"] ?? "")" }
    same(samples, ["a y", "a z", "b x", "b y", "b z", "c x"])
  }

  @Test("of counters with labels those that have counted are told")
  func silentCounters() throws {
    for value in ["x", "y"] {
      let counter = Counter(label: "a_total", dimensions: [("label", value)], factory: registry)
      if value == "y" { counter.increment() }
    }
    Counter(label: "b_total", dimensions: [("label", "x")], factory: registry).increment(by: 0)
    same(registry.text(), "# TYPE a_total counter\na_total{label=\"y\"} 1\n")
  }

  @Test("a counter that has not counted is there with 0, and one that is reset")
  func zero() throws {
    let counter = Counter(label: "a_total", factory: registry)
    try same(parsed()["a_total"], 0)
    counter.increment(by: 7)
    counter.reset()
    try same(parsed()["a_total"], 0)
  }

  @Test(
    "labels come back whatever is in them",
    arguments: [
      "", "/layouts/{id}", #"a"b"#, #"\"#, "a\nb", #"\n"#, "é, \"x\"=}",
      // Of one character with what stands beside them.
      "a\r\nb", "\"\u{301}", "\\\u{301}",
    ])
  func labels(value: String) throws {
    Counter(label: "a_total", dimensions: [("label", value)], factory: registry).increment()
    try same(parsed()["a_total", ["label": value]], 1)
  }

  @Test("a meter is a gauge; one that is called a total is a counter")
  func meters() throws {
    let meter = Meter(label: "depth", factory: registry)
    for value in [3, 0, -2.5, 1e-7, 1e300] {
      meter.set(value)
      try same(parsed()["depth"], value)
    }
    meter.set(10)
    meter.increment(by: 2)
    meter.decrement(by: 5)
    Meter(label: "evictions_total", factory: registry).set(4)
    let text = try parsed()
    same(text["depth"], 7)
    same(text["evictions_total"], 4)
    same(text.types, ["depth": "gauge", "evictions_total": "counter"])
  }

  @Test("a timer is a histogram in seconds whose buckets hold those below them")
  func timers() throws {
    let timer = Timer(label: "duration_seconds", factory: registry)
    let nanoseconds: [Int64] = [
      0, 10_000, 10_001, 700_000, 3_000_000, 2_000_000_000, 3_600_000_000_000,
    ]
    for duration in nanoseconds { timer.recordNanoseconds(duration) }
    let text = try parsed()
    same(text.types, ["duration_seconds": "histogram"])
    let buckets = text.samples.filter { $0.name == "duration_seconds_bucket" }
    let bounds = buckets.map { $0.labels["le"].map { $0 == "+Inf" ? .infinity : Double($0)! }! }
    #expect(bounds == bounds.sorted() && bounds.last == .infinity)
    for (bucket, bound) in zip(buckets, bounds) {
      let below = nanoseconds.filter { Double($0) / 1e9 <= bound }.count
      same(bucket.value, Double(below), "\(bound)")
    }
    same(text["duration_seconds_count"], Double(nanoseconds.count))
    let sum = nanoseconds.reduce(0.0) { $0 + Double($1) / 1e9 }
    #expect(abs(try #require(text["duration_seconds_sum"]) - sum) < 1e-6)
  }

  @Test("timers of one name and several labels are told apart")
  func labelledTimers() throws {
    for (route, count) in [("/a", 1), ("/b", 2)] {
      let timer = Timer(label: "seconds", dimensions: [("route", route)], factory: registry)
      for _ in 0..<count { timer.recordNanoseconds(1) }
    }
    let text = try parsed()
    same(text["seconds_count", ["route": "/a"]], 1)
    same(text["seconds_count", ["route": "/b"]], 2)
  }

  @Test("what a metric means stands before its type")
  func help() {
    let registry = PrometheusRegistry(help: ["a_total": "How many.", "none": "Of no metric."])
    Counter(label: "a_total", factory: registry).increment()
    Counter(label: "b_total", factory: registry).increment()
    same(
      registry.text(),
      """
      # HELP a_total How many.
      # TYPE a_total counter
      a_total 1
      # TYPE b_total counter
      b_total 1

      """)
  }

  @Test("of timers with labels those that have timed something are told")
  func silentTimers() throws {
    for value in ["x", "y"] {
      let timer = Timer(label: "seconds", dimensions: [("label", value)], factory: registry)
      if value == "y" { timer.recordNanoseconds(1) }
    }
    let counts = try parsed().samples.filter { $0.name == "seconds_count" }
    same(counts.map(\.labels), [["label": "y"]])
  }

  @Test("what several threads count is all there")
  func concurrency() throws {
    let registry = registry
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<1000 {
        Counter(label: "a_total", dimensions: [("b", "c")], factory: registry).increment()
        Meter(label: "level", factory: registry).increment(by: 1)
        Timer(label: "seconds", factory: registry).recordNanoseconds(5)
        if thread == 0 { _ = registry.text() }
      }
    }
    let text = try parsed()
    same(text["a_total", ["b": "c"]], 4000)
    same(text["level"], 4000)
    same(text["seconds_count"], 4000)
  }

  @Test("a recorder is a gauge")
  func recorders() {
    Recorder(label: "size", factory: registry).record(2)
    same(registry.text(), "# TYPE size gauge\nsize 2.0\n")
  }
}
