import CMicroHTTPD
import Glibc

/// The module's own threads: the acceptor, the reaper and the workers.
enum PlatformThread {
  /// Starts a detached thread that receives no signals. `body` must report by itself when it ends.
  ///
  /// - Parameter name: A name of at most 15 bytes, which `top -H` shows.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(DaemonError) {
    // This retains the body. The thread releases it when it starts.
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

  /// Runs `body` with all asynchronous signals blocked. Threads that it starts inherit this, so
  /// SIGTERM and similar signals go to the thread that waits for them.
  static func withSignalsBlocked<R>(_ body: () -> R) -> R {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
  }

  /// Gives the calling thread less processor time than others, in short turns. So a thread that
  /// yields loses only the rest of a short turn.
  ///
  /// On Linux, unlike POSIX, the priority belongs to the thread. Turns can be set from 6.12 on.
  static func takeShortTurns() {
    _ = nice(5)
    micro_take_turns(100_000)
  }

  /// Yields the processor to threads that wait for it.
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
