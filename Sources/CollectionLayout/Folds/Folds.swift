/// What a layout has folded: nodes with children, or sections, from a depth on, but for exceptions.
///
/// An exception is a mark on a node or section, and moves with it. In an arrangement, where
/// sections are groups, it is on the id of a group.
///
///     0           from: 1     marks: node 2 is not folded
///     ├─ 1        folded, as all nodes from depth 1 on; it hides 3
///     │  └─ 3
///     └─ 2        not folded, for it has a mark
///        └─ 4     folded; it hides 5
///           └─ 5
public struct Folds: Equatable, Sendable {
  /// A node or section that is folded, or is not, whatever the depth says.
  struct Mark: Equatable, BitwiseCopyable, Sendable {
    /// The index of the section, or of the node in breadth-first order.
    var place: Int
    var isFolded: Bool
  }

  /// What an arrangement calls a section.
  public enum Group: Hashable, Sendable {
    case id(String)
    /// One that has no id.
    case index(Int)
  }

  /// From which depth on nodes are folded; `nil` if none are.
  public internal(set) var from: Int?
  /// In the order of the sections, or of the walk over a forest.
  var marks: [Mark] = []
  /// Those of an arrangement.
  var groups: [Group: Bool] = [:]

  /// Nothing is folded.
  public init() {}

  /// Whether nothing is said.
  public var isEmpty: Bool { from == nil && marks.isEmpty && groups.isEmpty }

  /// Without what is said of nodes and sections by their places.
  public var ofGroups: Folds {
    var folds = self
    if groups.isEmpty { folds.marks = [] }
    return folds
  }

  /// Bytes held beyond the value itself.
  public var memoryBytes: Int {
    (marks.isEmpty ? 0 : 32 + marks.count * MemoryLayout<Mark>.stride) + groups.count * 96
  }

  /// Whether what has no mark is folded at a depth.
  func isFolded(atDepth depth: Int) -> Bool { from.map { depth >= $0 } ?? false }

  /// What is said after a change of the data.
  ///
  /// - Complexity: O(*s* + *r* · log *m* + *m* · log *m*) for *s* sections or *r* runs of nodes and
  ///   *m* marks.
  public func following(_ lineage: DataLineage) -> Folds {
    guard !marks.isEmpty, !lineage.isSame else { return self }
    var result = self
    let old = marks.sorted { $0.place < $1.place }
      .filter { !lineage.emptied.contains($0.place) }
    result.marks = []
    func carry(_ places: Range<Int>, by distance: Int) {
      let first = partitionPoint(in: 0..<old.count) { old[$0].place < places.lowerBound }
      for mark in old[first...].prefix(while: { $0.place < places.upperBound }) {
        result.marks.append(Mark(place: mark.place + distance, isFolded: mark.isFolded))
      }
    }
    if let nodes = lineage.nodes {
      for run in nodes.runs {
        guard let origin = run.origin else { continue }
        carry(origin..<origin + run.elements.count, by: run.elements.lowerBound - origin)
      }
    } else {
      for (section, origin) in (lineage.sections ?? []).enumerated() {
        if let base = origin.base { carry(base..<base + 1, by: section - base) }
      }
    }
    return result
  }

  /// The folds of a forest: those of nodes with children, in the order of the walk.
  func fitted(to forest: Forest) -> Folds {
    guard !marks.isEmpty else { return self }
    let walk = forest.walk
    var result = self
    result.marks = marks.filter { !forest.children(of: $0.place).isEmpty }
    if !zip(result.marks, result.marks.dropFirst()).allSatisfy({
      walk.ranks[$0.place] < walk.ranks[$1.place]
    }) {
      result.marks.sort { walk.ranks[$0.place] < walk.ranks[$1.place] }
    }
    return result
  }

  /// The folds of sections that have items. Those of an arrangement are by its groups.
  func fitted(to sections: [CollectionSection], isArranged: Bool) -> Folds {
    var result = self
    if !isArranged {
      result.marks = marks.filter { sections[$0.place].items.count > 0 }
    } else if groups.isEmpty {
      result.marks = []
    } else {
      result.marks = sections.indices.compactMap { index in
        groups[sections.group(index)].map { Mark(place: index, isFolded: $0) }
      }
    }
    return result
  }

  /// Whether each of some sections is folded. One without items is not.
  func folded(of sections: [CollectionSection]) -> [Bool] {
    var folded = [Bool](repeating: isFolded(atDepth: 0), count: sections.count)
    for mark in marks { folded[mark.place] = mark.isFolded }
    for index in sections.indices where sections[index].items.count == 0 { folded[index] = false }
    return folded
  }
}

extension [CollectionSection] {
  /// What an arrangement calls one of its sections.
  func group(_ index: Int) -> Folds.Group {
    self[index].settings?.id.map { .id($0.string) } ?? .index(index)
  }
}
