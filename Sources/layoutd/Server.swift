import Glibc
import LayoutService
import LayoutSessions
import Logging
import MicroHTTP

/// The parts wired together, from start to stop.
struct Server {
  private let command: Command
  private let logger: Logger

  init(_ command: Command) {
    self.command = command
    logger = Logger(label: "layoutd", factory: { StreamLogHandler.standardError(label: $0) })
  }

  /// Serves until SIGTERM or SIGINT; then no new connections, and running requests finish.
  func run() throws(DaemonError) {
    // Blocked here, before there is another thread, so that only this one takes them.
    let signals = SignalSet([SIGTERM, SIGINT])
    signal(SIGPIPE, SIG_IGN)
    let sessions = SessionStore(bounds: command.sessionBounds, clock: SystemClock())
    let service = LayoutService(
      sessions: sessions, limits: LayoutService.Limits(maxItems: command.maxItems),
      logger: logger)
    let daemon = try Daemon(configuration: command.daemonConfiguration, responder: service)
    logger.info("listening", metadata: ["address": "\(daemon.address)"])
    while true {
      if let number = signals.next(within: 1) {
        logger.info("stopping", metadata: ["signal": "\(number)"])
        break
      }
      sessions.removeExpiredSessions()
    }
    daemon.shutDown(grace: .seconds(30))
    logger.info("stopped")
  }
}

/// Signals that are waited for instead of handled.
struct SignalSet {
  private var set = sigset_t()

  init(_ numbers: [Int32]) {
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of the signals; `nil` when none comes in time.
  func next(within seconds: Int) -> Int32? {
    var timeout = timespec(tv_sec: seconds, tv_nsec: 0)
    var set = set
    let number = sigtimedwait(&set, nil, &timeout)
    return number > 0 ? number : nil
  }
}

/// The machine's own clocks.
struct SystemClock: SessionClock {
  func now() -> Duration {
    let time = Self.time(CLOCK_MONOTONIC)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  func unixTime() -> Int { Self.time(CLOCK_REALTIME).tv_sec }

  private static func time(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
