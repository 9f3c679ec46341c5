import Synchronization

/// A fixed number of threads that do deferred work in the order in which it came, with a bounded
/// queue before them.
///
/// Of jobs that are on one and the same object only one is done at a time; the others stay in the
/// queue, and the worker that has done it looks at them again.
///
/// A place is reserved before the connection is suspended, so that a full queue is known in time,
/// and is free again before the answer leaves, so that its client may come right back:
///
///     reserve ──▶ (suspend the connection) ──▶ submit ──▶ queue ──▶ worker ──▶ finish
final class WorkerPool: Sendable {
  private struct State {
    var queue = Queue()
    /// Places given away and not yet used.
    var reserved = 0
    /// What each worker has not answered yet.
    var running: [DeferredJob?]
    var isClosed = false
    /// Smoothed: each job counts for an eighth. What `retryAfterSeconds` is estimated from.
    var meanDuration: Nanoseconds = 0
  }

  private let monitor: Monitor<State>
  private let workers: Int
  private let capacity: Int
  private let now: @Sendable () -> Nanoseconds
  /// How many jobs are being worked on; changed under the lock.
  private let working = Atomic(0)

  init(workers: Int, queueLength: Int, now: @escaping @Sendable () -> Nanoseconds) {
    self.workers = workers
    self.now = now
    capacity = workers + queueLength
    monitor = Monitor(State(running: Array(repeating: nil, count: workers)))
  }

  func start() throws(DaemonError) {
    for index in 0..<workers {
      do {
        try PlatformThread.start("http-worker-\(index)") { [self] in run(index) }
      } catch {
        close()
        throw error
      }
    }
  }

  /// Work that waits or is being done.
  var depth: Int { monitor.withLock { unfinished($0) } }

  private func unfinished(_ state: borrowing State) -> Int {
    state.reserved + state.queue.count + working.load(ordering: .relaxed)
  }

  /// Whether any worker is at work.
  var isBusy: Bool { working.load(ordering: .relaxed) > 0 }

  /// Takes a place for one job, or says no.
  func reserve() -> Bool {
    monitor.withLock {
      guard !$0.isClosed, unfinished($0) < capacity else { return false }
      $0.reserved += 1
      return true
    }
  }

  /// Gives a job to the workers, on a place reserved before.
  ///
  /// - Returns: False if the pool has been closed meanwhile.
  func submit(_ job: DeferredJob) -> Bool {
    monitor.updateForOne {
      $0.reserved -= 1
      guard !$0.isClosed else { return false }
      $0.queue.append(job)
      return true
    }
  }

  /// Takes no more work, and ends each worker when it has finished what it is at.
  ///
  /// - Returns: The jobs that are not answered; those of the queue will not be.
  @discardableResult
  func close() -> [DeferredJob] {
    monitor.update {
      $0.isClosed = true
      return $0.queue.removeAll() + $0.running.compactMap { $0 }
    }
  }

  /// When a client that found the queue full should come again: when what is here now will be done.
  var retryAfterSeconds: Int {
    monitor.withLock {
      Self.retryAfterSeconds(
        unfinished: unfinished($0), workers: workers, meanDuration: $0.meanDuration)
    }
  }

  /// How many seconds it takes so many workers to do so much work and a job more, from 1 to 30.
  static func retryAfterSeconds(
    unfinished: Int, workers: Int, meanDuration: Nanoseconds
  ) -> Int {
    let rounds = Nanoseconds(unfinished / max(workers, 1) + 1)
    return Int(min(max(rounds * meanDuration / 1_000_000_000, 1), 30))
  }

  private func run(_ index: Int) {
    // A query takes microseconds, and should not wait for what takes seconds.
    PlatformThread.takeShortTurns()
    while let job = next(for: index) {
      let start = now()
      let response = job.takeWork()?()
      let duration = now() - start
      monitor.withLock {
        working.subtract(1, ordering: .relaxed)
        $0.meanDuration += (duration - $0.meanDuration) / 8
      }
      if let response { job.finish(with: response) }
    }
  }

  private func next(for index: Int) -> DeferredJob? {
    let job: DeferredJob?? = monitor.wait {
      // Only now does the last one leave the list: a job is in it until nobody waits for its
      // answer.
      $0.running[index] = nil
      let running = $0.running
      let next = $0.queue.popFirst { job in
        job.object == nil || !running.contains { $0?.object === job.object }
      }
      if let job = next {
        working.add(1, ordering: .relaxed)
        $0.running[index] = job
        return .some(job)
      }
      return $0.isClosed ? .some(nil) : nil
    }
    return job ?? nil
  }

  /// First in, first out: an array and the index of its first element that is still in.
  private struct Queue {
    /// `nil` for those that are out: a job that was taken must not stay with its answer.
    private var jobs: [DeferredJob?] = []
    private var first = 0

    var count: Int { jobs.count - first }

    mutating func append(_ job: DeferredJob) {
      jobs.append(job)
    }

    /// - Complexity: Amortised O(1) for the first job of all, O(*n*) for another.
    mutating func popFirst(where mayRun: (DeferredJob) -> Bool) -> DeferredJob? {
      guard let index = jobs[first...].firstIndex(where: { $0.map(mayRun) ?? false }) else {
        return nil
      }
      guard index == first else { return jobs.remove(at: index) }
      let job = jobs[first].take()
      first += 1
      if first == jobs.count {
        removeAllKeepingCapacity()
      } else if first >= 64 && first * 2 >= jobs.count {
        jobs.removeFirst(first)
        first = 0
      }
      return job
    }

    mutating func removeAll() -> [DeferredJob] {
      let rest = jobs[first...].compactMap { $0 }
      removeAllKeepingCapacity()
      return rest
    }

    private mutating func removeAllKeepingCapacity() {
      jobs.removeAll(keepingCapacity: true)
      first = 0
    }
  }
}
