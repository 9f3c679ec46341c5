import Glibc

/// Whether a condition comes true within a minute, for `#expect`: long enough for a busy machine.
///
/// For what nobody tells of, and can only be asked for again and again: that the system has closed
/// a socket, or that libmicrohttpd has noticed. Where a test's own code changes something, wait for
/// that.
public func eventually(_ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(500)
  }
  return true
}

/// A thread for something that blocks.
public final class BackgroundThread {
  private final class Box: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  public init(_ body: @escaping @Sendable () -> Void) {
    // Retained here, released by the thread.
    let box = Unmanaged.passRetained(Box(body))
    let error = pthread_create(
      &thread, nil,
      {
        Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    precondition(error == 0, "pthread_create: \(error)")
  }

  public func join() {
    pthread_join(thread, nil)
  }
}

/// Runs `body` on so many threads and waits for all.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { index in BackgroundThread { body(index) } }
  for thread in threads { thread.join() }
}
