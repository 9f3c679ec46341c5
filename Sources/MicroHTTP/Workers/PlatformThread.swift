import CMicroHTTPD
import Glibc

/// Threads of our own: the acceptor, the reaper, the workers.
enum PlatformThread {
  /// Starts a detached thread that takes no signals; `body` must tell by itself when it ends.
  ///
  /// - Parameter name: At most 15 bytes, as `top -H` shows it.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(DaemonError) {
    // Retained here, released by the thread when it takes the box.
    let box = Unmanaged.passRetained(Body(name: name, run: body))
    var thread = pthread_t()
    let number = withSignalsBlocked {
      pthread_create(&thread, nil, { runThread($0) }, box.toOpaque())
    }
    guard number == 0 else {
      box.release()
      throw .system(call: "pthread_create", errno: number)
    }
    pthread_detach(thread)
  }

  /// Runs `body` with all asynchronous signals blocked; the threads that it starts inherit that, so
  /// SIGTERM and its kin go to the thread that waits for them.
  static func withSignalsBlocked<R>(_ body: () -> R) -> R {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
  }

  /// Lets the calling thread have less of the processors than others that want them, and in short
  /// turns: a thread that gives way forfeits the rest of its turn.
  ///
  /// Linux keeps the priority for each thread, other than POSIX has it, and turns from 6.12 on.
  static func takeShortTurns() {
    _ = nice(5)
    micro_take_turns(100_000)
  }

  /// Lets threads that wait for this one's processor have it first.
  static func giveWay() {
    sched_yield()
  }

  fileprivate final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }
}

private func runThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let body = Unmanaged<PlatformThread.Body>.fromOpaque(box!).takeRetainedValue()
  micro_name_this_thread(body.name)
  body.run()
  return nil
}
