import Synchronization

/// Has the changes of one session made one after another, by whoever makes them.
///
/// A change takes a version and has to put the next one in its place. Were several made at once,
/// all but one would be in vain, and cheap ones could keep a long one from ever succeeding. Only
/// changes wait for each other: who asks for the current version does not.
public final class ChangeLock: Sendable {
  private let mutex = Mutex(())

  init() {}

  /// Makes a change when the ones before it are done.
  public func withLock<R: Sendable, E>(_ change: () throws(E) -> R) throws(E) -> R {
    try mutex.withLock { _ throws(E) in try change() }
  }

  /// Makes a change unless another one is being made; `nil` if so.
  public func withLockIfAvailable<R: Sendable, E>(_ change: () throws(E) -> R) throws(E) -> R? {
    try mutex.withLockIfAvailable { _ throws(E) in try change() }
  }
}
