import LayoutSessions
import MicroHTTP
import Synchronization
import WireFormat

/// A layout that somebody follows: its newest version, or its end.
final class FollowedLayout: Sendable {
  private struct State {
    var newest: FollowedVersion?
    var end: String?
    /// The text of the last event for a stream of this layout alone. Most streams have had the same
    /// version before, so they share it.
    var lastEvent: (after: AskedVersion, text: [UInt8])?
  }

  /// What a stream is to be told.
  enum Event {
    case version(VersionTag, text: [UInt8])
    case gone(reason: String)
  }

  let id: SessionID
  private let state = Mutex(State())

  init(_ id: SessionID) {
    self.id = id
  }

  /// Takes a version, which may be older than the one that it has.
  func take(_ version: FollowedVersion) {
    state.withLock { state in
      if let newest = state.newest, !version.isNewer(than: newest) { return }
      state.newest = version
      state.lastEvent = nil
    }
  }

  func take(end reason: String) {
    state.withLock { state in
      if state.end == nil { state.end = reason }
    }
  }

  /// The data of the next event, as JSON; `nil` if there is nothing new. The last version comes
  /// before the end.
  ///
  /// - Parameters:
  ///   - position: The version that the stream has told, or the one that the client knows.
  ///   - isFirst: Whether the stream has told none yet.
  ///   - isNamed: Whether the event says which layout it is about.
  func event(after position: AskedVersion?, isFirst: Bool, isNamed: Bool) -> Event? {
    state.withLock { state in
      guard let newest = state.newest, isFirst || position != AskedVersion(newest.tag) else {
        return state.end.map { .gone(reason: $0) }
      }
      if !isFirst, !isNamed, let last = state.lastEvent, last.after == position {
        return .version(newest.tag, text: last.text)
      }
      let text = JSONWriter.text(capacity: 192) {
        $0["layout"] = isNamed ? id.description : nil
        newest.write(to: &$0, after: position, isFirst: isFirst)
      }
      if !isFirst, !isNamed, let position { state.lastEvent = (position, text) }
      return .version(newest.tag, text: text)
    }
  }
}
