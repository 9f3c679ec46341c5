import Synchronization

/// A fixed number of threads that do deferred work in the order in which it came, with a bounded
/// queue before them.
///
/// Of jobs that are on one and the same object only one is done at a time; the others stay in the
/// queue, and the worker that has done it looks at them again.
///
/// Long work can't be told from short by who sends it: behind a proxy all come from one address. So
/// what may be short has a thread of its own beside the workers. It tries that, and puts what turns
/// out to be long back to the front of the queue.
///
/// Where a job has had to wait and its client has ended its output meanwhile, it is given up: most
/// who do so are gone. A client that only has said all that it will say gets its answer from a pool
/// that is not busy, and from a busy one that it should come again.
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
    /// What each worker has not answered yet, and last the thread for short work.
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
    // Everybody is woken: one alone might be the thread that does short work only.
    monitor.update {
      $0.reserved -= 1
      guard !$0.isClosed else { return false }
      let isBusy = $0.queue.count + working.load(ordering: .relaxed) >= workers
      $0.queue.append(Entry(job: job, mustWait: isBusy, mayBeShort: job.isShort))
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
      return $0.queue.removeAll().map(\.job) + $0.running.compactMap { $0 }
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

  private func run(_ index: Int, _ shortage: () -> Response) {
    // A query takes microseconds, and should not wait for what takes seconds.
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

  /// Leaves a job that is not short to the others, as the next one.
  private func putBack(_ entry: Entry) {
    var entry = entry
    entry.mayBeShort = false
    monitor.update {
      // Who has closed the pool has it among those that were being worked on, and gives it up.
      if !$0.isClosed { $0.queue.prepend(entry) }
    }
  }

  private func next(for index: Int) -> Entry? {
    let entry: Entry?? = monitor.wait {
      // Only now does the last one leave the list: a job is in it until nobody waits for its
      // answer.
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
    /// Whether there was no worker for it when it came.
    let mustWait: Bool
    var mayBeShort: Bool
  }

  /// First in, first out: an array and the index of its first element that is still in.
  private struct Queue {
    /// `nil` for those that are out: a job that was taken must not stay with its answer.
    private var entries: [Entry?] = []
    private var first = 0

    var count: Int { entries.count - first }

    mutating func append(_ entry: Entry) {
      entries.append(entry)
    }

    /// - Complexity: O(*n*) where nothing was taken before.
    mutating func prepend(_ entry: Entry) {
      if first > 0 {
        first -= 1
        entries[first] = entry
      } else {
        entries.insert(entry, at: 0)
      }
    }

    /// - Complexity: Amortised O(1) for the first job of all, O(*n*) for another.
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
