import Synchronization

/// Whether there are layouts of which this server has no copy.
///
/// Anybody can ask for any id. So ids that wait are looked up together, and what was found is
/// remembered for a moment: a thousand requests for unknown ids cost about as much as one.
extension SessionStore {
  /// Notes that an id is going to be looked up. Never blocks.
  ///
  /// - Throws: ``SessionsError`` if it is known already that there is nothing to be read.
  public func expect(_ id: SessionID) throws(SessionsError) {
    let now = clock.now()
    try check(
      logged.withLock { state in
        let answer = state.memory.answer(for: id, at: now)
        if answer == nil, state.awaited.count < Self.maxAwaited { state.awaited.insert(id) }
        return answer
      })
  }

  /// Looks an id up, and others that wait. May block.
  ///
  /// - Throws: ``SessionsError/noSuchLayout``, or ``SessionsError/unavailable(_:)``.
  public func lookUp(_ id: SessionID) throws(SessionsError) {
    try check(try answers(for: [id])[id])
  }

  /// Looks ids up. May block.
  ///
  /// - Returns: Those of which there is nothing, here or in the store.
  public func missing(of ids: [SessionID]) throws(SessionsError) -> Set<SessionID> {
    let unknown = ids.filter { copy(of: $0) == nil }
    let answers = try answers(for: unknown)
    return Set(
      unknown.filter {
        switch answers[$0] {
        case .isGone, .isUnreadable: true
        case .isThere, nil: false
        }
      })
  }

  /// What is known of ids, and of those that waited beside them. May block.
  ///
  /// The memory alone does not say it: what the log tells meanwhile makes the memory forget.
  private func answers(
    for ids: [SessionID]
  ) throws(SessionsError) -> [SessionID: ShortMemory.Answer] {
    try lookUps.withLock { () throws(SessionsError) in
      let now = clock.now()
      var answers: [SessionID: ShortMemory.Answer] = [:]
      let unknown = logged.withLock { state in
        for id in ids { answers[id] = state.memory.answer(for: id, at: now) }
        let unknown = ids.filter { answers[$0] == nil }
        if unknown.isEmpty { return unknown }
        defer { state.awaited = [] }
        return unknown + state.awaited.subtracting(unknown)
      }
      guard !unknown.isEmpty else { return answers }
      let heads: [LogHead]
      do throws(LogError) {
        heads = try log.heads(of: unknown)
      } catch {
        throw unavailable(error)
      }
      logged.withLock { state in
        for (id, head) in zip(unknown, heads) {
          // What cannot be read is looked at once more, to say why.
          let answer: ShortMemory.Answer = head == .none ? .isGone : .isThere
          state.memory.note(answer, for: id, at: now)
          answers[id] = answer
        }
      }
      return answers
    }
  }

  func remembered(_ id: SessionID) -> ShortMemory.Answer? {
    let now = clock.now()
    return logged.withLock { $0.memory.answer(for: id, at: now) }
  }

  func remember(_ answer: ShortMemory.Answer, of id: SessionID) {
    let now = clock.now()
    logged.withLock { $0.memory.note(answer, for: id, at: now) }
  }

  private func check(_ answer: ShortMemory.Answer?) throws(SessionsError) {
    switch answer {
    case .isGone: throw .noSuchLayout
    case .isUnreadable: throw .unavailable(.unreadable)
    case .isThere, nil: break
    }
  }
}
