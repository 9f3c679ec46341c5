import CollectionLayout

/// What there is for an id.
public enum FoundVersion: Sendable {
  case current(LayoutVersion)
  /// The current version must be made first. It is indirect, so that the other cases, which every
  /// query hands on, are one word.
  indirect case pending(PendingVersion)
  /// Others have changed the layout or its document, in a way that is not known yet.
  case behind
  /// Others may have the layout, of which nothing is here.
  case unknown
}

/// A version of a layout that is not there: the data has changed since it was made, or its frames
/// had to make room.
///
///     last                                     source
///     frames of revision 5 ── steps[0] ─▶ 6 ── steps[1] ─▶ data of revision 7
public struct PendingVersion: Sendable {
  public let id: SessionID
  /// Of the document.
  public var documentID: SessionID { source.id }
  /// The current version of the document's first layout.
  let source: LayoutVersion
  let layout: GivenLayout
  /// Held while the frames are being made.
  let lock: ChangeLock
  /// The last frames, if they are still there, and the revision that they are of.
  let last: HeldCollection?
  let lastRevision: Int
  /// What was measured and folded of the data of that revision, if the frames are not there.
  let own: OwnState
  /// How the data came from that revision to this one; `nil` if that is not known any more.
  let steps: [DataLineage]?

  /// Whoever makes the version waits for others that make the same frames.
  public var object: any AnyObject & Sendable { lock }

  /// About how many sections and items are gone over to make the version.
  ///
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* runs of changed items; O(1) for more than
  ///   a thousand sections.
  public var cost: Int {
    if isMade { return 0 }
    let sections = source.collection.prepared.counts.sections
    if sections > 1000 { return sections }
    if let last, let lineage {
      return last.collection.costOfCatchingUp(with: source.collection, by: lineage)
    }
    return source.collection.data.layoutCost(as: layout)
  }

  private var isMade: Bool { last != nil && lastRevision == source.revision }

  private var lineage: DataLineage? {
    steps.map { $0.reduce(DataLineage.same) { $1.following($0) } }
  }

  /// What is measured and folded, of the data of now; `nil` if that is not known any more.
  var ownNow: OwnState? {
    let own = last.map { OwnState(of: $0.collection) } ?? own
    if last == nil, own.isEmpty { return nil }
    return lastRevision == source.revision ? own : lineage.map { own.following($0) }
  }

  /// Makes the frames.
  func made(itemLimit: Int) throws(LayoutError) -> MadeFrames {
    if let last, isMade { return MadeFrames(held: last, area: nil) }
    let lineage = lineage
    guard let last, let lineage else {
      let collection = try source.collection.laidOut(
        by: layout, own: ownNow ?? OwnState(), itemLimit: itemLimit)
      return MadeFrames(held: held(collection), area: nil)
    }
    let change = try last.collection.catchingUp(
      with: source.collection, by: lineage, itemLimit: itemLimit)
    return MadeFrames(held: held(change.next), area: change.invalidatedRectsBesidePins)
  }

  /// A view shares the index of ids unless it is arranged.
  private func held(_ collection: PreparedCollection) -> HeldCollection {
    HeldCollection(
      collection, viewOf: source, names: collection.isArranged ? nil : source.names)
  }
}

/// Frames that were made.
struct MadeFrames {
  let held: HeldCollection
  /// What differs from the last frames, if that is known.
  let area: InvalidatedRects?
}
