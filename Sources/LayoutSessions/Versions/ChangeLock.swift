import Synchronization

/// Makes the changes of a session one after another.
///
/// A change begins with a version and replaces it by the next. If two changes began with the same
/// version, one would be lost.
public final class ChangeLock: Sendable {
  private let mutex = Mutex(())

  init() {}

  /// Whether a change is being made.
  public var isTaken: Bool { mutex.withLockIfAvailable { _ in false } ?? true }

  /// Makes a change after all earlier ones.
  public func withLock<R: Sendable, E>(_ change: () throws(E) -> R) throws(E) -> R {
    try mutex.withLock { _ throws(E) in try change() }
  }

  /// Makes a change at once. If another one is being made, it makes none and returns `nil`.
  public func withLockIfAvailable<R: Sendable, E>(_ change: () throws(E) -> R) throws(E) -> R? {
    try mutex.withLockIfAvailable { _ throws(E) in try change() }
  }
}
