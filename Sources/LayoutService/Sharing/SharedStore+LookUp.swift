import LayoutSessions
import Synchronization

/// Whether there are layouts of which this server has no copy.
///
/// Anybody can ask for any id. So ids that wait are looked up together, and what was found is
/// remembered for a moment: a thousand requests for unknown ids cost about as much as one.
extension SharedStore {
  /// Notes that an id is going to be looked up. Never blocks.
  ///
  /// - Throws: ``ServiceError`` if it is known already that there is nothing to be read.
  func expect(_ id: SessionID) throws(ServiceError) {
    let now = sessions.now
    try check(
      state.withLock { state in
        let answer = state.memory.answer(for: id, at: now)
        if answer == nil, state.awaited.count < Self.maxAwaited { state.awaited.insert(id) }
        return answer
      })
  }

  /// Looks an id up, and others that wait. May block.
  ///
  /// - Throws: ``ServiceError/noSuchLayout``, or ``ServiceError/storeUnavailable(_:)``.
  func lookUp(_ id: SessionID) throws(ServiceError) {
    try lookUp([id])
    try check(remembered(id))
  }

  /// Looks ids up. May block.
  ///
  /// - Returns: Those of which there is nothing, here or in the store.
  func missing(of ids: [SessionID]) throws(ServiceError) -> Set<SessionID> {
    let unknown = ids.filter { sessions.copy(of: $0) == nil }
    try lookUp(unknown)
    return Set(
      unknown.filter {
        switch remembered($0) {
        case .isGone, .isUnreadable: true
        case .isThere, nil: false
        }
      })
  }

  private func lookUp(_ ids: [SessionID]) throws(ServiceError) {
    try lookUps.withLock { () throws(ServiceError) in
      let now = sessions.now
      let unknown = state.withLock { state in
        let unknown = ids.filter { state.memory.answer(for: $0, at: now) == nil }
        if unknown.isEmpty { return unknown }
        defer { state.awaited = [] }
        return unknown + state.awaited.subtracting(unknown)
      }
      guard !unknown.isEmpty else { return }
      let heads: [LogHead]
      do throws(SessionLogError) {
        heads = try log.heads(of: unknown)
      } catch {
        throw unavailable(error)
      }
      state.withLock { state in
        for (id, head) in zip(unknown, heads) {
          // What cannot be read is looked at once more, to say why.
          state.memory.note(head == .none ? .isGone : .isThere, for: id, at: now)
        }
      }
    }
  }

  func remembered(_ id: SessionID) -> ShortMemory.Answer? {
    let now = sessions.now
    return state.withLock { $0.memory.answer(for: id, at: now) }
  }

  func remember(_ answer: ShortMemory.Answer, of id: SessionID) {
    let now = sessions.now
    state.withLock { $0.memory.note(answer, for: id, at: now) }
  }

  private func check(_ answer: ShortMemory.Answer?) throws(ServiceError) {
    switch answer {
    case .isGone: throw .noSuchLayout
    case .isUnreadable: throw .storeUnavailable(.unreadable)
    case .isThere, nil: break
    }
  }
}
