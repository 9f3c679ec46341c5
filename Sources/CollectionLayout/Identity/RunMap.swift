/// Where the elements of a list come from: runs of elements that moved together.
///
///     element   0   1   2   3   4   5   6
///     origin    0   1   –   2   3   6   7      runs: 0 → 0, 2 → –, 3 → 2, 5 → 6
///
/// An element without an origin is new. No two neighbouring runs could be one, so maps are equal if
/// the origins of all elements are.
struct RunMap<Origin: RunOrigin>: Equatable, Sendable {
  /// Elements that were side by side before, too, or that are all new.
  struct Run: Equatable, Sendable {
    fileprivate(set) var elements: Range<Int>
    /// The origin of the first element; those of the others follow. It is `nil` for new elements.
    let origin: Origin?

    /// The origin of an element; also of those that would go on behind the run.
    fileprivate func origin(of element: Int) -> Origin? {
      origin?.advanced(by: element - elements.lowerBound)
    }
  }

  /// In order, without gaps.
  private(set) var runs: [Run] = []

  /// The number of elements.
  var count: Int { runs.last?.elements.upperBound ?? 0 }

  /// How many runs are not new.
  ///
  /// - Complexity: O(*r*) for *r* runs.
  var movedCount: Int { runs.reduce(0) { $1.origin == nil ? $0 : $0 + 1 } }

  /// Bytes held beyond the map itself.
  var memoryBytes: Int { 32 + runs.count * MemoryLayout<Run>.stride }

  /// A map of no elements.
  init() {}

  /// A map of one run.
  init(count: Int, from origin: Origin?) {
    append(count, from: origin)
  }

  /// A map of elements of which only some have origins.
  ///
  /// - Parameters:
  ///   - pieces: In any order: elements, and the origin of the first of them. No element is in two.
  ///   - count: The number of all elements, new ones included.
  /// - Complexity: O(*p* · log *p*) for *p* pieces.
  init(of pieces: [(elements: Range<Int>, origin: Origin)], count: Int) {
    for (elements, origin) in pieces.sorted(by: { $0.elements.lowerBound < $1.elements.lowerBound })
    {
      append(elements.lowerBound - self.count, from: nil)
      append(elements.count, from: origin)
    }
    append(count - self.count, from: nil)
  }

  /// Adds `count` elements at the end.
  ///
  /// - Parameter origin: The origin of the first of them; `nil` for new ones.
  mutating func append(_ count: Int, from origin: Origin?) {
    guard count > 0 else { return }
    let end = self.count
    if let last = runs.last, last.origin(of: end) == origin {
      runs[runs.count - 1].elements = last.elements.lowerBound..<end + count
    } else {
      runs.append(Run(elements: end..<end + count, origin: origin))
    }
  }

  // MARK: Looking up

  /// The origin of an element; `nil` for a new one, and for one beyond the last.
  ///
  /// - Complexity: O(log *r*) for *r* runs.
  func origin(of element: Int) -> Origin? {
    let index = partitionPoint(in: 0..<runs.count) { runs[$0].elements.upperBound <= element }
    return index < runs.count ? runs[index].origin(of: element) : nil
  }

  /// Calls `body` with the parts of a range that lie in one run each: how many elements, and the
  /// origin of the first. Elements beyond the last are new.
  ///
  /// - Parameter index: The run near which the search begins. Afterwards, the last run that was
  ///   met.
  /// - Complexity: O(*p* + log *d*) for *p* parts, and the distance *d* of the first from `index`.
  func forEachPart(
    of elements: Range<Int>, near index: inout Int, _ body: (_ count: Int, Origin?) -> Void
  ) {
    var start = elements.lowerBound
    index = partitionPoint(in: 0..<runs.count, near: index) {
      runs[$0].elements.upperBound <= start
    }
    while start < elements.upperBound, index < runs.count {
      let end = min(runs[index].elements.upperBound, elements.upperBound)
      body(end - start, runs[index].origin(of: start))
      start = end
      if end < elements.upperBound { index += 1 }
    }
    if start < elements.upperBound { body(elements.upperBound - start, nil) }
  }

  /// The map of a range of elements, counted from the first of them.
  func slice(_ elements: Range<Int>) -> RunMap {
    var slice = RunMap()
    var index = 0
    forEachPart(of: elements, near: &index) { slice.append($0, from: $1) }
    return slice
  }

  // MARK: Other maps

  /// A map of the same elements to other origins. New elements stay new.
  ///
  /// - Parameter append: Appends to a map as many elements as a run has, given their number and the
  ///   origin of the first.
  func mapRuns<Other>(
    _ append: (_ count: Int, Origin, inout RunMap<Other>) -> Void
  ) -> RunMap<Other> {
    var result = RunMap<Other>()
    for run in runs {
      if let origin = run.origin {
        append(run.elements.count, origin, &result)
      } else {
        result.append(run.elements.count, from: nil)
      }
    }
    return result
  }

  /// A map of the same elements to other origins, with `nil` for elements that count as new.
  func mapOrigins(_ transform: (Origin) -> Origin?) -> RunMap {
    mapRuns { count, origin, result in result.append(count, from: transform(origin)) }
  }

  // MARK: Editing

  /// Puts other elements in the place of some.
  ///
  /// - Complexity: O(*r*) for *r* runs of both.
  mutating func replaceSubrange(_ elements: Range<Int>, with new: RunMap) {
    let first = split(at: elements.lowerBound)
    let last = split(at: elements.upperBound)
    if new.count != elements.count {
      for index in last..<runs.count { runs[index].move(by: new.count - elements.count) }
    }
    runs.replaceSubrange(first..<last, with: new.runs)
    for index in first..<first + new.runs.count { runs[index].move(by: elements.lowerBound) }
    join(at: first + new.runs.count)
    if !new.runs.isEmpty { join(at: first) }
  }

  /// Splits a run, so that one begins at an element.
  ///
  /// - Returns: The index of that run; the number of runs for the end.
  private mutating func split(at element: Int) -> Int {
    let index = partitionPoint(in: 0..<runs.count) { runs[$0].elements.upperBound <= element }
    guard index < runs.count, runs[index].elements.lowerBound < element else { return index }
    let (run, end) = (runs[index], runs[index].elements.upperBound)
    runs[index].elements = run.elements.lowerBound..<element
    runs.insert(Run(elements: element..<end, origin: run.origin(of: element)), at: index + 1)
    return index + 1
  }

  /// Joins a run with the one before, if they can be one.
  private mutating func join(at index: Int) {
    guard index > 0, index < runs.count else { return }
    let (before, run) = (runs[index - 1], runs[index])
    guard before.origin(of: run.elements.lowerBound) == run.origin else { return }
    runs[index - 1].elements = before.elements.lowerBound..<run.elements.upperBound
    runs.remove(at: index)
  }
}

extension RunMap.Run {
  fileprivate mutating func move(by distance: Int) {
    elements = elements.lowerBound + distance..<elements.upperBound + distance
  }
}

/// What a ``RunMap`` leads to: a place with others side by side behind it.
protocol RunOrigin: Equatable, Sendable {
  /// The place that lies further behind.
  func advanced(by distance: Int) -> Self
}

extension Int: RunOrigin {}

extension RunMap<Int> {
  /// The map to the list before the earlier one: the origins of the origins.
  ///
  /// - Complexity: O(*r* · log *r*) for *r* runs of both; O(*r*) if they are in the same order.
  func following(_ earlier: RunMap) -> RunMap {
    var index = 0
    return mapRuns { count, origin, result in
      earlier.forEachPart(of: origin..<origin + count, near: &index) { result.append($0, from: $1) }
    }
  }

  /// The map in the other direction: for each element of before, the one that it became.
  ///
  /// - Parameter count: The number of elements before.
  /// - Complexity: O(*r* · log *r*) for *r* runs.
  func inverse(count: Int) -> RunMap {
    RunMap(
      of: runs.compactMap { run in
        run.origin.map { ($0..<$0 + run.elements.count, run.elements.lowerBound) }
      }, count: count)
  }
}
