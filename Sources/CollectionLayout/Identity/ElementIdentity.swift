/// What an element belongs to. It decides which elements of two versions are the same.
public enum ElementIdentity: Sendable {
  /// The element belongs to an item and moves with it.
  case item
  /// The element belongs to a section and keeps its place in it.
  case section
}

/// A map between the items of two versions.
struct IdentityMap: Sendable {
  private let content: Content

  private enum Content: Sendable {
    case identity
    case sections(
      [SectionOrigin], runEnds: [[Int]], previousByBase: [[PreviousRun]], sectionsByBase: [Int?])
    case forest(toPrevious: RunMap<Int>, toNext: RunMap<Int>, previous: Forest, next: Forest)
  }

  /// Items that were adjacent in the earlier version, and their index path in the later one.
  private struct PreviousRun: Sendable {
    var first: Int
    var count: Int
    var now: IndexPath
  }

  /// The map of two versions in which every item is at the same index path.
  static let identity = IdentityMap(content: .identity)

  private init(content: Content) {
    self.content = content
  }

  /// - Complexity: O(*r* · log *r*) for *r* runs in all sections: the runs are sorted by place.
  init(_ origins: [SectionOrigin], previousSectionCount: Int) {
    var runs = [[PreviousRun]](repeating: [], count: previousSectionCount)
    var sections = [Int?](repeating: nil, count: previousSectionCount)
    var runEnds = [[Int]](repeating: [], count: origins.count)
    for (section, origin) in origins.enumerated() {
      if let base = origin.base { sections[base] = section }
      guard let changed = origin.runs else { continue }
      runEnds[section].reserveCapacity(changed.count)
      var item = 0
      for run in changed {
        if let source = run.source {
          runs[source.section].append(
            PreviousRun(
              first: source.item, count: run.count, now: IndexPath(section: section, item: item)))
        }
        item += run.count
        runEnds[section].append(item)
      }
    }
    for section in runs.indices where runs[section].count > 1 {
      runs[section].sort { $0.first < $1.first }
    }
    content = .sections(
      origins, runEnds: runEnds, previousByBase: runs, sectionsByBase: sections)
  }

  init(toPrevious: RunMap<Int>, toNext: RunMap<Int>, previous: Forest, next: Forest) {
    content = .forest(toPrevious: toPrevious, toNext: toNext, previous: previous, next: next)
  }

  /// The earlier index path of an element of the later version; `nil` for a new element.
  func previous(_ path: IndexPath, _ identity: ElementIdentity) -> IndexPath? {
    switch (content, identity) {
    case (.identity, _): return path
    case (.forest(let toPrevious, _, let previous, let next), _):
      return next.node(at: path).flatMap { toPrevious.origin(of: $0) }
        .map { previous.indexPath(of: $0) }
    case (.sections(let origins, _, _, _), .section):
      return origins[path.section].base.map { IndexPath(section: $0, item: path.item) }
    case (.sections(let origins, let runEnds, _, _), .item):
      guard let runs = origins[path.section].runs else {
        return origins[path.section].base.map { IndexPath(section: $0, item: path.item) }
      }
      let ends = runEnds[path.section]
      let index = partitionPoint(in: 0..<runs.count) { ends[$0] <= path.item }
      guard index < runs.count else { return nil }
      let first = ends[index] - runs[index].count
      return runs[index].source.map {
        IndexPath(section: $0.section, item: $0.item + path.item - first)
      }
    }
  }

  /// The later index path of an element of the earlier version; `nil` for a deleted element.
  func next(_ path: IndexPath, _ identity: ElementIdentity) -> IndexPath? {
    switch (content, identity) {
    case (.identity, _): return path
    case (.forest(_, let toNext, let previous, let next), _):
      return previous.node(at: path).flatMap { toNext.origin(of: $0) }
        .map { next.indexPath(of: $0) }
    case (.sections(_, _, _, let sectionsByBase), .section):
      return sectionsByBase[path.section].map { IndexPath(section: $0, item: path.item) }
    case (.sections(let origins, _, let previousByBase, let sectionsByBase), .item):
      let runs = previousByBase[path.section]
      let index = partitionPoint(in: 0..<runs.count) {
        runs[$0].first + runs[$0].count <= path.item
      }
      if index < runs.count, runs[index].first <= path.item {
        let now = runs[index].now
        return IndexPath(section: now.section, item: now.item + path.item - runs[index].first)
      }
      guard let section = sectionsByBase[path.section], origins[section].runs == nil else {
        return nil
      }
      return IndexPath(section: section, item: path.item)
    }
  }
}
