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
  ///   - new: No two of them are side by side.
  /// - Returns: The runs that were there.
  mutating func replaceRuns(
    _ range: Range<Int>, of count: Int, baseCount: Int, with new: [Run]
  ) -> [Run] {
    let source = base.map { IndexPath(section: $0, item: 0) }
    var runs = self.runs ?? (count == 0 ? [] : [Run(count: count, source: source)])
    // Not shared any more, so that a change in the middle copies nothing.
    self.runs = nil
    let first = Self.split(&runs, at: range.lowerBound)
    let last = Self.split(&runs, at: range.upperBound)
    let removed = Array(runs[first..<last])
    runs.replaceSubrange(first..<last, with: new)
    Self.join(&runs, at: first + new.count)
    Self.join(&runs, at: first)
    firstChanged = min(firstChanged ?? .max, range.lowerBound)
    if base != nil, replaced.isEmpty,
      runs == (baseCount == 0 ? [] : [Run(count: baseCount, source: source)])
    {
      // Everything is back where it was.
      firstChanged = nil
    } else {
      self.runs = runs
    }
    return removed
  }

  /// Makes a run begin at an item.
  ///
  /// - Returns: The index of that run; the number of runs at the end.
  /// - Complexity: O(*r*) for *r* runs, some nanoseconds each.
  private static func split(_ runs: inout [Run], at item: Int) -> Int {
    var index = 0
    var rest = item
    while index < runs.count, rest >= runs[index].count {
      rest -= runs[index].count
      index += 1
    }
    guard rest > 0 else { return index }
    let run = runs[index]
    runs[index].count = rest
    runs.insert(
      Run(
        count: run.count - rest,
        source: run.source.map { IndexPath(section: $0.section, item: $0.item + rest) }),
      at: index + 1)
    return index + 1
  }

  /// Makes one of a run and the one before if they were side by side.
  private static func join(_ runs: inout [Run], at index: Int) {
    guard index > 0, index < runs.count, let end = runs[index - 1].source,
      let source = runs[index].source,
      source == IndexPath(section: end.section, item: end.item + runs[index - 1].count)
    else { return }
    runs[index - 1].count += runs[index].count
    runs.remove(at: index)
  }
}
