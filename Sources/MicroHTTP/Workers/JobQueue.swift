/// A first-in-first-out queue: an array, and the index of the first element that is still in it.
struct JobQueue<Job> {
  /// The jobs. One that was taken is `nil`, because it must not be held here while others wait.
  private var jobs: [Job?] = []
  private var first = 0

  var count: Int { jobs.count - first }

  mutating func append(_ job: Job) {
    jobs.append(job)
  }

  /// - Complexity: O(1), or O(*n*) if nothing was taken before.
  mutating func prepend(_ job: Job) {
    if first > 0 {
      first -= 1
      jobs[first] = job
    } else {
      jobs.insert(job, at: 0)
    }
  }

  /// - Complexity: Amortized O(1) if the first job is taken, otherwise O(*n*).
  mutating func popFirst(where mayRun: (Job) -> Bool) -> Job? {
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

  /// - Complexity: O(*n*).
  func contains(where condition: (Job) -> Bool) -> Bool {
    jobs[first...].contains { $0.map(condition) ?? false }
  }

  mutating func removeAll() -> [Job] {
    let rest = jobs[first...].compactMap { $0 }
    removeAllKeepingCapacity()
    return rest
  }

  private mutating func removeAllKeepingCapacity() {
    jobs.removeAll(keepingCapacity: true)
    first = 0
  }
}
