public import CollectionLayout

/// Why sessions do not do what they are asked for.
public enum SessionsError: Error, Equatable, Sendable {
  /// It was never made, or it was deleted, expired or evicted.
  case noSuchLayout
  /// It takes more memory than there is for all of them.
  case tooLarge(bytes: Int, limit: Int)
  /// The collection cannot be laid out like this.
  case impossible(LayoutError)
  /// There are more items than a layout may store.
  case tooManyItems(limit: Int)
  /// The log does not do what it should.
  case unavailable(LogTrouble)
  /// The collection is longer than the log takes.
  case tooLong(bytes: Int, limit: Int)
}

/// What is wrong with a log, as far as clients are told.
public enum LogTrouble: Sendable {
  /// It cannot be reached.
  case away
  /// It has no memory left.
  case full
  /// What it has of this layout cannot be read. Others are not affected.
  case unreadable
}

/// An error of those who ask sessions for something, as which they get those of the sessions.
public protocol SessionsFailure: Error {
  init(_ error: SessionsError)
}

extension SessionsFailure {
  /// What `body` gives, with errors as this one.
  public static func of<R>(_ body: () throws(SessionsError) -> R) throws(Self) -> R {
    do throws(SessionsError) {
      return try body()
    } catch {
      throw Self(error)
    }
  }
}

/// What keeps this server from the log, and how others are told.
extension SessionStore {
  /// What the log has of a layout is not what it should be. Others are not affected.
  func unreadable(_ id: SessionID, _ reason: String) -> SessionsError {
    if remembered(id) != .isUnreadable { warn("layout \(id) in the store: \(reason)") }
    remember(.isUnreadable, of: id)
    return .unavailable(.unreadable)
  }

  /// Asks the log about a layout.
  func reading<R>(
    _ id: SessionID, _ body: () throws(LogError) -> R
  ) throws(SessionsError) -> R {
    do throws(LogError) {
      return try body()
    } catch {
      throw unavailable(error, id)
    }
  }

  /// - Parameter id: The layout that it is about, if it is about one.
  func unavailable(_ error: LogError, _ id: SessionID? = nil) -> SessionsError {
    if let id, error.cause == .unreadable { return unreadable(id, error.reason) }
    guard case .tooLong(let bytes, let limit) = error.cause else {
      return .unavailable(error.trouble)
    }
    return .tooLong(bytes: bytes, limit: limit)
  }
}

extension LogError {
  /// What clients are told.
  public var trouble: LogTrouble {
    switch cause {
    case .unsuitable, .unavailable: .away
    case .unreadable, .lost, .tooLong: .unreadable
    case .full: .full
    }
  }
}
