import Synchronization

/// Lets the changes of a session be made one after another.
///
/// A change takes a version and puts the next one in its place. Of two that begin with the same
/// version, one would be in vain.
public final class ChangeLock: Sendable {
  private let mutex = Mutex(())

  init() {}

  /// Whether a change is being made.
  public var isTaken: Bool { mutex.withLockIfAvailable { _ in false } ?? true }

  /// Makes a change when those before it are made.
  public func withLock<R: Sendable, E>(_ change: () throws(E) -> R) throws(E) -> R {
    try mutex.withLock { _ throws(E) in try change() }
  }

  /// Makes a change at once; `nil`, and none is made, while another one is.
  public func withLockIfAvailable<R: Sendable, E>(_ change: () throws(E) -> R) throws(E) -> R? {
    try mutex.withLockIfAvailable { _ throws(E) in try change() }
  }
}
