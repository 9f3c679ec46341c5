/// Whose job is next, so that nobody waits for somebody else's many or long jobs.
///
/// Each job ends, in a time of its own, where the last job of its owner ends, and its own cost
/// later. The one that ends first is next. So the jobs of one owner keep their order, owners share
/// what is done in equal parts, and cheap jobs come before long ones.
///
/// Source: S. J. Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband Applications",
/// INFOCOM 1994
struct FairTurns<Owner: Hashable & Sendable, Job: Sendable>: Sendable {
  private struct Entry: Sendable {
    let end: Duration
    /// The first of equals is next.
    let serial: Int
    let job: Job
  }

  /// The jobs of each owner that has some, in their order. The first of a slice is taken out
  /// without moving the others.
  private var waiting: [Owner: ArraySlice<Entry>] = [:]
  /// Where the last job ended whose turn it was.
  private var now = Duration.zero
  private var lastSerial = 0

  var isEmpty: Bool { waiting.isEmpty }

  mutating func add(_ job: Job, of owner: Owner, cost: Duration) {
    var jobs = waiting.removeValue(forKey: owner) ?? []
    lastSerial += 1
    jobs.append(Entry(end: max(jobs.last?.end ?? now, now) + cost, serial: lastSerial, job: job))
    waiting[owner] = jobs
  }

  /// Takes the next job out; `nil` if none waits.
  ///
  /// - Complexity: O(*n*) for *n* owners whose jobs wait.
  mutating func next() -> Job? {
    let first = waiting.min { Self.isBefore($0.value, $1.value) }
    guard let owner = first?.key, let next = waiting[owner]?.popFirst() else { return nil }
    if waiting[owner]?.isEmpty ?? false { waiting[owner] = nil }
    now = next.end
    return next.job
  }

  private static func isBefore(_ one: ArraySlice<Entry>, _ other: ArraySlice<Entry>) -> Bool {
    guard let one = one.first, let other = other.first else { return false }
    return (one.end, one.serial) < (other.end, other.serial)
  }
}
