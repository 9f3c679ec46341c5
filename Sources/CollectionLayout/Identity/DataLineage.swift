/// Which item of a collection is which item of an earlier version of it.
///
/// Lineages of changes that follow each other are joined by ``following(_:)``.
public struct DataLineage: Sendable {
  enum Content: Sendable {
    /// The data is the same.
    case same
    /// Where each section comes from.
    case sections([SectionOrigin])
    /// Where each node comes from.
    case forest(RunMap<Int>)
  }

  let content: Content

  /// The lineage of data that did not change.
  public static let same = DataLineage(content: .same)

  /// Whether the data did not change.
  public var isSame: Bool { if case .same = content { true } else { false } }

  /// The lineage of a change that was made after another one: from before both to after both.
  ///
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs of items or nodes.
  public func following(_ earlier: DataLineage) -> DataLineage {
    switch (content, earlier.content) {
    case (.same, _): return earlier
    case (_, .same): return self
    case (.sections(let origins), .sections(let earlierOrigins)):
      return DataLineage(content: .sections(origins.following(earlierOrigins)))
    case (.forest(let origins), .forest(let earlierOrigins)):
      return DataLineage(content: .forest(origins.following(earlierOrigins)))
    case (.sections, .forest), (.forest, .sections):
      preconditionFailure("a collection stays one of sections or a forest")
    }
  }

  /// About how many bytes a section, or a run of its items, takes.
  public static let bytesPerRun = MemoryLayout<SectionOrigin.Run>.stride

  /// Bytes held.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public var memoryBytes: Int {
    switch content {
    case .same: 32
    case .sections(let origins):
      origins.reduce(32 + origins.count * MemoryLayout<SectionOrigin>.stride) {
        $0 + $1.runBytes
      }
    case .forest(let origins): 64 + origins.memoryBytes
    }
  }

  /// About how many items and sections a layout has to go over to take the change in.
  func layoutCost(in data: CollectionData) -> Int {
    switch (content, data) {
    case (.same, _): 0
    case (.forest, .forest(let forest)): forest.count
    case (.sections(let origins), .sections(let sections)):
      zip(origins, sections).reduce(origins.count) { cost, pair in
        let (origin, section) = pair
        guard origin.base != nil else { return cost + section.items.count }
        guard let change = origin.change else { return cost }
        return cost + section.items.count - change.first
      }
    default: preconditionFailure("a collection stays one of sections or a forest")
    }
  }
}

extension [SectionOrigin] {
  /// The origins that the sections have in the collection that `earlier` goes back to.
  fileprivate func following(_ earlier: [SectionOrigin]) -> [SectionOrigin] {
    /// Where the runs of a section of the version between end.
    var ends: [Int: [Int]] = [:]
    return map { origin in
      origin.following(earlier) { section, runs in
        if let known = ends[section] { return known }
        var end = 0
        let all = runs.map { run in
          end += run.count
          return end
        }
        ends[section] = all
        return all
      }
    }
  }
}

extension SectionOrigin {
  /// The origin that a section has in the collection that `earlier` goes back to.
  ///
  /// - Parameter ends: The ends of the runs of a section of the version between.
  fileprivate func following(
    _ earlier: [SectionOrigin], ends: (_ section: Int, _ runs: [Run]) -> [Int]
  ) -> SectionOrigin {
    guard let runs else {
      guard let base else { preconditionFailure("a new section has runs") }
      return earlier[base]
    }
    var composed: [Run] = []
    for run in runs {
      guard let source = run.source else {
        composed.joinOrAppend(run)
        continue
      }
      let origin = earlier[source.section]
      guard let earlierRuns = origin.runs else {
        guard let base = origin.base else { preconditionFailure("a new section has runs") }
        let place = IndexPath(section: base, item: source.item)
        composed.joinOrAppend(
          Run(
            count: run.count, source: place, isReplaced: run.isReplaced, isResized: run.isResized))
        continue
      }
      let earlierEnds = ends(source.section, earlierRuns)
      var item = source.item
      let end = source.item + run.count
      var index = partitionPoint(in: 0..<earlierEnds.count) { earlierEnds[$0] <= item }
      while item < end {
        let piece = earlierRuns[index]
        let first = earlierEnds[index] - piece.count
        let count = Swift.min(earlierEnds[index], end) - item
        let place = piece.source.map {
          IndexPath(section: $0.section, item: $0.item + item - first)
        }
        composed.joinOrAppend(
          Run(
            count: count, source: place,
            isReplaced: place != nil && (piece.isReplaced || run.isReplaced),
            isResized: place != nil && (piece.isResized || run.isResized)))
        item += count
        index += 1
      }
    }
    return SectionOrigin(
      base: base.flatMap { earlier[$0].base },
      baseCount: base.map { earlier[$0].baseCount } ?? 0, runs: composed)
  }
}

extension [SectionOrigin.Run] {
  /// Adds a run at the end, as a part of the last one if they were side by side.
  mutating func joinOrAppend(_ run: SectionOrigin.Run) {
    guard let last, last.isReplaced == run.isReplaced, last.isResized == run.isResized else {
      return append(run)
    }
    switch (last.source, run.source) {
    case (nil, nil): self[count - 1].count += run.count
    case (let end?, let source?)
    where source == IndexPath(section: end.section, item: end.item + last.count):
      self[count - 1].count += run.count
    default: append(run)
    }
  }
}
