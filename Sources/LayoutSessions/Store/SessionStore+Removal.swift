/// How layouts end: somebody removes them, or nobody uses them.
extension SessionStore {
  /// Removes a layout for all servers; with a document's first one the document. It need not be
  /// made here for that, unless its version matters. May block.
  ///
  /// - Parameter check: Refuses it for a version, if that matters.
  public func remove<E: SessionsFailure>(
    _ id: SessionID, checking check: ((VersionTag) throws(E) -> Void)?
  ) throws(E) {
    // Who removes first is decided by the log, or else by the table.
    guard mayBlock else { return try removeHere(id, checking: check) }
    for _ in 0..<Self.maxConflicts {
      if let check {
        _ = try E.of { () throws(SessionsError) in try newest(of: id) }
        guard let tag = tag(of: id)?.tag else { continue }
        try check(tag)
      }
      let isRemoved = try E.of { () throws(SessionsError) in
        var position = copy(of: id)?.position
        if position == nil { position = try head(of: id) }
        guard let position else { throw .noSuchLayout }
        if try remove(id, at: position) { return true }
        try catchUp(id)
        return false
      }
      if isRemoved { return }
    }
    throw E(.unavailable(.away))
  }

  private func removeHere<E: SessionsFailure>(
    _ id: SessionID, checking check: ((VersionTag) throws(E) -> Void)?
  ) throws(E) {
    while let tag = tag(of: id)?.tag {
      try check?(tag)
      if remove(id, at: tag) { return }
    }
    throw E(.noSuchLayout)
  }

  /// Removes a layout; with a document's first one the document.
  ///
  /// - Returns: Whether `version` was still the current one.
  package func remove(_ version: LayoutVersion) -> Bool {
    remove(version.id) { state, slot in state.layouts[slot].version === version }
  }

  /// Removes a layout if its current version has a tag; with a document's first one the document.
  func remove(_ id: SessionID, at tag: VersionTag) -> Bool {
    remove(id) { state, slot in state.tag(of: slot) == tag }
  }

  private func remove(_ id: SessionID, if isMeant: (SessionTable, Int) -> Bool) -> Bool {
    change { state in
      guard let slot = state.use(id), isMeant(state, slot) else { return false }
      state.remove(slot, .deleted)
      return true
    }
  }

  /// Removes every layout that has been idle for too long.
  ///
  /// - Complexity: O(*k*) for *k* idle layouts, removed or not. A layout that is being changed is
  ///   not removed.
  public func removeExpiredSessions() {
    while !change({ $0.expire() }) {}
  }
}
