/// Which job is done next by which thread: two bounded queues, and the jobs that are in progress.
///
///     reserve ──▶ add ──▶ take ──▶ end ──▶ leave
///                            └──▶ passOn ──▶ take (by a worker)
///
/// Jobs on the same object are done one at a time. Whoever leaves a job is told whether another
/// thread may now take what it could not take before: that thread sleeps, and must be woken.
struct WorkQueues<Job: DeferrableJob> {
  /// A job in a queue.
  struct Entry {
    let job: Job
    /// Whether no worker was free when it came.
    let mustWait: Bool
  }

  /// A queue, and the work of the threads that serve it.
  private struct Line {
    var queue: [Entry] = []
    /// The number of places that are reserved but not used yet.
    var reserved = 0
    /// The number of these threads that are at work.
    var working = 0
    let capacity: Int

    init(capacity: Int) {
      self.capacity = capacity
    }

    /// The number of jobs that wait or are in progress.
    var unfinished: Int { reserved + queue.count + working }
    var isFull: Bool { unfinished >= capacity }
  }

  /// The jobs of the workers.
  private var long: Line
  /// The jobs that may be short, of the thread for short work.
  private var short: Line
  /// For each worker, the job that it has not left yet; and last that of the thread for short work.
  private var running: [Job?]
  private(set) var isClosed = false

  private var workers: Int { running.count - 1 }

  init(workers: Int, queueLength: Int) {
    long = Line(capacity: workers + queueLength)
    short = Line(capacity: 1 + queueLength)
    running = Array(repeating: nil, count: workers + 1)
  }

  /// The number of jobs that wait or are in progress.
  var unfinished: Int { long.unfinished + short.unfinished }

  /// Of these, those of the workers.
  var unfinishedLong: Int { long.unfinished }

  /// Reserves a place for one job.
  ///
  /// - Returns: False if there is none.
  mutating func reserve(isShort: Bool) -> Bool {
    let line = Self.line(isShort: isShort)
    guard !isClosed, !self[keyPath: line].isFull else { return false }
    self[keyPath: line].reserved += 1
    return true
  }

  /// Adds a job, for which a place was reserved.
  ///
  /// - Returns: False if the queues were closed meanwhile.
  mutating func add(_ job: Job) -> Bool {
    let line = Self.line(isShort: job.isShort)
    let isBusy =
      long.queue.count + short.queue.count + long.working + short.working >= workers
    self[keyPath: line].reserved -= 1
    guard !isClosed else { return false }
    self[keyPath: line].queue.append(Entry(job: job, mustWait: isBusy))
    return true
  }

  /// The next job for a thread; `nil` if there is none that may begin.
  ///
  /// A worker that has nothing else to do takes short work, too.
  mutating func take(for thread: Int) -> Entry? {
    let running = running
    func mayBegin(_ entry: Entry) -> Bool {
      entry.job.object == nil || !running.contains { $0?.object === entry.job.object }
    }
    func takeFirst(of queue: inout [Entry]) -> Entry? {
      queue.firstIndex(where: mayBegin).map { queue.remove(at: $0) }
    }
    let next =
      thread < workers
      ? takeFirst(of: &long.queue) ?? takeFirst(of: &short.queue)
      : takeFirst(of: &short.queue)
    guard let next else { return nil }
    self[keyPath: line(of: thread)].working += 1
    self.running[thread] = next.job
    return next
  }

  /// Frees the place of a thread's job. This comes before its answer, because its client may send
  /// the next request at once.
  mutating func end(_ thread: Int) {
    self[keyPath: line(of: thread)].working -= 1
  }

  /// Makes the job of the thread for short work, which has turned out to be long, the next one of
  /// the workers. It is in a queue again, so it is in progress no more.
  ///
  /// - Returns: False if the workers' queue is full.
  mutating func passOn(_ entry: Entry) -> Bool {
    if long.isFull { return false }
    long.queue.insert(entry, at: 0)
    running[workers] = nil
    return true
  }

  /// Forgets a thread's job, when nobody waits for its answer any more.
  ///
  /// - Returns: Whether a job that waits may begin now, since the object is free.
  mutating func leave(_ thread: Int) -> Bool {
    guard let job = running[thread].take(), let object = job.object else { return false }
    return long.queue.contains { $0.job.object === object }
      || short.queue.contains { $0.job.object === object }
  }

  /// Accepts no more work.
  ///
  /// - Returns: The jobs that are not answered.
  mutating func close() -> [Job] {
    isClosed = true
    let waiting = long.queue + short.queue
    (long.queue, short.queue) = ([], [])
    return waiting.map(\.job) + running.compactMap { $0 }
  }

  private static func line(isShort: Bool) -> WritableKeyPath<Self, Line> {
    isShort ? \.short : \.long
  }

  private func line(of thread: Int) -> WritableKeyPath<Self, Line> {
    Self.line(isShort: thread == workers)
  }
}

/// What the queues must know of a job.
protocol DeferrableJob {
  /// The object of the work, if other work on it must wait.
  var object: (any AnyObject & Sendable)? { get }
  /// Whether it may be short work.
  var isShort: Bool { get }
}
