import CollectionLayout

/// A change of a layout that is made, before it is in its place.
struct MadeChange {
  /// Of which it was made.
  let current: LayoutVersion
  /// After the change.
  let position: HistoryPosition
  let held: HeldCollection
  let key: FramesKey
  /// The area of the change, without pinned elements.
  let area: InvalidatedRects
  /// Which item is which of the version before; `nil` if nobody knows.
  let lineage: DataLineage?
  /// What it costs to keep the frames and the data of the version before.
  let pastBytes: (frames: Int, data: Int)

  var isOfData: Bool { position.data.revision > current.revision }
  var isNewVersion: Bool { isOfData || position.own != current.position.own }
}

extension SessionTable {
  /// Puts a change into its place. This is a use of the layout.
  ///
  /// - Returns: The new version; `nil` if the layout has another version by now, or is gone.
  mutating func commit(_ change: MadeChange) -> LayoutVersion? {
    let current = change.current
    guard let slot = use(current.id),
      layouts[slot].position == current.position, layouts[slot].revision == current.revision
    else { return nil }
    let document = layouts[slot].document
    let isFirst = isFirst(slot)
    let old = layouts[slot].frames
    let group = findOrAddFrames(of: document, change.key)
    // Others have newer frames with the key.
    if !isFirst, frames[group].current != nil, frames[group].revision > current.revision {
      return nil
    }
    if isFirst, change.isOfData {
      moveData(
        of: document, to: change.position.data, by: change.lineage, bytes: change.pastBytes.data)
    }
    if group != old || change.isNewVersion && !change.isOfData {
      if change.isNewVersion, change.lineage != nil {
        keep(
          current.held, of: frames[old].key, in: document, at: current.revision,
          bytes: change.pastBytes.frames)
      }
      endEpoch(of: slot, before: current.number + (change.isNewVersion ? 1 : 0))
    }
    if group != old {
      frames[group].layouts.insert(slot)
      leaveFrames(slot)
      layouts[slot].frames = group
    } else if change.isOfData, change.lineage != nil {
      keepPast(ofFrames: group, change.area, steps: 1, bytes: change.pastBytes.frames)
    }
    let data = isFirst ? change.position.data : current.data
    if isFirst || frames[group].current == nil || frames[group].revision < data.revision {
      if frames[group].revision != data.revision, group != old || change.lineage == nil {
        frames[group].changes = ChangeHistory()
      }
      setFrames(group, to: change.held, of: data)
    }
    if change.isNewVersion {
      layouts[slot].changes = layouts[slot].changes.adding(
        change.area, after: current.tag.hash)
    }
    layouts[slot].position = change.position
    layouts[slot].revision = data.revision
    if layouts[slot].staleness.head == change.position {
      layouts[slot].staleness.readCount = layouts[slot].staleness.newsCount
    }
    released.add(layouts[slot].version)
    let version = makeVersion(of: slot)
    if isFirst {
      // Layouts that are behind have the old names, too.
      if current.names !== change.held.names { released.add(current.names.forget()) }
      count(document: document)
    }
    return version
  }
}
