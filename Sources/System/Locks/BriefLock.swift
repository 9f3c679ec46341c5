public import Glibc

/// A lock around state that many threads use for some dozen instructions at a time.
///
/// On Linux `Synchronization.Mutex` hands the lock to a waiting thread, which may still be asleep.
/// Until that thread runs, all others find the lock taken, spin for a while and go to sleep too.
/// They may queue up in this way for seconds. This lock is free as soon as it is released, and the
/// first thread to come gets it. A thread spins only briefly before it sleeps.
///
/// `@unchecked Sendable`: the state is only used under the lock.
public final class BriefLock<State: Sendable>: @unchecked Sendable {
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The state is only used under the lock, so checks for overlapping access are not needed.
  @exclusivity(unchecked) @usableFromInline var state: State

  public init(_ state: State) {
    self.state = state
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    mutex.initialize(to: pthread_mutex_t())
    let error = pthread_mutex_init(mutex, &attributes)
    precondition(error == 0, "pthread_mutex_init: \(error)")
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls `body` with the state while no other thread uses it. `body` must not call this function.
  @inlinable
  public func withLock<R>(_ body: (inout State) -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }
}
