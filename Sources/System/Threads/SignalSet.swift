import Glibc

/// Signals for which a thread waits, instead of handling them. It is made before other threads are
/// started.
public struct SignalSet {
  private var set = sigset_t()

  public init(_ numbers: [Int32]) {
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of the signals; `nil` if none comes in time.
  public func next(within seconds: Int) -> Int32? {
    var timeout = timespec(tv_sec: seconds, tv_nsec: 0)
    var set = set
    let number = sigtimedwait(&set, nil, &timeout)
    return number > 0 ? number : nil
  }
}
