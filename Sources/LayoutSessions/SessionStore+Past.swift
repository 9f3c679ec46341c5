public import CollectionLayout

/// An earlier version of a layout, and how its data became that of a later one.
public struct EarlierVersion: Sendable {
  let held: HeldCollection
  private let steps: [DataLineage]
  private let later: LayoutVersion
  /// About how many sections, and runs of changed items or nodes, are gone over to find what
  /// differs.
  public let cost: Int

  init(
    _ held: HeldCollection, _ steps: [History<DataLineage>.Entry], before later: LayoutVersion
  ) {
    self.held = held
    self.steps = steps.map(\.value)
    self.later = later
    cost =
      later.collection.prepared.counts.sections
      + (later.collection.isArranged ? later.collection.prepared.counts.cells : 0)
      + steps.reduce(0) { $0 + $1.bytes } / DataLineage.bytesPerRun
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

extension SessionTable {
  /// An earlier version of a layout, if it is kept, and what happened to its data since.
  fileprivate func earlierVersion(_ number: Int, of version: LayoutVersion) -> EarlierVersion? {
    guard let slot = places[version.id], let kept = keptVersion(number, of: version, at: slot),
      let steps = documents[layouts[slot].document].steps.entries(
        in: kept.revision..<version.revision)
    else { return nil }
    return EarlierVersion(kept.held, steps, before: version)
  }

  private func keptVersion(_ number: Int, of version: LayoutVersion, at slot: Int) -> KeptVersion? {
    let layout = layouts[slot]
    guard number >= layout.firstNumber else { return layout.history.value(at: number) }
    let revision = version.revision - (version.number - number)
    return frames[layout.frames].history.value(at: revision)
  }
}
