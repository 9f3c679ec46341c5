/// The origin of a section of a changed collection.
struct SectionOrigin: Sendable {
  /// The section's index before the changes; `nil` for a new section.
  let base: Int?
  let baseCount: Int
  /// The origins of the section's items, in order; `nil` if all items are unchanged.
  private(set) var runs: [Run]?

  /// A section before any change.
  ///
  /// - Parameter count: The number of its items.
  init(base: Int, count: Int) {
    self.base = base
    baseCount = count
  }

  /// A new section with new items.
  init(new run: Run) {
    base = nil
    baseCount = 0
    runs = run.count == 0 ? [] : [run]
  }

  /// A section of which only some items are where they were.
  ///
  /// - Parameter baseCount: The number of items that `base` has; 0 for a new section.
  init(base: Int?, baseCount: Int, runs: [Run]) {
    self.base = base
    self.baseCount = baseCount
    let unchanged = base.map {
      baseCount == 0 ? [] : [Run(count: baseCount, source: IndexPath(section: $0, item: 0))]
    }
    self.runs = runs == unchanged ? nil : runs
  }

  /// Bytes held beyond the origin itself.
  var runBytes: Int { runs.map { 32 + $0.count * MemoryLayout<Run>.stride } ?? 0 }

  /// Items that were adjacent before, or new items.
  struct Run: Equatable, Sendable {
    var count: Int
    /// The earlier index path of the first item; `nil` for new items.
    var source: IndexPath?
    /// Whether their fields may have changed.
    var isReplaced = false
    /// Whether what was measured of them no longer holds: a size, the ratio or a text of each has
    /// changed, or their section has turned its axes.
    var isResized = false

    /// The same items, with fields that may have changed.
    var replaced: Run {
      Run(count: count, source: source, isReplaced: source != nil, isResized: isResized)
    }

    /// The same items, of which nothing was measured any more.
    var resized: Run {
      Run(count: count, source: source, isReplaced: source != nil, isResized: source != nil)
    }
  }

  /// The first item that may be another item than before, or have other fields; `nil` if all items
  /// are the same.
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

  /// The range in which a section's items differ from those before.
  struct Change: Sendable {
    /// The first item that may differ.
    let first: Int
    /// How many items at the end are unchanged.
    let unchangedTail: Int
  }

  /// The change of the items; `nil` if all are the same.
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
    // If one run is at both ends, its items count for the start only.
    let count = runs.reduce(0) { $0 + $1.count }
    return Change(first: first, unchangedTail: min(tail, count - first, baseCount - first))
  }

  /// The items that were in the section before and are unchanged, in their new order; `nil` if all
  /// are the same.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var kept: [EarlierBody.Kept]? {
    guard let runs else { return nil }
    var item = 0
    return runs.compactMap { run in
      defer { item += run.count }
      guard let source = run.source, source.section == base, !run.isReplaced else { return nil }
      return EarlierBody.Kept(item..<item + run.count, from: source.item)
    }
  }

  /// The items whose fields may have changed, in order; `nil` if an item was inserted, deleted or
  /// moved.
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

  /// The origin in which new items have no source.
  ///
  /// - Parameter isNew: Whether a source is that of a new item.
  func withoutSources(_ isNew: (IndexPath) -> Bool) -> SectionOrigin {
    guard let runs, runs.contains(where: { $0.source.map(isNew) ?? false }) else { return self }
    var origin = self
    origin.runs = runs.reduce(into: []) { runs, run in
      runs.joinOrAppend(run.source.map(isNew) ?? false ? Run(count: run.count) : run)
    }
    return origin
  }

  /// Replaces the runs of a range of items.
  ///
  /// - Parameter new: Returns the new runs, given the old ones.
  /// - Returns: The old runs.
  mutating func replaceRuns(_ range: Range<Int>, with new: ([Run]) -> [Run]) -> [Run] {
    let source = base.map { IndexPath(section: $0, item: 0) }
    let unchanged = baseCount == 0 ? [] : [Run(count: baseCount, source: source)]
    var runs = self.runs ?? unchanged
    // The property no longer holds the array, so a change in place copies nothing.
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

  /// Splits a run, so that a run begins `count` items behind the start of run `start`.
  ///
  /// - Returns: The index of the run that begins there; the number of runs if it is the end.
  /// - Complexity: O(*r*) for *r* runs.
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

  /// Joins a run with the one before, if their items were adjacent.
  private static func join(_ runs: inout [Run], at index: Int) {
    guard index > 0, index < runs.count, let end = runs[index - 1].source,
      let source = runs[index].source, runs[index - 1].isReplaced == runs[index].isReplaced,
      runs[index - 1].isResized == runs[index].isResized,
      source == IndexPath(section: end.section, item: end.item + runs[index - 1].count)
    else { return }
    runs[index - 1].count += runs[index].count
    runs.remove(at: index)
  }
}

extension [SectionOrigin.Run] {
  /// The runs of the same items, with fields that may have changed.
  ///
  /// - Parameter items: Those whose size, ratio or text has changed, in ascending order, counted
  ///   from the first of the runs.
  /// - Complexity: O(*r* + *i*) for *r* runs and *i* items.
  func replaced(resizing items: [Int]) -> [SectionOrigin.Run] {
    guard !items.isEmpty else { return map(\.replaced) }
    var result: [SectionOrigin.Run] = []
    var (first, next) = (0, 0)
    for run in self {
      let end = first + run.count
      var item = first
      while item < end {
        let isResized = next < items.count && items[next] == item
        var last = item
        if isResized {
          while last < end, next < items.count, items[next] == last {
            (last, next) = (last + 1, next + 1)
          }
        } else {
          last = next < items.count ? Swift.min(end, items[next]) : end
        }
        var part = run.replaced
        part.count = last - item
        part.source = run.source.map {
          IndexPath(section: $0.section, item: $0.item + item - first)
        }
        part.isResized = run.isResized || isResized && run.source != nil
        result.append(part)
        item = last
      }
      first = end
    }
    return result
  }
}
