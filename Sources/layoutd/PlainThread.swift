import Glibc

/// A system thread. Stopping the daemon blocks, and `main` must meanwhile wait for signals.
struct PlainThread: ~Copyable {
  private var thread = pthread_t()

  init(_ work: @escaping () -> Void) {
    // This retains the work; the thread releases it.
    let argument = Unmanaged.passRetained(Work(work)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, argument)
    precondition(status == 0, "pthread_create: \(status)")
  }

  consuming func join() {
    pthread_join(thread, nil)
  }

  private final class Work {
    let run: () -> Void

    init(_ run: @escaping () -> Void) {
      self.run = run
    }
  }
}
