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
  /// Calls `body` with an earlier version of the same layout; with `nil` if it is not kept
  /// any more. Until `body` returns, the earlier version counts in the statistics.
  ///
  /// - Parameter number: Of the earlier version.
  public func withEarlierVersion<R, E>(
    _ number: Int, of version: LayoutVersion, _ body: (EarlierVersion?) throws(E) -> R
  ) throws(E) -> R {
    let earlier = state.withLock { state in
      let earlier = state.earlierVersion(number, of: version)
      if let earlier { state.pin(earlier.held) }
      return earlier
    }
    defer { if let earlier { state.withLock { $0.unpin(earlier.held) } } }
    return try body(earlier)
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
