/// Whose job is next, so that nobody waits for somebody else's many or long jobs.
///
/// Each job ends, in a time of its own, where the last job of its owner ends, and its own cost
/// later. The one that ends first is next. So the jobs of one owner keep their order, owners share
/// what is done in equal parts, and cheap jobs come before long ones.
///
/// Source: S. J. Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications",
/// INFOCOM 1994
struct FairTurns<Owner: Hashable & Sendable, Job: Sendable>: Sendable {
  private struct Entry {
    let end: Duration
    /// The first of equals is next.
    let serial: Int
    let owner: Owner
    let job: Job

    func precedes(_ other: Entry) -> Bool { (end, serial) < (other.end, other.serial) }
  }

  /// A heap: no entry precedes its parent, which is at `(index − 1) / 2`.
  private var heap: [Entry] = []
  /// Where the last waiting job of each owner ends.
  private var ends: [Owner: Duration] = [:]
  /// Where the last job ended whose turn it was.
  private var now = Duration.zero
  private var lastSerial = 0

  var isEmpty: Bool { heap.isEmpty }

  /// Adds a job.
  ///
  /// - Complexity: O(log *n*) for *n* jobs that wait.
  mutating func add(_ job: Job, of owner: Owner, cost: Duration) {
    let end = max(ends[owner] ?? now, now) + cost
    ends[owner] = end
    lastSerial += 1
    heap.append(Entry(end: end, serial: lastSerial, owner: owner, job: job))
    var index = heap.count - 1
    while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Takes the next job out; `nil` if none waits.
  ///
  /// - Complexity: O(log *n*) for *n* jobs that wait.
  mutating func next() -> Job? {
    guard let last = heap.popLast() else { return nil }
    let next = heap.first ?? last
    if !heap.isEmpty {
      heap[0] = last
      siftDown()
    }
    now = next.end
    if ends[next.owner] == next.end { ends[next.owner] = nil }
    return next.job
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].precedes(heap[least]) { least = child }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
