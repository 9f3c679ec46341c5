/// Runs of consecutive pages. Runs that touch are joined.
struct PageRuns {
  struct Run: Equatable {
    /// The address of the first byte.
    var start: UInt
    /// The number of bytes.
    var count: Int

    var end: UInt { start + UInt(count) }
  }

  /// The runs, by ascending address.
  private(set) var runs: [Run] = []
  /// The bytes of all runs.
  private(set) var bytes = 0

  /// Takes the beginning of the smallest run that is large enough; `nil` if none is.
  ///
  /// - Complexity: O(*n*) for *n* runs.
  mutating func take(_ count: Int) -> UInt? {
    let best = runs.indices.filter { runs[$0].count >= count }.min {
      runs[$0].count < runs[$1].count
    }
    guard let best else { return nil }
    let start = runs[best].start
    runs[best].start += UInt(count)
    runs[best].count -= count
    if runs[best].count == 0 { runs.remove(at: best) }
    bytes -= count
    return start
  }

  /// Adds a run and joins it with runs that it touches.
  ///
  /// - Complexity: O(*n*) for *n* runs.
  mutating func add(_ run: Run) {
    bytes += run.count
    let next = runs.firstIndex { $0.start > run.start } ?? runs.count
    if next < runs.count, run.end == runs[next].start {
      runs[next].start = run.start
      runs[next].count += run.count
    } else {
      runs.insert(run, at: next)
    }
    if next > 0, runs[next - 1].end == run.start {
      runs[next - 1].count += runs[next].count
      runs.remove(at: next)
    }
  }

  /// Takes all runs.
  mutating func removeAll() -> [Run] {
    defer { self = PageRuns() }
    return runs
  }
}
