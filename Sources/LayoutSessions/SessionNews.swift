/// What becomes of sessions and views, for those who follow them.
public enum SessionNews: Sendable {
  /// A session or view has another version. Views of a session have others, too, if its data
  /// differs; nobody is told which.
  case hasMoved(LayoutVersion)
  /// It is not here any more: it has ended, unless the log still has it.
  case hasLeft(SessionID, SessionEnd)
  /// Others have changed a session or view, in a way that is not known yet, or have ended it.
  case isBehind(SessionID)
}

/// Why a session or view is not there any more.
public enum SessionEnd: String, Sendable {
  case deleted
  /// Nobody used it.
  case expired
  /// Others needed the room.
  case evicted
  /// It was a view, and the session that it was a view of has ended.
  case sourceEnded = "source-ended"
}
