import CGlibc
import Glibc

/// A thread of the system's. All threads that the process starts itself are started here.
///
/// Swift's own threads are not for what blocks: there is one for each processor.
public struct SystemThread: ~Copyable {
  private let thread: pthread_t

  /// Starts a thread that receives no signals: they are for the thread that waits for them.
  ///
  /// - Parameters:
  ///   - name: A name of at most 15 bytes, which `top -H` shows.
  ///   - body: It must report by itself when it ends, unless somebody joins the thread.
  public init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    // This retains the body. The thread releases it when it starts.
    let box = Unmanaged.passRetained(Body(name: name, run: body))
    var thread = pthread_t()
    let number = Self.withSignalsBlocked {
      pthread_create(&thread, nil, { runThread($0) }, box.toOpaque())
    }
    guard number == 0 else {
      box.release()
      throw SystemError(call: "pthread_create", number: number)
    }
    self.thread = thread
  }

  /// Starts a thread that nobody joins.
  public static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    _ = try SystemThread(name, body)
  }

  deinit {
    pthread_detach(thread)
  }

  /// Waits until the thread has ended.
  public consuming func join() {
    pthread_join(thread, nil)
    discard self
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

extension SystemThread {
  /// Runs `body` with all asynchronous signals blocked. Threads that it starts inherit this, so
  /// SIGTERM and similar signals go to the thread that waits for them.
  public static func withSignalsBlocked<R>(_ body: () -> R) -> R {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
  }

  /// Runs `body` so that threads which it starts are scheduled in batches: one that wakes up waits
  /// until the running thread sleeps or yields.
  ///
  /// A network thread that is scheduled normally takes the processor from a client on the same
  /// machine (a proxy, a load test) that is still sending. The thread then finds one request
  /// instead of several, and both keep taking turns: a query costs a quarter more. Workers yield
  /// often, so nobody waits long for them.
  ///
  /// If the program was started with another policy, that policy is kept.
  public static func withThreadsInBatches<R>(_ body: () -> R) -> R {
    guard sched_getscheduler(0) == SCHED_OTHER else { return body() }
    glibc_schedule_in_batches(true)
    defer { glibc_schedule_in_batches(false) }
    return body()
  }

  /// Gives the calling thread less processor time than others, in short turns. So a thread that
  /// yields loses only the rest of a short turn.
  ///
  /// On Linux, unlike POSIX, the priority belongs to the thread. Turns can be set from 6.12 on.
  public static func takeShortTurns() {
    _ = nice(5)
    glibc_take_turns(100_000)
  }

  /// Yields the processor to threads that wait for it.
  public static func giveWay() {
    sched_yield()
  }

  /// The number of the processor on which the calling thread runs, until the system moves it.
  public static var processor: Int { Int(sched_getcpu()) }
}

private func runThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let body = Unmanaged<SystemThread.Body>.fromOpaque(box!).takeRetainedValue()
  glibc_name_this_thread(body.name)
  body.run()
  return nil
}
