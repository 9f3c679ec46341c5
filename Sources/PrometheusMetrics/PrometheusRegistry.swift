public import CoreMetrics
import Synchronization

/// A backend for swift-metrics. It keeps numbers in memory and writes them in Prometheus's text
/// format.
///
/// This is our own code because no maintained backend supports this toolchain. It has what the
/// service needs: counters, gauges and histograms of durations.
///
/// Source: "Exposition formats", the Prometheus documentation, version 0.0.4.
public final class PrometheusRegistry: MetricsFactory {
  /// The metrics, sorted by name and labels.
  private let metrics = Mutex<[Entry]>([])

  private struct Entry: Sendable {
    let label: String
    /// The labels as text.
    let dimensions: String
    let metric: any PrometheusMetric
  }

  private let help: [String: String]

  /// - Parameter help: One sentence for each metric, by name, without line breaks.
  public init(help: [String: String] = [:]) {
    self.help = help
  }

  /// All metrics as text, sorted by name.
  ///
  /// - Complexity: O(*n*) for *n* metrics.
  public func text() -> String {
    var text = ""
    var previous = ""
    for entry in metrics.withLock({ $0 }) {
      var lines = ""
      entry.metric.write(entry.label, entry.dimensions, to: &lines)
      if lines.isEmpty { continue }
      if entry.label != previous {
        if let help = help[entry.label] { text += "# HELP \(entry.label) \(help)\n" }
        text += "# TYPE \(entry.label) \(entry.metric.type)\n"
        previous = entry.label
      }
      text += lines
    }
    return text
  }

  /// The metric with a name and labels. It is made if there is none yet.
  ///
  /// - Complexity: O(log *n*) for *n* metrics; O(*n*) if a metric is made.
  private func metric<Metric: PrometheusMetric>(
    _ label: String, _ dimensions: [(String, String)], make: () -> Metric
  ) -> Metric {
    let dimensions = Self.text(of: dimensions)
    return metrics.withLock { metrics in
      var (place, end) = (0, metrics.count)
      while place < end {
        let middle = (place + end) / 2
        let found = metrics[middle]
        if (found.label, found.dimensions) < (label, dimensions) {
          place = middle + 1
        } else {
          end = middle
        }
      }
      if place < metrics.count {
        let found = metrics[place]
        if found.label == label, found.dimensions == dimensions,
          let metric = found.metric as? Metric
        {
          return metric
        }
      }
      let metric = make()
      metrics.insert(Entry(label: label, dimensions: dimensions, metric: metric), at: place)
      return metric
    }
  }

  /// The dimensions as `{name="value",…}`; empty without any.
  private static func text(of dimensions: [(String, String)]) -> String {
    if dimensions.isEmpty { return "" }
    let pairs = dimensions.map { name, value in
      // This goes by bytes, because one character may contain a byte to escape and more.
      let escaped = value.utf8.flatMap { byte in
        switch byte {
        case UInt8(ascii: "\\"): Array(#"\\"#.utf8)
        case UInt8(ascii: "\""): Array(#"\""#.utf8)
        case UInt8(ascii: "\n"): Array(#"\n"#.utf8)
        default: [byte]
        }
      }
      return "\(name)=\"\(String(decoding: escaped, as: UTF8.self))\""
    }
    return "{" + pairs.joined(separator: ",") + "}"
  }

  // MARK: MetricsFactory

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    metric(label, dimensions) { PrometheusCounter() }
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    metric(label, dimensions) { PrometheusGauge(isCounter: label.hasSuffix("_total")) }
  }

  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    metric(label, dimensions) { PrometheusGauge(isCounter: false) }
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    metric(label, dimensions) { PrometheusHistogram() }
  }

  public func destroyCounter(_ handler: any CounterHandler) {}
  public func destroyMeter(_ handler: any MeterHandler) {}
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  public func destroyTimer(_ handler: any TimerHandler) {}
}

private protocol PrometheusMetric: AnyObject, Sendable {
  var type: String { get }
  func write(_ label: String, _ dimensions: String, to text: inout String)
}

private final class PrometheusCounter: PrometheusMetric, CounterHandler {
  private let sum = ShardedSum()
  /// The sum at the last reset.
  private let start = Atomic<Int64>(0)

  var type: String { "counter" }

  func increment(by amount: Int64) { sum.add(amount) }
  func reset() { start.store(sum.total, ordering: .relaxed) }

  func write(_ label: String, _ dimensions: String, to text: inout String) {
    // Above the largest number it starts again at 0. Prometheus treats this as a reset.
    let value = (sum.total &- start.load(ordering: .relaxed)) & .max
    // A counter with labels may never count anything. It is written once it has counted.
    guard value > 0 || dimensions.isEmpty else { return }
    text += "\(label)\(dimensions) \(value)\n"
  }
}

private final class PrometheusGauge: PrometheusMetric, MeterHandler, RecorderHandler {
  private let bits = Atomic<UInt64>(0)
  let type: String

  init(isCounter: Bool) {
    type = isCounter ? "counter" : "gauge"
  }

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
  func record(_ value: Int64) { set(value) }
  func record(_ value: Double) { set(value) }
  func increment(by amount: Double) { change(by: amount) }
  func decrement(by amount: Double) { change(by: -amount) }

  private func change(by amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + amount).bitPattern
      let result = bits.compareExchange(expected: old, desired: new, ordering: .relaxed)
      if result.exchanged { return }
      old = result.original
    }
  }

  func write(_ label: String, _ dimensions: String, to text: inout String) {
    let value = Double(bitPattern: bits.load(ordering: .relaxed))
    text += "\(label)\(dimensions) \(value)\n"
  }
}

/// A histogram of durations.
private final class PrometheusHistogram: PrometheusMetric, TimerHandler {
  /// The upper bounds of the buckets, in nanoseconds.
  private static let bounds: InlineArray<13, Int64> = [
    10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000, 100_000_000,
    500_000_000, 1_000_000_000, 5_000_000_000, 10_000_000_000,
  ]

  /// The counts for `bounds`, and last the count above all of them.
  private let counts = InlineArray<14, ShardedSum> { _ in ShardedSum() }
  private let sum = ShardedSum()

  var type: String { "histogram" }

  func recordNanoseconds(_ duration: Int64) {
    var index = 0
    while index < Self.bounds.count, Self.bounds[index] < duration { index += 1 }
    counts[index].add(1)
    sum.add(duration)
  }

  func write(_ label: String, _ dimensions: String, to text: inout String) {
    // Like a counter, a histogram with labels is written once it has a duration.
    guard dimensions.isEmpty || counts.indices.contains(where: { counts[$0].total > 0 }) else {
      return
    }
    let others = dimensions.dropFirst().dropLast()
    func bucket(_ bound: String) -> String {
      "\(label)_bucket{" + (others.isEmpty ? "" : others + ",") + "le=\"\(bound)\"}"
    }
    var total: Int64 = 0
    for index in Self.bounds.indices {
      total += counts[index].total
      text += "\(bucket("\(Double(Self.bounds[index]) / 1e9)")) \(total)\n"
    }
    total += counts[Self.bounds.count].total
    text += "\(bucket("+Inf")) \(total)\n"
    text += "\(label)_sum\(dimensions) \(Double(sum.total) / 1e9)\n"
    text += "\(label)_count\(dimensions) \(total)\n"
  }
}
