import Glibc

/// A lock around state that is looked at for some dozen instructions at a time, by many threads.
///
/// On Linux `Synchronization.Mutex` inherits priorities: whoever lets go of it hands it to a
/// thread that has waited and is still asleep. Until that thread runs, all others find the lock
/// taken, spin for a while and go to sleep in turn, and may queue up so for seconds. This lock is
/// free when it is let go of, for whoever comes first, and a thread spins but briefly before it
/// goes to sleep.
///
/// `@unchecked Sendable`: the state is touched under the lock only.
final class BriefLock<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Only under the lock; the check for overlapping access would look at each use.
  @exclusivity(unchecked) private var state: State

  init(_ state: State) {
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

  /// Calls `body` with the state while no other thread is in here; `body` must not call this again.
  func withLock<R>(_ body: (inout State) -> R) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }
}
