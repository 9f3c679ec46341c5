/// Where a section of a changed collection comes from.
struct SectionOrigin: Sendable {
  /// The index that the section had before; `nil` for a new one.
  var base: Int?
  /// The first item that may be another than the one that the base had there, or have other
  /// fields; `nil` when all are the same.
  var firstChanged: Int?
  /// Which items the section's are, in order; `nil` when they are the base's.
  var runs: [Run]?

  /// Items that were side by side before, or are new.
  struct Run: Sendable {
    var count: Int
    /// Where the first of them was; `nil` for new ones.
    var source: IndexPath?
  }

  mutating func markChanged(from item: Int) {
    firstChanged = min(firstChanged ?? .max, item)
  }

  /// Puts other runs in the place of a range of items.
  ///
  /// - Parameter count: How many items the section had.
  /// - Returns: The runs that were there.
  mutating func replaceRuns(_ range: Range<Int>, of count: Int, with runs: [Run]) -> [Run] {
    let old = self.runs ?? [Run(count: count, source: base.map { IndexPath(section: $0, item: 0) })]
    var before: [Run] = []
    var removed: [Run] = []
    var after: [Run] = []
    var first = 0
    for run in old {
      let end = first + run.count
      func part(_ lower: Int, _ upper: Int, _ parts: inout [Run]) {
        guard lower < upper else { return }
        let source = run.source.map {
          IndexPath(section: $0.section, item: $0.item + lower - first)
        }
        parts.append(Run(count: upper - lower, source: source))
      }
      part(first, min(end, range.lowerBound), &before)
      part(max(first, range.lowerBound), min(end, range.upperBound), &removed)
      part(max(first, range.upperBound), end, &after)
      first = end
    }
    self.runs = before + runs + after
    return removed
  }
}
