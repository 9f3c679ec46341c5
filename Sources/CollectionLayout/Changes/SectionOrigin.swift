/// Where a section of a changed collection comes from.
struct SectionOrigin: Sendable {
  /// The index that the section had before; `nil` for a new one.
  let base: Int?
  private let baseCount: Int
  /// Which items the section's are, in order; `nil` when they are the base's, unchanged.
  private(set) var runs: [Run]?

  /// A section as it is before any change, with so many items.
  init(base: Int, count: Int) {
    self.base = base
    baseCount = count
  }

  /// A new section.
  init(newCount: Int) {
    base = nil
    baseCount = 0
    runs = newCount == 0 ? [] : [Run(count: newCount)]
  }

  /// Items that were side by side before, or are new.
  struct Run: Equatable, Sendable {
    var count: Int
    /// Where the first of them was; `nil` for new ones.
    var source: IndexPath?
    /// Whether they may have other fields than they had there.
    var isReplaced = false

    /// The same items, perhaps with other fields.
    var replaced: Run { Run(count: count, source: source, isReplaced: source != nil) }
  }

  /// The first item that may be another than the one that the base had there, or have other
  /// fields; `nil` when all are the same.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var firstChanged: Int? {
    guard let runs else { return nil }
    var item = 0
    for run in runs {
      guard isInPlace(run, at: item), !run.isReplaced else { return item }
      item += run.count
    }
    return item
  }

  /// Where a section's items differ from the base's.
  struct Change: Sendable {
    /// The first item that may differ.
    let first: Int
    /// How many items at the end are those that were at the end of the base.
    let unchangedTail: Int
  }

  /// `nil` when all items are the same.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var change: Change? {
    guard let first = firstChanged, let runs, let base else { return nil }
    var tail = 0
    if let last = runs.last, !last.isReplaced, let source = last.source, source.section == base,
      source.item + last.count == baseCount
    {
      tail = last.count
    }
    // A run that stands for items of both ends counts for the beginning.
    let count = runs.reduce(0) { $0 + $1.count }
    return Change(first: first, unchangedTail: min(tail, count - first, baseCount - first))
  }

  /// Which items may have other fields, in order; `nil` when some are not the base's, or not where
  /// they were.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var replaced: [Range<Int>]? {
    guard let runs else { return [] }
    var ranges: [Range<Int>] = []
    var item = 0
    for run in runs {
      guard isInPlace(run, at: item) else { return nil }
      if run.isReplaced { ranges.append(item..<item + run.count) }
      item += run.count
    }
    return item == baseCount ? ranges : nil
  }

  private func isInPlace(_ run: Run, at item: Int) -> Bool {
    base.map { run.source == IndexPath(section: $0, item: item) } ?? false
  }

  /// Puts other runs in the place of a range of items.
  ///
  /// - Parameter new: Makes them of the runs that were there.
  /// - Returns: The runs that were there.
  mutating func replaceRuns(_ range: Range<Int>, with new: ([Run]) -> [Run]) -> [Run] {
    let source = base.map { IndexPath(section: $0, item: 0) }
    let unchanged = baseCount == 0 ? [] : [Run(count: baseCount, source: source)]
    var runs = self.runs ?? unchanged
    // Not shared any more, so that a change in the middle copies nothing.
    self.runs = nil
    let first = Self.split(&runs, from: 0, after: range.lowerBound)
    let last = Self.split(&runs, from: first, after: range.count)
    let removed = Array(runs[first..<last])
    let added = new(removed)
    runs.replaceSubrange(first..<last, with: added)
    for index in (first...first + added.count).reversed() { Self.join(&runs, at: index) }
    if base == nil || runs != unchanged { self.runs = runs }
    return removed
  }

  /// Makes a run begin so many items behind the start of another.
  ///
  /// - Returns: The index of that run; the number of runs at the end.
  /// - Complexity: O(*r*) for *r* runs, some nanoseconds each.
  private static func split(_ runs: inout [Run], from start: Int, after count: Int) -> Int {
    var index = start
    var rest = count
    while index < runs.count, rest >= runs[index].count {
      rest -= runs[index].count
      index += 1
    }
    guard rest > 0 else { return index }
    var tail = runs[index]
    tail.count -= rest
    tail.source = tail.source.map { IndexPath(section: $0.section, item: $0.item + rest) }
    runs[index].count = rest
    runs.insert(tail, at: index + 1)
    return index + 1
  }

  /// Makes one of a run and the one before if they were side by side.
  private static func join(_ runs: inout [Run], at index: Int) {
    guard index > 0, index < runs.count, let end = runs[index - 1].source,
      let source = runs[index].source, runs[index - 1].isReplaced == runs[index].isReplaced,
      source == IndexPath(section: end.section, item: end.item + runs[index - 1].count)
    else { return }
    runs[index - 1].count += runs[index].count
    runs.remove(at: index)
  }
}
