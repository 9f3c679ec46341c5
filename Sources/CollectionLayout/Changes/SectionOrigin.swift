/// Where a section of a changed collection comes from.
struct SectionOrigin: Sendable {
  /// The index that the section had before; `nil` for a new one.
  var base: Int?
  /// The first item that may be another than the one that the base had there, or have other
  /// fields; `nil` when all are the same.
  private(set) var firstChanged: Int?
  /// Which items the section's are, in order; `nil` when they are the base's.
  private(set) var runs: [Run]?
  /// Which of the base's items have other fields; of use while `runs` is `nil`.
  private(set) var replaced: [Range<Int>] = []

  /// A section of the collection as it is before any change.
  init(base: Int) {
    self.base = base
  }

  /// A new section.
  init(newCount: Int) {
    firstChanged = 0
    runs = [Run(count: newCount)]
  }

  /// Items that were side by side before, or are new.
  struct Run: Equatable, Sendable {
    var count: Int
    /// Where the first of them was; `nil` for new ones.
    var source: IndexPath?
  }

  /// Notes that the items of a range have other fields.
  mutating func replaceFields(of range: Range<Int>) {
    firstChanged = min(firstChanged ?? .max, range.lowerBound)
    replaced.append(range)
  }

  /// Puts other runs in the place of a range of items.
  ///
  /// - Parameters:
  ///   - count: How many items the section had just before.
  ///   - baseCount: How many its base has.
  /// - Returns: The runs that were there.
  mutating func replaceRuns(
    _ range: Range<Int>, of count: Int, baseCount: Int, with runs: [Run]
  ) -> [Run] {
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
    firstChanged = min(firstChanged ?? .max, range.lowerBound)
    self.runs = Self.joined(before + runs + after)
    if let base, replaced.isEmpty,
      self.runs == [Run(count: baseCount, source: IndexPath(section: base, item: 0))]
    {
      // Everything is back where it was.
      self.runs = nil
      firstChanged = nil
    }
    return removed
  }

  private static func joined(_ runs: [Run]) -> [Run] {
    runs.reduce(into: []) { joined, run in
      guard let last = joined.last, let end = last.source, let source = run.source,
        source == IndexPath(section: end.section, item: end.item + last.count)
      else { return joined.append(run) }
      joined[joined.count - 1].count += run.count
    }
  }
}
