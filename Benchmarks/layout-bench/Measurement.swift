import Synchronization

/// The time of several runs of the same work.
struct Measurement {
  let minimum: Duration
  let median: Duration

  /// Takes the minimum and the median of some times.
  init(_ times: [Duration]) {
    precondition(!times.isEmpty, "nothing was measured")
    let sorted = times.sorted()
    minimum = sorted[0]
    median = sorted[sorted.count / 2]
  }

  /// The time of one of `count` parts.
  func divided(by count: Int) -> Measurement {
    Measurement(minimum: minimum / count, median: median / count)
  }

  private init(minimum: Duration, median: Duration) {
    self.minimum = minimum
    self.median = median
  }

  /// Measures work with a ``Stopwatch`` and drops the results.
  static func of<Result>(
    within patience: Patience, keeping count: (Result) -> Int, _ work: () throws -> Result
  ) rethrows -> Measurement {
    var stopwatch = Stopwatch(patience)
    while stopwatch.goesOn {
      let result = try stopwatch.time(work)
      Sink.take(count(result))
    }
    return stopwatch.measurement
  }
}

/// The duration of a measurement.
struct Patience {
  /// Runs continue until they have taken this long together …
  var total: Duration
  /// … but there are at least this many runs after the warm-up …
  var minimumRuns: Int
  /// … unless they take longer than this.
  var limit: Duration

  static let usual = Patience(total: .milliseconds(200), minimumRuns: 5, limit: .seconds(2))
  static let quick = Patience(
    total: .milliseconds(60), minimumRuns: 3, limit: .milliseconds(500))
}

/// Measures runs of the same work. The first run is a warm-up and does not count, unless the time
/// is over after it.
///
///     while stopwatch.goesOn {
///       let result = stopwatch.time { work() }
///       // What happens to the result here takes no measured time, its release included.
///     }
struct Stopwatch {
  private static let maximumRuns = 2000

  private let patience: Patience
  private let clock = ContinuousClock()
  private var warmUp: Duration?
  private var times: [Duration] = []
  private var total = Duration.zero

  init(_ patience: Patience) {
    self.patience = patience
  }

  var goesOn: Bool {
    guard let warmUp else { return true }
    if warmUp + total >= patience.limit { return false }
    return times.count < patience.minimumRuns
      || (total < patience.total && times.count < Self.maximumRuns)
  }

  mutating func time<Result>(_ work: () throws -> Result) rethrows -> Result {
    let start = clock.now
    let result = try work()
    let time = clock.now - start
    if warmUp == nil {
      warmUp = time
    } else {
      times.append(time)
      total += time
    }
    return result
  }

  var measurement: Measurement {
    guard let warmUp else { preconditionFailure("nothing was timed") }
    return Measurement(times.isEmpty ? [warmUp] : times)
  }
}

/// Takes results, so that the optimizer cannot remove the computation.
enum Sink {
  private static let sum = Atomic<Int>(0)

  static func take(_ value: Int) {
    sum.wrappingAdd(value, ordering: .relaxed)
  }
}
