import Dispatch
import Synchronization

/// What is heard of the log, and what is told it without being asked.
extension SessionStore {
  func take(_ news: LogNews) {
    switch news {
    case .isSilent:
      logged.withLock { state in
        state.silences += 1
        hears.store(false, ordering: .releasing)
      }
    case .isHeard:
      let silences = logged.withLock { $0.silences }
      background.async { [weak self] in self?.lookAfterAll(after: silences) }
    case .hasMoved(let id, let head):
      let isLoading = logged.withLock { state in
        state.memory.forget(id)
        guard state.loading[id] != nil else { return false }
        state.loading[id] = true
        return true
      }
      if !isLoading { hear(id, head) }
      if let head, head.data.revision.isMultiple(of: Self.renewal) { keepUp(id) }
    case .isShorter(let id): keepUp(id) { self.renewOwn(of: id) }
    }
  }

  /// Makes changes of others in a copy whose views have something of their own, whether or not
  /// anybody asks for it: others will not know the way of the data for long.
  private func keepUp(_ id: SessionID, then next: @escaping @Sendable () -> Void = {}) {
    guard !viewsWithOwn(of: id).isEmpty else { return }
    background.async { [weak self] in
      try? self?.catchUpDocument(id)
      next()
    }
  }

  /// Compares all copies with the log. News count as heard after that, unless they have stopped
  /// again: then whoever hears that they come begins anew.
  ///
  /// - Parameter silences: How often news had stopped when they came again.
  func lookAfterAll(after silences: Int) {
    logged.withLock { state in
      for id in state.loading.keys { state.loading[id] = true }
      state.memory.forgetAll()
    }
    let ids = copies(usedSince: .zero)
    do throws(LogError) {
      for start in stride(from: 0, to: ids.count, by: 1000) {
        let part = Array(ids[start..<min(start + 1000, ids.count)])
        for (id, head) in zip(part, try log.heads(of: part)) {
          // What cannot be read is looked at when somebody asks for it.
          if case .at(let position) = head {
            hear(id, position, isNews: false)
          } else {
            hear(id, nil, isNews: false)
          }
        }
      }
      logged.withLock { state in
        if state.silences == silences { hears.store(true, ordering: .releasing) }
      }
    } catch {
      // A single failure does not end the news.
      background.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
        guard let self, logged.withLock({ $0.silences }) == silences else { return }
        lookAfterAll(after: silences)
      }
    }
  }

  /// Moves on the time at which used sessions end in the log, now and then.
  public func keepHouse() {
    guard mayBlock else { return }
    let now = clock.now()
    let interval = limits.idleTimeout / 4
    let since = logged.withLock { state -> Duration? in
      guard now - state.lastTouch >= interval else { return nil }
      defer { state.lastTouch = now }
      return state.lastTouch
    }
    guard let since else { return }
    background.async { [self] in
      let ids = copies(usedSince: since)
      let names = state.withLock { state in
        state.documents.compactMap { document in
          document.first.flatMap { state.lastUse(of: $0) >= since ? document.name : nil }
        }
      }
      try? log.touch(names: names)
      for start in stride(from: 0, to: ids.count, by: 1000) {
        do {
          // The store may have lost them, or somebody has emptied it, without a word.
          for id in try log.touch(Array(ids[start..<min(start + 1000, ids.count)])) {
            forget(id)
          }
        } catch {
          // It is done again with the next ones.
          logged.withLock { $0.lastTouch = since }
        }
      }
    }
  }
}
