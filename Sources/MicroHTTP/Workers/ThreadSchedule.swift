import CMicroHTTPD
import Glibc

/// How the system schedules a network thread: normally, or in batches while it is busy.
///
/// A thread that wakes normally takes the processor from whoever has it. Where that is a client on
/// the same machine (a proxy, a load test) in the midst of sending, the thread finds one request
/// instead of several, and the two go on taking turns. With SCHED_BATCH it waits until the client
/// sleeps.
///
/// It would also wait for a worker, whose time slice is long. So a thread is scheduled normally
/// while there is work for workers, and whenever requests are few.
final class ThreadSchedule {
  /// Whoever started the program with another policy wants that.
  private let isOurs = sched_getscheduler(0) == SCHED_OTHER
  // Only its own thread is in here; see `Connection`.
  @exclusivity(unchecked) private var pace = RequestPace()
  @exclusivity(unchecked) private var isInBatches = false

  static let ofThisThread = PerThread { ThreadSchedule() }

  /// Counts a request that the thread has completed.
  func noteRequest(at now: Nanoseconds, workersAreBusy: Bool) {
    pace.noteRequest(at: now)
    let wanted = pace.isHigh && !workersAreBusy
    guard isOurs, wanted != isInBatches else { return }
    isInBatches = wanted
    micro_schedule_in_batches(wanted)
  }
}

/// Whether requests follow one another closely: of each so many, whether they took no longer than
/// that.
struct RequestPace {
  static let count = 64
  /// Four thousand requests a second.
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
