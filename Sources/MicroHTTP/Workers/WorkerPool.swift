import System

/// A fixed number of threads that do deferred work in order of arrival, with bounded queues.
///
/// Jobs on the same object are done one at a time. The others stay in the queue until the worker
/// that did one looks at the queue again.
///
/// The sender does not say whether work is long: behind a proxy, all requests come from one
/// address. So work that may be short has a thread and a queue of its own. This thread tries it. If
/// it turns out to be long, it becomes the next job of the workers; or it is given up, if their
/// queue is full. A worker that has nothing else to do takes short work, too.
///
/// If a job had to wait and its client has meanwhile ended its output, the job is given up, because
/// most such clients are gone. A client that has only ended its output gets its answer if the pool
/// is not busy. From a busy pool it gets the advice to come again.
///
/// A place is reserved before the connection is suspended, so a full queue is known in time. The
/// place is free again before the answer is sent, because the client may send its next request at
/// once:
///
///     reserve ──▶ (suspend the connection) ──▶ submit ──▶ queue ──▶ worker ──▶ finish
final class WorkerPool: Sendable {
  private struct State {
    var queues: WorkQueues<DeferredJob>
    /// The smoothed duration of a job: each new job counts for one eighth. `retryAfterSeconds` is
    /// estimated from it.
    var meanDuration: Nanoseconds = 0
  }

  private let monitor: Monitor<State>
  private let workers: Int
  private let now: @Sendable () -> Nanoseconds

  init(workers: Int, queueLength: Int, now: @escaping @Sendable () -> Nanoseconds) {
    self.workers = workers
    self.now = now
    monitor = Monitor(State(queues: WorkQueues(workers: workers, queueLength: queueLength)))
  }

  /// - Parameter shortage: Makes the answer to work that is given up.
  func start(_ shortage: @escaping @Sendable (Request) -> Response) throws(DaemonError) {
    for index in 0...workers {
      do {
        try DaemonThread().start(index < workers ? "http-worker-\(index)" : "http-short-work") {
          [self] in run(index, shortage)
        }
      } catch {
        close()
        throw error
      }
    }
  }

  /// The number of jobs that wait or are in progress.
  var depth: Int { monitor.withLock { $0.queues.unfinished } }

  /// Reserves a place for one job.
  ///
  /// - Returns: False if there is none.
  func reserve(isShort: Bool) -> Bool { monitor.withLock { $0.queues.reserve(isShort: isShort) } }

  /// Adds a job, for which a place was reserved.
  ///
  /// - Returns: False if the pool was closed meanwhile.
  func submit(_ job: DeferredJob) -> Bool {
    // All threads are woken, because a single one could be the thread that only does short work.
    monitor.update { $0.queues.add(job) }
  }

  /// Accepts no more work, and ends each worker after its present job.
  ///
  /// - Returns: The jobs that are not answered. Those in the queues will not be done.
  @discardableResult
  func close() -> [DeferredJob] { monitor.update { $0.queues.close() } }

  /// The time after which a client that found the queue full should come again: about when the
  /// present work will be done.
  var retryAfterSeconds: Int {
    monitor.withLock {
      Self.retryAfterSeconds(
        unfinished: $0.queues.unfinishedLong, workers: workers, meanDuration: $0.meanDuration)
    }
  }

  /// The seconds that workers need for the unfinished jobs and one more, from 1 to 30.
  static func retryAfterSeconds(
    unfinished: Int, workers: Int, meanDuration: Nanoseconds
  ) -> Int {
    let rounds = Nanoseconds(unfinished / max(workers, 1) + 1)
    return Int(min(max(rounds * meanDuration / 1_000_000_000, 1), 30))
  }

  private func run(_ index: Int, _ shortage: (Request) -> Response) {
    // A query takes microseconds. It should not wait for work that takes seconds.
    SystemThread.takeShortTurns()
    while let entry = next(for: index) {
      if entry.mustWait && entry.job.isAbandoned {
        monitor.withLock { $0.queues.end(index) }
        entry.job.giveUp(with: shortage)
      } else if index < workers {
        work(on: entry.job, index)
      } else {
        workShortly(on: entry, shortage)
      }
    }
  }

  private func work(on job: DeferredJob, _ index: Int) {
    let start = now()
    let isAbandoned = { @Sendable in job.isAbandoned }
    let response = CurrentWork.with(abandonedIf: isAbandoned) { job.takeWork()?() }
    let duration = now() - start
    monitor.withLock {
      $0.queues.end(index)
      $0.meanDuration += (duration - $0.meanDuration) / 8
    }
    if let response { job.finish(with: response) }
  }

  /// Does short work. Work that is not short becomes the next job of the workers.
  private func workShortly(
    on entry: WorkQueues<DeferredJob>.Entry, _ shortage: (Request) -> Response
  ) {
    let job = entry.job
    let isAbandoned = { @Sendable in job.isAbandoned }
    let response = CurrentWork.with(abandonedIf: isAbandoned) { job.shortResponse() }
    let isTaken = monitor.update {
      $0.queues.end(workers)
      // If the pool was closed, `close` returned this job among those in progress, and its caller
      // gives it up.
      return response != nil || $0.queues.isClosed || $0.queues.passOn(entry)
    }
    if let response {
      entry.job.finish(with: response)
    } else if !isTaken {
      entry.job.giveUp(with: shortage)
    }
  }

  private func next(for index: Int) -> WorkQueues<DeferredJob>.Entry? {
    // The last job leaves only now, when nobody waits for its answer any more.
    if monitor.withLock({ $0.queues.leave(index) }) { monitor.update { _ in } }
    let entry: WorkQueues<DeferredJob>.Entry?? = monitor.wait {
      if let entry = $0.queues.take(for: index) { return .some(entry) }
      return $0.queues.isClosed ? .some(nil) : nil
    }
    return entry ?? nil
  }
}
