/// What several servers have in common of their sessions: from what each was prepared, and the
/// changes since. It is the truth; a ``SessionStore`` above it keeps what follows from it.
///
/// A layout is a function of its requests, so nothing else needs to be stored. All calls may block
/// for as long as the log's own time limit says, and are safe on several threads at once.
public protocol Log: Sendable {
  /// The longest body that prepares a session, in bytes.
  var maxSnapshotBytes: Int { get }

  /// Keeps a new session.
  func create(_ id: SessionID, _ source: SnapshotSource) throws(LogError)

  /// Adds a change, if the session's history ends where the change was made.
  func append(
    _ change: LoggedChange, to id: SessionID, after position: HistoryPosition
  ) throws(LogError) -> LogOutcome

  /// Ends a session, if its history ends there.
  func remove(
    _ id: SessionID, at position: HistoryPosition
  ) throws(LogError) -> LogOutcome

  /// Where the histories of sessions end. What is wrong with one says nothing about the others.
  func heads(of ids: [SessionID]) throws(LogError) -> [LogHead]

  /// From what a session can be prepared; `nil` when there is none (any more).
  func snapshot(of id: SessionID) throws(LogError) -> SessionSnapshot?

  /// The next changes after a position, the oldest first, and where the history ended when they
  /// were read. None where none are known that follow it.
  ///
  /// Nothing says that the first one was made there: the position may be of another history, or
  /// what followed it is in the snapshot by now. Compare by
  /// ``HistoryPosition/leads(to:by:isOfDocument:)``.
  ///
  /// - Parameter limit: The most that are read at once, ≥ 1. Long ones are fewer.
  func changes(
    of id: SessionID, after position: HistoryPosition, limit: Int
  ) throws(LogError) -> LoggedChanges

  /// Puts a snapshot in the place of the one that there is and of changes up to it, unless the
  /// session has gone another way.
  func replaceSnapshot(of id: SessionID, by source: SnapshotSource) throws(LogError)

  /// Ends a session of which a part is lost, so that nobody can make it any more: its changes up to
  /// where its history ends, or a part of its snapshot.
  ///
  /// - Returns: ``LogOutcome/isElsewhere`` if nothing is lost, or if its history ends elsewhere.
  func removeLost(
    _ id: SessionID, at position: HistoryPosition
  ) throws(LogError) -> LogOutcome

  /// Moves the time on at which sessions end that nobody uses.
  ///
  /// - Returns: Those that there are not (any more).
  func touch(_ ids: [SessionID]) throws(LogError) -> [SessionID]

  /// The session that was made under a name last; there need not be such a session any more.
  func id(named name: String) throws(LogError) -> SessionID?

  /// Gives a name to a session, unless it has been given to another one than that which is gone.
  ///
  /// - Returns: The session that has the name.
  func claim(
    _ name: String, for id: SessionID, insteadOf gone: SessionID?
  ) throws(LogError) -> SessionID

  /// Moves the time on at which names end.
  func touch(names: [String]) throws(LogError)

  /// Tells of changes from now on, on a thread of its own, until the log is closed.
  func listen(_ hear: @escaping @Sendable (LogNews) -> Void)
}

extension Log {
  public var maxSnapshotBytes: Int { .max }
  public func id(named name: String) throws(LogError) -> SessionID? { nil }
  public func claim(
    _ name: String, for id: SessionID, insteadOf gone: SessionID?
  ) throws(LogError) -> SessionID { id }
  public func touch(names: [String]) throws(LogError) {}
}

/// What a log tells without being asked. It is a hint: news may be lost, come late or twice.
public enum LogNews: Equatable, Sendable {
  /// From now on news come; whatever was known before may have changed.
  case isHeard
  /// For an unknown time none have come, and none will until ``isHeard``.
  case isSilent
  /// A session's history ends there now; `nil` for a session that has ended.
  case hasMoved(SessionID, HistoryPosition?)
  /// A new snapshot has taken the place of a document's earlier changes.
  case isShorter(SessionID)
}

/// From what a session can be prepared as it was at some place of its history.
public struct Snapshot<Body: Sendable>: Sendable {
  public var position: HistoryPosition
  /// The name of the kind of layout.
  public var kind: String
  /// Whole seconds since 1970.
  public var createdUnixTime: Int
  /// The name under which it was prepared.
  public var name: String?
  /// A body that prepares it.
  public var body: Body

  public init(
    position: HistoryPosition, kind: String, createdUnixTime: Int, name: String? = nil, body: Body
  ) {
    self.name = name
    self.position = position
    self.kind = kind
    self.createdUnixTime = createdUnixTime
    self.body = body
  }
}

extension Snapshot: Equatable where Body: Equatable {}

/// A snapshot as it is read.
public typealias SessionSnapshot = Snapshot<[UInt8]>

/// A snapshot as it is written: its body gives the parts of a body in order, and need not be in
/// memory as a whole.
public typealias SnapshotSource = Snapshot<@Sendable (_ take: @escaping ([UInt8]) -> Void) -> Void>

/// Where the history of a session ends.
public enum LogHead: Equatable, Sendable {
  case at(HistoryPosition)
  /// There is no such session (any more).
  case none
  /// What stands in its place is not what this program writes.
  case unreadable
}

/// A part of the changes of a session.
public struct LoggedChanges: Equatable, Sendable {
  /// Where the history ended when they were read; `nil` if there is no such session (any more).
  public var head: HistoryPosition?
  /// The oldest first.
  public var changes: [LoggedChange]

  public init(head: HistoryPosition?, changes: [LoggedChange]) {
    self.head = head
    self.changes = changes
  }
}

/// A change as it was asked for.
public struct LoggedChange: Equatable, Sendable {
  public var id: HistoryPosition.ChangeID
  /// After the change.
  public var position: HistoryPosition
  /// The operation that made it.
  public var operation: String
  public var body: [UInt8]

  /// A change of a layout's kind, bounds and options, as it was asked for.
  public static let patch = "patch"
  /// Changes of the data, as they were asked for.
  public static let updates = "updates"
  /// What was folded and unfolded in a first layout, as it was asked for. In another one it is a
  /// patch: see ``ViewFolds``.
  public static let folds = "folds"
  /// Sizes that were measured: as it was asked for in a first layout, else as ``ViewSizes``.
  public static let measurements = "measurements"

  public init(
    id: HistoryPosition.ChangeID, position: HistoryPosition, operation: String, body: [UInt8]
  ) {
    self.id = id
    self.position = position
    self.operation = operation
    self.body = body
  }
}

/// What has become of a change of a log.
public enum LogOutcome: Equatable, Sendable {
  /// - Parameter isLong: Whether the changes take more than the snapshot by now, so that a new one
  ///   would make it shorter to take the session over.
  case done(isLong: Bool)
  /// The history ends elsewhere; nothing is changed.
  case isElsewhere
  /// There is no such session (any more).
  case isGone
}

/// Why a log does not do what it is asked for.
public struct LogError: Error, Equatable, Sendable {
  /// What is wrong with the log.
  public enum Cause: Equatable, Sendable {
    /// It cannot be reached, or does not answer in time.
    case unavailable
    /// It has no memory left.
    case full
    /// It is no log for this program.
    case unsuitable
    /// What it holds of this session is not what this program writes. Others are not affected.
    case unreadable
    /// It holds a part of this session alone: nobody can make it any more.
    case lost
    /// The session is too long for it.
    case tooLong(bytes: Int, limit: Int)
  }

  public var cause: Cause
  /// For the operator's log.
  public var reason: String
  /// Whether it may have been done all the same.
  public var mayBeDone: Bool

  public init(_ cause: Cause, _ reason: String, mayBeDone: Bool = false) {
    self.cause = cause
    self.reason = reason
    self.mayBeDone = mayBeDone
  }
}
