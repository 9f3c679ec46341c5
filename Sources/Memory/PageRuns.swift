/// Runs of consecutive pages, as large as they can be: no two of them touch.
struct PageRuns {
  struct Run: Equatable {
    /// The address of its first byte.
    var start: UInt
    /// How many bytes it has.
    var count: Int

    var end: UInt { start + UInt(count) }
  }

  /// By ascending address.
  private(set) var runs: [Run] = []
  /// Of all runs together.
  private(set) var bytes = 0

  /// Takes the beginning of the smallest run that suffices; `nil` when none does.
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

  /// Adds a run, which becomes one with those that it touches.
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

  /// Takes all of them.
  mutating func removeAll() -> [Run] {
    defer { self = PageRuns() }
    return runs
  }
}
