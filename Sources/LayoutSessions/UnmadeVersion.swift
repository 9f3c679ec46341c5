public import CollectionLayout

/// What a store has for an id.
public enum FoundVersion: Sendable {
  case current(LayoutVersion)
  /// The current version of a view must be made first.
  case unmade(UnmadeVersion)
  /// Others have changed the session, or the source of the view, in a way that is not known yet.
  case behind
}

/// A version of a view that is not there: the data has changed since it was made, or its frames had
/// to make room.
public struct UnmadeVersion: Sendable {
  public let id: SessionID
  /// Of the session whose collection this is.
  public var collectionID: SessionID { source.id }
  let source: LayoutVersion
  /// The revision of the source's data.
  let revision: Int
  let layout: GivenLayout
  /// Held while the frames are being made.
  let lock: ChangeLock
  /// The last frames, if they are still there, and the revision that they are of.
  let last: HeldCollection?
  let lastRevision: Int
  /// How the data came from that revision to this one; `nil` if that is not known any more.
  let steps: [DataLineage]?

  /// Whoever makes the version waits for others that make the same frames.
  public var object: any AnyObject & Sendable { lock }

  /// About how many sections and items are gone over to make the version.
  ///
  /// - Complexity: O(*s* + *r*) for *s* sections and *r* runs of changed items; O(1) for more than
  ///   a thousand sections.
  public var cost: Int {
    if last != nil, lastRevision == revision { return 0 }
    if source.collection.layout == layout { return 0 }
    let sections = source.collection.prepared.counts.sections
    if sections > 1000 { return sections }
    if let last, let lineage {
      return last.collection.costOfCatchingUp(with: source.collection, by: lineage)
    }
    return source.collection.data.layoutCost(as: layout.kind)
  }

  private var lineage: DataLineage? {
    steps.map { $0.reduce(DataLineage.same) { $1.following($0) } }
  }

  /// Makes the frames.
  func made(itemLimit: Int) throws(LayoutError) -> MadeFrames {
    if let last, lastRevision == revision { return MadeFrames(held: last, area: nil) }
    let isSource = source.collection.layout == layout
    if let last, let lineage {
      let change =
        isSource
        ? CollectionChange(from: last.collection, to: source.collection, by: lineage)
        : try last.collection.catchingUp(
          with: source.collection, by: lineage, itemLimit: itemLimit)
      return MadeFrames(
        held: HeldCollection(change.next), isSource: isSource,
        area: change.invalidatedRectsBesidePins)
    }
    let collection =
      isSource
      ? source.collection : try source.collection.laidOut(by: layout, itemLimit: itemLimit)
    return MadeFrames(held: HeldCollection(collection), isSource: isSource, area: nil)
  }
}

/// Frames of views that were made.
struct MadeFrames {
  let held: HeldCollection
  /// Whether these are the source's own.
  var isSource = false
  /// What differs from the last frames, if that is known.
  let area: InvalidatedRects?
}

/// The reason why a view has no version now.
public enum ViewError: Error, Sendable {
  /// The collection cannot be laid out like this.
  case layout(LayoutError)
  case store(SessionStoreError)
}
