/// Which item of a collection is which item of an earlier version of it.
///
/// Lineages of changes that follow each other are joined by ``following(_:)``.
///
///     before     0: a b c                  1: d e
///     after      0: a x c     1: y         2: d e
///     content    base 0       base nil     base 1
public struct DataLineage: Sendable {
  enum Content: Sendable {
    /// The data is the same.
    case same
    /// Where each section comes from.
    case sections([SectionOrigin])
    /// Where each node comes from.
    case forest(RunMap<Int>)
    /// Where the items of an arrangement come from. The origins may take items for new that are
    /// not; the places are exact.
    case arranged([SectionOrigin], ArrangedPlaces)
  }

  let content: Content
  /// The sections or nodes from before that had nothing in them meanwhile.
  var emptied: Set<Int> = []

  /// The lineage of data that did not change.
  public static let same = DataLineage(content: .same)

  /// Whether the data did not change.
  public var isSame: Bool { if case .same = content { true } else { false } }

  /// Where each section comes from; `nil` if the data is the same or a hierarchy.
  var sections: [SectionOrigin]? {
    switch content {
    case .sections(let origins), .arranged(let origins, _): origins
    case .same, .forest: nil
    }
  }

  /// Where each node comes from; `nil` if the data is the same or sections.
  var nodes: RunMap<Int>? { if case .forest(let origins) = content { origins } else { nil } }

  /// The lineage of a change that was made after another one: from before both to after both.
  ///
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs of items or nodes.
  public func following(_ earlier: DataLineage) -> DataLineage {
    switch (content, earlier.content) {
    case (.same, _): return earlier
    case (_, .same): return self
    case (.sections(let origins), .sections(let earlierOrigins)):
      return DataLineage(
        content: .sections(origins.following(earlierOrigins)),
        emptied: earlier.emptied.union(
          emptied.compactMap { earlierOrigins.section($0).base }))
    case (.forest(let origins), .forest(let earlierOrigins)):
      return DataLineage(
        content: .forest(origins.following(earlierOrigins)),
        emptied: earlier.emptied.union(emptied.compactMap { earlierOrigins.origin(of: $0) }))
    case (.sections, _), (.forest, _), (.arranged, _):
      preconditionFailure("a collection stays what it is, and is not arranged itself")
    }
  }

  /// About how many bytes a section, or a run of its items, takes.
  public static let bytesPerRun = MemoryLayout<ItemOrigins.Run>.stride

  /// Bytes held.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public var memoryBytes: Int {
    switch content {
    case .same: 32
    case .sections(let origins), .arranged(let origins, _): origins.memoryBytes
    case .forest(let origins): 64 + origins.memoryBytes
    }
  }

  /// About how many items and sections a layout has to go over to take the change in; `nil` if it
  /// is all of them.
  func layoutCost(in data: CollectionData) -> Int? {
    if isSame { return 0 }
    guard case .sections(let origins) = content, case .sections(let sections) = data else {
      return nil
    }
    return zip(origins, sections).reduce(origins.count) { cost, pair in
      let (origin, count) = (pair.0, pair.1.items.count)
      guard origin.base != nil else { return cost + count }
      return cost + count - (origin.firstChanged ?? count)
    }
  }
}
