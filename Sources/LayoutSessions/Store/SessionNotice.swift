/// What becomes of layouts, for whoever listens to a ``SessionStore``.
public enum SessionNotice: Sendable {
  /// A layout has another version. If it is the first of its document, other layouts may have
  /// another one, too; nobody is told which.
  case hasMoved(LayoutVersion)
  /// A layout is not here any more: it has ended, unless the log still has it.
  case hasLeft(SessionID, SessionEnd)
  /// Others have changed a layout, in a way that is not known yet, or have ended it.
  case isBehind(SessionID)
}

/// Why a layout is not there any more.
public enum SessionEnd: String, Sendable {
  case deleted
  /// Nobody used it.
  case expired
  /// Others needed the room.
  case evicted
  /// It was not the first of its document, and the document has ended.
  case sourceEnded = "source-ended"
}
