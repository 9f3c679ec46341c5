import CGlibc
import Glibc

/// A second thread for work that takes some milliseconds.
enum SecondThread {
  /// Calls `work` on this thread, and at the same time on another one if there is another processor
  /// and a thread to be had; returns when both calls have.
  ///
  /// The thread has this one's priority and signal mask. It takes some 0.1 ms to start, on another
  /// processor: schedulers that would rather let a processor sleep than wake it for a moment, as in
  /// virtual machines, let both take turns on this one.
  static func share(_ work: @Sendable () -> Void) {
    withoutActuallyEscaping(work) { work in
      let other = Unmanaged.passRetained(Work(run: work))
      var thread = pthread_t()
      let isHelped = glibc_start_elsewhere(&thread, { runWork($0) }, other.toOpaque()) == 0
      work()
      if isHelped { pthread_join(thread, nil) }
      other.release()
    }
  }

  fileprivate final class Work: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}

private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  Unmanaged<SecondThread.Work>.fromOpaque(work!).takeUnretainedValue().run()
  return nil
}
