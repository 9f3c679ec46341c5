public import CollectionLayout

/// An earlier version of a layout, and how its data became that of a later one.
public struct EarlierVersion: Sendable {
  let held: HeldCollection
  private let steps: [DataLineage]
  private let later: LayoutVersion
  /// About how many sections, and runs of changed items or nodes, are gone over to find what
  /// differs.
  public let cost: Int

  init(_ held: HeldCollection, _ steps: [DataLineage], before later: LayoutVersion) {
    self.held = held
    self.steps = steps
    self.later = later
    let isRearranged = held.collection.layout.arrangement != later.collection.layout.arrangement
    cost =
      later.collection.prepared.counts.sections
      + (isRearranged ? later.collection.prepared.counts.cells : 0)
      + steps.reduce(0) { $0 + $1.memoryBytes } / DataLineage.bytesPerRun
  }

  /// What appears, disappears and moves from this version to the later one.
  ///
  /// - Complexity: O(*s* + *r* · log *r*) for *s* sections and *r* runs of changed items or nodes.
  public func transitions() -> TransitionSearch {
    let lineage = steps.reduce(DataLineage.same) { $1.following($0) }
    return TransitionSearch(
      from: held.collection, to: later.collection,
      by: held.collection.lineage(to: later.collection, by: lineage))
  }
}

extension SessionStore {
  /// An earlier version of the same layout; `nil` if it is not kept any more.
  public func earlierVersion(_ number: Int, of version: LayoutVersion) -> EarlierVersion? {
    state.withLock { $0.earlierVersion(number, of: version) }
  }
}
