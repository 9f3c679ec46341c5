import Glibc

/// Signals that are waited for instead of handled.
struct SignalSet {
  private var set = sigset_t()

  init(_ numbers: [Int32]) {
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of the signals; `nil` when none comes in time.
  func next(within seconds: Int) -> Int32? {
    var timeout = timespec(tv_sec: seconds, tv_nsec: 0)
    var set = set
    let number = sigtimedwait(&set, nil, &timeout)
    return number > 0 ? number : nil
  }
}
