import System

/// The scheduling policy of a network thread: normal, or SCHED_BATCH while it is busy.
///
/// With the normal policy, a waking thread takes the processor from a running thread. If that is a
/// client on the same machine (a proxy, a load test) that is still sending, the thread finds one
/// request instead of several, and both threads keep taking turns. With SCHED_BATCH the thread
/// waits until the client sleeps.
///
/// But then it would also wait for a worker, whose time slice is long. So the normal policy is used
/// while workers have work, and while requests are few.
final class ThreadSchedule {
  /// If the program was started with another policy, that policy is kept.
  private let isOurs = SystemThread.isScheduledNormally
  // Only its own thread uses these; see `Connection`.
  @exclusivity(unchecked) private var pace = RequestPace()
  @exclusivity(unchecked) private var isInBatches = false

  static let ofThisThread = PerThread { ThreadSchedule() }

  /// Counts a request that the thread has completed.
  func noteRequest(at now: Nanoseconds, workersAreBusy: Bool) {
    pace.noteRequest(at: now)
    let wanted = pace.isHigh && !workersAreBusy
    guard isOurs, wanted != isInBatches else { return }
    isInBatches = wanted
    SystemThread.scheduleInBatches(wanted)
  }
}

/// Whether requests follow one another closely. This is decided after every ``count`` requests:
/// they must have taken at most ``duration``.
struct RequestPace {
  static let count = 64
  /// This is the duration of ``count`` requests at 4,000 requests per second.
  static let duration: Nanoseconds = 16_000_000

  private(set) var isHigh = false
  private var counted = 0
  private var start: Nanoseconds = 0

  mutating func noteRequest(at now: Nanoseconds) {
    counted += 1
    guard counted == Self.count else { return }
    isHigh = now - start <= Self.duration
    start = now
    counted = 0
  }
}
