import CollectionLayout

/// What a store has of layouts that other servers have, too: copies, which may be behind.
///
/// The truth is in a ``Log``. A copy can be removed at any time, and made again from there.
extension SessionStore {
  /// Where a copy of a layout is.
  struct Copy {
    /// In its own history.
    let position: HistoryPosition
    /// The id of its document.
    let documentID: SessionID
    /// How much was heard of it, for ``hasRead(_:upTo:)``.
    let newsCount: Int
    let access: LayoutAccess
  }

  /// The document of a layout of which there is a copy.
  public func documentID(of id: SessionID) -> SessionID? { copy(of: id)?.documentID }

  /// The copy with an id; `nil` if there is none. This is no use of it.
  func copy(of id: SessionID) -> Copy? {
    state.withLock { state in
      guard let slot = state.places[id], let source = state.source(of: state.layouts[slot].document)
      else { return nil }
      let layout = state.layouts[slot]
      return Copy(
        position: layout.position, documentID: source.id, newsCount: layout.staleness.newsCount,
        access: layout.access)
    }
  }

  /// Notes where a layout's history is said to end; `nil` if it is said to have ended.
  ///
  /// - Parameter isNews: Whether it may be late news of what is known. What the log says is none: a
  ///   store may have lost changes.
  /// - Returns: Whether there is a copy that is behind now.
  @discardableResult
  func hear(_ id: SessionID, _ head: HistoryPosition?, isNews: Bool = true) -> Bool {
    let behind = state.withLock { state in
      state.hear(id, head, isNews: isNews)
        ? state.places[id].map { slot in
          [slot] + state.bound(to: state.layouts[slot])
        }?.map { state.layouts[$0].id } ?? [] : []
    }
    for id in behind { tell(.isBehind(id)) }
    return !behind.isEmpty
  }

  /// Notes that a copy is as the log has it, as far as was heard.
  func hasRead(_ id: SessionID, upTo newsCount: Int) {
    state.withLock { state in
      guard let slot = state.places[id] else { return }
      state.layouts[slot].staleness.readCount = max(
        state.layouts[slot].staleness.readCount, newsCount)
    }
  }

  /// The ids of copies of layouts that were used at or after a time.
  ///
  /// - Complexity: O(*n*) for *n* copies, under the lock.
  func copies(usedSince time: Duration) -> [SessionID] {
    state.withLock { state in
      state.places.compactMap { id, slot in state.lastUse(of: slot) >= time ? id : nil }
    }
  }

  /// The time by the store's clock.
  public var now: Duration { clock.now() }

  /// Adds a document with its first layout, in the place of the copy that there is, if there is
  /// one.
  ///
  /// - Throws: ``SessionsError/tooLarge(bytes:limit:)``.
  func install(
    _ collection: PreparedCollection, as id: SessionID, named name: String?,
    at position: HistoryPosition, _ past: SessionTable.Past? = nil, createdUnixTime: Int
  ) throws(SessionsError) -> LayoutVersion {
    let held = HeldCollection(collection)
    try makeRoom(for: held, beside: nil)
    let key = FramesKey(collection.layout, isOwn: collection.hasOwnState)
    let version = change { state in
      let doubts = state.removeReplaced(id)
      let slot = state.insert(
        id, named: name, key, held, at: position, past, createdUnixTime: createdUnixTime)
      state.documents[state.layouts[slot].document].doubtfulRevision = doubts.revision
      state.layouts[slot].doubtfulNumber = doubts.number
      let version = state.makeVersion(of: slot)
      state.evict()
      return version
    }
    guard let version else { preconditionFailure("a new document has its first version") }
    return version
  }

  /// Puts a copy of another layout of a document in the place of the one that there is, if there is
  /// one.
  ///
  /// - Parameters:
  ///   - position: In the layout's own history.
  ///   - birth: The revision of the data at which the first version was.
  ///   - own: What was measured and folded in it, of the data of a revision.
  /// - Returns: Whether there is a copy of the document, and its data is of that revision.
  func installView(
    _ layout: GivenLayout, as id: SessionID, of documentID: SessionID,
    at position: HistoryPosition, bornAt birth: Int, createdUnixTime: Int, _ access: LayoutAccess,
    own: (state: OwnState, revision: Int)? = nil
  ) -> Bool {
    let key =
      own.map { $0.state.isEmpty } ?? true
      ? framesKey(layout, in: documentID) : FramesKey(layout, isOwn: true)
    let isThere = change { state in
      guard let first = state.places[documentID], state.isFirst(first), id != documentID else {
        return false
      }
      let document = state.layouts[first].document
      if let own, own.revision != state.documents[document].revision {
        return false
      }
      var doubtfulNumber = state.removeReplaced(id).number
      // A copy of the document that was replaced had its layouts with it.
      let doubtfulRevision = state.documents[document].doubtfulRevision
      if doubtfulRevision >= birth {
        doubtfulNumber = max(doubtfulNumber, position.number(bornAt: birth, at: doubtfulRevision))
      }
      let slot = state.addLayout(
        id, of: document, key, at: position, bornAt: birth, createdUnixTime: createdUnixTime,
        access)
      state.layouts[slot].firstNumber = position.number(
        bornAt: birth, at: state.documents[document].revision)
      state.layouts[slot].doubtfulNumber = doubtfulNumber
      if key.isOwn, let own {
        state.keep(
          own.state, ofFrames: state.layouts[slot].frames, at: state.documents[document].data)
      }
      state.evict()
      return true
    }
    if isThere { tell(.isBehind(id)) }
    return isThere
  }

  /// How a document's data came from one revision to a later one; `nil` if that is not known.
  func lineage(of id: SessionID, from first: Int, to last: Int) -> DataLineage? {
    state.withLock { state in
      guard let slot = state.places[id], state.isFirst(slot) else { return nil }
      let steps = state.documents[state.layouts[slot].document].steps(from: first, to: last)
      return steps?.reduce(DataLineage.same) { $1.following($0) }
    }
  }

  /// Removes the copy of a layout; of a document's first one that of the document.
  package func forget(_ id: SessionID) {
    change { state in
      if let slot = state.places[id] { state.remove(slot, .deleted) }
    }
  }
}

extension SessionTable {
  fileprivate mutating func hear(
    _ id: SessionID, _ head: HistoryPosition?, isNews: Bool
  ) -> Bool {
    guard let slot = places[id] else { return false }
    let layout = layouts[slot]
    if let head {
      if head == layout.position { return false }
      if isNews, head.serial < layout.position.serial,
        layout.version?.knows(head.tag(bornAt: layout.birth, over: head.data)) ?? false
      {
        return false
      }
    }
    layouts[slot].staleness.newsCount += 1
    layouts[slot].staleness.head = head
    return true
  }

  /// Removes a copy that another one replaces.
  ///
  /// - Returns: Up to which its numbers and the revisions of its data are doubtful from now on.
  fileprivate mutating func removeReplaced(_ id: SessionID) -> (number: Int, revision: Int) {
    guard let slot = places[id] else { return (0, -1) }
    let document = documents[layouts[slot].document]
    defer { remove(slot, nil) }
    return (
      max(tag(of: slot).number, layouts[slot].doubtfulNumber),
      max(document.revision, document.doubtfulRevision)
    )
  }
}
