import Synchronization

/// A fixed number of threads that do deferred work in order of arrival, with a bounded queue.
///
/// Jobs on the same object are done one at a time. The others stay in the queue until the worker
/// that did one looks at the queue again.
///
/// The sender does not say whether work is long: behind a proxy, all requests come from one
/// address. So work that may be short has a thread of its own, beside the workers. This thread
/// tries it. If it turns out to be long, it goes back to the front of the queue.
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
    var queue = Queue()
    /// The number of places that are reserved but not used yet.
    var reserved = 0
    /// For each worker, the job that it has not answered yet; and last that of the thread for short
    /// work.
    var running: [DeferredJob?]
    var isClosed = false
    /// The smoothed duration of a job: each new job counts for one eighth. `retryAfterSeconds` is
    /// estimated from it.
    var meanDuration: Nanoseconds = 0
  }

  private let monitor: Monitor<State>
  private let workers: Int
  private let capacity: Int
  private let now: @Sendable () -> Nanoseconds
  /// The number of jobs in progress. It is changed under the lock.
  private let working = Atomic(0)

  init(workers: Int, queueLength: Int, now: @escaping @Sendable () -> Nanoseconds) {
    self.workers = workers
    self.now = now
    capacity = workers + queueLength
    monitor = Monitor(State(running: Array(repeating: nil, count: workers + 1)))
  }

  /// - Parameter shortage: Makes the answer to work that is given up.
  func start(_ shortage: @escaping @Sendable () -> Response) throws(DaemonError) {
    for index in 0...workers {
      do {
        try PlatformThread.start(index < workers ? "http-worker-\(index)" : "http-short-work") {
          [self] in run(index, shortage)
        }
      } catch {
        close()
        throw error
      }
    }
  }

  /// The number of jobs that wait or are in progress.
  var depth: Int { monitor.withLock { unfinished($0) } }

  private func unfinished(_ state: borrowing State) -> Int {
    state.reserved + state.queue.count + working.load(ordering: .relaxed)
  }

  /// Whether any worker has work.
  var isBusy: Bool { working.load(ordering: .relaxed) > 0 }

  /// Reserves a place for one job.
  ///
  /// - Returns: False if there is none.
  func reserve() -> Bool {
    monitor.withLock {
      guard !$0.isClosed, unfinished($0) < capacity else { return false }
      $0.reserved += 1
      return true
    }
  }

  /// Adds a job, for which a place was reserved.
  ///
  /// - Returns: False if the pool was closed meanwhile.
  func submit(_ job: DeferredJob) -> Bool {
    // All threads are woken, because a single one could be the thread that only does short work.
    monitor.update {
      $0.reserved -= 1
      guard !$0.isClosed else { return false }
      let isBusy = $0.queue.count + working.load(ordering: .relaxed) >= workers
      $0.queue.append(Entry(job: job, mustWait: isBusy, mayBeShort: job.isShort))
      return true
    }
  }

  /// Accepts no more work, and ends each worker after its present job.
  ///
  /// - Returns: The jobs that are not answered. Those in the queue will not be done.
  @discardableResult
  func close() -> [DeferredJob] {
    monitor.update {
      $0.isClosed = true
      return $0.queue.removeAll().map(\.job) + $0.running.compactMap { $0 }
    }
  }

  /// The time after which a client that found the queue full should come again: about when the
  /// present work will be done.
  var retryAfterSeconds: Int {
    monitor.withLock {
      Self.retryAfterSeconds(
        unfinished: unfinished($0), workers: workers, meanDuration: $0.meanDuration)
    }
  }

  /// The seconds that workers need for the unfinished jobs and one more, from 1 to 30.
  static func retryAfterSeconds(
    unfinished: Int, workers: Int, meanDuration: Nanoseconds
  ) -> Int {
    let rounds = Nanoseconds(unfinished / max(workers, 1) + 1)
    return Int(min(max(rounds * meanDuration / 1_000_000_000, 1), 30))
  }

  private func run(_ index: Int, _ shortage: () -> Response) {
    // A query takes microseconds. It should not wait for work that takes seconds.
    PlatformThread.takeShortTurns()
    while let entry = next(for: index) {
      if entry.mustWait && entry.job.isAbandoned {
        working.subtract(1, ordering: .relaxed)
        entry.job.giveUp(with: shortage)
      } else if index == workers {
        let isDone = entry.job.finishIfShort()
        working.subtract(1, ordering: .relaxed)
        if !isDone { putBack(entry) }
      } else {
        work(on: entry.job)
      }
    }
  }

  private func work(on job: DeferredJob) {
    let start = now()
    let response = job.takeWork()?()
    let duration = now() - start
    monitor.withLock {
      working.subtract(1, ordering: .relaxed)
      $0.meanDuration += (duration - $0.meanDuration) / 8
    }
    if let response { job.finish(with: response) }
  }

  /// Puts a job that is not short back, as the next one for the workers.
  private func putBack(_ entry: Entry) {
    var entry = entry
    entry.mayBeShort = false
    monitor.update {
      // If the pool was closed, `close` returned this job among those in progress, and its caller
      // gives it up.
      if !$0.isClosed { $0.queue.prepend(entry) }
    }
  }

  private func next(for index: Int) -> Entry? {
    let entry: Entry?? = monitor.wait {
      // The worker's last job leaves the list only now, when nobody waits for its answer any more.
      $0.running[index] = nil
      let running = $0.running
      let next = $0.queue.popFirst { entry in
        (index < workers || entry.mayBeShort)
          && (entry.job.object == nil || !running.contains { $0?.object === entry.job.object })
      }
      if let entry = next {
        working.add(1, ordering: .relaxed)
        $0.running[index] = entry.job
        return .some(entry)
      }
      return $0.isClosed ? .some(nil) : nil
    }
    return entry ?? nil
  }

  /// A job in the queue.
  private struct Entry {
    let job: DeferredJob
    /// Whether no worker was free when it came.
    let mustWait: Bool
    var mayBeShort: Bool
  }

  /// A first-in-first-out queue: an array, and the index of the first element that is still in it.
  private struct Queue {
    /// The elements. An element that was taken out is `nil`, so that the job is released after its
    /// answer.
    private var entries: [Entry?] = []
    private var first = 0

    var count: Int { entries.count - first }

    mutating func append(_ entry: Entry) {
      entries.append(entry)
    }

    /// - Complexity: O(1), or O(*n*) if nothing was taken before.
    mutating func prepend(_ entry: Entry) {
      if first > 0 {
        first -= 1
        entries[first] = entry
      } else {
        entries.insert(entry, at: 0)
      }
    }

    /// - Complexity: Amortized O(1) if the first job is taken, otherwise O(*n*).
    mutating func popFirst(where mayRun: (Entry) -> Bool) -> Entry? {
      guard let index = entries[first...].firstIndex(where: { $0.map(mayRun) ?? false }) else {
        return nil
      }
      guard index == first else { return entries.remove(at: index) }
      let entry = entries[first].take()
      first += 1
      if first == entries.count {
        removeAllKeepingCapacity()
      } else if first >= 64 && first * 2 >= entries.count {
        entries.removeFirst(first)
        first = 0
      }
      return entry
    }

    mutating func removeAll() -> [Entry] {
      let rest = entries[first...].compactMap { $0 }
      removeAllKeepingCapacity()
      return rest
    }

    private mutating func removeAllKeepingCapacity() {
      entries.removeAll(keepingCapacity: true)
      first = 0
    }
  }
}
