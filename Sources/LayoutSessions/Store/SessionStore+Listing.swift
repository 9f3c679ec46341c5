public import CollectionLayout

/// A layout among those that are kept, for people who look after a server.
public struct KeptLayout: Sendable {
  public let id: SessionID
  /// The id of the layout of which it is a view; `nil` if it is none.
  public let source: SessionID?
  public let kind: LayoutKind
  /// What it has; `nil` while its frames are not there.
  public let counts: ElementCounts?
  /// Of a layout with its items; of a view its frames alone. 0 while they are not there.
  public let memoryBytes: Int
  public let viewCount: Int
  /// When it was last used, in whole seconds since 1970.
  public let lastUseUnixTime: Int
}

extension SessionStore {
  /// All layouts that are here, the largest first. This is no use of them.
  ///
  /// - Complexity: O(*n* · log *n*) for *n* layouts. The lock is held for O(*n*).
  public func keptLayouts() -> [KeptLayout] {
    let (now, unixTime) = (clock.now(), clock.unixTime())
    let layouts = state.withLock { state in
      state.layouts.indices.filter { state.layouts[$0].isThere }.map { slot in
        let layout = state.layouts[slot]
        let isFirst = state.isFirst(slot)
        return (
          layout.id, source: isFirst ? nil : state.source(of: layout.document)?.id,
          state.frames[layout.frames].key.layout.kind, layout.version,
          viewCount: isFirst ? state.documents[layout.document].others.count : 0,
          idle: now - state.lastUse(of: slot)
        )
      }
    }
    return layouts.map { id, source, kind, version, viewCount, idle in
      KeptLayout(
        id: id, source: source, kind: kind, counts: version?.collection.prepared.counts,
        memoryBytes: version?.memoryBytes ?? 0, viewCount: viewCount,
        lastUseUnixTime: unixTime - Int(idle.components.seconds))
    }.sorted {
      ($0.memoryBytes, $1.id.description) > ($1.memoryBytes, $0.id.description)
    }
  }
}
