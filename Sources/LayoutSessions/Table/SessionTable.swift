import CollectionLayout
import System

/// Documents, their layouts, and the frames of these, found by ids, each in the order of their last
/// use.
///
///     Document ──┬─▶ Layout, its first ──┐
///                ├─▶ Layout ─────────────┴─▶ Frames, for both: they have one key
///                └─▶ Layout ───────────────▶ Frames, for the third layout
///
/// A document has the data. It is used when one of its layouts is, and its first layout goes only
/// with the document. All else that layouts can do is the same for all.
struct SessionTable {
  var documents: [Document] = []
  var layouts: [Layout] = []
  var frames: [Frames] = []
  /// What is kept of earlier revisions of the data.
  var past: [KeptPast] = []
  var documentOrder = UseOrder()
  /// First layouts are out of the order.
  var layoutOrder = UseOrder()
  /// Frames that are not there, and those of first layouts, are out of the order.
  var framesOrder = UseOrder()
  /// The documents whose index of ids is built, with the same slots as in `documentOrder`.
  var indexOrder = UseOrder()
  /// In the order in which it was kept.
  var pastOrder = UseOrder()
  /// The slots of layouts.
  var places: [SessionID: Int] = [:]
  /// The documents that were prepared under a name.
  var names: [String: SessionID] = [:]
  let limits: SessionStore.Limits
  /// Whether the layouts are copies, which can be made again from a log.
  let holdsCopies: Bool
  /// The time at which the lock was taken.
  var now = Duration.zero
  /// What has been given up since.
  var released = Released()
  var statistics = SessionStore.Statistics()

  init(_ limits: SessionStore.Limits, holdsCopies: Bool) {
    self.limits = limits
    self.holdsCopies = holdsCopies
  }

  /// Takes out what was given up, to be released after the lock.
  mutating func takeReleased() -> Released {
    var taken = Released()
    swap(&taken, &released)
    return taken
  }

  func isFirst(_ slot: Int) -> Bool { documents[layouts[slot].document].first == slot }

  /// The current version of the first layout of a document, which is always there.
  func source(of document: Int) -> LayoutVersion? {
    documents[document].first.flatMap { layouts[$0].version }
  }

  /// The current version of a document's first layout.
  func source(_ id: SessionID) -> LayoutVersion? {
    places[id].flatMap { isFirst($0) ? layouts[$0].version : nil }
  }

  // MARK: Uses

  /// The slot of a layout that has not expired. This is a use of it, its frames and its document.
  mutating func use(_ id: SessionID) -> Int? {
    guard let slot = places[id],
      now - lastUse(of: slot) < limits.idleTimeout || layouts[slot].changeLock.isTaken
    else { return nil }
    let (document, group) = (layouts[slot].document, layouts[slot].frames)
    if documents[document].first != slot { layoutOrder.use(slot, at: now) }
    documentOrder.use(document, at: now)
    for base in layouts[slot].access.bases { _ = use(base) }
    if frames[group].isInOrder { framesOrder.use(group, at: now) }
    return slot
  }

  func lastUse(of slot: Int) -> Duration {
    isFirst(slot)
      ? documentOrder.lastUse(of: layouts[slot].document) : layoutOrder.lastUse(of: slot)
  }

  /// Removes what is idle, or as much of it as goes at once.
  ///
  /// - Returns: Whether that is all.
  mutating func expire() -> Bool {
    while let slot = idle(layoutOrder) {
      if released.ended.count >= Self.evictionsAtOnce { return false }
      if layouts[slot].changeLock.isTaken {
        layoutOrder.use(slot, at: now)
        documentOrder.use(layouts[slot].document, at: now)
        continue
      }
      removeLayout(slot, .expired)
      statistics.expiries += 1
    }
    while let slot = idle(documentOrder) {
      if released.ended.count >= Self.evictionsAtOnce { return false }
      if source(of: slot)?.changeLock.isTaken ?? false {
        documentOrder.use(slot, at: now)
        continue
      }
      removeDocument(slot, .expired)
      statistics.expiries += 1
    }
    return true
  }

  /// The least recently used slot, if it has been idle for too long.
  private func idle(_ order: UseOrder) -> Int? {
    let slot = order.oldest
    return slot >= 0 && now - order.lastUse(of: slot) >= limits.idleTimeout ? slot : nil
  }
}

/// What a table has given up. It is released after the lock.
struct Released {
  private var objects: [any Sendable] = []
  /// The layouts that have ended.
  var ended: [(id: SessionID, end: SessionEnd)] = []
  /// The layouts that have another version, which is not made yet.
  var moved: [SessionID] = []
  /// Whether there is more to do: others were to have the lock in between.
  var isUnfinished = false

  mutating func add(_ object: (some Sendable)?) {
    if let object { objects.append(object) }
  }
}
